/** Cards that were scanned and wait: none is lost, and none is entered that nobody looked at. */
import { useEffect } from "preact/hooks";
import { cardName } from "../../draw/cards";
import { announce } from "../../parts/announce";
import { drawLanguage } from "../../parts/Card";
import { Icon } from "../../parts/Icon";
import { say } from "./say";
import { dismiss, waiting } from "./scan";

export function Scanned() {
  const names = waiting.value.map(({ face }) => cardName(face, drawLanguage()));
  useEffect(() => {
    if (names.length > 0) announce(`${say("scannedWaits")} ${names.join(", ")}`, true);
  }, [waiting.value]);
  if (names.length === 0) return null;
  return (
    <section class="tip brass scanned" aria-label={say("scannedWaits")}>
      <Icon name="cards" />
      <b>{say("scannedWaits")}</b>
      {names.map((card, at) => (
        <button key={at} class="btn small" aria-label={say("removeCard", { card })} onClick={() => dismiss(at)}>
          {card} <Icon name="clear" size="small" />
        </button>
      ))}
    </section>
  );
}
