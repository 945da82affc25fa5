"""Sealed shoes: every order equally likely, every card provable, none readable before."""

from __future__ import annotations

import inspect
import json
import os
import secrets
import stat
from collections import Counter
from itertools import permutations, product
from math import factorial
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import verifier
from croupier.floor.desk import Desk, Request
from croupier.floor.sources import DeviceSource, SealedSource
from croupier.journal.decision import read_record
from croupier.journal.errors import JournalError
from croupier.journal.memory import MemoryStore
from croupier.journal.seal import KeyBox, Tree, leaf_of, open_card, seal_shoe
from croupier.journal.shoes import CardOpened, ShoeFact, ShoeOpened, ShoeSealed
from croupier.journal.sqlite import SqliteStore
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.rules.cards import FIVE_ELEMENTS, STANDARD
from croupier.rules.shoe import Composition, Shoe
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.refusals import Code
from croupier.table.roles import Patron
from tests.floor.rounds import facts_of, settings_for
from tests.table.floor import DEALER, MANAGER

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.journal.decision import Decision
    from croupier.journal.seal import Seal
    from croupier.journal.store import Store
    from croupier.rules.cards import Card, Deck

DECKS = [(deck, count) for deck in (STANDARD, FIVE_ELEMENTS) for count in range(4, 11)]
KEY = bytes(range(32))
SHOE = "first/0011223344556677"


def sealed(deck: Deck = STANDARD, decks: int = 4, seed: int = 7) -> Seal:
    return seal_shoe(SHOE, deck, decks, KEY, Random(seed).randrange)


def opening(seal: Seal, number: int, key: bytes = KEY) -> dict[str, Any]:
    """Return what is published of a card."""
    card = open_card(seal.shoe, number, seal.kept[number], key)
    path = [step.hex() for step in seal.tree.path(number)]
    return {
        "seal": seal.shoe,
        "number": number,
        "card": card.card,
        "salt": card.salt.hex(),
        "path": path,
    }


# The shuffle


@pytest.mark.parametrize("count", range(1, 7))
def test_the_shuffle_gives_every_order_exactly_once(count: int) -> None:
    cards = STANDARD.cards[:count]
    orders: Counter[tuple[Card, ...]] = Counter()
    for chances in product(*(range(size) for size in range(count, 1, -1))):
        left = list(chances)
        sizes: list[int] = []

        def below(size: int, left: list[int] = left, sizes: list[int] = sizes) -> int:
            sizes.append(size)
            return left.pop(0)

        orders[Shoe(cards).shuffled(below).cards] += 1
        assert sizes == list(range(count, 1, -1))
    assert orders == Counter(permutations(cards))
    assert orders.total() == factorial(count)


def test_chance_comes_from_the_operating_system() -> None:
    for maker in (seal_shoe, SealedSource):
        assert inspect.signature(maker).parameters["below"].default is secrets.randbelow


@pytest.mark.parametrize(("deck", "decks"), DECKS)
def test_what_is_sealed_is_a_whole_shoe_in_the_order_of_the_shuffle(
    deck: Deck, decks: int
) -> None:
    seal = sealed(deck, decks)
    full = Composition.full(deck, decks)
    order = Shoe.of(full).shuffled(Random(7).randrange).cards
    opened = [open_card(SHOE, number, kept, KEY).card for number, kept in enumerate(seal.kept)]
    assert opened == [card.text for card in order]
    assert Counter(opened) == Counter(card.text for card in full.cards())


def test_no_two_shoes_have_anything_in_common() -> None:
    one, other = (sealed() for _ in range(2))
    assert not set(one.tree.leaves) & set(other.tree.leaves)
    assert not set(one.kept) & set(other.kept)
    assert len(set(one.tree.leaves)) == len(one.kept) == 208


# Openings


@pytest.mark.parametrize(("deck", "decks"), DECKS)
def test_every_card_leads_to_the_root_by_a_verifier_of_its_own(deck: Deck, decks: int) -> None:
    seal = sealed(deck, decks)
    count = len(seal.kept)
    root = seal.tree.root.hex()
    leaves = []
    for number in range(count):
        published = opening(seal, number)
        assert verifier.card_root(published, count) == root
        leaves.append(verifier.leaf(SHOE, number, published["card"], published["salt"]))
    assert tuple(leaves) == seal.tree.leaves
    assert verifier.tree_root(leaves).hex() == root


