"""Learn and what is before a student: what is open, what is done, and how one gets from nothing to a first proof."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.widgets import OptionList

from curricula.course import course
from oasis.classroom.desk.progress import exercises
from oasis.classroom.lessons.lesson import Lesson, shared
from oasis.classroom.proving.exercise import Exercise
from oasis.store import Store
from oasis.teacher.exact.values import shortest_script
from tactics.goal import Move
from tactics.rules import RULES, SPEAKING
from tests.classroom.people import PROOF, local, make, sit
from tests.tui.rooms import ASCII, NARROW, WIDE, attempt, classroom, opened, overflowing, press, shown, sitting, words
from tui.app import Classroom
from tui.look import Look
from tui.screens.learn import _Chapter, _title
from tui.screens.prove import Prove
from tui.seat import Seat

pytestmark = pytest.mark.slow


def lemmas(app: Classroom) -> OptionList:
    return app.screen.query_one("#lemmas", OptionList)


def lesson(folder: Path, text: str) -> Lesson:
    return Lesson.parse(text, "week_1.toml", "week_1", folder)


def both(app: Classroom) -> str:
    """What stands above and below the lemmas."""
    lines = [app.screen.query_one(f"#{name}").render() for name in ("about", "how")]
    return " ".join(" ".join(str(line) for line in lines).split())


def do(app: Classroom, exercise: Exercise) -> None:
    """Prove a lemma by a shortest proof, or say that it has none."""
    desk, script = app.session.seat.desk, shortest_script(exercise.formula)
    desk.sit(exercise)
    for move in script or ():
        desk.do(lambda attempt, move=move: attempt.make(move))  # type: ignore[misc]
    if script is None:
        desk.do(lambda attempt: attempt.claim(right=True))


@pytest.mark.parametrize("title", ["Disjunction and negation", "論理学入門：直観主義命題論理"])
def test_a_long_title_of_a_chapter_leaves_room_for_what_is_done_of_it(title: str) -> None:
    first, rest = _title(_Chapter(title, "", exercises("arrows")[:2], [None, None]), Look()).plain.splitlines()
    assert first.endswith(" 0/2") and title.startswith(first[2:].split("  ")[0][:8])
    assert title.endswith(rest.strip()), "the whole title stands there, in two lines"


async def test_from_nothing_to_the_first_proof_in_three_keys_and_on_to_the_next_world(tmp_path: Path) -> None:
    app, tasks = classroom(tmp_path), exercises("arrows")
    async with opened(app) as pilot:
        assert "Enter begins the lemma under the cursor" in shown(app)
        await press(pilot, "left", "down")
        assert "Both (opens after If and then)" in shown(app)
        await press(pilot, "enter", "enter")
        assert not isinstance(app.screen, Prove), "it lets nobody in"
        await press(pilot, "left", "up", "right", "enter", "0", "0")
        assert isinstance(app.screen, Prove) and "proved in 2 moves" in shown(app)
        await press(pilot, "n")
        assert "p → q → p" in shown(app) and app.session.seat.exercise == tasks[1]
        await press(pilot, "L")
        assert re.search(r"✓  1 p → p +2 moves +10/10", shown(app))
        assert f"1/{len(tasks)}" in shown(app) and lemmas(app).highlighted == 1
        for exercise in tasks[1:-2]:
            do(app, exercise)
        await press(pilot, "P", "escape", "L", "left", "down", "enter", "enter")
        assert isinstance(app.screen, Prove), "all but two of the world before are done"
        assert app.session.seat.exercise == exercises(course()[1].name)[0]


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_what_came_of_the_lemmas_stands_in_columns_and_what_a_lemma_says_below(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with sitting(tmp_path, size=size) as (app, pilot):
        assert "converse" not in shown(app)
        for exercise in exercises("arrows")[:5]:
            do(app, exercise)
        await press(pilot, "P", "L", "up", "up")
        lines = [line for line in shown(app).splitlines() if "10/10" in line]
        for column in (" moves| proof", "10/10"):
            assert len({match.end() for line in lines for match in re.finditer(column, line)}) == 1
        assert [re.findall(r"(\d) [p(]", line) for line in lines] == [[number] for number in "12345"]
        assert "no proof" in lines[3]
        named = any("converse" in line for line in lines)
        assert named == (size != NARROW), "names stand beside the formulas where there is room"
        assert "converse: Where q holds and p does not, p → q is true, and p still fails." in both(app)
        assert overflowing(app) == []
        await press(pilot, "end")
        assert "→ ((p → r) → p) → p" in (both(app) if size == NARROW else shown(app))
        assert "staircase" not in shown(app)


async def test_enter_alone_begins_the_first_lemma_makes_no_move_claims_nothing_and_costs_nothing(
    tmp_path: Path,
) -> None:
    app, often = classroom(tmp_path), ("enter",) * 4
    async with opened(app) as pilot:
        await press(pilot, "L", *often * 2)
        assert isinstance(app.screen, Prove) and app.session.seat.exercise == exercises("arrows")[0]
        for world in course():
            tasks = exercises(world.name)
            task = tasks[len(tasks) // 2]
            app.session.seat.take(task, tasks)
            await press(pilot, "L", "P", *often)
            assert isinstance(app.screen, Prove) and app.session.seat.exercise == task
            there = attempt(app)
            assert (there.made, there.is_over, there.helped, there.slips) == ([], False, 0, 0)
        assert sum(each.points for each in app.session.seat.desk.results().values()) == 0


async def test_a_lesson_comes_first_with_its_own_terms_and_leads_back_when_all_of_it_is_done(tmp_path: Path) -> None:
    text = (
        'title = "Week one"\nabout = "Warm up."\ntactics = ["intro", "assumption"]\nlemmas = ["p -> p", "a -> a -> a"]'
    )
    async with sitting(tmp_path, lessons=(lesson(tmp_path, text),)) as (app, pilot):
        assert "Week one" in shown(app) and "Warm up." in shown(app)
        await press(pilot, "enter", "0", "0", "n", "0", "0")
        assert attempt(app).made == [Move("intro"), Move("intro")]
        await press(pilot, "L")
        assert "1/2" in shown(app)
        await press(pilot, "P", "slash", *"assumption", "enter", "escape", "n")
        assert not isinstance(app.screen, Prove) and "2/2" in shown(app)


async def test_each_student_has_other_letters_if_the_lesson_says_so_and_finds_what_they_left(tmp_path: Path) -> None:
    text = 'letters = "own"\nlemmas = ["p -> p", "swap : A /\\\\ B /\\\\ C -> C /\\\\ A"]'
    week, seen = lesson(tmp_path, text), set()
    for name in ("ada", "grace", "emmy", "sofia"):
        async with opened(classroom(tmp_path, account=name, lessons=(week,))) as pilot:
            await press(pilot, "down", "enter", "0")
        async with sitting(tmp_path, account=name, lessons=(week,)) as (app, _):
            assert app.session.seat.exercise.name == "swap" and len(attempt(app).made) == 1
            seen.add(app.session.seat.exercise.formula)
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
    async with sitting(tmp_path, lessons=(lesson(tmp_path, OWN_TERMS),), look=ASCII) as (app, pilot):
        assert "Tactics: intro, assumption. Moves are pointed at or typed" in both(app)
        assert "Due 2030-12-01 18:00." in both(app) and "For this one" not in both(app)
        await press(pilot, "end")
        assert "For this one: Hints go up to level 2, and each costs 1 of 10 points. Due 2031-01-02 12:00." in both(app)
        assert "Due 2030-12-01 18:00." in both(app)
        assert "last" in shown(app) and overflowing(app) == [], "the cursor stays in sight"
        await press(pilot, "up")
        assert "For this one" not in both(app)
        await pilot.resize_terminal(56, 15)
        await press(pilot, "end")
        assert any(line.endswith(" ... ? shows all of it") for line in shown(app).splitlines())
        assert "Due" not in shown(app) and "q -> r -> q" in shown(app)
        await press(pilot, "question_mark")
        told = ""
        for _ in range(20):
            told += " ".join(shown(app).replace("|", " ").split())
            await press(pilot, "down")
        assert "12-01 18:00." in told and "01-02 12:00." in told


def test_one_exercise_that_comes_first_does_not_speak_for_all(tmp_path: Path) -> None:
    text = 'lemmas = ["p -> p", "q -> q"]\n[[exercise]]\nlemma = "r -> r"\nlight = false'
    first, second, other = lesson(tmp_path, text).exercises_for("ada")
    assert shared([other, first, second]) == first.terms != other.terms


async def test_every_tactic_has_a_page_with_its_rule_and_an_example(tmp_path: Path) -> None:
    async with sitting(tmp_path, size=(100, 130)) as (app, pilot):
        await press(pilot, "I")
        text = " ".join(shown(app).split())
        assert all(f"Type: {SPEAKING.get(rule, rule)}" in text and rule in text for rule in RULES)
        assert text.count("Example:") == len(RULES)
        assert "p → q → r is p → (q → r)" in words(app)
        await press(pilot, "escape", "P", "question_mark")
        assert "p → q → r is p → (q → r)" in words(app)


async def test_without_colours_the_cursor_is_seen_and_who_was_not_asked_who_they_are_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with sitting(tmp_path) as (app, _):
        for each in app.screen.query(OptionList):
            assert each.get_component_rich_style("option-list--option-highlighted").reverse
        assert "You work here as ada." in shown(app) and "D, then o: somebody else." in shown(app)
        assert overflowing(app) == []
    async with sitting(tmp_path, student="bob") as (app, _):
        assert "bob" in shown(app) and "You work here" not in shown(app)


LESSON = 'name = "week"\nlemmas = ["textbook/and_comm", "textbook/or_comm", "textbook/peirce"]'


def test_what_is_before_a_student_is_what_they_were_at_last_until_that_is_done_and_then_the_first_that_is_left() -> (
    None
):
    lesson = Lesson.parse(LESSON, "a text", "week", Path()).exercises_for("ann")
    course = exercises("arrows")
    with Store(Path(":memory:")) as store:
        desk = local(store)

        def present() -> str:
            seat = Seat(desk, 1.0)
            seat.take_first(lesson, course)
            assert seat.exercise is not None
            assert seat.exercise in seat.others
            seat.close()
            return seat.exercise.name

        assert present() == "textbook/and_comm"
        make(sit(desk, lesson[1]), PROOF[:2])
        assert present() == "textbook/or_comm"
        make(sit(desk, lesson[1]), PROOF[2:])
        assert present() == "textbook/and_comm"
        sit(desk, course[1]).take_hint()
        assert present() == course[1].name


def test_the_next_exercise_is_the_next_that_is_not_done_from_this_one_on_and_round() -> None:
    tasks = Lesson.parse(LESSON, "a text", "week", Path()).exercises_for("ann")
    with Store(Path(":memory:")) as store:
        seat = Seat(local(store), 1.0)
        make(sit(seat.desk, tasks[1]), PROOF)
        for here, following in ((0, 2), (1, 2), (2, 0)):
            seat.take(tasks[here], tasks)
            assert seat.following() == tasks[following]
            assert seat.before() == (tasks[here - 1] if here else None)
        seat.close()
