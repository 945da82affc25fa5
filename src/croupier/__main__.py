"""Run the command line, as ``croupier`` or as ``python -m croupier``."""

import sys


def run() -> None:
    """Load the command line and run it; Ctrl-C while it is being loaded ends it quietly."""
    try:
        from croupier.cli import main  # noqa: PLC0415  # loading is part of what may be ended

        main()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    run()
