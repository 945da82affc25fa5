"""Irregularities, each as somebody would bring it to a table as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from croupier.rules.coup import INITIAL_DEAL, Coup, Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.rulings import Situation
from croupier.table.state import Phase
from tests.table.pairs_world import Ask, World, face_of, hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.rules.cards import Card
    from croupier.table.state import Round

TOO_MANY = "9C"
"""Every one of them is out before the round."""


Maker: TypeAlias = "Callable[[World], Ask | None]"


def report(situation: Situation, *, system: bool = False, **what: Any) -> Maker:  # noqa: ANN401
    """Report something that needs nothing more to be said."""

    def make(world: World) -> Ask | None:  # noqa: ARG001
        return Ask(c.report(situation, **what), system=system)

    return make


def _late_increase(world: World) -> Ask | None:
    lie = list(world.play.stakes)
    return Ask(
        c.report(Situation.LATE_INCREASE, patron="ann", stake=lie[0] if lie else None, cents=50)
    )


def _late_removal(world: World) -> Ask | None:
    lie = list(world.play.stakes)
    return Ask(c.report(Situation.LATE_REMOVAL, stake=lie[-1])) if lie else None


def swapped(world: World, *, last: bool) -> tuple[Position, ...]:
    """Return an order of the cards in which two were dealt the wrong way round."""
    lie = [one.position for one in world.play.cards]
    if len(lie) > 1:
        at = len(lie) - 2 if last else 0
        lie[at], lie[at + 1] = lie[at + 1], lie[at]
    return tuple(lie)


def _wrong_order(*, last: bool) -> Maker:
    def make(world: World) -> Ask | None:
        laid = swapped(world, last=last)
        return Ask(c.report(Situation.WRONG_ORDER, laid=laid)) if laid else None

    return make


def _altered_laid(world: World) -> Ask | None:
    laid = swapped(world, last=False)
    return Ask(c.report(Situation.ORDER_ALTERED, order_known=True, laid=laid)) if laid else None


def _surplus(world: World) -> Ask | None:
    known = c.report(Situation.WRONG_NUMBER, order_known=True, count=1)
    return Ask(known, world.next_faces(1))


def _wrong_patron(world: World) -> Ask | None:
    side = next(iter(world.play.handlers), Side.PLAYER)
    return Ask(c.report(Situation.WRONG_PATRON, side=side, patron="dee"))


def _exposed_in_error(*, first: bool) -> Maker:
    def make(world: World) -> Ask | None:
        down = hidden(world)
        if not down:
            return None
        card = down[0 if first else -1]
        known = c.report(Situation.EXPOSED_IN_ERROR, position=card.position)
        return Ask(known, () if card.card else (face_of(world, card),))

    return make


def _together(count: int, *, known: bool) -> Maker:
    def make(world: World) -> Ask | None:
        said = c.report(Situation.DRAWN_TOGETHER, order_known=known, count=count)
        read = world.plan.settings.device.reads_cards
        return Ask(said, world.next_faces(count) if read else ())

    return make


def _absent(side: Side) -> Maker:
    def make(world: World) -> Ask | None:
        if side not in world.play.handlers:
            return None
        return Ask(c.report(Situation.HANDLER_ABSENT, side=side))

    return make


def _left(side: Side, *, known: bool) -> Maker:
    def make(world: World) -> Ask | None:
        holder = world.play.handlers.get(side)
        taken = [one for one in hidden(world) if one.handed_to == holder]
        if holder is None or not taken:
            return None
        unread = [one for one in taken if one.card is None]
        faces = tuple(face_of(world, one) for one in unread) if known else ()
        said = c.report(Situation.LEFT_WITH_CARDS, patron=holder, value_known=known)
        return Ask(said, faces)

    return make


def _found(patron: str, wager: str, cents: int) -> Maker:
    def make(world: World) -> Ask | None:  # noqa: ARG001
        return Ask(c.FindStake(patron, wager, cents, reason="lay there"))

    return make


def _too_heavy(world: World) -> Ask | None:
    """While bets are open, too much comes to one hand."""
    if world.table.phase is not Phase.OPEN:
        return None
    return Ask(c.PlaceWager("bob", "banker", 500_00))


def _cut_card(world: World) -> Ask | None:
    if world.table.shoe is not None and world.table.shoe.cut_card_seen:
        return Ask(c.OfferWithdrawal("as usual"))
    return Ask(c.ShowCutCard())


def _display(world: World) -> Ask | None:  # noqa: ARG001
    return Ask(c.CorrectDisplay("tie", "as the cards say"))


def _terminal(number: int, *, reported: bool) -> Maker:
    def make(world: World) -> Ask | None:
        if world.plan.code != "EB4":
            return None
        if reported:
            return Ask(c.report(Situation.TERMINAL_FAILURE, terminal=number))
        return Ask(c.LoseTerminal(number))

    return make


# Corrected cards


def _coup(world: World, cards: list[Card]) -> Coup | None:
    """Deal cards by the tableau for as long as it calls for them; None: too few."""
    if len(cards) < len(INITIAL_DEAL):
        return None
    game = world.plan.game
    coup = Coup(game.tableau, game.deck, cards[: len(INITIAL_DEAL)])
    for card in cards[len(INITIAL_DEAL) :]:
        if coup.due is None:
            break
        coup = coup.draw(card)
    return coup


def _corrections(world: World) -> Iterator[tuple[Position, Card, Coup]]:
    """Go through the faces that open cards could really have, and the coup of them."""
    cards = [one.card for one in world.play.cards]
    for at, dealt in enumerate(world.play.cards):
        if not dealt.exposed or None in cards:
            continue
        for face in dict.fromkeys(world.truth[40:80]):
            card = world.plan.game.deck.parse(face)
            if card is not dealt.card:
                changed = [one for one in (*cards[:at], card, *cards[at + 1 :]) if one]
                coup = _coup(world, changed)
                if coup is not None:
                    yield dealt.position, card, coup


def _correct(fits: Callable[[Round, Coup], bool]) -> Maker:
    def make(world: World) -> Ask | None:
        if any(not one.exposed for one in world.play.cards):
            return None
        for place, card, coup in _corrections(world):
            if fits(world.play, coup):
                return Ask(c.CorrectCard(place, "seen again"), (card.text,))
        return None

    return make


def _natural_hidden(play: Round, coup: Coup) -> bool:
    over = coup.player.natural or coup.banker.natural
    return over and len(play.cards) > len(INITIAL_DEAL)


def _now_due(play: Round, coup: Coup) -> bool:
    before = play.coup is not None and play.coup.complete
    return before and coup.due is not None


def _to_other_hand(play: Round, coup: Coup) -> bool:
    lie = [one.position for one in play.cards]
    return len(lie) > len(INITIAL_DEAL) and coup.positions[4:5] not in ((), (lie[4],))


def _other_winner(play: Round, coup: Coup) -> bool:
    if play.coup is None or not play.coup.complete or not coup.complete:
        return False
    if len(coup.cards) != len(play.coup.cards):
        return False
    return _ahead(coup) != _ahead(play.coup)


def _ahead(coup: Coup) -> int:
    player, banker = coup.player.points, coup.banker.points
    return (player > banker) - (player < banker)


def _too_many(world: World) -> Ask | None:
    up = [one for one in world.play.cards if one.exposed]
    face = world.faces(TOO_MANY)
    return Ask(c.CorrectCard(up[-1].position, "seen again"), face) if up else None


def _correct_plain(world: World) -> Ask | None:
    """Correct the first open card while others lie face down."""
    up = [one for one in world.play.cards if one.exposed]
    if not up:
        return None
    faces = list(dict.fromkeys(world.truth[40:80]))
    other = next(face for face in faces if up[0].card and face != up[0].card.text)
    return Ask(c.CorrectCard(up[0].position, "seen again"), (other,))


S = Situation
IRREGULARITIES: dict[str, Maker] = {
    "5.1 extra": report(S.EXTRA_CARD),
    "5.1 missing": report(S.MISSING_CARD),
    "5.1 foreign": report(S.FOREIGN_CARD),
    "5.1 unshuffled": report(S.UNSHUFFLED_CARDS),
    "5.2 known": report(S.ORDER_ALTERED, order_known=True),
    "5.2 known, laid": _altered_laid,
    "5.2 unknown": report(S.ORDER_ALTERED),
    "5.3": report(S.INSUFFICIENT_CARDS),
    "5.4": _late_increase,
    "5.5": _late_removal,
    "5.6": report(S.FACE_UP_CARD),
    "5.7 first two": _wrong_order(last=False),
    "5.7 last two": _wrong_order(last=True),
    "5.7 number, surplus": _surplus,
    "5.7 number, known": report(S.WRONG_NUMBER, order_known=True),
    "5.7 number, unknown": report(S.WRONG_NUMBER),
    "5.7 patron": _wrong_patron,
    "5.7.1 not passed": report(S.NOT_PASSED, side=Side.PLAYER),
    "5.7.1 exposed first": _exposed_in_error(first=True),
    "5.7.1 exposed last": _exposed_in_error(first=False),
    "5.8 known": _together(2, known=True),
    "5.8 unknown": _together(2, known=False),
    "5.8 three unknown": _together(3, known=False),
    "5.9": report(S.DEVICE_RESET),
    "5.10 player": _absent(Side.PLAYER),
    "5.10 banker": _absent(Side.BANKER),
    "5.11 known": _left(Side.PLAYER, known=True),
    "5.11 unknown": _left(Side.PLAYER, known=False),
    "5.11 banker unknown": _left(Side.BANKER, known=False),
    "5.12.1": report(S.EXPOSED_IN_MOVEMENT),
    "5.12.2 known": report(S.ALTERED_IN_MOVEMENT, order_known=True),
    "5.12.2 unknown": report(S.ALTERED_IN_MOVEMENT),
    "5.14 under": _found("cyd", "banker", 10_00),
    "5.14 under, tie": _found("bob", "tie", 5_00),
    "5.15 over": _found("bob", "banker", 1000_00),
    "5.15 over, joint": _found("dee", "player", 1025_00),
    "5.17 staff": report(S.POWER_FAILURE),
    "5.17 system": report(S.POWER_FAILURE, system=True),
    "5.18": _too_heavy,
    "3.17": _cut_card,
    "6.1": report(S.OTHER),
    "6.3 display": _display,
    "6.3 display reported": report(S.DISPLAY_WRONG),
    "6.3 natural hidden": _correct(_natural_hidden),
    "6.3 card due": _correct(_now_due),
    "6.3 to the other hand": _correct(_to_other_hand),
    "6.3 other winner": _correct(_other_winner),
    "6.3 too many": _too_many,
    "6.3 plain": _correct_plain,
    "EB4 5.10 reported": _terminal(2, reported=True),
    "EB4 5.10 lost": _terminal(1, reported=False),
}
