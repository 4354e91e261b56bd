"""Learn and what is before a student: what is open, what is done, and how one gets from nothing to a first proof."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.widgets import OptionList

from curricula.course import course
from oasis.classroom.desk.progress import exercises
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.exercise import Exercise
from oasis.teacher.exact.values import shortest_script
from tactics.goal import Move
from tests.tui.rooms import ASCII, NARROW, WIDE, Person, sitting
from tui.screens.prove import Prove

pytestmark = pytest.mark.slow


def lemmas(ada: Person) -> OptionList:
    return ada.screen.query_one("#lemmas", OptionList)


def lesson(folder: Path, text: str) -> Lesson:
    return Lesson.parse(text, "week_1.toml", "week_1", folder)


def both(ada: Person) -> str:
    """What stands above and below the lemmas."""
    lines = [ada.screen.query_one(f"#{name}").render() for name in ("about", "how")]
    return " ".join(" ".join(str(line) for line in lines).split())


def do(ada: Person, exercise: Exercise) -> None:
    """Prove a lemma by a shortest proof, or say that it has none."""
    desk, script = ada.seat.desk, shortest_script(exercise.formula)
    desk.sit(exercise)
    for move in script or ():
        desk.do(lambda attempt, move=move: attempt.make(move))  # type: ignore[misc]
    if script is None:
        desk.do(lambda attempt: attempt.claim(right=True))


async def test_from_nothing_to_the_first_proof_in_three_keys_and_on_to_the_next_world(tmp_path: Path) -> None:
    tasks = exercises("arrows")
    async with sitting(tmp_path) as ada:
        assert "Enter begins the lemma under the cursor" in ada.shown
        await ada.keys("left", "down")
        assert "Both (opens after If and then)" in ada.shown
        await ada.keys("enter", "enter")
        assert not isinstance(ada.screen, Prove), "it lets nobody in"
        await ada.keys("left", "up", "right", "enter", "0", "0")
        assert isinstance(ada.screen, Prove) and "proved in 2 moves" in ada.shown
        await ada.keys("n")
        assert "p → q → p" in ada.shown and ada.seat.exercise == tasks[1]
        await ada.keys("L")
        assert re.search(r"✓  1 p → p +2 moves +10/10", ada.shown)
        assert f"1/{len(tasks)}" in ada.shown and lemmas(ada).highlighted == 1
        for exercise in tasks[1:-2]:
            do(ada, exercise)
        await ada.keys("P", "escape", "L", "left", "down", "enter", "enter")
        assert isinstance(ada.screen, Prove), "all but two of the world before are done"
        assert ada.seat.exercise == exercises(course()[1].name)[0]


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_what_came_of_the_lemmas_stands_in_columns_and_what_a_lemma_says_below(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with sitting(tmp_path, size=size) as ada:
        assert "converse" not in ada.shown
        for exercise in exercises("arrows")[:5]:
            do(ada, exercise)
        await ada.keys("P", "L", "up", "up")
        lines = [line for line in ada.shown.splitlines() if "10/10" in line]
        for column in (" moves| proof", "10/10"):
            assert len({match.end() for line in lines for match in re.finditer(column, line)}) == 1
        assert [re.findall(r"(\d) [p(]", line) for line in lines] == [[number] for number in "12345"]
        assert "no proof" in lines[3]
        named = any("converse" in line for line in lines)
        assert named == (size != NARROW), "names stand beside the formulas where there is room"
        assert "converse: Where q holds and p does not, p → q is true, and p still fails." in both(ada)
        assert ada.overflowing == []
        await ada.keys("end")
        assert "→ ((p → r) → p) → p" in (both(ada) if size == NARROW else ada.shown)
        assert "staircase" not in ada.shown


async def test_enter_alone_begins_the_first_lemma_makes_no_move_and_costs_nothing(tmp_path: Path) -> None:
    often = ("enter",) * 4
    async with sitting(tmp_path) as ada:
        await ada.keys("L", *often * 2)
        assert isinstance(ada.screen, Prove) and ada.seat.exercise == exercises("arrows")[0]
        for tasks in (exercises("cases"), exercises("nested")):
            ada.seat.take(tasks[2], tasks)
            await ada.keys("L", "P", *often)
            assert isinstance(ada.screen, Prove) and ada.seat.exercise == tasks[2]
            there = ada.attempt
            assert (there.made, there.is_over, there.helped, there.slips) == ([], False, 0, 0)


async def test_a_lesson_comes_first_with_its_own_terms_and_leads_back_when_all_of_it_is_done(tmp_path: Path) -> None:
    text = (
        'title = "Week one"\nabout = "Warm up."\ntactics = ["intro", "assumption"]\nlemmas = ["p -> p", "a -> a -> a"]'
    )
    async with sitting(tmp_path, lessons=(lesson(tmp_path, text),)) as ada:
        assert "Week one" in ada.shown and "Warm up." in ada.shown
        await ada.keys("enter", "0", "0", "n", "0", "0")
        assert ada.attempt.made == [Move("intro"), Move("intro")]
        await ada.keys("L")
        assert "1/2" in ada.shown
        await ada.keys("P", "slash", *"assumption", "enter", "escape", "n")
        assert not isinstance(ada.screen, Prove) and "2/2" in ada.shown


async def test_each_student_has_other_letters_if_the_lesson_says_so_and_finds_what_they_left(tmp_path: Path) -> None:
    text = 'letters = "own"\nlemmas = ["p -> p", "swap : A /\\\\ B /\\\\ C -> C /\\\\ A"]'
    week, seen = lesson(tmp_path, text), set()
    for name in ("ada", "grace"):
        async with sitting(tmp_path, account=name, lessons=(week,)) as ada:
            await ada.keys("down", "enter", "0")
        async with sitting(tmp_path, account=name, lessons=(week,)) as ada:
            assert ada.seat.exercise.name == "swap" and len(ada.attempt.made) == 1
            seen.add(ada.seat.exercise.formula)
    assert len(seen) > 1


OWN_TERMS = """
title = "Week one"
about = "Warm up with implications, and then go on to pairs."
tactics = ["intro", "assumption"]
due = 2030-12-01T18:00:00
lemmas = ["p -> p", "a -> a -> a", "p -> q -> p", "p -> q -> q", "p -> q -> r -> p"]
[[exercise]]
lemma = "last : p -> q -> r -> q"
due = 2031-01-02T12:00:00
hints = 2
"""


async def test_what_most_exercises_share_stands_above_and_what_is_different_is_told_with_the_cursor_on_it(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, lessons=(lesson(tmp_path, OWN_TERMS),), look=ASCII) as ada:
        assert "Tactics: intro, assumption. Moves are pointed at or typed" in both(ada)
        assert "Due 2030-12-01 18:00." in both(ada) and "For this one" not in both(ada)
        await ada.keys("end")
        assert "For this one: Hints go up to level 2, and each costs 1 of 10 points. Due 2031-01-02 12:00." in both(ada)
        assert "Due 2030-12-01 18:00." in both(ada)
        assert "last" in ada.shown and ada.overflowing == [], "the cursor stays in sight"
        await ada.keys("up")
        assert "For this one" not in both(ada)
        await ada.resize_terminal(56, 15)
        await ada.keys("end")
        assert any(line.endswith(" ... ? shows all of it") for line in ada.shown.splitlines())
        assert "Due" not in ada.shown and "q -> r -> q" in ada.shown
        await ada.keys("question_mark")
        told = ""
        for _ in range(20):
            told += " ".join(ada.shown.replace("|", " ").split())
            await ada.keys("down")
        assert "12-01 18:00." in told and "01-02 12:00." in told


async def test_without_colours_the_cursor_is_seen_and_who_was_not_asked_who_they_are_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with sitting(tmp_path) as ada:
        for each in ada.screen.query(OptionList):
            assert each.get_component_rich_style("option-list--option-highlighted").reverse
        assert "You work here as ada." in ada.shown and "D, then o: somebody else." in ada.shown
        assert ada.overflowing == []
    async with sitting(tmp_path, student="bob") as ada:
        assert "bob" in ada.shown and "You work here" not in ada.shown
