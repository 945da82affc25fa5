/** The report of shoes: when each was loaded, what came of its rounds, how it ended. */
import type { Schemas } from "../../api/types";
import { clock, count } from "../../i18n/money";
import { gameBySlug } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import type { Cell } from "./csv";
import { named, say } from "./say";
import { type ReportColumn, type Section, section } from "./sections";

export type ShoesReport = Schemas["ShoesReport"];
/** The server leaves nothing out. */
type Shoe = Required<Schemas["Shoe"]>;
type Figure = "removed" | "rounds" | "voids" | "banker" | "player" | "ties" | "banker_pairs" | "player_pairs" | "naturals";

const figure = (name: string, of: Figure): ReportColumn<Shoe> => ({ name, cell: (shoe) => count(shoe[of]), file: (shoe) => shoe[of] });

function ended(shoe: Shoe): string {
  return shoe.how === null ? say("inPlay") : named("how", shoe.how);
}

export function ofShoes(report: ShoesReport): Section[] {
  const sealed = (shoe: Shoe): string => say(shoe.source === "virtual" ? "sealed" : "paper");
  const columns: ReportColumn<Shoe>[] = [
    { name: say("table"), words: true, cell: ({ table }) => tableWords(table), file: ({ table }) => tableWords(table) },
    { name: say("shoe"), words: true, cell: ({ shoe }) => shoe, file: ({ shoe }) => shoe },
    { name: say("game"), words: true, wraps: true, cell: ({ game }) => gameBySlug(game), file: ({ game }) => gameBySlug(game) },
    {
      name: say("loaded"),
      words: true,
      cell: (shoe) => (
        <span class="twol">
          {clock(shoe.loaded)}
          <small>{sealed(shoe)}</small>
        </span>
      ),
      file: ({ loaded }) => loaded,
    },
    {
      name: say("ended"),
      words: true,
      wraps: true,
      cell: (shoe) => (
        <span class="twol">
          {shoe.ended === null ? "" : clock(shoe.ended)}
          <small>{ended(shoe)}</small>
        </span>
      ),
      file: ({ ended: moment }): Cell => moment,
    },
    { name: say("cards"), cell: ({ drawn, cards }) => say("ofCards", { n: drawn, all: cards }), file: ({ drawn }) => drawn },
    figure(say("removed"), "removed"),
    figure(say("rounds"), "rounds"),
    figure(say("voids"), "voids"),
    figure(say("banker"), "banker"),
    figure(say("player"), "player"),
    figure(say("ties"), "ties"),
    figure(say("bankerPairs"), "banker_pairs"),
    figure(say("playerPairs"), "player_pairs"),
    figure(say("naturals"), "naturals"),
  ];
  return [
    section({
      title: say("shoes"),
      note: say(report.shoes_kept ? "shoesNote" : "shoesGone"),
      columns,
      rows: report.shoes as Shoe[],
      keyOf: (shoe) => `${shoe.table}/${shoe.loaded}`,
      none: say("noShoes"),
      marked: ({ how }) => how === "lost" || how === "replaced",
    }),
  ];
}
