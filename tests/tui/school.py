"""A class for tests, and its teacher, who has come in by the teacher's door."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Never

import pytest

from oasis.classroom.admission import open_classroom, set_teacher_passphrase
from oasis.store import Store, StoreError
from tactics.errors import InputError
from tactics.goal import Move
from tests.classroom.people import OR_COMM, PEIRCE, PROOF, local, make, or_comm, sit
from tests.tui.rooms import NARROW, Person, sitting

OPEN_SESAME: Final = "open sesame"
LESSON: Final = """\
title = "Both"
tactics = ["intro", "assumption", "split", "destruct_and"]
lemmas = ["textbook/and_comm"]
[[exercise]]
lemma = "too_much : A -> A /\\\\ B"
[[exercise]]
lemma = "or_comm : p \\\\/ q -> q \\\\/ p"
"""
MONDAY: Final = 'title = "Monday"\nlemmas = ["textbook/or_comm", "textbook/and_comm"]\n'


def school(folder: Path) -> Store:
    """Store a class: bob has proved a lemma; [b]eve has lost it, tried a move that does not apply, and begun PEIRCE."""
    store = open_classroom(folder / "class.db")
    set_teacher_passphrase(store, OPEN_SESAME)
    make(sit(local(store, "bob"), or_comm("xy")), PROOF)
    eve = local(store, "[b]eve")
    attempt = sit(eve, OR_COMM)
    make(attempt, PROOF[:1])
    attempt.take_hint()
    with pytest.raises(InputError):
        attempt.make(Move("split"))
    attempt.make(Move("left"))
    make(sit(eve, PEIRCE), PROOF[:1])
    return store


def busy(*_: object, **__: object) -> Never:
    """Fail as the store does whose file is in use; it stands in for what asks the store."""
    raise StoreError("class.db is in use by another process; wait for it.")


@asynccontextmanager
async def teaching(folder: Path, *keys: str, size: tuple[int, int] = NARROW, **setup: Any) -> AsyncIterator[Person]:
    """Open the class before its teacher, by default that of `school`, and press some keys."""
    if not (folder / "class.db").exists():
        school(folder).close()
    async with sitting(folder, size=size, teacher=True, **setup) as teacher:
        await teacher.fill_in(OPEN_SESAME)
        await teacher.keys(*keys)
        yield teacher
