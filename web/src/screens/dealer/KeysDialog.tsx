/** The keys of the console. */
import { say as common } from "../../i18n/common";
import { Dialog } from "../../parts/Dialog";
import { deckOfGame } from "../../parts/HandCards";
import type { Desk } from "./context";
import { coloursOf, keyOf, ranksOf } from "./entry";
import { say } from "./say";

export function KeysDialog({ desk, onBack }: { desk: Desk; onBack: () => void }) {
  const deck = deckOfGame(desk.view.rules?.game);
  const rows: [string, string][] = [
    [coloursOf(deck).map((colour) => keyOf(deck, colour)).join(" "), say(deck === 52 ? "key.suit" : "key.element")],
    [ranksOf(deck).map((rank) => keyOf(deck, rank)).join(" "), say("key.rank")],
    ["Enter", say("key.enter")],
    ["Backspace", say("key.backspace")],
    ["N", say("key.n")],
    ["F2", say("key.f2")],
    ["F4", say("key.f4")],
    ["?", say("key.help")],
    ["Esc", say("key.esc")],
  ];
  return (
    <Dialog
      title={say("keys")}
      onBack={onBack}
      foot={
        <button class="btn" onClick={onBack}>
          {common("close")}
        </button>
      }
    >
      <dl class="facts keys">
        {rows.map(([keys, meaning]) => (
          <>
            <dt>
              {keys.split(" ").map((key) => (
                <span key={key} class="key">
                  {key}
                </span>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
