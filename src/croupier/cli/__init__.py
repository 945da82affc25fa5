"""The command line: one module per command, loaded when it is called.

Every refusal is one sentence on standard error and exit code 2, never a traceback.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import version

from cyclopts import App, CycloptsError

from croupier.rules.errors import RulesError

REFUSED = 2

app = App(
    name="croupier",
    help="Casino baccarat by the book: eleven games of five rulebooks, exactly.",
    help_epilogue="A game is named by its slug: see `croupier games`."
    " Every command takes --json.",
    version=lambda: version("croupier"),
)
app.command("croupier.cli.games:games", help="List the eleven games.")
app.command("croupier.cli.rules:rules", help="Show the rules of a game with their clauses.")
app.command("croupier.cli.settle:settle", help="Settle a coup, or a file of coups.")
app.command("croupier.cli.decided:decided", help="Say which wagers the known cards decide.")
app.command("croupier.cli.deal:deal", help="Deal one coup and settle it.")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and end the process with its exit code."""
    try:
        code = app(
            arguments,
            exit_on_error=False,
            print_error=False,
            result_action="return_value",
        )
        sys.stdout.flush()
    except CycloptsError as error:
        refuse(str(error))
    except RulesError as error:
        refuse(str(error))
    except BrokenPipeError:
        # The reader went away, as `| head` does: nobody is left to tell. Python would
        # complain once more when it flushes standard output at exit, so give it a new one.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        refuse(f"{error.filename or 'The file'} cannot be used: {error.strerror}.")
    sys.exit(code if isinstance(code, int) else 0)


def refuse(sentence: str) -> None:
    """Say one sentence on standard error and end with exit code 2."""
    words = " ".join(sentence.split())
    sys.stderr.write(f"croupier: {words}\n")
    sys.exit(REFUSED)


__all__ = ["app", "main", "refuse"]
