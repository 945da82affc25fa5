"""``croupier serve``: run a house, with its tables and terminals, until it is stopped."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path  # noqa: TC003  # read by cyclopts
from typing import Annotated, Literal

from cyclopts import Parameter

from croupier.floor.stopping import heard
from croupier.rules.errors import RulesError


@Parameter(name="*")
@dataclass(kw_only=True)
class Given:
    """The options; what is not given, environment and configuration say."""

    data: Annotated[
        Path | None, Parameter(help="The folder of the house; ./house if you do not say.")
    ] = None
    database: Annotated[
        str | None,
        Parameter(help="Keep the journal in PostgreSQL, as postgresql://user@host/name."),
    ] = None
    host: Annotated[str | None, Parameter(help="The address to listen at; 127.0.0.1.")] = None
    port: Annotated[int | None, Parameter(help="The port; 8000, 0 takes a free one.")] = None
    demo: Annotated[
        bool | None,
        Parameter(negative="", help="Play money, logins for everybody, a floor that plays."),
    ] = None
    seed: Annotated[
        int | None, Parameter(help="Repeatable shoes and dice, for the demo alone.")
    ] = None
    demo_patrons: Annotated[
        int | None, Parameter(help="Patrons that the house plays in the demo; 12, 0: none.")
    ] = None
    betting: Annotated[
        float | None, Parameter(help="Seconds from the call for bets to the closing; 15.")
    ] = None
    pause: Annotated[
        float | None, Parameter(help="Seconds from the end of a round to the next call; 5.")
    ] = None
    pace: Annotated[
        float | None, Parameter(help="Seconds between cards; 0.6, 0: without waiting.")
    ] = None
    answer: Annotated[
        float | None, Parameter(help="Seconds that the house waits for a patron's answer; 20.")
    ] = None
    ready: Annotated[
        Path | None, Parameter(help="Write address and logins here when requests are answered.")
    ] = None
    config: Annotated[
        Path | None, Parameter(help="The configuration; house.toml in the folder.")
    ] = None
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"] | None,
        Parameter(help="How much is logged; info."),
    ] = None
    log_format: Annotated[
        Literal["json", "text", "auto"] | None,
        Parameter(help="How; auto: text at a terminal, JSON elsewhere."),
    ] = None


NOTHING = Given()


def serve(*, given: Given = NOTHING) -> int:
    """Run a house in the browser and over its API until Ctrl-C."""
    # A signal is heard from now on, also while the rest is imported.
    with heard() as stopping:
        try:
            from croupier.floor.serving import Options, run_server  # noqa: PLC0415  # an extra
        except ImportError as error:
            message = (
                f"A server needs the extra floor: pip install 'croupier[floor]' ({error.name})."
            )
            raise RulesError(message) from error
        return run_server(Options(**asdict(given)), sys.stdout, stopping)
