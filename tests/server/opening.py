"""Serves the pretender instead of the classroom: `python -m tests.server.opening PORT`, with settings as JSON.

The settings, in OASIS_TEST_SERVER, are `limits`, the options of a server, `lesson_files`, `real` for the classroom
after all, and `forks`, which is false where each tab is to be started by itself. The clock by which whoever types wrong
codes has to wait stands still.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from unittest.mock import patch

from oasis.classroom.lessons.following import FollowedLessons
from oasis.forks import CAN_FORK
from oasis.server import code as guessing
from oasis.server import nursery
from oasis.server.limits import Limits
from oasis.server.server import ClassroomServer
from tests.server.serving import PRETENDER


def main() -> None:
    """Serve until told to end."""
    settings = json.loads(os.environ["OASIS_TEST_SERVER"])
    limits = Limits(**settings.pop("limits", {}))
    is_real = settings.pop("real", False)
    forks = settings.pop("forks", True) and CAN_FORK
    code, file = os.environ.get("OASIS_CLASS_CODE", ""), Path(os.environ["OASIS_DB"])
    lessons = FollowedLessons(map(Path, settings.pop("lesson_files", ())))
    port = int(sys.argv[1])
    server = ClassroomServer(file, [], "127.0.0.1", port, lessons=lessons, code=code, limits=limits, **settings)
    if not is_real:
        server.command = PRETENDER
    with patch.object(nursery, "CAN_FORK", forks), patch.object(guessing, "monotonic", lambda: 0.0):
        server.serve()


if __name__ == "__main__":
    main()
