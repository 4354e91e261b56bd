"""Commands of `oasis` that run in this process, in the folder that it is in."""

from __future__ import annotations

import json
from typing import Any

from typer.testing import CliRunner, Result

from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.main import _told, app


def oasis(*arguments: str) -> Result:
    """Run a command and return what came of it."""
    return CliRunner().invoke(app, arguments)


def answer(*arguments: str) -> Any:
    """Return the JSON that a command prints."""
    done = oasis(*arguments, "--json", "--quiet")
    assert done.exit_code == 0 and done.stderr == "", done.exception
    return json.loads(done.stdout)


def refused(*arguments: str) -> str:
    """Return the sentence with which a command refuses its arguments."""
    done = oasis(*arguments)
    assert isinstance(done.exception, Exception) and not done.stdout, done.output
    sentence, exit_code = _told(done.exception)
    assert exit_code == 2 and "\n" not in sentence, sentence
    return sentence


def stopped(*arguments: str) -> str:
    """Return the sentence with which a command ends when it is interrupted."""
    done = oasis(*arguments)
    assert isinstance(done.exception, Stopped) and done.exception.exit_code == EXIT_INTERRUPTED, done.output
    return done.exception.message
