"""An agent in a process of its own, so that a person is never kept waiting: requests go there, reports come back.

The process is started afresh ("spawn"), ends when this one ends, however it ends, and can be killed at any moment:
nothing of a person's is in it.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Self

from oasis.classroom.agent.messages import Broken, Look, Report, Request, Speed
from oasis.classroom.agent.worker import work
from oasis.classroom.processes import start
from oasis.student.settings import Settings
from tactics.formula import Formula
from tactics.rules import RULES


class AgentGone(Exception):
    """The agent's process has ended by itself; the text is one sentence: why, and what to do now."""


class Beside:
    """An agent at a lemma, beside whoever asks.

    `ask` returns at once and belongs to one thread; `receive` waits and belongs to another.

    Args:
        formula: the lemma.
        settings: how it learns, and its seed.
        rules: the rules that it may use.

    Attributes:
        settings: as the last report has them.
    """

    def __init__(self, formula: Formula, settings: Settings, rules: Collection[str] = tuple(RULES)) -> None:
        self.formula, self.settings, self._rules = formula, settings, tuple(rules)
        self._asked = 0
        self._standing: dict[type[Request], Request] = {}
        self._is_closed = False
        self._process, self._connection = start("agent", work, formula, settings, self._rules)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The number of its process."""
        return self._process.pid

    @property
    def exitcode(self) -> int | None:
        """How its process ended: an exit code, or minus the number of a signal; None if it has not."""
        return self._process.exitcode

    def ask(self, request: Request) -> int:
        """Ask for something; it is done in every report that has `answered` at least as many as this returns."""
        if isinstance(request, Look | Speed):
            self._standing[type(request)] = request
        self._asked += 1
        with suppress(ConnectionError):  # it is gone, and `receive` says so
            self._connection.send(request)
        return self._asked

    def receive(self) -> Report | None:
        """Wait for the next report; None when the agent was closed. Raises AgentGone when it has ended by itself."""
        try:
            message = self._connection.recv()
        except (EOFError, OSError):  # OSError: in the midst of a report
            if self._is_closed:
                return None
            raise AgentGone(f"The agent {self._how_it_ended()}; start it again, and it begins anew.") from None
        if isinstance(message, Broken):
            raise AgentGone(f"The agent broke down over {message.words}; start it again, and it begins anew.")
        assert isinstance(message, Report)
        self.settings = message.settings
        return message

    def again(self) -> Beside:
        """One who begins anew, with the settings of this one, and looks where this one was told to look."""
        other = Beside(self.formula, self.settings, self._rules)
        for request in self._standing.values():
            other.ask(request)
        return other

    def close(self) -> None:
        """End the process, whatever it does; a `receive` that waits returns None."""
        self._is_closed = True
        self._process.kill()
        self._process.join()

    def _how_it_ended(self) -> str:
        self._process.join(timeout=1)
        code = self._process.exitcode
        if code is not None and code < 0:
            return f"was ended from outside (signal {-code}), perhaps because memory ran out"
        return "has ended"
