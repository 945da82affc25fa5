"""Where a table's cards come from: a sealed virtual shoe, a scanner, or a keyboard.

A table takes cards from its source, it does not own it. The source is asked by the number
of the card in its shoe, and that number comes from the journal: after a failure the same
card comes again, and no other.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING

from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.seal import LEAF_BYTES, Seal, Tree, open_card, seal_shoe
from croupier.journal.shoes import CardOpened, ShoeOpened, ShoeSealed

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.journal.seal import KeyBox, SealedCard
    from croupier.journal.store import Store
    from croupier.rules.cards import Deck

TREES_MAX = 128


class SealedSource:
    """Virtual shoes: shuffled and sealed here, kept encrypted in the journal's store.

    ``below(n)`` gives a number from 0 to n - 1; ``shuffles`` gives what does so for the next
    shoe, where every shoe has its own.
    """

    def __init__(
        self,
        store: Store,
        keys: KeyBox,
        below: Callable[[int], int] = secrets.randbelow,
        shuffles: Callable[[], Callable[[int], int]] | None = None,
    ) -> None:
        self._store = store
        self._keys = keys
        self._shuffles = shuffles or (lambda: below)
        self._trees: OrderedDict[str, Tree] = OrderedDict()
        """Trees of the shoes in play, at hand for the next card."""

    @property
    def opens_shoes(self) -> bool:
        """Return True: what was sealed here can be opened here."""
        return True

    async def load(
        self,
        shoe: str,
        deck: Deck,
        decks: int,
        *,
        physical: bool = False,  # noqa: ARG002
    ) -> ShoeSealed:
        """Shuffle and seal a shoe, under a name that no attempt before it had."""
        name = f"{shoe}/{secrets.token_hex(8)}"
        # In a thread: hundreds of cards are encrypted, and the key waits for its disk.
        seal = await asyncio.to_thread(self._seal, name, deck, decks, self._shuffles())
        # All leaves in one piece: after a restart they are needed all at once.
        await self._store.keep_sealed(_leaves_name(name), (b"".join(seal.tree.leaves),))
        await self._store.keep_sealed(name, seal.kept)
        self._remember(name, seal.tree)
        return ShoeSealed(shoe, name, len(seal.kept), "virtual", seal.tree.root.hex())

    def _seal(self, name: str, deck: Deck, decks: int, below: Callable[[int], int]) -> Seal:
        return seal_shoe(name, deck, decks, self._keys.make(name), below)

    async def opens(self, seal: ShoeSealed) -> bool:
        """Try the first card."""
        try:
            await self.card(seal, 0)
        except PoisonedError:
            raise
        except JournalError:
            return False
        return True

    async def card(self, seal: ShoeSealed, number: int) -> str | None:
        """Open the card of this number."""
        return (await self._open(seal.seal, number, self._keys.key(seal.seal))).card

    async def _open(self, seal: str, number: int, key: bytes) -> SealedCard:
        return open_card(seal, number, await self._store.sealed(seal, number), key)

    async def opened(self, seal: ShoeSealed, number: int) -> CardOpened | None:
        """Return the salt and the path of an exposed card."""
        card = await self._open(seal.seal, number, self._keys.key(seal.seal))
        path = (await self._tree(seal)).path(number)
        return CardOpened(
            seal.seal, number, card.card, card.salt.hex(), tuple(step.hex() for step in path)
        )

    async def _tree(self, seal: ShoeSealed) -> Tree:
        tree = self._trees.get(seal.seal)
        if tree is None:
            leaves = await self._store.sealed(_leaves_name(seal.seal), 0)
            places = range(0, len(leaves), LEAF_BYTES)
            tree = Tree([leaves[place : place + LEAF_BYTES] for place in places])
        if tree.root.hex() != seal.root:
            message = f"The leaves of shoe {seal.seal} do not lead to its root."
            raise JournalError(message)
        self._remember(seal.seal, tree)
        return tree

    def _remember(self, seal: str, tree: Tree) -> None:
        self._trees[seal] = tree
        self._trees.move_to_end(seal)
        while len(self._trees) > TREES_MAX:
            self._trees.popitem(last=False)

    async def ended(self, seal: ShoeSealed, numbers: list[int]) -> ShoeOpened | None:
        """Open all cards that were never exposed."""
        cards, key = {}, self._keys.key(seal.seal)
        for number in numbers:
            card = await self._open(seal.seal, number, key)
            cards[str(number)] = (card.card, card.salt.hex())
        return ShoeOpened(seal.seal, cards)


def _leaves_name(seal: str) -> str:
    return f"{seal}/leaves"


class HouseSource:
    """The cards of a house: virtual shoes are sealed, cards of paper come from their device."""

    def __init__(
        self,
        store: Store,
        keys: KeyBox,
        below: Callable[[int], int] = secrets.randbelow,
        shuffles: Callable[[], Callable[[int], int]] | None = None,
    ) -> None:
        self._sealed = SealedSource(store, keys, below, shuffles)
        self._device = DeviceSource()

    @property
    def opens_shoes(self) -> bool:
        """Return True: what was sealed here can be opened here."""
        return True

    async def load(self, shoe: str, deck: Deck, decks: int, *, physical: bool) -> ShoeSealed:
        """Make a shoe ready: one of paper is only recorded."""
        source = self._device if physical else self._sealed
        return await source.load(shoe, deck, decks, physical=physical)

    async def opens(self, seal: ShoeSealed) -> bool:
        """Tell whether the cards of a virtual shoe can still be opened."""
        return await self._of(seal).opens(seal)

    def _of(self, seal: ShoeSealed) -> SealedSource | DeviceSource:
        return self._device if seal.root is None else self._sealed

    async def card(self, seal: ShoeSealed, number: int) -> str | None:
        """Return the face of a card of a virtual shoe."""
        return await self._of(seal).card(seal, number)

    async def opened(self, seal: ShoeSealed, number: int) -> CardOpened | None:
        """Return the proof of an exposed card of a virtual shoe."""
        return await self._of(seal).opened(seal, number)

    async def ended(self, seal: ShoeSealed, numbers: list[int]) -> ShoeOpened | None:
        """Return the cards of a virtual shoe that were never exposed."""
        return await self._of(seal).ended(seal, numbers)


class DeviceSource:
    """Cards of paper: a scanner or a keyboard gives the faces with each command."""

    @property
    def opens_shoes(self) -> bool:
        """Return False: nothing is sealed here."""
        return False

    async def load(
        self,
        shoe: str,
        deck: Deck,
        decks: int,
        *,
        physical: bool = True,  # noqa: ARG002
    ) -> ShoeSealed:
        """Record the shoe; there is nothing to seal."""
        return ShoeSealed(shoe, shoe, decks * len(deck), "device")

    async def opens(self, seal: ShoeSealed) -> bool:  # noqa: ARG002
        """Return False: nothing is sealed here."""
        return False

    async def card(self, seal: ShoeSealed, number: int) -> str | None:  # noqa: ARG002
        """Return None: the face comes from the device with the command, or not at all."""
        return None

    async def opened(self, seal: ShoeSealed, number: int) -> CardOpened | None:  # noqa: ARG002
        """Return None: a card of paper needs no proof."""
        return None

    async def ended(self, seal: ShoeSealed, numbers: list[int]) -> ShoeOpened | None:  # noqa: ARG002
        """Return None: what was left is not known."""
        return None
