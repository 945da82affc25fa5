"""The verbs of the language: each asks for one kind of command, some for several of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.playthrough.lines import (
    ScriptError,
    Words,
    read_amount,
    read_whole,
    read_won,
    yes,
)
from croupier.playthrough.setting import (
    read_differential,
    read_limits,
    read_method,
    read_optional,
)
from croupier.playthrough.verb import Asked, Read, Verb, ask, verb
from croupier.playthrough.verbs_house import HOUSE_VERBS
from croupier.rules.coup import Position
from croupier.rules.errors import listed, quoted
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.reports import CONTENTS, missing
from croupier.table.rulings import Situation
from croupier.table.words import SITUATION_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.table.state import Table


# Parts of lines


def side_of(words: Words) -> Side:
    """Read player or banker."""
    text = words.next("player or banker")
    if text not in ("player", "banker"):
        message = f"{quoted(text)} is no hand; the hands are player and banker"
        raise words.wrong(message)
    return Side(text)


def place_of(text: str) -> Position:
    """Read the place of a card."""
    if text not in Position.__members__:
        places = listed([place.value for place in Position])
        message = f"{quoted(text)} is no place of a card; the places are {places}."
        raise ScriptError(message)
    return Position(text)


def places_of(text: str) -> tuple[Position, ...]:
    """Read places of cards with commas between them."""
    return tuple(place_of(place) for place in text.split(",") if place)


def cards_of(text: str) -> tuple[str, ...]:
    """Read cards with commas between them; the table says whether they are cards."""
    return tuple(card for card in text.split(",") if card)


def stake_of(words: Words, patron: str) -> int:
    """Read a stake: its number, or the wager on which the patron has one."""
    number = words.maybe("stake")
    if number is not None:
        return read_whole(number)
    return find_stake(words.table, patron, words.next("a wager, or stake=NUMBER"))


def find_stake(table: Table, patron: str, wager: str) -> int:
    """Return the number of a patron's stake on a wager; 0, which none has, if there is none."""
    own = [one for one in table.stakes if one.wager == wager and one.share(patron) is not None]
    own.sort(key=lambda one: one.position != table.seats.get(patron))
    return own[0].number if own else 0


def patron_in(words: Words) -> str:
    """Read a patron's name."""
    return words.next("a patron")


# Setting


def _method(words: Words) -> list[Asked]:
    method = read_method(words.next("A, B or C"))
    if method is None:
        message = "A table has a method once it has one"
        raise words.wrong(message)
    return ask(c.SetMethod(method, words.option("reason")))


def _limits(words: Words) -> list[Asked]:
    limits, left = {}, words.rest()
    while left:
        word = left.pop(0)
        if word[:1].isdigit():
            limits["*"] = read_limits(word)
        elif left:
            limits[word] = read_limits(left.pop(0))
        else:
            message = f"The limits of {quoted(word)} are missing"
            raise words.wrong(message)
    return ask(c.SetLimits(limits, words.option("reason")))


def _offer(words: Words) -> list[Asked]:
    optional = tuple(one for word in words.rest() for one in read_optional(word))
    return ask(c.OfferWagers(optional, words.option("reason")))


def _load(words: Words) -> list[Asked]:
    cut = words.maybe("cut")
    shoe = words.next("the name of the shoe")
    return ask(c.LoadShoe(shoe, None if cut is None else read_whole(cut)))


def _lost(words: Words) -> list[Asked]:
    shoe = words.next("the name of the shoe")
    return ask(c.DeclareShoeLost(shoe, words.option("reason")))


# People


def _seat(words: Words) -> list[Asked]:
    patron = patron_in(words)
    words.flag("at")
    asked = ask(c.TakeSeat(patron, read_whole(words.next("a playing position"))))
    if words.flag("credit"):
        cents = read_amount(words.next("an amount"))
        asked.append(Asked(c.BringCredit(patron, cents)))
    return asked


def _leave(words: Words) -> list[Asked]:
    cash = words.flag("cash")
    return ask(c.LeaveSeat(patron_in(words), cash))


def _take(words: Words) -> list[Asked]:
    cash = words.flag("cash")
    return ask(c.TakeCredit(patron_in(words), read_amount(words.next("an amount")), cash))


# Betting


