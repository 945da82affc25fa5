"""What may be done from the die to the payment: shaker, device, hands, cards, pay list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.amounts import Amounts
from croupier.table.dealing import outcome_refusal, to_be_exposed
from croupier.table.folding import round_of
from croupier.table.handling import held_by, lies_face_down
from croupier.table.may.shapes import Field, FieldKind
from croupier.table.options import offer_refusal
from croupier.table.refusals import Refusal
from croupier.table.settings import Method
from croupier.table.shaking import shaker_due

if TYPE_CHECKING:
    from croupier.rules.coup import Position
    from croupier.table.authority import Needs
    from croupier.table.may.look import Answer, StaffLook
    from croupier.table.may.shapes import Way


# The die


def shake_die(look: StaffLook) -> None:
    """Shake the die once, as the Dealer."""
    look.plain(c.ShakeDie())


def pass_shaker(look: StaffLook) -> None:
    """Pass the shaker: to whom it is due, or with a reason to somebody else."""
    need = look.need(c.PassShaker())
    if need is None or not look.accepts(c.PassShaker()):
        return
    due = shaker_due(look.table)
    theirs = (None,) if due is None else (None, due)
    if due is not None and due not in look.table.seats:
        theirs = (None,)
    look.add(c.PassShaker, need, fields=look.fields(c.PassShaker, patron=theirs))
    others = tuple(name for name in look.table.seats if name != due)
    if others:
        fields = look.fields(c.PassShaker, required=("patron", "reason"), patron=others)
        look.add(c.PassShaker, need, fields=fields)


def confirm_shake(look: StaffLook) -> None:
    """Confirm that the die was heard tumbling."""
    look.plain(c.ConfirmShake())


def open_shaker(look: StaffLook) -> None:
    """Open the shaker."""
    look.plain(c.OpenShaker())


def announce_die(look: StaffLook) -> None:
    """Announce the die, which the house reads."""
    need, die = look.need(c.AnnounceDie()), look.plan.game.die
    if need is None or die is None or not look.accepts(c.AnnounceDie(), die.faces[0]):
        return
    faces = Amounts(die.faces[0], die.faces[-1], die.faces.step)
    field = Field("die", FieldKind.DIE, required=True, house=True, allowed=faces)
    look.add(c.AnnounceDie, need, fields=(field,))


def call_shake_invalid(look: StaffLook) -> None:
    """Have it shaken again."""
    look.plain(c.CallShakeInvalid("a reason"))


# The dealing device


def allow_shoe(look: StaffLook) -> None:
    """Let a patron without a valid wager draw the cards, or end that."""
    need, seated = look.need(c.AllowShoe("")), tuple(look.table.seats)
    if need is not None and seated and look.accepts(c.AllowShoe(seated[0])):
        look.add(c.AllowShoe, need, fields=look.fields(c.AllowShoe, patron=seated))


def end_control(look: StaffLook) -> None:
    """End a patron's control of the dealing device who had wagers on both hands."""
    holder = look.table.shoe_holder
    need = look.need(c.EndControl(holder)) if holder is not None else None
    if need is not None and holder is not None and look.accepts(c.EndControl(holder)):
        look.add(c.EndControl, need, fields=look.fields(c.EndControl, patron=(holder,)))


def attest_draws(look: StaffLook) -> None:
    """Attest that staff see every draw of the patron."""
    look.plain(c.AttestDraws())


# Cards


def _faces(count: int, *, required: bool = True, other_than: str | None = None) -> Field:
    """Return the field of faces that the house gives with a command."""
    return Field(
        "cards",
        FieldKind.CARDS,
        required=required,
        house=True,
        allowed=Amounts(count if required else 0, count),
        other_than=() if other_than is None else (other_than,),
    )


def draw_card(look: StaffLook) -> None:
    """Draw the next card."""
    need = look.need(c.DrawCard())
    if need is None or need.anyone or look.common.to_draw is None:
        return
    waiting = round_of(look.table).waiting
    read = bool(waiting) and waiting[0] is not None
    fields = () if read else (_faces(1, required=False),)
    look.add(c.DrawCard, need, fields=fields)


def expose_card(look: StaffLook) -> None:
    """Turn a card up: each hand by whoever has it."""
    by: dict[tuple[Needs, bool], list[str]] = {}
    for dealt in round_of(look.table).cards:
        if dealt.exposed or isinstance(to_be_exposed(look.table, dealt.position), Refusal):
            continue
        need = look.need(c.ExposeCard(dealt.position))
        if need is not None:
            by.setdefault((need, dealt.card is None), []).append(dealt.position.value)
    for (need, unread), places in by.items():
        more = (_faces(1),) if unread else ()
        fields = look.fields(c.ExposeCard, *more, position=tuple(places))
        look.add(c.ExposeCard, need, fields=fields)


