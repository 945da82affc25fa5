"""Pictures of a terminal: bets, cards, results, holds, and the sheets beside the felt."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tools.people import until
from tools.pictures.camera import EVERY, LARGE, WALL, Camera

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, WebSocketRoute

    from tools.pictures.house import House

PATRON, LONG_NAME = "patron-03", "maximilian-featherstonehaugh-the-third"
ROUNDS_TRIED = 60
MAIN = "baccarat"
LAST_CARD_MS = 90_000
OTHER_LOOK = {"language": "zh-Hans", "theme": "light"}
SQUEEZES = """localStorage.setItem("croupier.terminal", '{"squeeze": true}')"""


def position(camera: Camera) -> None:
    """Take the choice of a position at a live and at an electronic table."""
    camera.shoot("patron-09", f"/table/{MAIN}", "terminal-position", *EVERY)
    camera.shoot("patron-09", f"/table/{MAIN}", "terminal-position-zh", language="zh-Hans")
    camera.shoot("patron-19", "/table/tiger", "terminal-position-electronic")


def _spot(page: Page, name: str) -> Any:  # noqa: ANN401
    spots = page.get_by_role("group", name="Bet spots")
    return spots.get_by_role("button", name=re.compile(f"^{re.escape(name)} ?,"))


def _chip(page: Page, name: str) -> None:
    page.get_by_role("radiogroup", name="Chip").get_by_role(
        "radio", name=f"Chip of {name}", exact=True
    ).click()


class Line:
    """The line between a page and the house, on which commands can be held back."""

    def __init__(self, page: Page) -> None:
        self.held = False
        self._kept: list[tuple[WebSocketRoute, str | bytes]] = []
        page.route_web_socket(re.compile("/live"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def say(message: str | bytes) -> None:
            if self.held and '"command"' in str(message):
                self._kept.append((server, message))
            else:
                server.send(message)

        socket.on_message(say)

    def release(self) -> None:
        """Let through what was held back, and whatever comes."""
        self.held = False
        for server, message in self._kept:
            server.send(message)
        self._kept.clear()


def bets(camera: Camera) -> None:
    """Take open bets at an electronic table: accepted, on their way, refused."""
    house, table = camera.house, "tiger"
    house.clocks(table, betting=25, pause=2)
    house.seat(PATRON, table, None, 18_000_00)
    house.next_call(table)
    with camera.of(PATRON) as context:
        page = context.new_page()
        line = Line(page)
        page.goto(f"/table/{table}")
        _chip(page, "100")
        _spot(page, "Banker").click()
        _spot(page, "Tiger").click()
        page.get_by_role("button", name="Confirm", exact=True).click()
        page.get_by_role("button", name="Confirmed").wait_for()
        camera.take(page, "terminal-accepted", *EVERY)
        _spot(page, "Big Tiger").click()
        line.held = True
        page.get_by_role("button", name="Confirm", exact=True).click()
        page.wait_for_timeout(600)
        camera.take(page, "terminal-sending")
    camera.shoot(PATRON, f"/table/{table}/roads", "sheet-roads")
    house.next_call(table)
    with camera.page(PATRON, f"/table/{table}") as page:
        _chip(page, "500")
        _spot(page, "Player").click()
        _chip(page, "10,000")
        _spot(page, "Tie").click()
        page.wait_for_timeout(300)
        camera.take(page, "terminal-refused")
        camera.take(page, "terminal-refused", WALL)
    for name, settings in (("zh", {"language": "zh-Hans"}), ("light", {"theme": "light"})):
        with camera.page(PATRON, f"/table/{table}", **settings) as page:
            page.wait_for_timeout(1000)  # a terminal that is down places nothing
            house.next_call(table)
            house.bet(PATRON, table, (("banker", 100_00), ("tiger", 50_00), ("tie", 25_00)))
            page.wait_for_timeout(1000)
            camera.take(page, f"terminal-open-{name}")


def result(camera: Camera) -> None:
    """Take a settled round with a win, a loss and a push at Fa Fa Fabulous 4."""
    house, table = camera.house, "fa-fa-fabulous-4"
    house.seat(PATRON, table, None, 30_000_00)
    house.take_over(table)
    shown = {one["slug"] for one in house.view(table)["rules"]["wagers"]}
    side = [one for one in ("player-fabulous-4", "banker-fabulous-4") if one in shown]
    stakes = [("player", 500_00), ("banker", 200_00), ("tie", 100_00)]
    stakes += [(one, 50_00) for one in side]
    kept = set()
    with camera.page(PATRON, f"/table/{table}") as page:
        for _ in range(ROUNDS_TRIED):
            house.call(table)
            house.bet(PATRON, table, stakes)
            until(lambda: house.step(table) == "settle", "the round is settled")
            view = house.view(table, PATRON)
            name = "tie" if view["outcome"]["winner"] == "tie" else "result"
            if name not in kept:
                page.wait_for_timeout(1500)
                camera.take(page, f"terminal-{name}")
                kept.add(name)
            if kept == {"tie", "result"}:
                break
        camera.take(page, "terminal-result", WALL)


def dealt_65(camera: Camera) -> None:
    """Take a terminal while cards of the deck of 65 are dealt."""
    house, table = camera.house, "fa-fa-fabulous-4"
    house.seat(PATRON, table, None, 30_000_00)
    house.take_over(table)
    house.call(table)
    house.bet(PATRON, table, (("player", 500_00), ("tie", 100_00)))
    house.draw(table, 4)
    path = f"/table/{table}"
    camera.shoot(PATRON, path, "terminal-dealt-65", *EVERY)
    camera.shoot(PATRON, path, "terminal-dealt-65-zh", **OTHER_LOOK)
    house.play_out(table)


def squeeze(camera: Camera) -> None:
    """Take cards in a patron's hands, under method A."""
    house, table = camera.house, "baccarat-a"
    holds_cards(house, table)
    with camera.page(PATRON, f"/table/{table}") as page:
        page.wait_for_timeout(800)
        camera.take(page, "terminal-squeeze")
        slider = page.get_by_role("slider").first
        until(lambda: slider.is_enabled() or not house.step(table), "Player is turned")
        slider.focus()
        for _ in range(9):
            slider.press("ArrowRight")
        camera.take(page, "terminal-squeeze-lifted")
        camera.take(page, "terminal-squeeze-lifted", WALL)


