"""Who presses Enter and nothing else comes into the course and nowhere in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from curricula.course import course
from oasis.classroom.desk.progress import exercises
from tests.tui.rooms import classroom, opened, press
from tui.screens.prove import Prove

pytestmark = pytest.mark.slow

OFTEN = ("enter",) * 4


@pytest.mark.some_days
@pytest.mark.some_variants(3)
@pytest.mark.parametrize("world", [world.name for world in course()])
async def test_enter_alone_makes_no_move_claims_nothing_and_costs_nothing(world: str, tmp_path: Path) -> None:
    app, tasks = classroom(tmp_path), exercises(world)
    async with opened(app) as pilot:
        for task in (tasks[0], tasks[len(tasks) // 2], tasks[-1]):
            await press(pilot, "L")
            app.session.seat.take(task, tasks)
            await press(pilot, "P", *OFTEN)
            assert isinstance(app.screen, Prove)
            assert app.session.seat.exercise == task
            attempt = app.session.seat.attempt
            assert (attempt.made, attempt.is_over, attempt.helped, attempt.slips) == ([], False, 0, 0)
        assert sum(each.points for each in app.session.seat.desk.results().values()) == 0


async def test_enter_alone_begins_the_first_lemma_and_scores_nothing(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "L", *OFTEN * 3)
        assert isinstance(app.screen, Prove)
        assert app.session.seat.exercise == exercises("arrows")[0]
        assert app.session.seat.desk.result.points == 0
