"""``croupier deal``: deal one coup from a shuffled shoe and settle it."""

from __future__ import annotations

import random
import secrets
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.output import Decks, GameName, JsonFlag, Whole, console, print_json
from croupier.cli.settle import print_settlement, settlement_document
from croupier.rulebooks import GAMES, find_game
from croupier.rules.errors import RulesError
from croupier.rules.shoe import Shoe

if TYPE_CHECKING:
    from croupier.rules.game import Game, Settlement


def deal(
    game: GameName | None = None,
    /,
    *,
    every: Annotated[
        bool,
        Parameter(
            name="--all", negative="", show_default=False, help="Deal a coup of every game."
        ),
    ] = False,
    decks: Decks = 8,
    seed: Annotated[
        Whole | None, Parameter(help="A number from 0; the same seed deals the same cards.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Deal one coup from a freshly shuffled shoe and settle it."""
    if every == (game is not None):
        message = "Name one game, such as `croupier deal baccarat`, or give --all."
        raise RulesError(message)
    if seed is not None and seed < 0:
        message = f"A seed of {seed} came; a seed is 0 or more."
        raise RulesError(message)
    if seed is None:
        seed = secrets.randbelow(2**32)
    dealt = [
        (die, settlement)
        for chosen in (GAMES if game is None else (find_game(game),))
        for die, settlement in [deal_coup(chosen, decks, seed)]
    ]
    if json:
        documents = [
            settlement_document(settlement) | {"die": die, "decks": decks, "seed": seed}
            for die, settlement in dealt
        ]
        print_json(documents if every else documents[0])
        return
    out = console()
    for die, settlement in dealt:
        print_settlement(settlement)
        if die is not None:
            out.print(f"The die shows {die}.")
    out.print(f"[dim]{decks} decks, seed {seed}[/dim]")


def deal_coup(game: Game, decks: int, seed: int) -> tuple[int | None, Settlement]:
    """Shuffle a full shoe, shake the die where there is one, deal and settle a coup."""
    chance = random.Random(seed)  # noqa: S311  # a demonstration that can be repeated
    shoe = Shoe.of(game.shoe(decks)).shuffled(chance.randrange)
    die = chance.choice(game.die.faces) if game.die else None
    coup = game.coup()
    while not coup.complete:
        card, shoe = shoe.draw()
        coup = coup.draw(card)
    return die, game.settle(coup, die=die)
