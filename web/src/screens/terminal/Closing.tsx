/** Notice that a table closes, before its last round; it stands under whatever else is said. */
import { useEffect } from "preact/hooks";
import { clock } from "../../i18n/money";
import { announce } from "../../parts/announce";
import { now } from "../../state/clock";
import { useHere } from "./table";
import { say } from "./words";

/** Heard by screen readers once, and once more when the announced time has come. */
export function Closing({ heard = true }: { heard?: boolean }) {
  const { table_closes: closes, phase } = useHere().view;
  const come = closes !== null && Date.parse(closes) <= now.value;
  const text = closes === null || phase === "UNOPENED" ? "" : come ? say("closingNow") : say("closesAt", { time: clock(closes) });
  useEffect(() => {
    if (text !== "" && heard) announce(text);
  }, [text, heard]);
  return text === "" ? null : <p class="hint closing">{text}</p>;
}
