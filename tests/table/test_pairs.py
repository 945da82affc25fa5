"""Each pair of irregularities of chapter 5, in both orders, at every point of a round.

The second one comes in every hold to which the first one leads, after it, and when the round
is settled and not paid. Then staff and patrons end the round by what they may do. A round
that cannot be ended, a stake that is lost or resolved twice, a cent too much, a card that is
told before its time: each fails with the script that led there.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table.refusals import Refusal
from croupier.table.rulings import Situation
from croupier.table.state import Phase
from tests.table.pairs_book import DeadEndError
from tests.table.pairs_end import PLAIN, POLICIES, Policy, again, end, step
from tests.table.pairs_happen import IRREGULARITIES
from tests.table.pairs_points import (
    BAC8,
    FIRST_CARD,
    OTHER_COUPS,
    OTHERS,
    Setting,
    points,
    truth_of,
)
from tests.table.pairs_twins import Twins, end_alike, others
from tests.table.pairs_world import Ask, World, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CORRECTIONS = tuple(name for name in IRREGULARITIES if name.startswith("6.3"))
FACE_DOWN = tuple(at for at in (*BAC8, *OTHERS) if at.method in ("A", "C"))
PARTLY = POLICIES[2]


class Findings:
    """What went wrong, each with the shortest script that shows it."""

    def __init__(self, at: Setting) -> None:
        self.at = at
        self.tried = 0
        self.scripts: dict[str, str] = {}

    def add(self, dead: DeadEndError, first: str, second: str = "nothing") -> None:
        """Keep the shortest script of each kind."""
        script = f"{self.at}: {first}, then {second}: {dead}"
        before = self.scripts.get(dead.why)
        if before is None or len(script) < len(before):
            self.scripts[dead.why] = script

    def check(self) -> None:
        """Fail with all that was found."""
        assert self.tried > 0
        assert not self.scripts, "\n\n".join(self.scripts.values())


# Where the second one may come


def holds(world: World) -> list[World]:
    """Return the round in every hold to which it comes, half answered too, and after them.

    And once more when it is settled: what the first one did to the list may be made anew.
    """
    found: list[World] = []
    met: set[object] = set()
    for policy in (PLAIN, PARTLY):
        there = world.fork()
        while not there.over:
            key = _kind(there, policy)
            if key not in met:
                met.add(key)
                found.append(there.fork())
            if there.table.hold is None:
                break
            step(there, policy)
    return [*found, *settled(world)]


def settled(world: World) -> list[World]:
    """Return the round once more, settled and not paid, where it comes to that."""
    there = world.fork()
    while not there.over:
        if there.table.phase is Phase.SETTLED and there.table.hold is None:
            return [there]
        step(there, PLAIN)
    return []


def _kind(world: World, policy: Policy) -> object:
    """Tell holds apart: what the round waits for, behind how much, and who has answered."""
    hold = world.table.hold
    if hold is None:
        return world.table.phase
    answered = min(len(hold.answers), 2)
    return hold.kind, len(world.table.suspended), answered, policy.name if answered else ""


# What the rulebooks say


def voids(at: Setting, name: str, world: World) -> bool:
    """Tell whether the rulebook voids a round for an irregularity at this moment."""
    out = len(world.play.cards) + len(world.play.waiting)
    together = name in ("5.8 unknown", "5.8 three unknown")
    if at.code in ("PB6", "F6T2"):
        always = ("5.1 foreign", "5.2 unknown", "5.3", "5.7 number, unknown")
        return name in always or (together and out < 4)
    if name.startswith("5.1 ") or name in ("5.2 unknown", "5.3", "6.3 too many"):
        return True
    if at.code == "EB4":
        return together or (name.startswith("5.17") and not world.table.established)
    return name == "5.12.2 unknown" or (together and out < 4)


def must_be_heard(name: str, ask: Ask, world: World, *, void: bool) -> bool:
    """Tell whether every hold hears it: what voids, and a power failure (A52)."""
    if world.play.confirmed or not isinstance(ask.command, c.Report):
        return False
    if name == "5.3" or name.startswith("5.8"):
        return void and world.table.phase in (Phase.CLOSED, Phase.SHAKE, Phase.DEALING)
    if name == "5.7 number, unknown":
        return void and bool(world.play.cards)
    return void or name.startswith("5.17")


def check_void(ended: World, *, void: bool) -> None:
    """Test that the round is void where the rulebook says so, and nowhere else."""
    if (ended.book.lines is None) != void:
        why = "paid, and it must be void" if void else "void, and it must be paid"
        raise DeadEndError(why, ended.script)


# One after the other


class Begun:
    """A round in which the first one has come."""

    def __init__(self, at: Setting, world: World, first: str, found: Findings) -> None:
        self.at, self.first, self.found = at, first, found
        self.worlds: list[World] = []
        self.void = voids(at, first, world)
        ask = IRREGULARITIES[first](world)
        begun = world.fork()
        try:
            if ask is not None and not isinstance(begun.ask(ask), Refusal):
                self.worlds = holds(begun)
        except DeadEndError as dead:
            found.add(dead, first)

    def then(self, second: str, world: World, policies: Iterable[Policy]) -> bool:
        """Let the second one come, and end the round in some ways; tell whether it came."""
        try:
            return self._then(second, world, policies)
        except DeadEndError as dead:
            self.found.add(dead, self.first, second)
            return True

    def _then(self, second: str, world: World, policies: Iterable[Policy]) -> bool:
        ask = IRREGULARITIES[second](world)
        if ask is None:
            return False
        void, both = voids(self.at, second, world), world.fork()
        answer = both.ask(ask)
        if isinstance(answer, Refusal):
            if must_be_heard(second, ask, world, void=void):
                why = f"not heard: {answer}"
                raise DeadEndError(why, (*world.script, told(ask)))
            return False
        for policy in policies:
            self.found.tried += 1
            ended = both.fork()
            end(ended, policy)
            if policy is PLAIN:
                check_void(ended, void=self.void or void)
            if self.found.tried % 5 == 0:
                ended.check_replay()
                again(ended)
        return True


def everywhere(at: Setting, pairs: Iterable[tuple[str, str]]) -> Findings:
    """Try pairs at all points of a round, in all holds."""
    found, wanted = Findings(at), set(pairs)
    for _, world in points(at):
        for first in IRREGULARITIES:
            begun = Begun(at, world, first, found)
            for there in begun.worlds:
                for second in IRREGULARITIES:
                    if (first, second) in wanted:
                        other = POLICIES[1 + found.tried // 2 % (len(POLICIES) - 1)]
                        begun.then(second, there, (PLAIN, other))
    return found


def somewhere(at: Setting, firsts: Iterable[str], seconds: Iterable[str]) -> Findings:
    """Try each pair once, at some point and in some hold of it."""
    chance, found = Random(str(at)), Findings(at)
    seconds, there = list(seconds), [world for _, world in points(at)]
    for first in firsts:
        began: list[tuple[Begun, World]] = []
        for world in chance.sample(there, len(there)):
            begun = Begun(at, world, first, found)
            began += [(begun, one) for one in begun.worlds]
            if len(began) > 8:
                break
        for second in seconds:
            for begun, one in chance.sample(began, len(began)):
                if begun.then(second, one, (chance.choice((PLAIN, *POLICIES)),)):
                    break
    return found


# Cards that nobody has seen


def twins(at: Setting) -> Iterator[Twins]:
    """Give two tables at each point that differ in cards that nobody has seen.

    They differ in all cards that lie face down and the next ones, and in one of them only.
    """
    for number, (name, world) in enumerate(points(at)):
        down = [one.number for one in world.play.cards if not one.exposed]
        out = world.table.shoe.out if world.table.shoe else 0
        for which, numbers in enumerate(((*down, *range(out, out + 3)), down[-1:])):
            truth, game = truth_of(at.code, at.coup), world.plan.game.slug
            changed = others(truth, numbers, game, (number + which) % 2)
            if numbers and not world.over:
                there = next(one for known, one in points(at, changed) if known == name)
                yield Twins(world.fork(), there)


def holds_alike(both: Twins) -> list[Twins]:
    """Return the two tables in every hold to which they come, and after them."""
    found: list[Twins] = []
    met: set[object] = set()
    for policy in (PLAIN, PARTLY):
        there = both.fork()
        while not there.left.over and not there.revealed:
            key = _kind(there.left, policy)
            if key not in met:
                met.add(key)
                found.append(there.fork())
            if there.left.table.hold is None:
                break
            end_alike(there, policy, 1)
    return found


def tell_apart(at: Setting, chance: Random | None = None, *, one_in: int = 1) -> Findings:
    """Try to tell two tables apart by two irregularities."""
    found = Findings(at)
    chance = chance or Random(0)
    for both in twins(at):
        both.compare()
        for first in IRREGULARITIES:
            if one_in > 1 and chance.randrange(6):
                continue
            begun = _ask_alike(both, first, found, first)
            try:
                alike = holds_alike(begun) if begun else []
            except DeadEndError as dead:
                found.add(dead, first)
                continue
            for there in alike:
                for second in IRREGULARITIES:
                    if one_in == 1 or not chance.randrange(one_in):
                        _then_alike(there, first, second, found)
    return found


def _ask_alike(both: Twins, name: str, found: Findings, first: str) -> Twins | None:
    """Let one come at both tables; return them, or None where it is refused."""
    asked = IRREGULARITIES[name](both.left), IRREGULARITIES[name](both.right)
    if asked[0] is None or asked[1] is None:
        return None
    there = both.fork()
    try:
        if isinstance(there.ask(asked[0], asked[1]), Refusal):
            return None
        there.compare()
    except DeadEndError as dead:
        found.add(dead, first, name)
        return None
    return there


def _then_alike(both: Twins, first: str, second: str, found: Findings) -> None:
    found.tried += 1
    there = _ask_alike(both, second, found, first)
    try:
        if there is not None:
            end_alike(there, POLICIES[found.tried % 4], 5)
    except DeadEndError as dead:
        found.add(dead, first, second)


# Tests


def named(settings: Iterable[Setting]) -> list[object]:
    return [pytest.param(at, id=str(at)) for at in settings]


@pytest.mark.parametrize("at", named(BAC8))
def test_every_pair_once(at: Setting) -> None:
    somewhere(at, IRREGULARITIES, IRREGULARITIES).check()


@pytest.mark.parametrize("at", named(OTHERS))
def test_every_pair_once_in_other_rulebooks(at: Setting) -> None:
    somewhere(at, IRREGULARITIES, IRREGULARITIES).check()


@pytest.mark.parametrize("at", named(OTHER_COUPS))
def test_corrected_cards_of_other_coups(at: Setting) -> None:
    others_ = Random(str(at)).sample(list(IRREGULARITIES), 12)
    somewhere(at, CORRECTIONS, others_).check()
    somewhere(at, others_, CORRECTIONS).check()


@pytest.mark.parametrize("at", named(FACE_DOWN))
def test_no_hidden_card_is_told(at: Setting) -> None:
    tell_apart(at, Random(str(at)), one_in=20).check()


# What was found, and is mended


def face_down(at: Setting) -> World:
    """Return a round with four cards face down, the hands with ann and bob."""
    name = "PassHand side=banker patron=bob"
    return next(world for point, world in points(at) if point.endswith(name))


FIRST_TWO = (Position.B1, Position.P1, Position.P2, Position.B2)
"""Player's first card was dealt to Banker, and the other way round."""


