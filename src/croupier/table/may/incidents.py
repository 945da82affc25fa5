"""What may be done about irregularities: reports, options, orders, referred matters."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from croupier.rules.coup import INITIAL_DEAL
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.amounts import Amounts
from croupier.table.folding import hold_of, line_of, round_of
from croupier.table.irregular import to_be_ordered
from croupier.table.may.shapes import Field, FieldKind
from croupier.table.missing import RESERVED_CARDS, unknown_cards
from croupier.table.referral import decisions, to_win
from croupier.table.reporting import (
    TOGETHER_MAX,
    TOGETHER_MIN,
    cannot_reconstruct,
    reconstructs,
)
from croupier.table.reports import CONTENTS
from croupier.table.rulings import Situation
from croupier.table.settlement import to_be_shown
from croupier.table.steps import taken_cards
from croupier.table.terminals import flags_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.rules.coup import Position
    from croupier.table.authority import Needs
    from croupier.table.may.look import StaffLook
    from croupier.table.state import Table

    Places = tuple[Position, ...]
    Said = Callable[[StaffLook], Iterator[tuple[Field, ...]]]

NOTE = Field("note", FieldKind.TEXT)
SIDES = tuple(side.value for side in Side)
READ = Field("cards", FieldKind.CARDS, house=True)
"""Faces that came with a report."""
ANYTHING = c.report(Situation.OTHER)
BARE = {
    situation: situation.value
    for situation, content in CONTENTS.items()
    if not content.__struct_fields__
}
"""Situations of which nothing more is said."""


# Reports


def _bare(look: StaffLook) -> None:
    """Report something of which nothing more is said."""
    now = look.common.reportable
    bare = tuple([value for situation, value in BARE.items() if situation in now])
    need = look.need(ANYTHING) if bare else None
    if need is not None:
        which = Field("about.situation", FieldKind.CHOICE, required=True, allowed=bare)
        look.add(c.Report, need, fields=(which, NOTE, READ))


def _with_more(situation: Situation, said: Said) -> Callable[[StaffLook], None]:
    """Return how a situation is reported of which more is said."""
    which = Field(
        "about.situation", FieldKind.CHOICE, required=True, allowed=(situation.value,)
    )

    def ask(look: StaffLook) -> None:
        need = look.need(ANYTHING) if situation in look.common.reportable else None
        if need is not None:
            for more in said(look):
                look.add(c.Report, need, fields=(which, *more, NOTE, READ))

    return ask


def _about(
    name: str,
    kind: FieldKind = FieldKind.CHOICE,
    allowed: tuple[str | int | bool | None, ...] | Amounts | None = None,
    *,
    required: bool = True,
) -> Field:
    return Field(f"about.{name}", kind, required=required, allowed=allowed)


KNOWN = _about("order_known", FieldKind.FLAG)
VALUE_KNOWN = _about("value_known", FieldKind.FLAG, required=False)
ANY_PATRON = _about("patron", FieldKind.TEXT)
ANY_CENTS = _about("cents", FieldKind.CENTS, required=False)
A_SIDE = _about("side", allowed=SIDES)
ANY_SIDE = _about("side", allowed=(None, *SIDES), required=False)


def _late_increase(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    stakes = (None, *look.common.late_stakes)
    yield ANY_PATRON, _about("stake", allowed=stakes, required=False), ANY_CENTS


def _late_removal(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    stakes = look.common.late_stakes
    if stakes:
        yield (_about("stake", allowed=stakes),)


def _wrong_patron(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    yield A_SIDE, ANY_PATRON


def _not_passed(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    yield (ANY_SIDE,)


def _exposed_in_error(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    places = tuple(dealt.position.value for dealt in round_of(look.table).cards)
    yield (_about("position", allowed=places),)


def _drawn_together(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    # A virtual shoe gives its cards one by one.
    most = 0 if look.common.sealed else min(TOGETHER_MAX, look.common.cards_left)
    if most >= TOGETHER_MIN:
        yield _about("count", FieldKind.NUMBER, Amounts(TOGETHER_MIN, most)), KNOWN


def _handler_absent(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    sides = tuple(side.value for side, _ in look.common.handlers)
    if sides:
        yield (_about("side", allowed=sides),)


def _left_with_cards(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    play = round_of(look.table)
    holders = dict.fromkeys(dealt.handed_to for dealt in play.cards)
    names = tuple(name for name in holders if taken_cards(play, name))
    if names:
        yield _about("patron", allowed=names), VALUE_KNOWN


def _terminal_failed(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    lost = look.table.lost_terminals if look.plan.procedure.terminals is not None else ()
    terminals = tuple(at for at in range(1, look.plan.positions + 1) if at not in lost)
    if terminals:
        yield (_about("terminal", allowed=terminals),)


# Orders of cards


def _order(table: Table, name: str) -> Field | None:
    """Return the field of an order in which the cards can have been drawn.

    The tableau must know where each card goes, so a card that lies face down comes last;
    what was set aside was drawn after all others.
    """
    play = round_of(table)
    out = (*play.cards, *play.aside)
    places = tuple(dealt.position.value for dealt in play.cards)
    if not places or play.confirmed:
        return None
    down = [one for one in out if not one.exposed]
    if len(out) <= len(INITIAL_DEAL) or not down or (play.aside and down == [out[-1]]):
        return Field(name, FieldKind.EACH, required=True, allowed=places)
    if play.aside or len(down) > 1:
        return None
    last = down[0].position.value
    others = tuple(place for place in places if place != last)
    return Field(name, FieldKind.EACH, required=True, allowed=others, then=(last,))


FREE = _about("laid", FieldKind.PLACES)
SAYS_KNOWN = {one: "order_known" in said.__struct_fields__ for one, said in CONTENTS.items()}
KNOWN_AS: dict[tuple[bool, ...], Field] = {
    (one,): replace(KNOWN, allowed=(one,)) for one in (False, True)
}
KNOWN_AS[False, True] = replace(KNOWN, allowed=(False, True))
"""Whether the order is known, by what may be said."""


def _as_laid(look: StaffLook) -> tuple[Places, Field | None]:
    """Return in which places cards lie, and the field of an order of them."""
    places = tuple([dealt.position for dealt in round_of(look.table).cards])
    return places or INITIAL_DEAL[:1], _order(look.table, "about.laid")


@lru_cache(maxsize=1024)
def _told(situation: Situation, places: Places, known: bool | None) -> c.Report:  # noqa: FBT001  # or it is not said
    """Return a report of how cards lay, and whether their order is known."""
    facts: dict[str, Any] = {} if known is None else {"order_known": known}
    return c.report(situation, laid=places, **facts)


Ends = tuple[tuple[tuple[Field, ...], Field], ...]
"""How a report on an order may go on: whether it is known, where that is said, and how."""


def _laid(look: StaffLook, situation: Situation) -> Ends:
    """Return how the order of cards is told: it must be one that can be put right.

    It follows from the order alone, so it is found once for each.
    """
    facts = _laid, situation, look.common.order
    return look.common.found_again(facts, lambda: tuple(_told_as(look, situation)))


def _told_as(
    look: StaffLook, situation: Situation
) -> Iterator[tuple[tuple[Field, ...], Field]]:
    (places, laid), says_known = look.once(_as_laid), SAYS_KNOWN[situation]
    free: list[bool] = []
    for known in (False, True) if says_known else (False,):
        told = _told(situation, places, known if says_known else None)
        if reconstructs(look.table, told) is None:
            free.append(known)
        elif laid is not None:
            yield (KNOWN_AS[known,],) if says_known else (), laid
    if free:
        yield (KNOWN_AS[tuple(free)],) if says_known else (), FREE


def _order_altered(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    yield from _with_laid(look, Situation.ORDER_ALTERED)


def _altered_in_movement(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    yield from _with_laid(look, Situation.ALTERED_IN_MOVEMENT)


def _with_laid(
    look: StaffLook, situation: Situation, *more: Field
) -> Iterator[tuple[Field, ...]]:
    """Return a situation that may, and need not, tell how cards lay."""
    yield KNOWN, *more
    for known, laid in _laid(look, situation):
        yield *known, *more, laid


def _wrong_order(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    for known, laid in _laid(look, Situation.WRONG_ORDER):
        yield *known, laid


def _wrong_number(look: StaffLook) -> Iterator[tuple[Field, ...]]:
    left = Amounts(0, look.common.cards_left)
    count = _about("count", FieldKind.NUMBER, left, required=False)
    yield from _with_laid(look, Situation.WRONG_NUMBER, count)


SAID: dict[Situation, tuple[str, Said]] = {
    Situation.ORDER_ALTERED: ("order", _order_altered),
    Situation.LATE_INCREASE: ("late_stakes", _late_increase),
    Situation.LATE_REMOVAL: ("late_stakes", _late_removal),
    Situation.WRONG_ORDER: ("order", _wrong_order),
    Situation.WRONG_NUMBER: ("order cards_left", _wrong_number),
    Situation.WRONG_PATRON: ("", _wrong_patron),
    Situation.NOT_PASSED: ("", _not_passed),
    Situation.EXPOSED_IN_ERROR: ("order", _exposed_in_error),
    Situation.DRAWN_TOGETHER: ("cards_left sealed", _drawn_together),
    Situation.HANDLER_ABSENT: ("handlers", _handler_absent),
    Situation.LEFT_WITH_CARDS: ("order handed", _left_with_cards),
    Situation.ALTERED_IN_MOVEMENT: ("order", _altered_in_movement),
    Situation.TERMINAL_FAILURE: ("lost_terminals", _terminal_failed),
}
"""What is said of a situation, and from which pieces of the state that follows."""
assert {*SAID, *BARE} == set(Situation), "a situation that nobody is told of"
REPORTS: tuple[tuple[str, Callable[[StaffLook], None]], ...] = (
    ("reportable", _bare),
    *(
        (f"reportable {pieces}", _with_more(situation, said))
        for situation, (pieces, said) in SAID.items()
    ),
)
"""What is asked about a report, situation by situation: most of it stays at a step."""


def confirm_report(look: StaffLook) -> None:
    """Confirm a report."""
    need = look.need(c.ConfirmReport())
    if need is not None:
        look.add(c.ConfirmReport, need)


def dismiss_report(look: StaffLook) -> None:
    """Dismiss a report."""
    need = look.need(c.DismissReport(""))
    if need is not None:
        look.add(c.DismissReport, need)


# Options to withdraw


def end_option(look: StaffLook) -> None:
    """End the option."""
    need = look.need(c.EndOption())
    if need is not None:
        look.add(c.EndOption, need)


# Orders, resets, missing cards


def set_order(look: StaffLook) -> None:
    """Fix the order of cards that came together."""
    need, hold = look.need(c.SetOrder(())), hold_of(look.table)
    if need is not None:
        numbers = tuple(range(to_be_ordered(hold, round_of(look.table))))
        look.add(c.SetOrder, need, fields=look.fields(c.SetOrder, order=numbers))


def reset_device(look: StaffLook) -> None:
    """Record that the dealing device was reset."""
    need = look.need(c.ResetDevice())
    if need is not None:
        look.add(c.ResetDevice, need)


def reserve_cards(look: StaffLook) -> None:
    """Take two cards from the device, unseen."""
    need, shoe = look.need(c.ReserveCards()), look.table.shoe
    if need is None or shoe is None or shoe.ended or shoe.left < RESERVED_CARDS:
        return
    count = RESERVED_CARDS + sum(card is None for card in round_of(look.table).waiting)
    cards = Field(
        "cards", FieldKind.CARDS, required=True, house=True, allowed=Amounts(count, count)
    )
    look.add(c.ReserveCards, need, fields=(cards,))


def record_sorting(look: StaffLook) -> None:
    """Enter how many of each face were sorted; only who sorts them can know."""
    need = look.need(c.RecordSorting({}))
    if need is not None and not unknown_cards(round_of(look.table)):
        faces = tuple(card.text for card in look.plan.game.deck.cards)
        look.add(c.RecordSorting, need, fields=look.fields(c.RecordSorting, counts=faces))


def substitute(look: StaffLook) -> None:
    """Put equal cards in the place of the missing ones."""
    need, missing = look.need(c.Substitute(())), round_of(look.table).missing
    if need is not None:
        look.add(c.Substitute, need, fields=look.fields(c.Substitute, cards=missing))


# Decisions


def decide_referral(look: StaffLook) -> None:
    """Decide a matter that the rulebook does not cover."""
    by: dict[Needs, list[str]] = {}
    for choice in decisions(look.table):
        need = look.need(c.DecideReferral(choice, ""))
        if need is None:
            continue
        if choice in FURTHER:
            FURTHER[choice](look, need)
        else:
            by.setdefault(need, []).append(choice.value)
    for need, choices in by.items():
        _decision(look, need, *choices)


def _decision(look: StaffLook, need: Needs, *choices: str, **said: Field) -> None:
    which = Field("decision", FieldKind.CHOICE, required=True, allowed=choices)
    fields = tuple(said.values())
    reason = Field("reason", FieldKind.TEXT, required=True)
    look.add(c.DecideReferral, need, fields=(which, *fields, reason))


def _reconstruct(look: StaffLook, need: Needs) -> None:
    """Offer to put cards in an order that is told now, or was with the report."""
    table, value = look.table, c.Decision.RECONSTRUCT.value
    laid = _order(table, "laid")
    if laid is not None:
        _decision(look, need, value, laid=laid)
    told = hold_of(table).report
    if told is not None and told.laid and cannot_reconstruct(table, told.laid, None) is None:
        _decision(look, need, value)


def _exclude(look: StaffLook, need: Needs) -> None:
    stakes = tuple(round_of(look.table).stakes)
    stake = Field("stake", FieldKind.CHOICE, required=True, allowed=stakes)
    _decision(look, need, c.Decision.EXCLUDE.value, stake=stake)


def _correct(look: StaffLook, need: Needs) -> None:
    """Offer to let a line of the pay list win something else than it does."""
    play, value = round_of(look.table), c.Decision.CORRECT.value
    for line in play.lines or ():
        room = to_win(look.table, line)
        if line.stake not in play.stakes or room == Amounts(line.won_cents, line.won_cents):
            continue
        alone = line_of(play, line.stake, None) is not None
        _decision(
            look,
            need,
            value,
            stake=Field("stake", FieldKind.CHOICE, required=True, allowed=(line.stake,)),
            patron=Field(
                "patron",
                FieldKind.CHOICE,
                required=not alone,
                allowed=(None, line.patron) if alone else (line.patron,),
            ),
            won_cents=Field(
                "won_cents",
                FieldKind.CENTS,
                required=True,
                allowed=room,
                other_than=(line.won_cents,),
            ),
        )


FURTHER = {
    c.Decision.RECONSTRUCT: _reconstruct,
    c.Decision.EXCLUDE: _exclude,
    c.Decision.CORRECT: _correct,
}
"""Decisions that need more than a reason."""


def decide_terminal(look: StaffLook) -> None:
    """Decide on accepted wagers of a terminal that never showed the closing."""
    table = look.table
    by: dict[tuple[Needs, bool], list[int]] = {}
    if look.plan.procedure.terminals is None:
        return
    for position in dict.fromkeys(flag.position for flag in table.flagged):
        for stands in (True, False):
            need = look.need(c.DecideTerminal(position, stands, ""))
            _, over = flags_of(table, position)
            if need is not None and (stands or not over):
                by.setdefault((need, stands), []).append(position)
    for (need, stands), positions in by.items():
        fields = look.fields(c.DecideTerminal, position=tuple(positions), stands=(stands,))
        look.add(c.DecideTerminal, need, fields=fields)


def decide_replacement(look: StaffLook) -> None:
    """Decide whether the cards are replaced after a void."""
    shoe, need = look.table.shoe, look.need(c.DecideReplacement(replace=True))
    if need is not None and shoe is not None:
        answers = (True,) if shoe.replace_by is not None else (True, False)
        fields = look.fields(c.DecideReplacement, replace=answers)
        look.add(c.DecideReplacement, need, fields=fields)


def correct_display(look: StaffLook) -> None:
    """Record that a display showed another outcome than the cards."""
    need = look.need(c.CorrectDisplay(""))
    actual = to_be_shown(look.table) if need is not None else None
    if need is not None and actual is not None:
        fields = look.fields(c.CorrectDisplay, other_than={"shown": (actual,)})
        look.add(c.CorrectDisplay, need, fields=fields)
