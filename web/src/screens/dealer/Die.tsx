/** The die: where its shake is, and which face it shows. */
import { die, shaker, type Pips } from "../../draw/die";
import { Svg } from "../../draw/Svg";
import { drawLanguage } from "../../parts/Card";
import type { Desk } from "./context";
import { say } from "./say";
import { seatOf } from "./texts";

export function DiePad(props: { from: number; to: number; value: number | null; onValue: (face: number) => void }) {
  const faces = Array.from({ length: props.to - props.from + 1 }, (_, i) => props.from + i);
  return (
    <section class="pad dice" aria-label={say("dieShows")}>
      <header>{say("dieShows")}</header>
      <div class="faces" role="radiogroup" aria-label={say("dieShows")}>
        {faces.map((face) => (
          <button key={face} type="button" role="radio" aria-checked={props.value === face} aria-label={String(face)} onClick={() => props.onValue(face)}>
            <span class="dr">
              <Svg of={die(face as Pips)} label="" />
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}

/** The shaker while it goes round. */
export function Shaking({ desk }: { desk: Desk }) {
  const nobody = { shakes: 0, due: null, held_by: null, passed: false, refused: [], confirmed: false, opened: false };
  const shown = desk.part.shaker ?? nobody;
  const state = desk.view.die !== null ? (desk.view.die as Pips) : shown.held_by === null ? "closed" : "moving";
  const facts: [string, string][] = [
    [say("shakes"), String(shown.shakes)],
    [say("shakerWith"), shown.held_by === null ? say("you") : seatOf(desk.part, shown.held_by)],
    [say("shakerDue"), shown.due === null ? "–" : seatOf(desk.part, shown.due)],
    [say("shakerRefused"), shown.refused.map((name) => seatOf(desk.part, name)).join(", ") || "–"],
    [say("shakeConfirmed"), say(shown.confirmed ? "yes" : "no")],
  ];
  return (
    <section class="panel shaking" aria-label={say("theDie")}>
      <span class="dr cup">
        <Svg of={shaker(state, drawLanguage())} />
      </span>
      <dl class="kv">
        {facts.map(([name, value]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}
