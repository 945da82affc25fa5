"""What may be suggested where a rulebook is silent: never applied by itself (A24)."""

from __future__ import annotations

from croupier.frozen import Named
from croupier.table.rulings import Situation


class Suggestion(Named):
    """What is suggested, by a name for which screens have words of their own."""

    VOID = "void"
    FACE_DOWN = "face_down"
    ORDER_DRAWN = "order_drawn"
    WAITING_ORDER = "waiting_order"
    STANDS = "stands"
    GO_ON = "go_on"
    BY_CARDS = "by_cards"


SENTENCES = {
    Suggestion.VOID: "void the round; other rulebooks do",
    Suggestion.FACE_DOWN: "play the card as if it lay face down; other rulebooks do",
    Suggestion.ORDER_DRAWN: "put the cards back in the order drawn; other rulebooks do",
    Suggestion.WAITING_ORDER: "go on with the cards in the order in which they wait, or void",
    Suggestion.STANDS: "let the outcome stand; other rulebooks do",
    Suggestion.GO_ON: "go on from where the round was, or void it (A50)",
    Suggestion.BY_CARDS: "settle by the cards; other rulebooks do",
}
"""As the journal has them."""
SILENT = {
    Situation.EXTRA_CARD: SENTENCES[Suggestion.VOID],
    Situation.MISSING_CARD: SENTENCES[Suggestion.VOID],
    Situation.UNSHUFFLED_CARDS: SENTENCES[Suggestion.VOID],
    Situation.FACE_UP_CARD: SENTENCES[Suggestion.FACE_DOWN],
    Situation.WRONG_ORDER: SENTENCES[Suggestion.ORDER_DRAWN],
    Situation.DRAWN_TOGETHER: SENTENCES[Suggestion.WAITING_ORDER],
    Situation.EXPOSED_IN_ERROR: SENTENCES[Suggestion.STANDS],
    Situation.POWER_FAILURE: SENTENCES[Suggestion.GO_ON],
    Situation.DISPLAY_WRONG: SENTENCES[Suggestion.BY_CARDS],
}
NAMED = {sentence: suggestion for suggestion, sentence in SENTENCES.items()}
"""Suggestions by their sentences."""
