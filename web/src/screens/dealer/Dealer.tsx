/** The dealer console: choose a table, then deal it. */
import "./dealer.css";
import "./report.css";
import { useEffect } from "preact/hooks";
import type { ScreenProps } from "../../app/App";
import { positionName } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { useTitle } from "../../parts/title";
import { Choose } from "./Choose";
import { Console } from "./Console";
import { say } from "./say";

export default function Dealer({ route }: ScreenProps) {
  useEffect(() => {
    const root = document.documentElement;
    root.dataset["root"] = "18";
    return () => void delete root.dataset["root"];
  }, []);
  useTitle(route.name === null ? say("chooseTable") : `${tableWords(route.name)} · ${positionName("Dealer")}`);
  return route.name === null ? <Choose /> : <Console key={route.name} table={route.name} />;
}
