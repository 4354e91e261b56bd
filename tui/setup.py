"""What the application is started with; plain values that the command line fills in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from curricula.lemma import Lemma
from oasis.classroom.admission import UNKNOWN, Origin
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.partner.partners import NETWORK
from tui.look import Look


@dataclass(frozen=True, kw_only=True)
class Setup:
    """How a classroom is opened.

    Attributes:
        database: the file that keeps all work.
        account: the user of this machine who sits here; None where anybody may come, as in a browser.
        origin: from where the person comes.
        student: the name to sign in with; None to be asked, or for the account's own.
        teacher: whether the teacher comes, who is no student.
        lessons: what is to be done, besides the course.
        lesson_files: more of it, which is read again when it has changed.
        handed_lessons: a file by way of which a server hands out what is to be done, instead of these two.
        lemma: what to begin with; None to choose.
        listed_only: whether nobody comes in who is not on the list of the class.
        look: how things look.
        theme: a theme of Textual's; None for the preferred one.
        keys: other keys for commands.
        preferences: the file where a theme is kept that is chosen here; None to keep none.
        provers: who certifies proofs; None for those that are installed.
        seconds: how long the teacher may take for an answer.
        network: the name of the network that partners ask.
        tour: whether a student who has never been here is shown first where things are.
    """

    database: Path
    account: str | None = None
    origin: Origin = UNKNOWN
    student: str | None = None
    teacher: bool = False
    lessons: tuple[Lesson, ...] = ()
    lesson_files: tuple[Path, ...] = ()
    handed_lessons: Path | None = None
    lemma: Lemma | None = None
    listed_only: bool = False
    look: Look = field(default_factory=Look)
    theme: str | None = None
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    preferences: Path | None = None
    provers: tuple[str, ...] | None = None
    seconds: float = 5.0
    network: str = NETWORK
    tour: bool = True