def holds_cards(house: House, table: str) -> None:
    """Bring a round of method A to where the patron holds cards."""
    house.seat(PATRON, table, None, 30_000_00)
    house.take_over(table)
    for _ in range(ROUNDS_TRIED):
        house.call(table)
        house.bet(PATRON, table, (("banker", 20_000_00),))
        if _in_hand(house, table):
            break


def _in_hand(house: House, table: str) -> bool:
    """Deal until the patron holds a hand that is not a natural's; tell whether it does."""
    for _ in range(12):
        house.step(table)
        if house.view(table, PATRON)["own"]["hands"]:
            return True
    return False


def own_squeeze(camera: Camera) -> None:
    """Take a squeeze for one's own eyes at an electronic table, in two looks at once."""
    house, table, patron = camera.house, "tiger-no-commission", "patron-15"
    house.seat(patron, table, None, 5_000_00)
    house.clocks(table, betting=12, pause=3, pace=5)
    path = f"/table/{table}"
    with camera.page(patron, path) as page, camera.page(patron, path, **OTHER_LOOK) as other:
        for each in (page, other):
            each.evaluate(SQUEEZES)
            each.reload()
            each.locator(".spots").wait_for()
        house.next_call(table)
        house.bet(patron, table, (("player", 300_00), ("tiger", 50_00)))
        for each, name in ((page, "own-squeeze"), (other, "own-squeeze-zh")):
            each.get_by_role("slider").wait_for(timeout=LAST_CARD_MS)
            each.get_by_role("slider").fill("45")
            camera.take(each, f"terminal-{name}")
    house.clocks(table, betting=16, pause=5, pace=0.4)


