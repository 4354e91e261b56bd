"""The `oasis` command, which is `python -m oasis`, too; it can be interrupted while it is still imported."""

from __future__ import annotations

import sys
from signal import SIGINT
from typing import NoReturn


def main() -> NoReturn:
    """Import the command and run it (`oasis.cli.main`)."""
    try:
        from oasis.cli.main import main
    except KeyboardInterrupt:
        print("oasis: Interrupted.", file=sys.stderr)
        sys.exit(128 + SIGINT)
    main()


if __name__ == "__main__":
    main()
