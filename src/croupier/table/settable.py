"""What a table may be set to: refusals of settings, by the rulebook and by the house."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.money import Rounding, dollars
from croupier.rules.errors import RulesError, listed, quoted
from croupier.rules.shoe import DECKS_MAX, DECKS_MIN
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.settings import CLOCK_MS_MAX, WHOLE_DOLLARS, DealtBy, Method
from croupier.table.words import counted

if TYPE_CHECKING:
    from croupier.rules.game import Game
    from croupier.table.rulebook import Rulebook
    from croupier.table.settings import Settings

CENTS_MAX = 10**12
"""More than any casino holds; amounts beyond are typing errors."""


def settings_refusal(rulebook: Rulebook, settings: Settings) -> Refusal | None:
    """Say why a rulebook does not allow these settings, or return None."""
    game = next((game for game in rulebook.games if game.slug == settings.game), None)
    if game is None:
        names = listed([game.slug for game in rulebook.games])
        why = f"{rulebook.edition.title} has no game {quoted(settings.game)}; it has {names}"
        return refuse(Code.GAME_NOT_IN_RULEBOOK, why)
    return (
        _absent_mechanic(rulebook, settings)
        or _layout_refusal(rulebook, game, settings)
        or _offer_refusal(game, settings)
        or _limits_refusal(rulebook, game, settings)
        or method_refusal(rulebook, settings)
        or _cap_refusal(rulebook, settings)
        or _clock_refusal(settings)
        or _dealt_by_refusal(rulebook, settings)
        or _behind_cut_refusal(game, settings)
    )


def _absent_mechanic(rulebook: Rulebook, settings: Settings) -> Refusal | None:
    procedure = rulebook.procedure
    asked = {
        "dealing methods": settings.method is not None and procedure.methods is None,
        "a table differential": settings.differential_cents is not None
        and procedure.differential is None,
        "a number of wagers for each area": settings.wagers_per_area is not None
        and procedure.area_cap is None,
        "ties of a Power hand (A6)": settings.readings.power_ties_are_natural
        and "A6" not in (rulebook.otherwise_read or {}),
    }
    for what, absent in asked.items():
        if absent:
            why = f"{rulebook.edition.title} has no rule on {what}"
            return refuse(Code.NOT_IN_RULEBOOK, why)
    return None


def _layout_refusal(rulebook: Rulebook, game: Game, settings: Settings) -> Refusal | None:
    if not DECKS_MIN <= settings.decks <= DECKS_MAX:
        why = f"{settings.decks} decks were asked for; a shoe has {DECKS_MIN} to {DECKS_MAX}"
        return refuse(Code.BAD_DECKS, why, game.deck_clause)
    layouts = [
        layout for layout in rulebook.layouts if layout.game is None or layout.game == game.slug
    ]
    wanted = settings.layout or layouts[0].name
    layout = next((one for one in layouts if one.name == wanted), None)
    if layout is None:
        names = listed([layout.name for layout in layouts])
        why = f"{game.name} has no layout {quoted(settings.layout)}; it has {names}"
        return refuse(Code.BAD_LAYOUT, why, rulebook.procedure.layouts)
    try:
        layout.require_positions(settings.positions)
    except RulesError:
        why = f"Layout {layout.name} cannot have {settings.positions} playing positions"
        have = "it has at least 1" if layout.positions is None else layout.available_with
        return refuse(Code.BAD_POSITIONS, f"{why}; {have}", layout.clause)
    return None


def _offer_refusal(game: Game, settings: Settings) -> Refusal | None:
    optional = [wager.slug for wager in game.wagers if wager.optional]
    for slug in settings.optional or ():
        if slug not in optional:
            have = listed(optional) or "none"
            why = f"{quoted(slug)} is no optional wager of {game.name}; it has {have}"
            return refuse(Code.BAD_OFFER, why)
    return None


def _limits_refusal(rulebook: Rulebook, game: Game, settings: Settings) -> Refusal | None:
    clause = rulebook.procedure.limits
    slugs = [wager.slug for wager in game.wagers]
    for slug, limit in settings.limits.items():
        if slug != "*" and slug not in slugs:
            why = f"Limits were given for {quoted(slug)}; {game.name} has {listed(slugs)}"
            return refuse(Code.BAD_LIMITS, why, clause)
        low, high, step = limit.minimum_cents, limit.maximum_cents, limit.step_cents
        if not 0 < step <= low <= high <= CENTS_MAX or low % step or high % step:
            why = f"Limits of {dollars(low)} to {dollars(high)} in steps of {dollars(step)}"
            most = f" nor above {dollars(CENTS_MAX)}" if high > CENTS_MAX else ""
            why += " do not go together; the minimum is at least one step, the maximum not"
            why += f" below it{most}, both whole steps"
            return refuse(Code.BAD_LIMITS, why, clause)
    differential = settings.differential_cents
    if differential is not None and not 0 <= differential <= CENTS_MAX:
        rule = rulebook.procedure.differential
        why = f"A table differential cannot be {dollars(differential)}; it is"
        why += f" 0.00 to {dollars(CENTS_MAX)}"
        return refuse(Code.BAD_LIMITS, why, rule.clause if rule else None)
    return _rounding_refusal(game, settings)


def _rounding_refusal(game: Game, settings: Settings) -> Refusal | None:
    if settings.rounding is not Rounding.REFUSE:
        return None
    for wager in game.wagers:
        usual = settings.limits.get("*", WHOLE_DOLLARS)
        step = settings.limits.get(wager.slug, usual).step_cents
        for row in wager.rows:
            if step * row.pays.net.numerator % row.pays.net.denominator:
                why = f"{wager.name} pays {row.pays}, so steps of {dollars(step)} come to"
                why += " parts of a cent; set a larger step or a rounding (A10)"
                return refuse(Code.ROUNDING_NEEDED, why, row.clause)
    return None


def method_refusal(rulebook: Rulebook, settings: Settings) -> Refusal | None:
    """Say why a rulebook does not allow the dealing method at such a table, or return None."""
    procedure = rulebook.procedure
    methods = procedure.methods
    if methods is None:
        return None
    if settings.method is None:
        why = "No dealing method was given; a round is dealt by method A, B or C"
        return refuse(Code.METHOD_NEEDED, why, methods.clause)
    if settings.method is Method.C:
        if settings.room not in procedure.hlga_rooms:
            rooms = listed(list(procedure.hlga_rooms))
            why = f"Method C is for {rooms}; this table stands in {quoted(settings.room)}"
            return refuse(Code.HLGA_ONLY, why, methods.by_patron.allowed)
        if not settings.device.reads_cards:
            why = "Method C needs a dealing device that reads cards, and this one does not"
            return refuse(Code.DEVICE_CANNOT, why, methods.by_patron.draws)
    return None


def _cap_refusal(rulebook: Rulebook, settings: Settings) -> Refusal | None:
    cap, wanted = rulebook.procedure.area_cap, settings.wagers_per_area
    if cap is None or wanted is None or 1 <= wanted <= cap.most:
        return None
    why = f"An area cannot hold {wanted} wagers; it holds 1 to {cap.most}"
    return refuse(Code.BAD_CAP, why, cap.clause)


def _clock_refusal(settings: Settings) -> Refusal | None:
    clocks = settings.clocks
    for name in ("betting", "pause", "pace", "answer"):
        asked = getattr(clocks, f"{name}_ms")
        if not 0 <= asked <= CLOCK_MS_MAX:
            why = f"A {name} time of {asked} ms came; a clock runs for 0 to {CLOCK_MS_MAX} ms"
            return refuse(Code.BAD_CLOCK, why.replace("A answer", "An answer"))
    return None


def _dealt_by_refusal(rulebook: Rulebook, settings: Settings) -> Refusal | None:
    """Refuse the house as Dealer where there is none, or where it cannot draw the cards."""
    if settings.dealt_by is not DealtBy.HOUSE:
        return None
    if rulebook.procedure.calls_by_system:
        why = f"{rulebook.edition.title} has no Dealer whom the house could stand in for"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    if settings.device.physical or not settings.device.reads_cards:
        why = "The house deals from a virtual shoe that reads its cards, and this device is"
        why += " another"
        return refuse(Code.DEVICE_CANNOT, why)
    return None


def _behind_cut_refusal(game: Game, settings: Settings) -> Refusal | None:
    cards = settings.decks * len(game.deck)
    if 0 <= settings.behind_cut <= cards:
        return None
    behind = counted(settings.behind_cut, "card")
    why = f"{behind} cannot lie behind the cut card; 0 to {cards} do"
    return refuse(Code.BAD_CUT, why)