def _place(words: Words) -> list[Asked]:
    position, join = words.maybe("position"), words.maybe("join")
    shared = words.flag("shared")
    return ask(
        c.PlaceWager(
            patron_in(words),
            words.next("a wager"),
            read_amount(words.next("an amount")),
            None if position is None else read_whole(position),
            shared,
            None if join is None else read_whole(join),
        )
    )


def _changed(kind: type[c.RaiseWager | c.LowerWager]) -> Read:
    def read(words: Words) -> list[Asked]:
        patron = patron_in(words)
        stake = stake_of(words, patron)
        return ask(kind(patron, stake, read_amount(words.next("an amount"))))

    return read


def _remove(words: Words) -> list[Asked]:
    patron = patron_in(words)
    return ask(c.RemoveWager(patron, stake_of(words, patron)))


def _find(words: Words) -> list[Asked]:
    position = words.maybe("position")
    return ask(
        c.FindStake(
            patron_in(words),
            words.next("a wager"),
            read_amount(words.next("an amount")),
            None if position is None else read_whole(position),
            words.option("reason"),
        )
    )


def _take_off(words: Words) -> list[Asked]:
    first = words.next("the number of a stake, or a patron and a wager")
    number = (
        find_stake(words.table, first, words.rest()[0]) if words.words else read_whole(first)
    )
    return ask(c.TakeOffWager(number, words.option("reason")))


# The die


def _shake(words: Words) -> list[Asked]:
    times = read_whole(words.next("a number")) if words.words else 1
    return [Asked(c.ShakeDie()) for _ in range(times)]


def _pass_shaker(words: Words) -> list[Asked]:
    patron = words.next("a patron") if words.words else None
    return ask(c.PassShaker(patron, words.option("reason")))


def _die(words: Words) -> list[Asked]:
    text = words.next("what the die shows, or ?")
    return [Asked(c.AnnounceDie(), die=None if text == "?" else read_whole(text))]


# Dealing


def _draw(words: Words) -> list[Asked]:
    if not words.words:
        return [Asked(c.DrawCard(), feed=True)]
    return [
        Asked(c.DrawCard(), () if card == "?" else (card,))
        for word in words.rest()
        for card in word.split(",")
    ]


def _expose(words: Words) -> list[Asked]:
    asked: list[Asked] = []
    for word in words.rest():
        if word in Position.__members__:
            asked.append(Asked(c.ExposeCard(Position(word))))
        elif asked and not asked[-1].cards:
            asked[-1] = Asked(asked[-1].command, (word,))
        else:
            place_of(word)
    if not asked:
        message = "No card was named"
        raise words.wrong(message)
    return asked


def _squeeze(words: Words) -> list[Asked]:
    side, patron = side_of(words), patron_in(words)
    designee, reason = words.maybe("designee"), words.option("reason")
    return ask(c.PermitSqueeze(side, patron, designee, reason))


def _allow(allowed: bool) -> Read:  # noqa: FBT001  # two verbs, one command
    def read(words: Words) -> list[Asked]:
        return ask(c.AllowShoe(patron_in(words), allowed, words.option("reason")))

    return read


# Irregularities


def _report(words: Words) -> list[Asked]:
    name = words.next("a situation")
    if name.upper() not in Situation.__members__:
        names = listed([situation.value for situation in Situation])
        message = f"{quoted(name)} is no situation; they are {names}."
        raise ScriptError(message)
    situation = Situation[name.upper()]
    said = CONTENTS[situation].__struct_fields__
    facts: dict[str, object] = {}
    for word, (field, read) in REPORTED.items():
        text = words.maybe(word)
        value = None if text is None else read(text)
        if value is not None and field in said:  # what a situation does not ask for is let go
            facts[field] = value
    silent = missing(situation, facts)
    if silent:
        message = f"A report of {SITUATION_WORDS[situation]} says {silent[0]}="
        raise words.wrong(message)
    report = c.report(situation, words.option("note"), **facts)
    return [Asked(report, cards_of(words.option("cards")))]


def hand_of(text: str) -> Side:
    """Read player or banker, behind an equals sign."""
    if text not in ("player", "banker"):
        message = f"{quoted(text)} is no hand; the hands are player and banker."
        raise ScriptError(message)
    return Side(text)