@pytest.mark.exhaustive
def test_a_thousand_shoes_lead_to_their_roots() -> None:
    for seed in range(1_000):
        deck, decks = DECKS[seed % len(DECKS)]
        seal = seal_shoe(f"{seed}", deck, decks, KEY)
        count, root = len(seal.kept), seal.tree.root.hex()
        assert {verifier.card_root(opening(seal, n), count) for n in range(count)} == {root}


@given(st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=70))
def test_trees_of_any_size_are_the_verifiers(leaves: list[bytes]) -> None:
    tree = Tree(leaves)
    assert tree.root == verifier.tree_root(leaves)
    assert tree.leaves == tuple(leaves)


@pytest.mark.parametrize(("deck", "decks"), [(STANDARD, 8), (FIVE_ELEMENTS, 7)])
def test_nothing_of_an_opening_can_be_changed(deck: Deck, decks: int) -> None:
    seal = sealed(deck, decks)
    count, root = len(seal.kept), seal.tree.root.hex()
    for number in (0, 1, count // 2, count - 2, count - 1):
        told = opening(seal, number)
        others = [card.text for card in deck.cards if card.text != told["card"]]
        path = told["path"]
        wrong = [told | {"card": card} for card in others]
        wrong += [told | {"number": other} for other in range(count) if other != number]
        wrong += [told | {"salt": salt} for salt in flipped(told["salt"])]
        wrong += [told | {"seal": SHOE + "x"}, told | {"seal": SHOE[:-1]}]
        wrong += [told | {"path": path[:at] + path[at + 1 :]} for at in range(len(path))]
        wrong += [told | {"path": [*path, path[0]]}, told | {"path": path[::-1]}]
        wrong += [
            told | {"path": [*path[:at], step, *path[at + 1 :]]}
            for at in range(len(path))
            for step in flipped(path[at])[:3]
        ]
        assert verifier.card_root(told, count) == root
        assert [one for one in wrong if verifier.card_root(one, count) == root] == []


def flipped(text: str) -> list[str]:
    """Return all texts that differ in one bit of what they write in hexadecimal."""
    value = int(text, 16)
    return [f"{value ^ 1 << bit:0{len(text)}x}" for bit in range(len(text) * 4)]


def test_leaves_tell_their_parts_apart() -> None:
    salt = bytes(16)
    assert leaf_of("a", 1, "AS", salt) != leaf_of("a1", 1, "AS", salt)
    assert leaf_of("ab", 0, "S", salt) != leaf_of("a", 0, "bS", salt)
    assert leaf_of("a", 1, "AS", salt) != leaf_of("a", 2, "AS", salt)


# Keys


def test_a_card_opens_with_its_own_key_in_its_own_place_alone() -> None:
    seal = sealed()
    refusal = "cannot be opened with this key"
    with pytest.raises(JournalError, match=refusal):
        open_card(SHOE, 0, seal.kept[0], bytes(32))
    with pytest.raises(JournalError, match=refusal):
        open_card(SHOE, 1, seal.kept[0], KEY)
    with pytest.raises(JournalError, match=refusal):
        open_card("second", 0, seal.kept[0], KEY)
    with pytest.raises(JournalError, match=refusal):
        open_card(SHOE, 0, b"", KEY)
    for byte in range(32, len(seal.kept[0])):
        changed = bytearray(seal.kept[0])
        changed[byte] ^= 1
        with pytest.raises(JournalError, match=refusal):
            open_card(SHOE, 0, bytes(changed), KEY)
    other = seal.kept[1][:32] + seal.kept[0][32:]
    with pytest.raises(JournalError, match="is not the one that was sealed"):
        open_card(SHOE, 0, other, KEY)


def test_keys_are_their_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        box = KeyBox(tmp_path / "far" / "keys")
        key = box.make("first")
    finally:
        os.umask(before)
    assert stat.S_IMODE(box.folder.stat().st_mode) == 0o700
    (file,) = box.folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "first" not in file.name
    assert len(key) == 32
    assert KeyBox(box.folder).key("first") == key
    assert box.make("second") != key


def test_a_folder_that_others_can_look_into_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    folder.mkdir()
    folder.chmod(0o750)
    with pytest.raises(JournalError, match=r"others can look into it; its mode is 750"):
        KeyBox(folder)


def test_keys_are_made_once_and_missed_when_they_are_gone(tmp_path: Path) -> None:
    box = KeyBox(tmp_path / "keys")
    box.make("first")
    with pytest.raises(JournalError, match="There is a key for shoe first already"):
        box.make("first")
    with pytest.raises(JournalError, match="There is no key for shoe second"):
        box.key("second")
    (file,) = box.folder.iterdir()
    file.write_bytes(b"torn")
    with pytest.raises(JournalError, match="The key of shoe first is damaged"):
        box.key("first")


# In the journal


async def round_of(store: Store, keys: KeyBox, game: str = "baccarat") -> list[Decision]:
    """Play a round from a sealed shoe, end the shoe, and return all decisions."""
    desk = Desk(Writer(store), "1", RULEBOOKS, SealedSource(store, keys))
    await desk.start()
    asked = 0

    async def ask(command: c.Command, actor: Any = DEALER) -> Code | None:  # noqa: ANN401
        nonlocal asked
        asked += 1
        reply = await desk.submit(Request(f"c{asked}", actor, command))
        return reply.refusal.code if reply.refusal else None

    assert await ask(c.OpenTable(settings_for(game)), MANAGER) is None
    assert await ask(c.TakeSeat("ann", 1)) is None
    assert await ask(c.BringCredit("ann", 100_00)) is None
    assert await ask(c.CallBets()) is Code.NO_SHOE
    assert await ask(c.LoadShoe("first")) is None
    assert await ask(c.CallBets()) is None
    assert await ask(c.PlaceWager("ann", "player", 100_00), Patron("ann")) is None
    assert await ask(c.CloseBets()) is None
    while (refusal := await ask(c.DrawCard())) is None:
        pass
    assert refusal is Code.NO_CARD_CALLED_FOR
    for command in (c.AnnounceOutcome(), c.Settle(), c.ConfirmPayment(), c.EndShoe()):
        assert await ask(command) is None
    await desk.close()
    return [read_record(record) for record in await store.read("table:1")]


def places(decisions: list[Decision], kind: type[e.Event]) -> list[int]:
    return [
        one.sequence for one in decisions for event in one.events if isinstance(event, kind)
    ]


async def test_the_root_is_fixed_before_bets_open(tmp_path: Path) -> None:
    decisions = await round_of(MemoryStore(), KeyBox(tmp_path / "keys"))
    (sealed_at,) = [one.sequence for one in decisions if one.house.seal is not None]
    assert places(decisions, e.ShoeLoaded) == [sealed_at]
    (opened_at,) = places(decisions, e.BetsOpened)
    (wager_at,) = places(decisions, e.WagerPlaced)
    assert sealed_at < opened_at < wager_at < min(places(decisions, e.CardDrawn))
    # Every card is proved by the decision that exposes it, and the rest when the shoe ends.
    proofs = [one.sequence for one in decisions for _ in one.house.openings]
    assert places(decisions, e.CardExposed) == proofs
    (ended_at,) = [one.sequence for one in decisions if one.house.ended is not None]
    assert places(decisions, e.ShoeEnded) == [ended_at]
    assert ended_at > max(proofs)


async def test_who_may_not_draw_makes_no_card_known(tmp_path: Path) -> None:
    decisions = await round_of(MemoryStore(), KeyBox(tmp_path / "keys"))
    assert any(one.refusal is not None for one in decisions)
    for one in decisions:
        drawn = [event for event in one.events if isinstance(event, e.CardDrawn)]
        assert len(one.house.drawn) == len(drawn)


def findings(published: list[tuple[str, str]]) -> list[str]:
    """Return what the verifier finds in what was published of a table's shoes."""
    stream = verifier.Stream()
    return [
        wrong
        for name, body in published
        for wrong in verifier.check_shoe(stream, name, json.loads(body))
    ]


async def test_a_verifier_of_its_own_finds_nothing_in_a_whole_shoe(tmp_path: Path) -> None:
    decisions = await round_of(MemoryStore(), KeyBox(tmp_path / "keys"), "fa-fa-fabulous-4")
    facts = [fact for one in decisions for fact in facts_of(one)]
    seal = next(fact for fact in facts if isinstance(fact, ShoeSealed))
    proofs = [fact for fact in facts if isinstance(fact, CardOpened)]
    exposed = [fact.card for fact in facts if isinstance(fact, e.CardExposed)]
    (rest,) = (fact for fact in facts if isinstance(fact, ShoeOpened))
    assert [proof.card for proof in proofs] == exposed
    assert len(proofs) + len(rest.cards) == seal.cards == 8 * 65
    names = {ShoeSealed: "shoe_sealed", CardOpened: "card_opened", ShoeOpened: "shoe_opened"}
    published = [
        (names[type(fact)], msgspec.json.encode(fact).decode())
        for fact in facts
        if isinstance(fact, ShoeFact)
    ]
    assert findings(published) == []
    # Whatever is changed in what was published, it no longer leads to the root.
    for salt in (*(proof.salt for proof in proofs), rest.cards["519"][1]):
        changed = [(name, body.replace(salt, "0" * 32)) for name, body in published]
        assert any("root" in wrong for wrong in findings(changed))


def all_bytes(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.glob("journal.sqlite*"))


@pytest.mark.parametrize("deck", [STANDARD, FIVE_ELEMENTS], ids=["52", "65"])
async def test_no_card_and_no_key_can_be_read_in_the_store(tmp_path: Path, deck: Deck) -> None:
    keys = KeyBox(tmp_path / "keys")
    path = tmp_path / "journal.sqlite"
    store = await SqliteStore.open(path)
    seal = await SealedSource(store, keys).load("first", deck, 8)
    kept = [await store.sealed(seal.seal, number) for number in range(seal.cards)]
    await store.close()
    written = all_bytes(tmp_path)
    assert kept[0] in written
    key = keys.key(seal.seal)
    secret = [key] + [open_card(seal.seal, n, one, key).salt for n, one in enumerate(kept)]
    for one in secret:
        assert one not in written
        assert one.hex().encode() not in written
    # Nor does the length of what is kept tell one face from another.
    assert len({len(one) for one in kept}) == 1
    long_faces = [card.text.encode() for card in deck.cards if len(card.text) > 4]
    assert [face for face in long_faces if face in written] == []


async def test_after_a_restart_the_same_card_comes_with_the_same_proof(tmp_path: Path) -> None:
    keys, store = KeyBox(tmp_path / "keys"), MemoryStore()
    source = SealedSource(store, keys)
    seal = await source.load("first", STANDARD, 8)
    before = [await source.opened(seal, number) for number in (0, 200, 415)]
    again = SealedSource(store, keys)
    assert [await again.opened(seal, number) for number in (0, 200, 415)] == before
    assert [await again.card(seal, number) for number in (0, 200, 415)] == [
        one.card for one in before if one is not None
    ]


async def test_a_shoe_that_was_exchanged_in_the_store_gives_no_proofs(tmp_path: Path) -> None:
    keys, store = KeyBox(tmp_path / "keys"), MemoryStore()
    source = SealedSource(store, keys)
    one = await source.load("first", STANDARD, 8)
    other = await source.load("first", STANDARD, 8)
    assert one.seal != other.seal
    store._sealed[f"{one.seal}/leaves"] = store._sealed[f"{other.seal}/leaves"]  # noqa: SLF001
    with pytest.raises(JournalError, match="do not lead to its root"):
        await SealedSource(store, keys).opened(one, 0)
    store._sealed[one.seal] = store._sealed[other.seal]  # noqa: SLF001
    with pytest.raises(JournalError, match="cannot be opened with this key"):
        await SealedSource(store, keys).card(one, 0)


async def test_cards_of_paper_have_the_same_event_and_no_root() -> None:
    loaded = await DeviceSource().load("first", FIVE_ELEMENTS, 8)
    assert loaded == ShoeSealed("first", "first", 520, "device", None)
