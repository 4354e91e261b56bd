"""What the panels of a partner are made of, without a screen."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.content import Content

from oasis.classroom.partner.curve import Curve, Points
from oasis.classroom.partner.opinions import Column, Kind, Opinion, Voice
from oasis.exam import Exam
from tactics.goal import Move
from tui.look import Look
from tui.widgets.beliefs import BeliefTable, brief, number
from tui.widgets.chart import NOTHING, Chart, Picture
from tui.widgets.steady import Steady
from tui.widgets.words import Paragraph, Words

pytestmark = pytest.mark.slow


@given(st.floats(-1000, 10_000))
def test_a_value_is_told_to_its_last_digit_in_little_room(value: float) -> None:
    told = number(value)
    assert len(told) <= 7
    assert float(told) == pytest.approx(value, abs=0.0501 if abs(value) > 9.999 else 0.000501)


@given(st.integers(0, 999_000_000))
def test_a_count_is_told_in_five_characters(count: int) -> None:
    told = brief(count)
    assert len(told) <= 5
    factor = {"k": 1e3, "M": 1e6}.get(told[-1], 1)
    assert float(told.rstrip("kM")) * factor == pytest.approx(count, rel=0.1)


def curve_of(lengths: list[int]) -> Curve:
    curve = Curve()
    for moves in lengths:
        curve.add(moves)
    return curve


@given(st.lists(st.sampled_from([0, 3, 5, 8]), max_size=60), st.integers(1, 60))
def test_the_line_of_episodes_is_the_mean_of_all_proofs_from_first_to_last(lengths: list[int], most: int) -> None:
    picture = Picture((("", curve_of(lengths).points()),))
    proofs = [moves for moves in lengths if moves]
    lines = list(picture.lines(most))
    assert [line.name for line in lines] == (["episodes"] if proofs else [])
    for line in lines:
        assert len(line.moves) <= most and line.episodes == sorted(set(line.episodes))
        assert min(proofs) <= min(line.moves) <= max(line.moves) <= max(proofs)
        assert line.episodes[-1] == max(episode for episode, moves in enumerate(lengths, 1) if moves)


def test_a_short_curve_is_drawn_as_it_is() -> None:
    (line,) = Picture((("A", curve_of([0, 5, 0, 3]).points()),)).lines(100)
    assert (line.name, line.letter, line.episodes, line.moves) == ("A episodes", "a", [2, 4], [5, 3])


def test_what_is_not_to_be_shown_is_not_in_the_picture() -> None:
    points = Curve().points()
    assert [line.name for line in Picture((("", points),), 5, None).lines(10)] == ["you"]
    assert [line.name for line in Picture((("", points),), None, 4).lines(10)] == ["best"]
    student, shortest = Picture((("", points),), 5, 4).lines(10)
    assert (set(student.moves), set(shortest.moves)) == ({5}, {4})
    assert student.is_dashed and shortest.is_dashed
    assert shortest.episodes == pytest.approx((1, 10))


class Drawn(App[None]):
    """A chart alone."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.chart = Chart(look)

    def compose(self) -> ComposeResult:
        yield self.chart


def learned(moves: int) -> Points:
    """The curve of who made a proof of so many moves in each of a hundred episodes, and makes one when examined."""
    curve = curve_of([moves] * 10)
    curve.add_exam(Exam(1, (moves,), None))
    for _ in range(90):
        curve.add(moves)
    return curve.points()


@pytest.mark.parametrize("look", [Look(), Look.ascii()], ids=["unicode", "ascii"])
async def test_where_all_lines_are_one_each_is_still_to_be_told(look: Look) -> None:
    app = Drawn(look)
    async with app.run_test(size=(100, 20)):
        app.chart.show(Picture((("A", learned(6)), ("B", learned(6))), 6, 6))
        rows = app.chart.render().plain.splitlines()
    (row,) = [row for row in rows if "A" in row.split("episodes")[0].split("greedy")[0] and "=" in row]
    assert {"A", "B", "=", "-"} <= set(row)  # on one line, without any colour
    names = "\n".join(rows)
    for name in ("A episodes", "B episodes", "A greedy", "B greedy", "you", "best"):
        assert names.count(name) == 1
    assert look.ascii_only == names.isascii()


@pytest.mark.parametrize("height", range(9, 21))
async def test_proofs_of_as_many_moves_are_in_one_row_however_high_the_chart_is(height: int) -> None:
    curve = curve_of([21, 10])
    curve.add_exam(Exam(1, (10,), None))
    for _ in range(98):
        curve.add(12)
    app = Drawn(Look())
    async with app.run_test(size=(80, height)):
        app.chart.show(Picture((("", curve.points()),), 10, 10))
        rows = app.chart.render().plain.splitlines()
    (row,) = [row for row in rows if "==" in row]
    assert "--" in row and sum("\u2800" < letter <= "\u28ff" for letter in row) > 12  # the greedy line is there, too


async def test_a_chart_without_a_line_says_so_and_has_no_axes() -> None:
    app = Drawn(Look())
    async with app.run_test(size=(60, 12)):
        assert app.chart.render().plain == NOTHING
        app.chart.show(Picture((("A", learned(6)),)))
        assert NOTHING not in app.chart.render().plain and "─" in app.chart.render().plain
        app.chart.show(Picture((("A", Curve().points()),)))
        assert app.chart.render().plain == NOTHING


@given(st.lists(st.sampled_from([f"{'w' * width}{width}" for width in range(1, 12)]), max_size=12), st.integers(14, 60))
def test_words_are_never_broken_and_lines_are_as_full_as_can_be(words: list[str], width: int) -> None:
    shown = Words()
    shown.show_words(Paragraph(tuple(map(Content, words))))
    lines = [line.plain for line in shown.lines(width)]
    assert [word for line in lines for word in line.split()] == words
    assert all(len(line) <= width for line in lines)
    for line, following in pairwise(lines):
        assert len(line) + 2 + len(following.split()[0]) > width


async def test_beliefs_call_moves_by_the_names_that_people_read() -> None:
    class Alone(App[None]):
        def compose(self) -> ComposeResult:
            yield BeliefTable(Look(), "What it believes")

    moves = (Move("imply2", "H"), Move("imply4", "H0"))
    value = Voice("table", "Both do.", (Column("Q", Kind.VALUE, (0.5, 0.2)),), moves[0])
    app = Alone()
    async with app.run_test() as pilot:
        table = app.query_one(BeliefTable)
        table.show(Opinion(moves, (value,), "table"))
        await pilot.pause()
        shown = "".join(str(each.render()) for each in table.query(Steady))
    assert "curry H" in shown and "nested H0" in shown and "imply" not in shown


def test_opinions_stand_best_first_and_unknown_ones_last() -> None:
    moves = tuple(map(Move, ("left", "right", "intro", "split")))
    proofs = Voice("search", "", (Column("proof", Kind.MOVES, (None, 3, inf, 2)),), moves[3])
    q = Voice("table", "", (Column("Q", Kind.VALUE, (0.2, 0.9, 0.2, 0.1)), Column("tried", Kind.COUNT, (1, 2, 3, 4))))
    ranked = [str(moves[place]) for place in Opinion(moves, (q, proofs), "search").ranked()]
    assert ranked == ["split", "right", "left", "intro"]  # which may have a proof, and which has none
    ranked = [str(moves[place]) for place in Opinion(moves, (q,), "").ranked()]
    assert ranked == ["right", "intro", "left", "split"]
