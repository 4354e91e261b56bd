"""Where a class has several lessons, its teacher sees of which each problem is, and one lesson alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.rooms import WIDE, press, settle, shown
from tests.tui.test_data import saved
from tests.tui.test_teach import school, sheet, taught, taught_in

pytestmark = pytest.mark.slow

WEEK = 'title = "Monday"\nlemmas = ["textbook/or_comm", "textbook/and_comm"]\n'
FINALS = 'title = "Finals"\nlemmas = ["textbook/or_comm", "textbook/contraction"]\n'


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The files of two lessons with a lemma in common, of a class that has done something else."""
    school(tmp_path).close()
    week, finals = tmp_path / "week.toml", tmp_path / "finals.toml"
    week.write_text(WEEK)
    finals.write_text(FINALS)
    return week, finals


@pytest.mark.some_days
async def test_one_lesson_is_looked_at_alone_and_so_is_what_is_saved(
    tmp_path: Path, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = taught_in(tmp_path, lesson_files=files)
    async with taught(app, "2", size=WIDE) as pilot:
        exported = saved(app, monkeypatch)

        def places() -> set[str]:
            return {row.problem.place for row in sheet(app, "problems")._given}

        assert places() == {"week", "finals", "cases"}
        await press(pilot, "l")
        assert places() == {"week"} and "Monday alone: " in shown(app)
        await press(pilot, "l", "s", "c", "p")
        assert places() == {"finals"} and "Finals alone: " in shown(app)
        assert {line.split(",")[1] for line in exported["students.csv"].splitlines()[1:]} == {"finals"}
        assert {line.split(",")[0] for line in exported["problems.csv"].splitlines()[1:]} == {"finals"}
        files[1].write_text(FINALS.replace("Finals", "Finale"))
        app._follow()
        await settle(pilot)
        assert places() == {"finals"} and "Finale alone: " in shown(app)
        await press(pilot, "l")
        assert places() == {"week", "finals", "cases"} and "alone" not in shown(app)


async def test_a_lesson_that_is_there_by_itself_needs_no_key_for_that(tmp_path: Path, files: tuple[Path, Path]) -> None:
    app = taught_in(tmp_path, lesson_files=files[:1])
    async with taught(app, "l", size=WIDE):
        assert "alone" not in shown(app)
        assert "One lesson" not in {command.title for command in app.get_system_commands(app.screen)}


async def test_the_sheet_of_problems_names_the_lesson_also_where_there_is_little_room(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    app = taught_in(tmp_path, lesson_files=files)
    async with taught(app, "2"):
        rows = [line.split()[:2] for line in shown(app).splitlines() if "or_comm" in line]
        assert ["or_comm", "Monday"] in rows and ["or_comm", "Finals"] in rows