def shake(camera: Camera) -> None:
    """Take the die at Power 98: shaken by the Dealer, in a patron's hand, and a Power hand."""
    house, table = camera.house, "power-98"
    house.seat(PATRON, table, None, 30_000_00)
    house.take_over(table)
    with camera.page(PATRON, f"/table/{table}") as page:
        house.call(table)
        house.bet(PATRON, table, (("banker", 20_000_00),))
        house.step(table)
        page.wait_for_timeout(1000)
        house.step(table)
        page.wait_for_timeout(800)
        camera.take(page, "terminal-shake")
        until(
            lambda: house.step(table) and house.view(table, PATRON)["own"]["shaker_held"],
            "the patron has the shaker", 20,
        )  # fmt: skip
        page.wait_for_timeout(800)
        camera.take(page, "terminal-shaker", *EVERY)
        house.call(table)
        house.bet(PATRON, table, (("banker", 500_00), ("banker-pair", 100_00)))
        until(
            lambda: house.step(table) and house.view(table)["phase"] == "DEALING",
            "the cards are dealt",
        )
        house.step(table)
        page.wait_for_timeout(1000)
        camera.take(page, "terminal-power", *EVERY)
        house.play_out(table)


@contextmanager
def dealt(camera: Camera, cards: int) -> Iterator[House]:
    """Deal some cards of a round at Baccarat, in which two patrons have stakes."""
    house = camera.house
    house.seat(PATRON, MAIN, None, 20_000_00)
    house.take_over(MAIN)
    for _ in range(ROUNDS_TRIED):
        house.call(MAIN)
        house.bet(PATRON, MAIN, (("banker", 500_00), ("player-pair", 50_00), ("tie", 100_00)))
        house.draw(MAIN, cards)
        following = house.view(MAIN)["next"]
        if cards < 4 or (following is not None and following["place"] == "P3"):  # noqa: PLR2004
            break
    yield house
    house.play_out(MAIN)


def withdrawals(camera: Camera) -> None:
    """Take both kinds of the option to withdraw, and the table while it is decided."""
    for name, situation in (("all", "power_failure"), ("any", "device_reset")):
        with dealt(camera, 2) as house, camera.page(PATRON, f"/table/{MAIN}") as page:
            house.report(MAIN, situation)
            page.wait_for_timeout(800)
            if name == "all":
                camera.take(page, "terminal-held")
            house.confirm(MAIN)
            page.wait_for_timeout(1000)
            camera.take(page, f"terminal-withdraw-{name}", *EVERY)
            camera.shoot(PATRON, f"/table/{MAIN}", f"terminal-withdraw-{name}-zh", **OTHER_LOOK)


def void(camera: Camera) -> None:
    """Take a round that is void, with its reason."""
    with dealt(camera, 4) as house, camera.page(PATRON, f"/table/{MAIN}") as page:
        house.report(MAIN, "foreign_card")
        house.confirm(MAIN)
        page.wait_for_timeout(1200)
        camera.take(page, "terminal-void")


def reconnecting(camera: Camera) -> None:
    """Take a terminal that lost its connection while bets are open."""
    house, table = camera.house, "fabulous-4s"
    house.clocks(table, betting=25, pause=2)
    house.seat(PATRON, table, None, 8_000_00)
    house.next_call(table)
    house.bet(PATRON, table, (("player", 200_00), ("tie", 50_00)))
    with camera.of(PATRON) as context:
        page = context.new_page()
        sockets: list[WebSocketRoute] = []

        def connect(socket: WebSocketRoute) -> None:
            if sockets:
                socket.close()
                return
            sockets.append(socket)
            socket.connect_to_server()

        page.route_web_socket(re.compile("/live"), connect)
        page.goto(f"/table/{table}")
        page.get_by_role("group", name="Bet spots").wait_for()
        page.wait_for_timeout(1500)
        sockets[0].close()
        page.get_by_role("alert").first.wait_for()
        page.wait_for_timeout(800)
        camera.take(page, "terminal-reconnecting")


