/** How many of each face were sorted: cells start full, and what differs is changed. */
import { useEffect } from "preact/hooks";
import { cardName, indexOf, IVORY } from "../../draw/cards";
import { pip, suitName } from "../../draw/suits";
import { Svg } from "../../draw/Svg";
import { drawLanguage } from "../../parts/Card";
import { deckOfGame } from "../../parts/HandCards";
import { changed, counted, type Counts, fullCounts, short } from "./counting";
import { coloursOf, faceOf, ranksOf } from "./entry";
import type { FieldProps } from "./Fields";
import { say } from "./say";

export function CountsField({ desk, field, draft, onHeld }: FieldProps) {
  const deck = deckOfGame(desk.view.rules?.game);
  const decks = desk.view.rules?.decks ?? 8;
  const faces = desk.view.hands.flatMap((hand) => hand.cards.map(({ face }) => face)).filter((face) => face !== null);
  const full = fullCounts(deck, decks, faces);
  const counts = (draft[field.name] as Counts | undefined) ?? full;
  useEffect(() => {
    if (draft[field.name] === undefined) onHeld({ ...full });
  }, [field.name]);
  const differs = short(counts, full);
  const gone = differs.reduce((sum, [, cards]) => sum + cards, 0);
  const change = (face: string, by: number): void => onHeld({ ...changed(counts, face, by, decks) });
  const pressed = (event: KeyboardEvent, face: string): void => {
    const by = { "+": 1, "=": 1, ArrowUp: 1, "-": -1, ArrowDown: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    change(face, by);
  };
  const cell = (face: string) => {
    const n = counts[face] ?? 0;
    const less = (full[face] ?? 0) - n;
    const inPlay = faces.filter((one) => one === face).length;
    const note = less !== 0 ? say("nShort", { n: less }) : inPlay > 0 ? say("inPlay") : "";
    return (
      <td key={face}>
        <button
          type="button"
          class={less !== 0 ? "gone" : inPlay > 0 ? "part" : ""}
          aria-label={`${cardName(face, drawLanguage())}: ${n}${note === "" ? "" : `, ${note}`}`}
          onClick={() => change(face, -1)}
          onContextMenu={(event) => {
            event.preventDefault();
            change(face, 1);
          }}
          onKeyDown={(event) => pressed(event, face)}
        >
          {n}
          {note !== "" && <small>{note}</small>}
        </button>
      </td>
    );
  };
  return (
    <div class="stack12">
      <p class="sm muted">
        {say("countedSum", { n: counted(counts) })} · <b class={gone === 0 ? "" : "alerting"}>{say("goneSum", { n: gone })}</b>
      </p>
      <div class="tblbox" tabIndex={0} role="region" aria-label={say("countOfEach")}>
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