REPORTED: dict[str, tuple[str, Callable[[str], object]]] = {
    "order": ("order_known", yes),
    "value": ("value_known", yes),
    "count": ("count", read_whole),
    "laid": ("laid", places_of),
    "position": ("position", place_of),
    "side": ("side", hand_of),
    "patron": ("patron", str),
    "stake": ("stake", read_whole),
    "amount": ("cents", read_amount),
    "terminal": ("terminal", read_whole),
}
"""By word of a report: the field it fills in, and how it is read."""


def _withdraw(words: Words) -> list[Asked]:
    patron = patron_in(words)
    stakes = tuple(
        read_whole(word) if word.isdigit() else find_stake(words.table, patron, word)
        for word in words.rest()
    )
    return ask(c.Withdraw(patron, stakes))


def _order(words: Words) -> list[Asked]:
    """Read numbers or faces of the cards that came together; a wrong face gets no number."""
    play, hold = words.table.round, words.table.hold
    waiting = list(play.waiting) if play else []
    if hold is not None and hold.report is not None and hold.report.count:
        waiting = waiting[-hold.report.count :]
    order: list[int] = []
    for word in words.rest():
        if word.isdigit():
            order.append(int(word))
            continue
        if waiting and all(card is None for card in waiting):
            message = "The waiting cards are not known, so name them by number, from 0"
            raise words.wrong(message)
        there = [
            number
            for number, card in enumerate(waiting)
            if card is not None and card.text == word and number not in order
        ]
        order.append(there[0] if there else len(waiting))
    return ask(c.SetOrder(tuple(order), words.option("reason")))


def _sort(words: Words) -> list[Asked]:
    """Read counts of faces; with ``missing=`` all others are counted as they should be."""
    counts: dict[str, int] = {}
    missing = words.maybe("missing")
    play, plan = words.table.round, words.table.plan
    if missing is not None and play is not None and plan is not None:
        faces = (card.text for card in plan.game.deck.cards)
        counts = dict.fromkeys(faces, plan.settings.decks)
        here = [dealt.card for dealt in play.cards]
        gone = [card.text for card in (*here, *play.waiting) if card is not None]
        for face in (*gone, *cards_of(missing)):
            counts[face] = counts.get(face, 0) - 1
    for word in words.rest():
        face, _, count = word.partition("=")
        counts[face] = read_whole(count)
    return ask(c.RecordSorting(counts))


def _decide(words: Words) -> list[Asked]:
    name = words.next("continue, void or another decision")
    decisions = {decision.value: decision for decision in c.Decision}
    if name not in decisions:
        message = f"{quoted(name)} is no decision; they are {listed(list(decisions))}"
        raise words.wrong(message)
    stake, won = words.maybe("stake"), words.maybe("won")
    return ask(
        c.DecideReferral(
            decisions[name],
            words.option("reason"),
            None if stake is None else read_whole(stake),
            words.maybe("patron"),
            None if won is None else read_won(won),
            places_of(words.option("laid")),
        )
    )


def _terminal(words: Words) -> list[Asked]:
    position = read_whole(words.next("the number of a terminal"))
    choice = words.next("stand or return")
    if choice not in ("stand", "return"):
        message = f"{quoted(choice)} is no decision; its wagers stand or return"
        raise words.wrong(message)
    return ask(c.DecideTerminal(position, choice == "stand", words.option("reason")))


def _replace(replaced: bool) -> Read:  # noqa: FBT001  # two verbs, one command
    def read(words: Words) -> list[Asked]:
        return ask(c.DecideReplacement(replaced, words.option("reason")))

    return read


def _correct(words: Words) -> list[Asked]:
    place = place_of(words.next("the place of a card"))
    return [Asked(c.CorrectCard(place, words.option("reason")), tuple(words.rest()))]


# Verbs whose command takes what the words say, as it is


def _bare(kind: Callable[[], c.Command]) -> Read:
    return lambda _: ask(kind())


def _reasoned(kind: Callable[[str], c.Command]) -> Read:
    return lambda words: ask(kind(words.option("reason")))


def _patron(kind: Callable[[str], c.Command]) -> Read:
    return lambda words: ask(kind(patron_in(words)))


def _number(kind: Callable[[int], c.Command]) -> Read:
    return lambda words: ask(kind(read_whole(words.next("a number"))))


