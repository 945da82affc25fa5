/** The dealer console: choose a table, then deal it. */
import "./dealer.css";
import "./report.css";
import { useEffect } from "preact/hooks";
import type { ScreenProps } from "../../app/App";
import { Choose } from "./Choose";
import { Console } from "./Console";

export default function Dealer({ route }: ScreenProps) {
  useEffect(() => {
    const root = document.documentElement;
    root.dataset["root"] = "18";
    return () => void delete root.dataset["root"];
  }, []);
  return route.name === null ? <Choose /> : <Console key={route.name} table={route.name} />;
}
