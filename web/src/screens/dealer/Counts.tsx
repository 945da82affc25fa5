/** How many of each face were sorted: cells start full, and what differs is changed. */
import { useEffect, useRef } from "preact/hooks";
import { cardName, indexOf, IVORY } from "../../draw/cards";
import { pip, suitName } from "../../draw/suits";
import { Svg } from "../../draw/Svg";
import { drawLanguage } from "../../parts/Card";
import { deckOfGame } from "../../parts/HandCards";
import { Icon } from "../../parts/Icon";
import { useFades } from "../../parts/useFades";
import { changed, concluded, counted, type Counts, fullCounts } from "./counting";
import { coloursOf, faceOf, ranksOf } from "./entry";
import type { FieldProps } from "./Fields";
import { say } from "./say";

const STEPS: Record<string, number> = { "+": 1, "=": 1, ArrowUp: 1, "-": -1, ArrowDown: -1 };

/** One face: pressed it is one less, by keys or the other button one more. */
function Cell(props: { face: string; n: number; full: number; inPlay: boolean; onChange: (by: number) => void }) {
  const { face, n, full, inPlay, onChange } = props;
  const note = n !== full ? say("nShort", { n: full - n }) : inPlay ? say("inPlay") : "";
  const pressed = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onChange(by);
  };
  return (
    <td>
      <button
        type="button"
        class={n !== full ? "gone" : inPlay ? "part" : ""}
        aria-label={`${cardName(face, drawLanguage())}: ${n}${note === "" ? "" : `, ${note}`}`}
        onClick={() => onChange(-1)}
        onContextMenu={(event) => {
          event.preventDefault();
          onChange(1);
        }}
        onKeyDown={pressed}
      >
        {n}
        {note !== "" && <small>{note}</small>}
      </button>
    </td>
  );
}

export function CountsField({ desk, field, draft, onHeld }: FieldProps) {
  const deck = deckOfGame(desk.view.rules?.game);
  const decks = desk.view.rules?.decks ?? 8;
  const faces = desk.view.hands.flatMap((hand) => hand.cards.map(({ face }) => face)).filter((face) => face !== null);
  const full = fullCounts(deck, decks, faces);
  const counts = (draft[field.name] as Counts | undefined) ?? full;
  useEffect(() => {
    if (draft[field.name] === undefined) onHeld({ ...full });
  }, [field.name]);
  const box = useRef<HTMLDivElement>(null);
  useFades(box);
  const reserved = desk.view.waiting;
  // Before cards are sorted all others are exposed: those face down are the ones that were taken.
  const taken = desk.view.hands.reduce((sum, hand) => sum + hand.cards.filter(({ face }) => face === null).length, 0);
  const said = concluded(counts, full, reserved, taken);
  const gone = Math.max(0, said.short - reserved);
  const cell = (face: string) => (
    <Cell
      key={face}
      face={face}
      n={counts[face] ?? 0}
      full={full[face] ?? 0}
      inPlay={faces.includes(face)}
      onChange={(by) => onHeld({ ...changed(counts, face, by, decks) })}
    />
  );
  return (
    <div class="stack12">
      <p class="sm muted">
        {say("countedSum", { n: counted(counts) })} · {faces.length > 0 && `${say("inPlaySum", { n: faces.length })} · `}
        {reserved > 0 && `${say("reservedSum", { n: reserved })} · `}
        <b class={gone === 0 ? "" : "alerting"}>{say("goneSum", { n: gone })}</b>
      </p>
      <div ref={box} class="tblbox fades" tabIndex={0} role="region" aria-label={say("countOfEach")}>
        <table class="mx">
          <thead>
            <tr>
              <th scope="col">
                <span class="sr">{say(deck === 52 ? "suit" : "element")}</span>
              </th>
              {ranksOf(deck).map((rank) => (
                <th key={rank} scope="col">
                  {indexOf(rank)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {coloursOf(deck).map((colour) => (
              <tr key={colour}>
                <th scope="row">
                  <span class="dr" style={{ background: IVORY }}>
                    <Svg of={pip(colour)} label={suitName(colour, drawLanguage())} />
                  </span>
                </th>
                {ranksOf(deck).map((rank) => cell(faceOf(colour, rank)))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class={said.kind === "countsFit" ? "tip brass" : "tip alert"} role="status">
        <Icon name={said.kind === "countsFit" ? "check" : "alert"} />
        <div>
          {say(said.kind, { short: said.short, due: said.due, reserved, taken, face: said.over === null ? "" : cardName(said.over, drawLanguage()) })}{" "}
          {desk.part.hold?.clause && <span class="cite">{desk.part.hold.clause}</span>}
        </div>
      </div>
      <div class="mxl">
        <span>{say("everyFace", { decks })}</span>
        <span>{say("dashedInPlay")}</span>
        <span>{say("orangeShort")}</span>
        <span>
          <span class="key">+</span> <span class="key">−</span> {say("changeCount")}
        </span>
        <button type="button" class="btn small" onClick={() => onHeld({ ...full })}>
          {say("setAll", { n: decks })}
        </button>
      </div>
    </div>
  );
}