def test_a_report_that_waits_is_about_the_same_card_when_it_has_moved() -> None:
    world = face_down(BAC8[0])
    number = world.play.cards[0].number
    world.do(Ask(c.report(Situation.WRONG_ORDER, laid=FIRST_TWO)))
    world.do(Ask(c.report(Situation.EXPOSED_IN_ERROR, position=Position.P1)))
    world.do(Ask(c.ConfirmReport()))
    up = [(one.position, one.number) for one in world.play.cards if one.exposed]
    assert up == [(Position.B1, number)]


def test_an_order_that_is_reported_twice_is_put_right_once() -> None:
    world = face_down(BAC8[0])
    first, second, *_ = [one.number for one in world.play.cards]
    for _ in range(2):
        world.do(Ask(c.report(Situation.WRONG_ORDER, laid=FIRST_TWO)))
    for _ in range(2):
        world.do(Ask(c.ConfirmReport()))
    assert [one.number for one in world.play.cards][:2] == [second, first]


def test_an_order_of_cards_that_are_not_out_is_refused_in_a_whole_sentence() -> None:
    world = next(world for name, world in points(BAC8[2]) if name.endswith("CloseBets"))
    laid = (Position.P1, Position.B1)
    answer = world.try_(Ask(c.report(Situation.ORDER_ALTERED, order_known=True, laid=laid)))
    assert isinstance(answer, Refusal)
    assert answer.sentence == "P1 and B1 came, and no card of the round is out [BAC8 5.2]."


