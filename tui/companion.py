"""A partner beside the person at the screen: a thread listens to it, and what it reports is posted as messages.

Only handlers of these messages touch widgets. Settings that the person has chosen hold here at once, so that keys
pressed in quick succession each count, whatever was reported meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from threading import Thread

from textual.message import Message
from textual.message_pump import MessagePump

from oasis.classroom.partner.beside import Beside, PartnerGone
from oasis.classroom.partner.messages import Change, Look, Report, Request
from oasis.classroom.partner.partners import AGENT, PARTNERS, USUAL, Means
from oasis.classroom.partner.switches import switched
from oasis.student.settings import Settings
from tactics.formula import Formula
from tactics.goal import State


class Companion:
    """One partner at one lemma.

    Attributes:
        kind: of partner, a name in `oasis.classroom.partner.partners.PARTNERS`.
        settings: how it learns, as the person has chosen.
        report: the last one; None before the first.
        gone: why it has ended by itself, in one sentence; empty while it is there.
        has_tried: whether its first try is over; that stays so when it begins anew.
    """

    class Reported(Message):
        """It has said how things stand."""

        def __init__(self, companion: Companion, report: Report) -> None:
            super().__init__()
            self.companion, self.report = companion, report

    class Gone(Message):
        """It has ended by itself, and why."""

        def __init__(self, companion: Companion, why: str) -> None:
            super().__init__()
            self.companion, self.why = companion, why

    def __init__(
        self,
        audience: MessagePump,
        formula: Formula,
        settings: Settings,
        rules: Collection[str],
        kind: str = AGENT,
        means: Means = USUAL,
    ) -> None:
        self._audience, self.settings, self.kind = audience, settings, kind
        self.report: Report | None = None
        self.gone = ""
        self.has_tried = False
        self._looks = Look(None)
        self._beside = Beside(formula, settings, rules, kind, means)
        self._listen()

    @property
    def is_gone(self) -> bool:
        """Whether it has ended by itself."""
        return bool(self.gone)

    @property
    def is_playing(self) -> bool:
        """Whether it goes on by itself, as far as is known."""
        return self.report is not None and self.report.playing

    @property
    def is_new(self) -> bool:
        """Whether it gives nothing away: it is its person's own, or knows nothing and is at its first try."""
        kind = PARTNERS[self.kind]
        return kind.is_own or not (self.has_tried or kind.reveals)

    @property
    def pid(self) -> int | None:
        """The number of its process; None if that has ended."""
        return self._beside.pid if self._beside.exitcode is None else None

    def hear(self, report: Report) -> None:
        """Take a report; who has left a try, or begun another, is no longer at the first."""
        before = () if self.report is None else self.report.script
        is_another = report.script[: len(before)] != before
        self.has_tried = self.has_tried or report.knows.is_something or is_another
        self.report = report

    def ask(self, request: Request) -> None:
        """Ask for something; if it is gone, nobody hears."""
        self._beside.ask(request)

    def look(self, state: State | None, *, plan: bool = False) -> None:
        """Have it tell what it says of a state, and perhaps what it plans; asking again for the same is nothing."""
        look = Look(state, plan)
        if look != self._looks:
            self._looks = look
            self.ask(look)

    def revive(self) -> None:
        """If it is gone, let another take its place, who knows nothing yet."""
        if self.is_gone:
            self._beside.settings = self.settings
            self._beside, self.report, self.gone = self._beside.again(), None, ""
            self._listen()

    def switch(self, name: str) -> None:
        """Go to the next value of a setting."""
        before, self.settings = asdict(self.settings), switched(self.settings, name)
        changed = {field: value for field, value in asdict(self.settings).items() if value != before[field]}
        self.ask(Change(changed))

    def close(self) -> None:
        """End it."""
        self._beside.close()

    def _listen(self) -> None:
        Thread(target=self._post, args=(self._beside,), name="partner", daemon=True).start()

    def _post(self, beside: Beside) -> None:
        try:
            while (report := beside.receive()) is not None:
                self._audience.post_message(self.Reported(self, report))
        except PartnerGone as gone:
            self._audience.post_message(self.Gone(self, str(gone)))
