"""A second reading of the five rulebooks, by brute force, that shares no code with Croupier.

Cards are plain strings, the third-card rule is nested ifs, and every game's pay table is
written out again, each line with its net winnings and the clause that prints it. Slow and
dull on purpose: where this reading and the package differ, one of them is wrong.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Paid(NamedTuple):
    """What a wager gets per unit staked, and by which printed line; no line when it loses."""

    net: Fraction
    line: str


LOSS = Paid(Fraction(-1), "")


class Round(NamedTuple):
    """What the settlement chapters speak of, as plain values."""

    player: tuple[str, ...]
    banker: tuple[str, ...]
    player_points: int
    banker_points: int
    winner: str
    """``player``, ``banker`` or ``tie``."""
    power: bool
    natural_ties_only: bool


class Reading(NamedTuple):
    """A settled coup."""

    player: tuple[str, ...]
    banker: tuple[str, ...]
    player_points: int
    banker_points: int
    winner: str
    nets: dict[str, Fraction]
    lines: dict[str, str]
    """For each wager the clause of the line that applies, empty when it loses."""


# Chapters 2 and 3: cards, points, who draws, who wins.


@cache
def rank_of(card: str) -> str:
    """Return the rank of a card such as ``10D``, ``TD`` or ``L-Fire``."""
    rank = card.partition("-")[0] if "-" in card else card[:-1]
    if rank == "10":
        return "T"
    return {"S": "Shou", "L": "Lu", "F": "Fu"}.get(rank, rank)


def suit_of(card: str) -> str:
    """Return the suit letter, or the name of the element."""
    return card.partition("-")[2] if "-" in card else card[-1]


@cache
def value_of(card: str) -> int:
    """Return the point value of one card."""
    rank = rank_of(card)
    if rank == "A":
        return 1
    if rank in {"2", "3", "4", "5", "6", "7", "8", "9"}:
        return int(rank)
    if rank in {"T", "J", "Q", "K", "Shou", "Lu", "Fu"}:
        return 0
    message = f"no rulebook knows a card {card!r}"
    raise ValueError(message)


@cache
def total_of(hand: tuple[str, ...]) -> int:
    """Return the point total of a hand: the right digit only, from ten on."""
    total = sum(value_of(card) for card in hand)
    if total >= 10:
        return int(str(total)[-1])
    return total


def banker_draws(banker: int, third: str | None) -> bool:  # noqa: PLR0911  # a line, a branch
    """Say whether the Banker takes a third card when nobody has a natural."""
    if third is None:
        return banker <= 5
    value = value_of(third)
    if banker in {0, 1, 2}:
        return True
    if banker == 3:
        return value != 8
    if banker == 4:
        return value in {2, 3, 4, 5, 6, 7}
    if banker == 5:
        return value in {4, 5, 6, 7}
    if banker == 6:
        return value in {6, 7}
    return False


def deal(cards: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give cards in draw order to Player and Banker; those that nobody needs stay behind."""
    player: tuple[str, ...] = (cards[0], cards[2])
    banker: tuple[str, ...] = (cards[1], cards[3])
    if total_of(player) >= 8 or total_of(banker) >= 8:
        return player, banker
    if total_of(player) <= 5:
        player = (*player, cards[4])
        if banker_draws(total_of(banker), cards[4]):
            banker = (*banker, cards[5])
    elif banker_draws(total_of(banker), None):
        banker = (*banker, cards[4])
    return player, banker


def is_natural(hand: tuple[str, ...]) -> bool:
    """Say whether a hand is 8 or 9 in two cards."""
    return len(hand) == 2 and total_of(hand) in {8, 9}


def paired(hand: Sequence[str]) -> bool:
    """Say whether the first two cards are of one rank; ten and picture never pair (A1)."""
    return rank_of(hand[0]) == rank_of(hand[1])


# Chapter 4: lines that several tables print.


@cache
def to(first: int, second: int, line: str) -> Paid:
    """Return what a line pays."""
    return Paid(Fraction(first, second), line)


@cache
def push(line: str) -> Paid:
    """Return the stake and nothing else."""
    return Paid(Fraction(0), line)


def even_player(this: Round, line: str, tie: str) -> Paid:
    if this.winner == "tie":
        return push(tie)
    if this.winner == "player":
        return to(1, 1, line)
    return LOSS


def commission_banker(this: Round, line: str, tie: str) -> Paid:
    if this.winner == "tie":
        return push(tie)
    if this.winner == "banker":
        return to(19, 20, line)
    return LOSS


