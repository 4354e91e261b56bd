"""Times, places and names in as few characters as a table has for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache

from rich.cells import cell_len, set_cell_size

from curricula.course import course
from oasis.classroom.desk.notes import FROM_TEACHER
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.exercise import COURSE, SENT


def ago(when: str, now: datetime | None = None) -> str:
    """How long a time is past; nothing for no time."""
    if not when:
        return ""
    minutes = int(((now or datetime.now(UTC)) - datetime.fromisoformat(when)).total_seconds() / 60)
    for unit, size in (("d", 24 * 60), ("h", 60), ("min", 1)):
        if minutes >= size:
            return f"{minutes // size} {unit}"
    return "now"


def short(lemma: str) -> str:
    """The name of a lemma without its curriculum; a lemma that is its own name as it is."""
    return lemma if " " in lemma else lemma.rpartition("/")[2]


def place_title(place: str, lessons: Sequence[Lesson]) -> str:
    """What a person calls a place: the title of a lesson, unless two are called so, or of a world of the course."""
    titles = [lesson.title for lesson in lessons]
    if (title := next((lesson.title for lesson in lessons if lesson.name == place), None)) is not None:
        return title if titles.count(title) == 1 else place
    return _titles().get(place, place) or "single lemmas"


@cache
def _titles() -> dict[str, str]:
    return {f"{COURSE}{world.name}": world.title for world in course()} | {SENT: FROM_TEACHER}


def file_of(name: str, ending: str = "-oasis.json") -> str:
    """The name of the file that is called after something, such as a student whose work is taken along."""
    return "".join(letter if letter.isalnum() else "_" for letter in name) + ending


def clipped(text: str, width: int, rest: str) -> str:
    """A text in so many columns; `rest` stands for what there is no room for."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(0, width - cell_len(rest))) + rest if width >= cell_len(rest) else ""
