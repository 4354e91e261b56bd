"""Learn: what is open, what is done, and how a student gets from nothing to a first proof."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import OptionList

from curricula.course import course
from oasis.classroom.desk.progress import exercises
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.exercise import Exercise
from oasis.teacher.exact.values import shortest_script
from tactics.goal import Move
from tactics.rules import RULES, SPEAKING
from tests.tui.rooms import ASCII, NARROW, WIDE, WIDEST, classroom, opened, overflowing, press, shown
from tui.app import Classroom
from tui.screens.prove import Prove
from tui.screens.sign_in import SignIn

pytestmark = pytest.mark.slow


def lemmas(app: Classroom) -> OptionList:
    return app.screen.query_one("#lemmas", OptionList)


def lesson(folder: Path, text: str) -> Lesson:
    (folder / "week_1.toml").write_text(text, encoding="utf-8")
    return Lesson.read(folder / "week_1.toml")


def do(app: Classroom, exercise: Exercise) -> None:
    """Prove a lemma by a shortest proof, or say that it has none."""
    desk, script = app.session.seat.desk, shortest_script(exercise.formula)
    desk.sit(exercise)
    for move in script or ():
        desk.do(lambda attempt, move=move: attempt.make(move))  # type: ignore[misc]
    if script is None:
        desk.do(lambda attempt: attempt.claim(right=True))


@pytest.mark.parametrize("size", [NARROW, WIDE])
@pytest.mark.parametrize("title", ["Disjunction and negation", "論理学入門：直観主義命題論理"])
async def test_a_long_title_of_a_lesson_leaves_room_for_what_is_done_of_it(
    tmp_path: Path, size: tuple[int, int], title: str
) -> None:
    given = lesson(tmp_path, f'title = "{title}"\nlemmas = ["A -> A", "A /\\\\ B -> A"]\n')
    app = classroom(tmp_path, lessons=[given])
    async with opened(app, size):
        number, line = next(each for each in enumerate(shown(app).splitlines()) if title[:8] in each[1])
        assert re.match(r".* 0/2 ", line), line
        rest = shown(app).splitlines()[number + 1]
        assert title.endswith(rest.split()[0]), "the whole title stands there, in two lines"
        assert title in shown(app)


@pytest.mark.parametrize("size", [NARROW, WIDE, WIDEST])
async def test_what_came_of_the_lemmas_stands_in_columns_and_what_a_lemma_says_below(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = classroom(tmp_path)
    async with opened(app, size) as pilot:
        assert "converse" not in shown(app)
        for exercise in exercises("arrows")[:5]:
            do(app, exercise)
        await press(pilot, "P", "L", "up", "up")
        lines = [line for line in shown(app).splitlines() if "10/10" in line]
        assert len(lines) == 5
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


async def test_from_nothing_to_the_first_proof_in_three_keys(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        assert "Enter begins the lemma under the cursor" in shown(app)
        await press(pilot, "enter", "0", "0")
        assert isinstance(app.screen, Prove)
        assert "proved in 2 moves" in shown(app)
        await press(pilot, "n")
        assert "p → q → p" in shown(app)


async def test_what_is_done_is_marked_and_the_cursor_is_on_the_next(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "enter", "0", "0", "L")
        assert re.search(r"✓  1 p → p +2 moves +10/10", shown(app))
        assert f"1/{len(exercises('arrows'))}" in shown(app)
        assert lemmas(app).highlighted == 1


async def test_a_world_that_is_closed_says_when_it_opens_and_lets_nobody_in(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        app.screen.query_one("#chapters").focus()
        await press(pilot, "down")
        assert "Both (opens after If and then)" in shown(app)
        await press(pilot, "enter", "enter")
        assert not isinstance(app.screen, Prove)


async def test_left_leads_to_the_worlds_and_right_back_to_the_lemmas(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "left", "down")
        assert "Both (opens after If and then)" in shown(app)
        await press(pilot, "up", "right", "down", "enter")
        assert app.session.seat.exercise == exercises("arrows")[1]


async def test_a_world_opens_when_all_but_two_of_the_one_before_are_done(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        for exercise in exercises("arrows")[:-2]:
            do(app, exercise)
        await press(pilot, "P", "escape", "L")
        app.screen.query_one("#chapters").focus()
        await press(pilot, "down", "enter", "enter")
        assert isinstance(app.screen, Prove)
        assert app.session.seat.exercise == exercises(course()[1].name)[0]


async def test_a_lesson_comes_first_with_its_own_terms(tmp_path: Path) -> None:
    text = (
        'title = "Week one"\nabout = "Warm up."\ntactics = ["intro", "assumption"]\nlemmas = ["p -> p", "a -> a -> a"]'
    )
    app = classroom(tmp_path, lessons=(lesson(tmp_path, text),))
    async with opened(app) as pilot:
        assert "Week one" in shown(app)
        assert "Warm up." in shown(app)
        await press(pilot, "enter", "0", "0", "n", "0", "0")
        assert app.session.seat.attempt is not None
        assert app.session.seat.attempt.made == [Move("intro"), Move("intro")]
        await press(pilot, "L")
        assert "1/2" in shown(app)


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


def both(app: Classroom) -> str:
    """What stands above and below the lemmas."""
    lines = [app.screen.query_one(f"#{name}").render() for name in ("about", "how")]
    return " ".join(" ".join(str(line) for line in lines).split())


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_what_most_exercises_share_stands_above_and_what_is_different_is_told_with_the_cursor_on_it(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = classroom(tmp_path, lessons=(lesson(tmp_path, OWN_TERMS),))
    async with opened(app, size) as pilot:
        assert "Tactics: intro, assumption. Moves are pointed at or typed" in both(app)
        assert "Due 2030-12-01 18:00." in both(app)
        assert "For this one" not in both(app)
        await press(pilot, "end")
        own = "For this one: Hints go up to level 2, and each costs 1 of 10 points. Due 2031-01-02 12:00."
        assert own in both(app)
        assert "Due 2030-12-01 18:00." in both(app)
        assert "last" in shown(app), "the cursor stays in sight"
        assert overflowing(app) == []
        await press(pilot, "up")
        assert "For this one" not in both(app)


async def test_one_exercise_that_comes_first_does_not_speak_for_all(tmp_path: Path) -> None:
    text = 'lemmas = ["p -> p", "q -> q"]\n[[exercise]]\nlemma = "r -> r"\nlight = false'
    week = lesson(tmp_path, text)
    first, *others = week.exercises
    app = classroom(tmp_path, lessons=(replace(week, exercises=(others[-1], first, *others[:-1])),))
    async with opened(app) as pilot:
        assert "A light shows whether a move has lost the proof." in both(app)
        assert "For this one: There is no light; a first hint says whether a move has lost the proof." in both(app)
        await press(pilot, "down")
        assert "There is no light" not in both(app)


@pytest.mark.some_days
async def test_what_has_no_room_is_marked_and_stands_in_the_help(tmp_path: Path) -> None:
    app = classroom(tmp_path, lessons=(lesson(tmp_path, OWN_TERMS),), look=ASCII)
    async with opened(app, (56, 15)) as pilot:
        await press(pilot, "end")
        assert any(line.endswith(" ... ? shows all of it") for line in shown(app).splitlines())
        assert "Due" not in shown(app)
        assert "q -> r -> q" in shown(app), "the cursor stays in sight"
        await press(pilot, "question_mark")
        told = ""
        for _ in range(20):
            told += " ".join(shown(app).replace("|", " ").split())
            await press(pilot, "down")
        assert "12-01 18:00." in told
        assert "01-02 12:00." in told


async def test_each_student_has_other_letters_if_the_lesson_says_so(tmp_path: Path) -> None:
    week = lesson(tmp_path, 'title = "Letters"\nletters = "own"\nlemmas = ["swap : A /\\\\ B /\\\\ C -> C /\\\\ A"]')
    seen = set()
    for name in ("ada", "grace", "emmy", "sofia"):
        app = classroom(tmp_path, account=name, lessons=(week,))
        async with opened(app):
            assert app.session.seat.exercise is not None
            assert app.session.seat.exercise.name == "swap"
            seen.add(app.session.seat.exercise.formula)
    assert len(seen) > 1


async def test_every_tactic_has_a_page_with_its_rule_and_an_example(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app, (100, 130)) as pilot:
        await press(pilot, "I")
        text = " ".join(shown(app).split())
        for rule in RULES:
            assert f"Type: {SPEAKING.get(rule, rule)}" in text
            assert rule in text
        assert text.count("Example:") == len(RULES)
        await press(pilot, "escape")
        assert lemmas(app)


async def test_on_a_very_small_screen_nothing_falls_over(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app, (44, 12)) as pilot:
        await press(pilot, "pagedown", "pageup", "end", "home", "tab", "pagedown", "enter", "enter", "pagedown")
        assert app.is_running


async def test_when_all_of_a_world_is_done_the_way_on_leads_back_to_the_worlds(tmp_path: Path) -> None:
    week = lesson(tmp_path, 'title = "One"\nlemmas = ["p -> p"]')
    app = classroom(tmp_path, lessons=(week,))
    async with opened(app) as pilot:
        await press(pilot, "enter", "0", "0", "n")
        assert not isinstance(app.screen, Prove)
        assert "1/1" in shown(app)


async def test_without_colours_the_cursor_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = classroom(tmp_path)
    async with opened(app):
        for each in app.screen.query(OptionList):
            assert each.get_component_rich_style("option-list--option-highlighted").reverse


@pytest.mark.some_days
@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_who_was_not_asked_who_they_are_reads_it_and_how_somebody_else_comes_in(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = classroom(tmp_path)
    async with opened(app, size) as pilot:
        assert "You work here as ada." in shown(app) and "D, then o: somebody else." in shown(app)
        assert overflowing(app) == []
        await press(pilot, "D", "o")
        assert isinstance(app.screen, SignIn)
    app = classroom(tmp_path, student="bob")
    async with opened(app, size):
        assert "bob" in shown(app) and "You work here" not in shown(app)