def show_cut_card(look: StaffLook) -> None:
    """Record that the cut card came."""
    look.plain(c.ShowCutCard())


def offer_withdrawal(look: StaffLook) -> None:
    """Let patrons withdraw because the cut card came first."""
    need = look.need(c.OfferWithdrawal())
    if need is not None and offer_refusal(look.table) is None:
        look.add(c.OfferWithdrawal, need)


def correct_card(look: StaffLook) -> None:
    """Correct a face that was read or keyed in wrongly."""
    # What came out of a virtual shoe is proved by its seal.
    for one in () if look.common.sealed else look.common.faces:
        need = look.need(c.CorrectCard(one[0], ""))
        if need is not None:
            look.found.append(_correction(look, need, one))


def _correction(look: StaffLook, need: Needs, one: tuple[Position, str]) -> Answer:
    """Return how a face that lies open is corrected; whoever may, it follows from the face."""

    def found() -> Answer:
        position, face = one
        other = _faces(1, other_than=face)
        fields = look.fields(c.CorrectCard, other, position=(position.value,))
        return look.answer(c.CorrectCard, need, fields=fields)

    return look.common.found_again((_correction, need, one), found)


# Hands


def _handles(look: StaffLook) -> bool:
    """Tell whether patrons handle cards at this table."""
    return look.plan.procedure.methods is not None and look.plan.face_down


def name_handler(look: StaffLook) -> None:
    """Say who handles the cards of a hand when the order cannot be met."""
    if not _handles(look):
        return
    table, need = look.table, None
    ways: list[Way] = []
    for side in Side:
        need = look.need(c.NameHandler(side, ""))
        if need is None or held_by(table, side) is not None:
            continue
        if look.common.hands_due.get(side) is None:
            refused = round_of(table).refused.get(side, ())
            others = tuple(name for name in table.seats if name not in refused)
            if others:
                ways.append({"side": (side.value,), "patron": others})
    if need is not None:
        look.add(c.NameHandler, need, ways)


def permit_squeeze(look: StaffLook) -> None:
    """Let a patron, or somebody the patron names, squeeze a hand."""
    need, seated = look.need(c.PermitSqueeze(Side.PLAYER, "")), tuple(look.table.seats)
    if need is None or not seated or not _handles(look):
        return
    sides = tuple(side.value for side in Side if held_by(look.table, side) is None)
    if sides:
        fields = look.fields(c.PermitSqueeze, side=sides, patron=seated)
        look.add(c.PermitSqueeze, need, fields=fields)


def pass_hand(look: StaffLook) -> None:
    """Pass a hand face down to a patron."""
    table, need = look.table, look.need(c.PassHand(Side.PLAYER, ""))
    if need is None or not _handles(look):
        return
    ways: list[Way] = []
    play = round_of(table)
    for side in Side:
        if side in play.handlers or not lies_face_down(play, side):
            continue
        theirs = [look.common.hands_due.get(side)]
        if look.plan.settings.method is Method.C:
            theirs.append(table.shoe_holder)
        names = tuple([name for name in dict.fromkeys(theirs) if name is not None])
        if names:
            ways.append({"side": (side.value,), "patron": names})
    look.add(c.PassHand, need, ways)


def choose_first_hand(look: StaffLook) -> None:
    """Say which hand is revealed first."""
    need = look.need(c.ChooseFirstHand(Side.PLAYER))
    if need is not None and look.accepts(c.ChooseFirstHand(Side.PLAYER)):
        sides = tuple(side.value for side in Side)
        look.add(c.ChooseFirstHand, need, fields=look.fields(c.ChooseFirstHand, side=sides))


# The outcome and the payment


def announce_outcome(look: StaffLook) -> None:
    """Announce the outcome of a complete coup."""
    need = look.need(c.AnnounceOutcome())
    if need is not None and outcome_refusal(look.table) is None:
        look.add(c.AnnounceOutcome, need)


def settle(look: StaffLook) -> None:
    """Collect and pay all wagers in one step."""
    need = look.need(c.Settle())
    if need is not None:
        look.add(c.Settle, need)


def confirm_payment(look: StaffLook) -> None:
    """Confirm that the pay list was carried out."""
    need = look.need(c.ConfirmPayment())
    if need is not None and not round_of(look.table).confirmed:
        look.add(c.ConfirmPayment, need)
