"""The command line: one module per command, loaded when it is called.

Every refusal is one sentence on standard error and exit code 2, never a traceback.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

from cyclopts import App, CycloptsError, MissingArgumentError, UnusedCliTokensError

from croupier.rules.errors import RulesError, quoted

REFUSED = 2
CARD_LETTERS_MAX = 3
INTERRUPTED = 130
"""What shells report for a command that was ended by Ctrl-C."""
UNREAD = 141
"""What shells report for a command whose reader went away; 1 would be a finding."""


def installed_version() -> str:
    """Return the version of the package; the library for that is slow to load."""
    from importlib.metadata import version  # noqa: PLC0415  # seldom asked for

    return version("croupier")


app = App(
    name="croupier",
    help="Casino baccarat by the book: eleven games of five rulebooks, exactly.",
    help_epilogue="A game is named by its slug: see `croupier games`."
    " Every command takes --json, but serve and device, which run until Ctrl-C.",
    version=installed_version,
)
app.command("croupier.cli.games:games", help="List the eleven games.")
app.command("croupier.cli.rules:rules", help="Show the rules of a game with their clauses.")
app.command("croupier.cli.settle:settle", help="Settle a coup, or a file of coups.")
app.command("croupier.cli.decided:decided", help="Say which wagers the known cards decide.")
app.command("croupier.cli.deal:deal", help="Deal one coup and settle it.")
app.command("croupier.cli.play:play", help="Play a script, or a game line by line.")

app.command("croupier.cli.odds:odds", help="Price every wager of a game exactly.")
app.command("croupier.cli.compare:compare", help="Compare the edges of all games.")
app.command("croupier.cli.simulate:simulate", help="Simulate shoes or independent coups.")
app.command("croupier.cli.count:count", help="Study card counting against a wager.")
app.command("croupier.cli.risk:risk", help="Say what n rounds may bring.")
app.command("croupier.cli.parsheet:parsheet", help="Write a PAR sheet.")
app.command("croupier.cli.roads:roads", help="Draw the roads of a shoe.")

app.command("croupier.cli.verify:verify", help="Verify a journal from its first record.")
app.command("croupier.cli.replay:replay", help="Show a table as it was.")
app.command("croupier.cli.recall:recall", help="Recall the last rounds of a table.")
app.command("croupier.cli.win:win", help="Show win and hold beside the exact odds.")
app.command("croupier.cli.ratings:ratings", help="Show how patrons played.")
app.command("croupier.cli.export:export", help="Export a journal, signed.")
app.command(
    "croupier.cli.serve:serve", help="Run a house, its tables and terminals, until Ctrl-C."
)
app.command("croupier.cli.admin:admin", help="Administer a house that runs, over its API.")
app.command("croupier.cli.config:config", help="Show and check what is configured.")
app.command("croupier.cli.watch:watch", help="Show a table of a floor, live.")
app.command("croupier.cli.bot:bot", help="Let patrons play at a floor, and say what they saw.")
app.command("croupier.cli.device:device", help="Play a dealing device or a die at a table.")
app.command("croupier.cli.backup:backup", help="Back a journal up, and verify the copy.")
app.command("croupier.cli.restore:restore", help="Restore a backup into a new place.")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and end the process with its exit code."""
    open_streams()
    try:
        code = app(
            arguments,
            exit_on_error=False,
            print_error=False,
            result_action="return_value",
        )
        sys.stdout.flush()
    except UnusedCliTokensError as error:
        refuse(unexpected(error.unused_tokens or []))
    except MissingArgumentError as error:
        refuse(missing(error, sys.argv[1:] if arguments is None else arguments))
    except CycloptsError as error:
        refuse(str(error))
    except RulesError as error:
        refuse(str(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        drop_output()  # the reader went away, as `| head` does: nobody is left to tell
        sys.exit(UNREAD)
    except OSError as error:
        if error.filename is None:
            drop_output()
        why = error.strerror or error
        refuse(f"{error.filename or 'The output'} cannot be used: {why}.")
    sys.exit(code if isinstance(code, int) else 0)


def missing(error: MissingArgumentError, words: list[str]) -> str:
    """Say what a command needs, and where one reads of it."""
    command = " ".join(("croupier", *(error.command_chain or ())))
    what = error.argument.name if error.argument else "an argument"
    if what in words:
        return f"{what} needs a value behind it; see {command} --help."
    return f"{command} needs {what}; see {command} --help."


def unexpected(words: list[str]) -> str:
    """Say that words were not expected, and what was probably meant."""
    hint = "give one value behind each option"
    if any(len(word) <= CARD_LETTERS_MAX and word[-1:].upper() in "SHDC" for word in words):
        hint = 'put several cards in quotes, as in "5S 6S 5D 4C"'
    elif any("=" in word for word in words):
        hint = "repeat the option for each of them"
    return f"{quoted(' '.join(words))} was not expected; {hint}."


def drop_output() -> None:
    """Send what is left of the output nowhere; Python would fail on it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def open_streams() -> None:
    """Give a process whose output or errors are closed somewhere to write to."""
    nowhere = os.devnull
    if sys.stdout is None:
        sys.stdout = Path(nowhere).open("w", encoding="utf-8")  # noqa: SIM115  # to the end
    if sys.stderr is None:
        sys.stderr = Path(nowhere).open("w", encoding="utf-8")  # noqa: SIM115  # to the end
    if isinstance(sys.stdout, io.TextIOWrapper):
        # An output that cannot write a letter gets its number instead of a traceback.
        sys.stdout.reconfigure(errors="backslashreplace")


def refuse(sentence: str) -> None:
    """Say one sentence on standard error and end with exit code 2."""
    words = " ".join(sentence.split())
    sys.stderr.write(f"croupier: {words}\n")
    sys.exit(REFUSED)


__all__ = ["app", "main", "refuse"]
