/** What whoever decides has before them: what was reported, the cards that lie there, and where they would. */
import type { Previewed, TableView } from "../../api/types";
import { cardName } from "../../draw/cards";
import { say as common } from "../../i18n/common";
import { clock } from "../../i18n/money";
import { positionName } from "../../i18n/names";
import { drawLanguage } from "../../parts/Card";
import { deckOfGame, handOf } from "../../parts/HandCards";
import { fieldName } from "../dealer/Fields";
import { valueName } from "../dealer/values";
import { Felt } from "./Felt";
import { named, say } from "./say";
import { saidOf } from "./reported";

export function ReportFacts({ view }: { view: TableView }) {
  const pit = view.pit;
  const report = pit?.hold?.report;
  if (pit === undefined || report == null) return null;
  const seen = { view, part: pit };
  const facts: [string, string][] = [
    [say("reported"), named("situation", report.situation)],
    [say("reportedWho"), [report.by, report.position === null ? "" : positionName(report.position), clock(report.moment, true)].filter(Boolean).join(", ")],
    ...saidOf(report.about).map(([name, values]): [string, string] => [fieldName({ name }), values.map((value) => valueName(seen, { name }, value)).join(", ")]),
  ];
  if (pit.note) facts.push([say("noteOf"), pit.note]);
  return (
    <dl class="facts" aria-label={say("reported")}>
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

type Hands = TableView["hands"];

/** The cards as they lie, where any do. */
export function CardsNow({ view }: { view: TableView }) {
  if (!view.hands.some(({ cards }) => cards.length > 0)) return null;
  const hand = (side: "player" | "banker") => {
    const found = handOf(view.hands, side);
    return { cards: (found?.cards ?? []).map(({ face }) => face), points: found?.points ?? null };
  };
  const label = say("cardsNow");
  return <Felt player={hand("player")} banker={hand("banker")} deck={deckOfGame(view.rules?.game)} label={label} toCome={false} head={<b class="sm">{label}</b>} />;
}

/** Where the cards would lie, in words, where a decision moves them; empty: it does not. */
export function handsAfter(view: TableView, preview: Previewed): string {
  const after = (preview.change?.view as { hands?: Hands } | undefined)?.hands;
  if (after === undefined || JSON.stringify(after) === JSON.stringify(view.hands)) return "";
  const told = after.map(({ side, cards }) => {
    const faces = cards.map(({ face }) => (face === null ? say("faceDown") : cardName(face, drawLanguage())));
    return `${common(side)}: ${faces.join(", ") || "–"}`;
  });
  return say("cardsAfter", { hands: told.join("; ") });
}
