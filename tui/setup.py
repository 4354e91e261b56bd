"""What the application is started with; plain values that the command line fills in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from curricula.lemma import Lemma
from oasis.classroom.lessons.lesson import Lesson
from tui.look import Look


@dataclass(frozen=True, kw_only=True)
class Setup:
    """How a classroom is opened.

    Attributes:
        database: the file that keeps all work.
        account: the user of this machine who sits here; None where anybody may come, as in a browser.
        student: the name to sign in with; None to be asked, or for the account's own.
        lesson: what is to be done; None for the course alone.
        lemma: what to begin with; None to choose.
        listed_only: whether nobody comes in who is not on the list of the class.
        class_code: what has to be known to come in at all; None if nothing.
        look: how things look.
        theme: a theme of Textual's; None for the preferred one.
        keys: other keys for commands.
        preferences: the file where a theme is kept that is chosen here; None to keep none.
        provers: who certifies proofs; None for those that are installed.
        seconds: how long the teacher may take for an answer.
    """

    database: Path
    account: str | None = None
    student: str | None = None
    lesson: Lesson | None = None
    lemma: Lemma | None = None
    listed_only: bool = False
    class_code: str | None = None
    look: Look = field(default_factory=Look)
    theme: str | None = None
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    preferences: Path | None = None
    provers: tuple[str, ...] | None = None
    seconds: float = 5.0
