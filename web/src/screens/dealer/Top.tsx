/** The top of the console: which table, where the round is, who deals. */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { go } from "../../app/router";
import { somebody } from "../../app/session";
import { gameTitle, positionName, roomName } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { say as common } from "../../i18n/common";
import { Icon } from "../../parts/Icon";
import { SettingsButton } from "../../parts/Settings";
import { useFades } from "../../parts/useFades";
import { numberOf } from "../../state/tables";
import type { Desk } from "./context";
import { houseDeals, stepsOf } from "./course";
import { GiveBackButton } from "./GiveBack";
import { named, say } from "./say";

/** "08": what tells a table in a title; one without a number has its name. */
export const tableMark = (table: string): string => numberOf({ name: table }) ?? table;

/** So much of the row fades at its edge. */
const FADES_PX = 28;

/** Where the steps are wider than the window, the one that is on is in sight, and the first in sight is whole. */
function useInSight(now: string | undefined): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const show = (): void => {
      const [shown, on] = [list.current, list.current?.querySelector<HTMLElement>("[aria-current]")];
      if (!shown || !on) return;
      const steps = [...shown.children].map((one) => (one as HTMLElement).offsetLeft);
      const [first = 0] = steps;
      const least = on.offsetLeft + on.offsetWidth + FADES_PX - first - shown.clientWidth;
      shown.scrollLeft = steps.map((start) => start - first).find((start) => start >= least) ?? least;
    };
    show();
    addEventListener("resize", show);
    return () => removeEventListener("resize", show);
  }, [now]);
  return list;
}

function Steps({ desk }: { desk: Desk }) {
  const steps = stepsOf(desk.view, desk.part);
  const list = useInSight(steps.find(({ state }) => state === "now")?.name);
  useFades(list);
  return (
    <ol ref={list} class="steps fades" aria-label={say("steps")}>
      {steps.map(({ name, state }) => (
        <li key={name} class={state === "done" ? "done" : ""} aria-current={state === "now" ? "step" : undefined}>
          {state === "done" && <Icon name="check" />}
          {named("step", name)}
        </li>
      ))}
    </ol>
  );
}

function subtitle({ view }: Desk): string {
  const { rules, round } = view;
  if (rules === null) return say("closed");
  const parts = [
    roomName(rules.room),
    rules.method === null ? null : say("method", { method: rules.method }),
    `${rules.rulebook} v${rules.version}`,
    round === null ? null : say("roundN", { n: round }),
  ];
  return parts.filter((part) => part !== null && part !== "").join(" · ");
}

function WhoDeals({ desk }: { desk: Desk }) {
  const { part, view } = desk;
  const me = somebody.value;
  const line = houseDeals(view, part)
    ? say("houseDeals")
    : part.dealer !== null && part.dealer !== me?.name
      ? say("dealtBy", { name: part.dealer })
      : part.dealer === null
        ? ""
        : say("dealsHere");
  return (
    <div class="who">
      <span>
        <b>
          {me?.name}
          {me?.position ? (
            <>
              <span class="cm">, </span>
              <span class="pos">{positionName(me.position)}</span>
            </>
          ) : null}
        </b>
        {line}
      </span>
      <GiveBackButton desk={desk} />
      <button class="iconbtn keysbtn" aria-label={common("keyList")} title={common("keyList")} aria-keyshortcuts="?" onClick={() => void (desk.over.value = { kind: "keys" })}>
        <Icon name="keyboard" />
      </button>
      <SettingsButton />
    </div>
  );
}

export function Top({ desk, steps = true, children }: { desk: Desk; steps?: boolean; children?: ComponentChildren }) {
  const number = numberOf({ name: desk.table });
  return (
    <header class="top">
      <button class="no" aria-label={number === null ? say("otherTable") : `${number}: ${say("otherTable")}`} onClick={() => go("/dealer")}>
        {number ?? <Icon name="grid" />}
      </button>
      <h1>
        {desk.view.rules === null ? tableWords(desk.table) : gameTitle(desk.view.rules)}
        <span>
          {number === null && desk.view.rules !== null ? `${desk.table} · ` : ""}
          {subtitle(desk)}
        </span>
      </h1>
      {steps ? <Steps desk={desk} /> : <span class="grow">{children}</span>}
      <WhoDeals desk={desk} />
    </header>
  );
}