def half_on_six_banker(this: Round, table: str, tie: str) -> Paid:
    if this.winner == "tie":
        return push(tie)
    if this.winner == "banker":
        if this.banker_points == 6:
            return to(1, 2, f"{table}#banker-6")
        return to(1, 1, f"{table}#banker-other")
    return LOSS


def eight_for_tie(this: Round, line: str) -> Paid:
    if this.winner == "tie":
        return to(8, 1, line)
    return LOSS


def eleven_for_pair(hand: Sequence[str], line: str) -> Paid:
    if paired(hand):
        return to(11, 1, line)
    return LOSS


def six_in_two_or_three(this: Round, two: str, three: str) -> Paid:
    if this.winner == "banker" and this.banker_points == 6:
        if len(this.banker) == 2:
            return to(12, 1, two)
        return to(20, 1, three)
    return LOSS


def fabulous_main(this: Round, side: str, table: str, tie: str) -> Paid:
    points = this.player_points if side == "player" else this.banker_points
    if this.winner == "tie":
        return push(tie)
    if this.winner != side:
        return LOSS
    if points == 4:
        line = f"{table}#{side}-4"
        return to(1, 2, line) if side == "player" else push(line)
    if points == 1:
        return to(2, 1, f"{table}#{side}-1")
    return to(1, 1, f"{table}#{side}-other")


def fabulous_4(this: Round, side: str, table: str) -> Paid:
    if side == "player" and this.winner == "player" and this.player_points == 4:
        return to(50, 1, f"{table}#player-fabulous-4")
    if side == "banker" and this.winner == "banker" and this.banker_points == 4:
        return to(25, 1, f"{table}#banker-fabulous-4")
    return LOSS


def precious(hand: Sequence[str], suit: str, lines: tuple[str, str, str, str]) -> Paid:
    if not paired(hand):
        return LOSS
    both = suit_of(hand[0]) == suit_of(hand[1]) == suit
    if rank_of(hand[0]) == "4":
        if both:
            return to(30, 1, lines[0])
        return to(15, 1, lines[1])
    if both:
        return to(12, 1, lines[2])
    return to(9, 1, lines[3])


def dragon(this: Round, side: str, table: str) -> Paid:  # noqa: PLR0911  # a line, a branch
    if is_natural(this.player) and is_natural(this.banker) and this.winner == "tie":
        return push(f"{table}#natural-tie")
    if this.winner != side:
        return LOSS
    if is_natural(this.player if side == "player" else this.banker):
        return to(1, 1, f"{table}#natural")
    margin = abs(this.player_points - this.banker_points)
    if margin == 9:
        return to(30, 1, f"{table}#by-9")
    if margin == 8:
        return to(10, 1, f"{table}#by-8")
    if margin == 7:
        return to(6, 1, f"{table}#by-7")
    if margin == 6:
        return to(4, 1, f"{table}#by-6")
    if margin == 5:
        return to(2, 1, f"{table}#by-5")
    if margin == 4:
        return to(1, 1, f"{table}#by-4")
    return LOSS


def tiger_pair(this: Round) -> Paid:
    if paired(this.player) and paired(this.banker):
        if rank_of(this.player[0]) == rank_of(this.banker[0]):
            return to(100, 1, "EB4 4.9#twin")
        return to(20, 1, "EB4 4.9#double")
    if paired(this.player) or paired(this.banker):
        return to(4, 1, "EB4 4.9#single")
    return LOSS


def tiger_family(this: Round) -> dict[str, Paid]:
    small = big = tie = LOSS
    if this.winner == "banker" and this.banker_points == 6:
        if len(this.banker) == 2:
            small = to(22, 1, "EB4 4.10#small-tiger")
        else:
            big = to(50, 1, "EB4 4.10#big-tiger")
    if this.winner == "tie" and this.player_points == 6:
        tie = to(35, 1, "EB4 4.10#tiger-tie")
    return {
        "tiger-pair": tiger_pair(this),
        "tiger": six_in_two_or_three(
            this, "EB4 4.10#tiger-two-cards", "EB4 4.10#tiger-three-cards"
        ),
        "small-tiger": small,
        "big-tiger": big,
        "tiger-tie": tie,
    }


# The eleven games.


def baccarat(this: Round) -> dict[str, Paid]:
    return {
        "banker": commission_banker(this, "BAC8 4.1#banker", "BAC8 3.15.1"),
        "player": even_player(this, "BAC8 4.1#player", "BAC8 3.15.1"),
        "tie": eight_for_tie(this, "BAC8 4.1#tie"),
        "player-pair": eleven_for_pair(this.player, "BAC8 4.1#player-pair"),
        "banker-pair": eleven_for_pair(this.banker, "BAC8 4.1#banker-pair"),
    }


