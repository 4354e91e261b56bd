"""Where a class fails, what its teacher sends to those students and leaves at attempts, and what they see of it."""

from pathlib import Path

import pytest

from oasis.classroom.clock import now
from oasis.store import KeptTab, Store
from tactics.goal import Move
from tests.classroom.people import OR_COMM, Sitting, local, make, or_comm, sit
from tests.tui.school import school, teaching
from tui.screens.failing_page import FailingPage
from tui.screens.teach import Teach

pytestmark = pytest.mark.slow


def present(store: Store, name: str) -> None:
    """Have a student's tab open, at what they took up last."""
    desk = local(store, name)
    newest = max(store.attempts(desk.student.id), key=lambda each: each.kept.changed)
    tab = KeptTab(name, "", desk.student.id, now(), now(), now(), attempt=newest.kept.uuid)
    store.open_tab(tab)
    store.renew_tab(tab)


def losing(store: Store, name: str, letters: str) -> Sitting:
    """Have a student lose the proof of `OR_COMM` in some letters, with a tab open."""
    attempt = sit(local(store, name), or_comm(letters))
    make(attempt, [Move("intro"), Move("left")])
    present(store, name)
    return attempt


async def test_the_state_at_which_students_fail_is_shown_as_long_as_they_do(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        sit(local(store, "[b]eve"), OR_COMM)
        present(store, "[b]eve")
        zoe = losing(store, "zoe", "uv")
        async with teaching(tmp_path, "5") as ada:
            assert "2 3 2 x left loses the proof H : p ∨ q ⊢ q ∨ p" in ada.words
            assert isinstance(await ada.opens("enter"), FailingPage)
            assert "2 students fail at this state now: [b]eve (or_comm, now), zoe (or_comm, now)" in ada.words
            assert "does not apply" in ada.words and ada.sheet("tried").row_count == 2
            zoe.undo()
            zoe.make(Move("destruct_or", "H"))
            ada.screen.renew()
            await ada.settle()
            assert "1 student fails at this state now: [b]eve" in ada.words
            assert isinstance(await ada.opens("escape"), Teach) and ada.sheet("failing").row_count == 1
            store.end_tabs(local(store, "[b]eve").student.id)
            assert "Nobody is failing now." in await ada.reads("g")