def _money(kind: Callable[[str, int], c.Command]) -> Read:
    return lambda words: ask(kind(patron_in(words), read_amount(words.next("an amount"))))


def _hand(kind: Callable[[Side, str], c.Command]) -> Read:
    return lambda words: ask(kind(side_of(words), patron_in(words)))


VERBS: dict[str, Verb] = {
    one.name: one
    for one in (
        # Setting
        verb("close table", c.CloseTable, _bare(c.CloseTable)),
        verb('method METHOD [reason="..."]', c.SetMethod, _method),
        verb(
            'cap NUMBER [reason="..."]',
            c.SetAreaCap,
            lambda words: ask(
                c.SetAreaCap(read_whole(words.next("a number")), words.option("reason"))
            ),
        ),
        verb(
            'limits LEAST-MOST[/STEP] [WAGER LEAST-MOST[/STEP]]... [reason="..."]',
            c.SetLimits,
            _limits,
        ),
        verb(
            'differential AMOUNT|none [reason="..."]',
            c.SetDifferential,
            lambda words: ask(
                c.SetDifferential(
                    read_differential(words.next("an amount, or none")), words.option("reason")
                )
            ),
        ),
        verb('offer WAGER...|none [reason="..."]', c.OfferWagers, _offer),
        *HOUSE_VERBS,
        verb("load shoe NAME [cut=NUMBER]", c.LoadShoe, _load),
        verb("end shoe", c.EndShoe, _bare(c.EndShoe)),
        verb('lose shoe NAME reason="..."', c.DeclareShoeLost, _lost),
        verb("remove cards NUMBER", c.RemoveCards, _number(c.RemoveCards)),
        # People
        verb("patron NAME at POSITION [credit AMOUNT]", c.TakeSeat, _seat, c.BringCredit),
        verb("leave PATRON [cash]", c.LeaveSeat, _leave),
        verb("bring PATRON AMOUNT", c.BringCredit, _money(c.BringCredit)),
        verb("take PATRON AMOUNT [cash]", c.TakeCredit, _take),
        verb("lose terminal NUMBER", c.LoseTerminal, _number(c.LoseTerminal)),
        verb("restore terminal NUMBER", c.RestoreTerminal, _number(c.RestoreTerminal)),
        verb("acknowledge NUMBER", c.AcknowledgeClosing, _number(c.AcknowledgeClosing)),
        # Betting
        verb("open", c.CallBets, _bare(c.CallBets)),
        verb("close", c.CloseBets, _bare(c.CloseBets)),
        verb(
            "place PATRON WAGER AMOUNT [shared] [position=NUMBER] [join=STAKE]",
            c.PlaceWager,
            _place,
        ),
        verb("raise PATRON WAGER|stake=NUMBER AMOUNT", c.RaiseWager, _changed(c.RaiseWager)),
        verb("lower PATRON WAGER|stake=NUMBER AMOUNT", c.LowerWager, _changed(c.LowerWager)),
        verb("remove PATRON WAGER|stake=NUMBER", c.RemoveWager, _remove),
        verb('find PATRON WAGER AMOUNT [position=NUMBER] [reason="..."]', c.FindStake, _find),
        verb("ask", c.AskToLower, _bare(c.AskToLower)),
        verb('take off STAKE|PATRON WAGER [reason="..."]', c.TakeOffWager, _take_off),
        # The die
        verb("shake [TIMES]", c.ShakeDie, _shake),
        verb('pass shaker [PATRON] [reason="..."]', c.PassShaker, _pass_shaker),
        verb("refuse shaker PATRON", c.RefuseShaker, _patron(c.RefuseShaker)),
        verb("confirm shake", c.ConfirmShake, _bare(c.ConfirmShake)),
        verb("open shaker", c.OpenShaker, _bare(c.OpenShaker)),
        verb("die NUMBER|?", c.AnnounceDie, _die),
        verb('invalid shake reason="..."', c.CallShakeInvalid, _reasoned(c.CallShakeInvalid)),
        # Dealing
        verb("take shoe PATRON", c.TakeShoe, _patron(c.TakeShoe)),
        verb("refuse shoe PATRON", c.RefuseShoe, _patron(c.RefuseShoe)),
        verb("relinquish PATRON", c.RelinquishShoe, _patron(c.RelinquishShoe)),
        verb('allow shoe PATRON [reason="..."]', c.AllowShoe, _allow(True)),  # noqa: FBT003
        verb('disallow shoe PATRON [reason="..."]', c.AllowShoe, _allow(False)),  # noqa: FBT003
        verb(
            'end control PATRON [reason="..."]',
            c.EndControl,
            lambda words: ask(c.EndControl(patron_in(words), words.option("reason"))),
        ),
        verb("attest", c.AttestDraws, _bare(c.AttestDraws)),
        verb("draw [CARD|?]...", c.DrawCard, _draw),
        verb("cut card", c.ShowCutCard, _bare(c.ShowCutCard)),
        verb(
            'offer withdrawal [reason="..."]', c.OfferWithdrawal, _reasoned(c.OfferWithdrawal)
        ),
        verb(
            'handler HAND PATRON [reason="..."]',
            c.NameHandler,
            lambda words: ask(
                c.NameHandler(side_of(words), patron_in(words), words.option("reason"))
            ),
        ),
        verb('squeeze HAND PATRON [designee=NAME] [reason="..."]', c.PermitSqueeze, _squeeze),
        verb("pass HAND PATRON", c.PassHand, _hand(c.PassHand)),
        verb("refuse HAND PATRON", c.RefuseHand, _hand(c.RefuseHand)),
        verb(
            "first HAND",
            c.ChooseFirstHand,
            lambda words: ask(c.ChooseFirstHand(side_of(words))),
        ),
        verb("expose PLACE [CARD]...", c.ExposeCard, _expose),
        verb("announce", c.AnnounceOutcome, _bare(c.AnnounceOutcome)),
        # Settlement
        verb("settle", c.Settle, _bare(c.Settle)),
        verb("paid", c.ConfirmPayment, _bare(c.ConfirmPayment)),
        # Irregularities
        verb(
            "report SITUATION [order=known|unknown] [value=known|unknown] [count=NUMBER]"
            " [laid=PLACE,...] [position=PLACE] [side=HAND] [patron=PATRON] [stake=NUMBER]"
            ' [amount=AMOUNT] [terminal=NUMBER] [cards=CARD,...] [note="..."]',
            c.Report,
            _report,
        ),
        verb('confirm [reason="..."]', c.ConfirmReport, _reasoned(c.ConfirmReport)),
        verb('dismiss reason="..."', c.DismissReport, _reasoned(c.DismissReport)),
        verb("withdraw PATRON [STAKE|WAGER]...", c.Withdraw, _withdraw),
        verb("keep PATRON", c.KeepWagers, _patron(c.KeepWagers)),
        verb('resume [reason="..."]', c.EndOption, _reasoned(c.EndOption)),
        verb('order CARD|NUMBER... [reason="..."]', c.SetOrder, _order),
        verb('reset [reason="..."]', c.ResetDevice, _reasoned(c.ResetDevice)),
        verb(
            "reserve CARD CARD",
            c.ReserveCards,
            lambda words: [Asked(c.ReserveCards(), tuple(words.rest()))],
        ),
        verb("sort [missing=CARD,...] [CARD=NUMBER]...", c.RecordSorting, _sort),
        verb(
            "substitute CARD...",
            c.Substitute,
            lambda words: ask(c.Substitute(tuple(words.rest()))),
        ),
        verb(
            "decide DECISION [stake=NUMBER] [patron=PATRON] [won=AMOUNT] [laid=PLACE,...]"
            ' reason="..."',
            c.DecideReferral,
            _decide,
        ),
        verb('decide terminal NUMBER stand|return reason="..."', c.DecideTerminal, _terminal),
        verb('replace cards [reason="..."]', c.DecideReplacement, _replace(True)),  # noqa: FBT003
        verb('keep cards [reason="..."]', c.DecideReplacement, _replace(False)),  # noqa: FBT003
        verb('correct PLACE CARD reason="..."', c.CorrectCard, _correct),
        verb(
            'display SHOWN [reason="..."]',
            c.CorrectDisplay,
            lambda words: ask(
                c.CorrectDisplay(words.next("what it showed"), words.option("reason"))
            ),
        ),
    )
}
"""Every verb by its name."""
