"""A partner in a process of its own, so that a person is never kept waiting: requests go there, reports come back.

The process is started afresh ("spawn"), ends when this one ends, however it ends, and can be killed at any moment:
nothing of a person's is in it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Self

from oasis.classroom.partner.messages import Broken, Look, Report, Request, Speed
from oasis.classroom.partner.partners import AGENT, PARTNERS, USUAL, Means
from oasis.classroom.partner.worker import work
from oasis.classroom.processes import Ended, Neighbour
from oasis.student.settings import Settings
from tactics.formula import Formula
from tactics.rules import RULES


class PartnerGone(Exception):
    """A partner's process has ended by itself; the text is one sentence: why, and what to do now."""


class Beside(Neighbour):
    """A partner at a lemma, beside whoever asks.

    `ask` returns at once and belongs to one thread; `receive` waits and belongs to another.

    Args:
        formula: the lemma.
        settings: how it learns, and its seed.
        rules: the rules that it may use.
        kind: of partner, a name in `oasis.classroom.partner.partners.PARTNERS`.
        means: what it is given besides.

    Attributes:
        kind: likewise.
        settings: as the last report has them.
    """

    def __init__(
        self,
        formula: Formula,
        settings: Settings,
        rules: Collection[str] = tuple(RULES),
        kind: str = AGENT,
        means: Means = USUAL,
    ) -> None:
        self.kind, self._means = kind, means
        self.formula, self.settings, self._rules = formula, settings, tuple(rules)
        self._asked = 0
        self._standing: dict[type[Request], Request] = {}
        super().__init__(kind, work, kind, formula, settings, self._rules, means)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, request: Request) -> int:
        """Ask for something; it is done in every report that has `answered` at least as many as this returns."""
        if isinstance(request, Look | Speed):
            self._standing[type(request)] = request
        self._asked += 1
        self.send(request)
        return self._asked

    def receive(self) -> Report | None:
        """Wait for the next report; None when it was closed. Raises PartnerGone when it has ended by itself."""
        try:
            message = super().receive()
        except Ended as how:
            if self.is_closed:
                return None
            raise PartnerGone(f"The {self._called} {how}; start it again, and it begins anew.") from None
        if isinstance(message, Broken):
            words = message.words
            raise PartnerGone(f"The {self._called} broke down over {words}; start it again, and it begins anew.")
        assert isinstance(message, Report)
        self.settings = message.settings
        return message

    def again(self) -> Beside:
        """One who begins anew, with the settings of this one, and looks where this one was told to look."""
        other = Beside(self.formula, self.settings, self._rules, self.kind, self._means)
        for request in self._standing.values():
            other.ask(request)
        return other

    @property
    def _called(self) -> str:
        return PARTNERS[self.kind].title.lower()