def fa_fa_fabulous_4(this: Round) -> dict[str, Paid]:
    lines = ("FF3 4.2#gold-4s", "FF3 4.2#other-4s", "FF3 4.2#gold-pair", "FF3 4.2#other-pair")
    tie = eight_for_tie(this, "FF3 4.1#tie")
    four_cards = [*this.player, *this.banker]
    if len(four_cards) == 4 and all(rank_of(card) == "4" for card in four_cards):
        tie = to(800, 1, "FF3 4.1#tie-on-element-eights")
    return {
        "player": fabulous_main(this, "player", "FF3 4.1", "FF3 3.15.1"),
        "banker": fabulous_main(this, "banker", "FF3 4.1", "FF3 3.15.1"),
        "tie": tie,
        "player-fabulous-4": fabulous_4(this, "player", "FF3 4.1"),
        "banker-fabulous-4": fabulous_4(this, "banker", "FF3 4.1"),
        "player-precious-pair": precious(this.player, "Gold", lines),
        "banker-precious-pair": precious(this.banker, "Gold", lines),
    }


def fortune_six_tournament(this: Round) -> dict[str, Paid]:
    banker = LOSS
    if this.winner == "tie":
        banker = push("F6T2 3.10.1")
    elif this.winner == "banker":
        banker = to(1, 1, "F6T2 4.1#banker")
    return {
        "banker": banker,
        "player": even_player(this, "F6T2 4.1#player", "F6T2 3.10.1"),
        "tie": eight_for_tie(this, "F6T2 4.1#tie"),
        "player-pair": eleven_for_pair(this.player, "F6T2 4.1#player-pair"),
        "banker-pair": eleven_for_pair(this.banker, "F6T2 4.1#banker-pair"),
        "fortune-six": six_in_two_or_three(
            this, "F6T2 4.1#fortune-six-two-cards", "F6T2 4.1#fortune-six-three-cards"
        ),
    }


def natural_8_or_9(this: Round, side: str, points: int) -> Paid:
    """Settle a Natural wager: the first two cards make it, and the hand wins (A7)."""
    hand = this.player if side == "player" else this.banker
    if this.winner != side or not is_natural(hand) or total_of(hand) != points:
        return LOSS
    if this.power:
        return to(9, 1, f"PB6 4.2#{side}-natural-{points}")
    return to(8, 1, f"PB6 4.1#{side}-natural-{points}")


def power_pair(this: Round, side: str) -> Paid:
    hand = this.player if side == "player" else this.banker
    if this.power and paired(hand) and rank_of(hand[0]) in {"8", "9"}:
        return to(15, 1, f"PB6 4.2#{side}-pair-8-9")
    return eleven_for_pair(hand, f"PB6 4.1#{side}-pair")


def power_tie(this: Round) -> Paid:
    """Settle the Tie wager; whether three-card ties on 8 or 9 improve is reading A6."""
    on_8_or_9 = this.winner == "tie" and this.player_points in {8, 9}
    if this.natural_ties_only:
        on_8_or_9 = on_8_or_9 and is_natural(this.player) and is_natural(this.banker)
    if this.power and on_8_or_9:
        return to(10, 1, "PB6 4.2#tie-8-9")
    return eight_for_tie(this, "PB6 4.1#tie")


def power_98(this: Round) -> dict[str, Paid]:
    player = even_player(this, "PB6 4.1#player", "PB6 3.12.1")
    banker = commission_banker(this, "PB6 4.1#banker", "PB6 3.12.1")
    if this.power and this.winner == "player" and is_natural(this.player):
        player = to(21, 20, "PB6 4.2#player-main-natural")
    if this.power and this.winner == "banker" and is_natural(this.banker):
        banker = to(1, 1, "PB6 4.2#banker-main-natural")
    return {
        "banker": banker,
        "player": player,
        "tie": power_tie(this),
        "player-pair": power_pair(this, "player"),
        "banker-pair": power_pair(this, "banker"),
        "player-natural-8": natural_8_or_9(this, "player", 8),
        "player-natural-9": natural_8_or_9(this, "player", 9),
        "banker-natural-8": natural_8_or_9(this, "banker", 8),
        "banker-natural-9": natural_8_or_9(this, "banker", 9),
    }


