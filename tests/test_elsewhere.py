"""What the workflow tests on other systems is collected there; see `tests.elsewhere` for how far that goes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.elsewhere import ROOT


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("job", ["quick", "windows"])
def test_every_file_of_a_job_is_imported_where_it_runs(job: str) -> None:
    command = [sys.executable, "-m", "tests.elsewhere", job]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OASIS_", "PYTEST_"))}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
