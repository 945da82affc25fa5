/** The keys of the console: those of the cards, and whatever is bound now. */
import { deckOfGame } from "../../parts/HandCards";
import { KeysDialog as Dialog } from "../../parts/KeyList";
import { type Listed, listed } from "../../parts/keys";
import { settings } from "../../state/settings";
import type { Desk } from "./context";
import { coloursOf, keyOf, ranksOf } from "./entry";
import { say } from "./say";

/** They work while a card is due, and are learned before. */
function ofCards({ view }: Desk): Listed[] {
  const deck = deckOfGame(view.rules?.game);
  return [
    { keys: coloursOf(deck).map((colour) => keyOf(deck, colour)), does: say(deck === 52 ? "key.suit" : "key.element") },
    { keys: ranksOf(deck).map((rank) => keyOf(deck, rank)), does: say("key.rank") },
  ];
}

export const KeysDialog = ({ desk, onBack }: { desk: Desk; onBack: () => void }) => (
  <Dialog rows={[...(settings.value.keys ? ofCards(desk) : []), ...listed()]} onBack={onBack} />
);