def five_electronic(this: Round, table: str) -> dict[str, Paid]:
    """Settle what 4.1 to 4.4 have in common."""
    return {
        "player": even_player(this, f"{table}#player", "EB4 3.9.1"),
        "banker": half_on_six_banker(this, table, "EB4 3.9.1"),
        "tie": eight_for_tie(this, f"{table}#tie"),
        "player-pair": eleven_for_pair(this.player, f"{table}#player-pair"),
        "banker-pair": eleven_for_pair(this.banker, f"{table}#banker-pair"),
    }


def fifteen_for_six(this: Round, line: str) -> Paid:
    if this.winner == "banker" and this.banker_points == 6:
        return to(15, 1, line)
    return LOSS


def both_dragons(this: Round) -> dict[str, Paid]:
    return {
        "banker-dragon-bonus": dragon(this, "banker", "EB4 4.5"),
        "player-dragon-bonus": dragon(this, "player", "EB4 4.6"),
    }


def super_six(this: Round) -> dict[str, Paid]:
    paid = five_electronic(this, "EB4 4.1")
    paid["super-six"] = fifteen_for_six(this, "EB4 4.1#super-six")
    return paid


def fortune_six(this: Round) -> dict[str, Paid]:
    paid = five_electronic(this, "EB4 4.2")
    paid["fortune-six"] = six_in_two_or_three(
        this, "EB4 4.2#fortune-six-two-cards", "EB4 4.2#fortune-six-three-cards"
    )
    return paid | both_dragons(this)


def super_6(this: Round) -> dict[str, Paid]:
    paid = five_electronic(this, "EB4 4.3")
    paid["super-6"] = fifteen_for_six(this, "EB4 4.3#super-6")
    return paid | both_dragons(this)


def no_commission(this: Round) -> dict[str, Paid]:
    return five_electronic(this, "EB4 4.4")


def tiger(this: Round) -> dict[str, Paid]:
    return {
        "player": even_player(this, "EB4 4.7#player", "EB4 3.9.1"),
        "banker": commission_banker(this, "EB4 4.7#banker", "EB4 3.9.1"),
        "tie": eight_for_tie(this, "EB4 4.7#tie"),
    } | tiger_family(this)


def tiger_no_commission(this: Round) -> dict[str, Paid]:
    return {
        "player": even_player(this, "EB4 4.8#player", "EB4 3.9.1"),
        "banker": half_on_six_banker(this, "EB4 4.8", "EB4 3.9.1"),
        "tie": eight_for_tie(this, "EB4 4.8#tie"),
    } | tiger_family(this)


def fabulous_4s(this: Round) -> dict[str, Paid]:
    lines = (
        "EB4 4.12#diamond-4s",
        "EB4 4.12#other-4s",
        "EB4 4.12#diamond-pair",
        "EB4 4.12#other-pair",
    )
    return {
        "player": fabulous_main(this, "player", "EB4 4.11", "EB4 3.9.1"),
        "banker": fabulous_main(this, "banker", "EB4 4.11", "EB4 3.9.1"),
        "tie": eight_for_tie(this, "EB4 4.11#tie"),
        "player-fabulous-4": fabulous_4(this, "player", "EB4 4.11"),
        "banker-fabulous-4": fabulous_4(this, "banker", "EB4 4.11"),
        "player-precious-pair": precious(this.player, "D", lines),
        "banker-precious-pair": precious(this.banker, "D", lines),
    }


GAMES: dict[str, Callable[[Round], dict[str, Paid]]] = {
    "baccarat": baccarat,
    "fa-fa-fabulous-4": fa_fa_fabulous_4,
    "fortune-six-tournament": fortune_six_tournament,
    "power-98": power_98,
    "super-six": super_six,
    "fortune-six": fortune_six,
    "super-6": super_6,
    "no-commission": no_commission,
    "tiger": tiger,
    "tiger-no-commission": tiger_no_commission,
    "fabulous-4s": fabulous_4s,
}


def settle(
    game: str, cards: Sequence[str], die: int | None = None, *, natural_ties_only: bool = False
) -> Reading:
    """Settle every wager of a game; the cards are those of the coup and no others."""
    player, banker = deal(cards)
    if len(player) + len(banker) != len(cards):
        message = f"{' '.join(cards)} is not one whole coup"
        raise ValueError(message)
    player_points, banker_points = total_of(player), total_of(banker)
    winner = "tie"
    if player_points > banker_points:
        winner = "player"
    if banker_points > player_points:
        winner = "banker"
    power = game == "power-98" and die == 3
    this = Round(player, banker, player_points, banker_points, winner, power, natural_ties_only)
    paid = GAMES[game](this)
    return Reading(
        player,
        banker,
        player_points,
        banker_points,
        winner,
        {wager: one.net for wager, one in paid.items()},
        {wager: one.line for wager, one in paid.items()},
    )
