"""What may be suggested where a rulebook is silent: never applied by itself (A24)."""

from __future__ import annotations

from croupier.table.rulings import Situation

SILENT = {
    Situation.EXTRA_CARD: "void the round; other rulebooks do",
    Situation.MISSING_CARD: "void the round; other rulebooks do",
    Situation.UNSHUFFLED_CARDS: "void the round; other rulebooks do",
    Situation.FACE_UP_CARD: "play the card as if it lay face down; other rulebooks do",
    Situation.WRONG_ORDER: "put the cards back in the order drawn; other rulebooks do",
    Situation.DRAWN_TOGETHER: "go on with the cards in the order in which they wait, or void",
    Situation.EXPOSED_IN_ERROR: "let the outcome stand; other rulebooks do",
    Situation.POWER_FAILURE: "go on from where the round was, or void it (A50)",
    Situation.DISPLAY_WRONG: "settle by the cards; other rulebooks do",
}