def sheets(camera: Camera) -> None:
    """Take the sheets of a terminal: rounds, pays, shoe, money, time, shared stakes, keys."""
    house = camera.house
    house.seat(PATRON, MAIN, None, 5_000_00)
    house.seat("patron-11", MAIN, None, 5_000_00)
    house.take_over(MAIN)
    for _ in range(4):
        house.call(MAIN)
        house.bet(PATRON, MAIN, (("banker", 500_00), ("player-pair", 50_00)))
        house.play_out(MAIN)
    house.give("dealer", MAIN, "end_shoe")
    house.play_out(MAIN)
    house.call(MAIN)
    house.bet(PATRON, MAIN, (("banker", 500_00), ("player-pair", 50_00)))
    house.give("patron-11", MAIN, "place_wager", wager="player", cents=300_00, shared=True)
    for sheet in ("pays", "time", "shared", "keys", "menu", "attendant"):
        camera.shoot(PATRON, f"/table/{MAIN}/{sheet}", f"sheet-{sheet}")
    _used_sheets(camera)
    for sheet in ("pays", "keys"):
        camera.shoot(PATRON, f"/table/{MAIN}/{sheet}", f"sheet-{sheet}-zh", **OTHER_LOOK)
    camera.shoot(PATRON, f"/table/{MAIN}/wallet", "sheet-wallet-light", LARGE, theme="light")
    house.play_out(MAIN)


def _used_sheets(camera: Camera) -> None:
    """Take the sheets in which something is chosen first: a round, a shoe, a ticket."""
    with camera.page(PATRON, f"/table/{MAIN}/history") as page:
        page.locator(".sheet button[aria-expanded=false]").first.click()
        camera.take(page, "sheet-history", *EVERY)
    with camera.page(PATRON, f"/table/{MAIN}/verify") as page:
        page.locator(".sheet").get_by_text(re.compile("^Shoe .*, ended")).first.click()
        page.get_by_text(re.compile("All .* cards are as they were sealed")).wait_for()
        camera.take(page, "sheet-verify")
    with camera.page(PATRON, f"/table/{MAIN}/wallet") as page:
        page.locator(".sheet").get_by_text("Cash out", exact=True).first.click()
        page.locator(".sheet").get_by_role("button", name="1,000", exact=True).click()
        page.wait_for_timeout(800)
        camera.take(page, "sheet-wallet")


def extremes(camera: Camera) -> None:
    """Take a terminal with a long name and large amounts, large text, and the left hand."""
    house, table = camera.house, "baccarat-a"
    house.take_over(table)
    house.add_patron(LONG_NAME, 99_999_999_00)
    limits = house.view(table, "pit-manager")["pit"]["settings"]["limits"]
    for one in limits.values():
        one["maximum_cents"] = max(one["maximum_cents"], 20_000_000_00)
    house.give("pit-manager", table, "set_limits", second="pit-supervisor", limits=limits)
    house.seat(LONG_NAME, table, None, 90_000_000_00)
    house.call(table)
    house.bet(LONG_NAME, table, (("banker", 19_999_900_00), ("tie", 9_999_900_00)))
    camera.shoot(LONG_NAME, f"/table/{table}", "terminal-large-amounts")
    camera.shoot(LONG_NAME, f"/table/{table}", "terminal-large-text", size=125)
    camera.shoot(LONG_NAME, f"/table/{table}", "terminal-left-handed", leftHanded=True)
    camera.shoot(LONG_NAME, "/lobby", "lobby-large-amounts")
    camera.shoot("dealer", f"/dealer/{table}", "dealer-large-amounts")
    camera.shoot("dealer", f"/dealer/{table}", "dealer-large-text", size=125)
    camera.shoot("pit-manager", f"/pit/{table}", "pit-large-amounts")
    with camera.page("cashier", "/cage") as page:
        page.get_by_placeholder("Find a patron").fill(LONG_NAME[:3])
        page.wait_for_timeout(500)
        camera.take(page, "cage-large-amounts")
    house.play_out(table)


SCENES = (
    position,
    bets,
    result,
    dealt_65,
    squeeze,
    own_squeeze,
    shake,
    withdrawals,
    void,
    reconnecting,
    sheets,
)
LAST = (extremes,)
"""What would make every later sum of the house look odd."""
