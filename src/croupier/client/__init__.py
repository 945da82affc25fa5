"""The client of a floor: typed, asynchronous, and back by itself after an interruption.

It sees what goes over the wire and nothing of the server::

    async with Client("http://127.0.0.1:8000", "patron-01", password) as client:
        table = client.subscribe("table:tiger")
        view = await table.until(lambda view: view["phase"] == "OPEN")
        await client.command(
            "tiger",
            {"type": "place_wager", "wager": "banker", "cents": 1000},
            round=view["round"],
        )
"""

from croupier.client.client import Client, Command
from croupier.client.display import Display
from croupier.client.errors import ClientError, Refused, SignedOut, Unavailable
from croupier.client.folding import Subscription, Update, fold, read_view
from croupier.client.wire import Actor, Answer, Approval, Event, Problem, TableSeen, Wallet

__all__ = [
    "Actor",
    "Answer",
    "Approval",
    "Client",
    "ClientError",
    "Command",
    "Display",
    "Event",
    "Problem",
    "Refused",
    "SignedOut",
    "Subscription",
    "TableSeen",
    "Unavailable",
    "Update",
    "Wallet",
    "fold",
    "read_view",
]
