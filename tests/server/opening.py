"""Serves the pretender instead of the classroom: `python -m tests.server.opening PORT`, with settings as JSON.

The settings, in OASIS_TEST_SERVER, are `limits` and the options of a server. The clock by which whoever types wrong
codes has to wait stands still.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from unittest.mock import patch

from oasis.server import code as guessing
from oasis.server.limits import Limits
from oasis.server.server import ClassroomServer
from tests.server.serving import PRETENDER


def main() -> None:
    """Serve until told to end."""
    settings = json.loads(os.environ["OASIS_TEST_SERVER"])
    limits = Limits(**settings.pop("limits", {}))
    code, file = os.environ.get("OASIS_CLASS_CODE", ""), Path(os.environ["OASIS_DB"])
    server = ClassroomServer(file, [], "127.0.0.1", int(sys.argv[1]), code=code, limits=limits, **settings)
    server.command = PRETENDER
    with patch.object(guessing, "monotonic", lambda: 0.0):
        server.serve()


if __name__ == "__main__":
    main()