def test_cards_that_are_gone_are_found_while_others_wait_unread() -> None:
    world = face_down(BAC8[1])
    world.do(Ask(c.report(Situation.DRAWN_TOGETHER, order_known=True, count=2)))
    world.do(Ask(c.ConfirmReport()))
    world.do(Ask(c.EndOption()))
    world.do(Ask(c.report(Situation.LEFT_WITH_CARDS, patron="ann")))
    end(world, PLAIN)
    check_void(world, void=False)


def test_cards_that_were_taken_away_are_those_the_patron_had() -> None:
    world = face_down(BAC8[0])
    world.do(Ask(c.report(Situation.WRONG_ORDER, laid=FIRST_TWO)))
    world.do(Ask(c.report(Situation.LEFT_WITH_CARDS, patron="bob")))
    world.do(Ask(c.ConfirmReport()))


@pytest.mark.parametrize("after", ["a reset", "a void"])
def test_cards_that_came_together_are_out_whatever_follows(after: str) -> None:
    world = next(world for name, world in points(BAC8[2]) if name.endswith("CloseBets"))
    together = c.report(Situation.DRAWN_TOGETHER, order_known=True, count=2)
    if after == "a reset":
        world.do(Ask(c.report(Situation.DEVICE_RESET)))
        world.do(Ask(c.ConfirmReport()))
        world.do(Ask(together, world.next_faces(2)))
        world.do(Ask(c.EndOption()))
        world.do(Ask(c.ResetDevice()))
    else:
        world.do(Ask(together, world.next_faces(2)))
        world.do(Ask(c.report(Situation.FOREIGN_CARD)))
        world.do(Ask(c.ConfirmReport()))
    assert world.table.shoe is not None
    assert world.table.shoe.out == FIRST_CARD + 2


# All of it


@pytest.mark.exhaustive
@pytest.mark.parametrize("at", named((*BAC8, *OTHERS)))
def test_every_pair_everywhere(at: Setting) -> None:
    pairs = [(first, second) for first in IRREGULARITIES for second in IRREGULARITIES]
    everywhere(at, pairs).check()


@pytest.mark.exhaustive
@pytest.mark.parametrize("at", named(OTHER_COUPS))
def test_every_correction_of_other_coups(at: Setting) -> None:
    pairs = [(first, second) for first in IRREGULARITIES for second in CORRECTIONS]
    everywhere(at, {*pairs, *((second, first) for first, second in pairs)}).check()


@pytest.mark.exhaustive
@pytest.mark.parametrize("at", named(FACE_DOWN))
def test_no_hidden_card_is_told_anywhere(at: Setting) -> None:
    tell_apart(at).check()
