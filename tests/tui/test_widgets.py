"""Widgets alone: what stays in sight of a goal, what is marked and clicked on, a chart, and what a partner believes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from plotext._dict import themes
from rich.color import Color
from rich.style import Style
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widget import Widget

from oasis.classroom.partner.curve import Curve, Points
from oasis.classroom.partner.opinions import Column, Kind, Opinion, Voice
from oasis.classroom.proving.pointing import Place
from oasis.play.exam import Exam
from tactics.goal import Move, State
from tactics.parser import parse
from tactics.rules import apply
from tactics.sequent import parse_state
from tui.look import Look
from tui.widgets.beliefs import BeliefTable
from tui.widgets.chart import NOTHING, Chart, Picture
from tui.widgets.focused_goal import FocusedGoal
from tui.widgets.steady import Steady

pytestmark = pytest.mark.slow

LOOKS = [Look(), Look.ascii()]
FEW = parse_state("p -> q, q |- p \\/ q")
MANY = parse_state(", ".join(f"p{number} -> q" for number in range(20)) + " |- p1 -> q; p |- r; p |- s")
KEYS = "1234567890abcdefghijklm"


class Alone(App[None]):
    """An application of one widget."""

    CSS = "FocusedGoal { height: 1fr; }"

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget
        self.pointed: list[Place | None] = []

    def compose(self) -> ComposeResult:
        yield self.widget

    def on_focused_goal_pointed(self, event: FocusedGoal.Pointed) -> None:
        self.pointed.append(event.place)


@asynccontextmanager
async def goals_of(
    state: State, look: Look = LOOKS[0], size: tuple[int, int] = (40, 12)
) -> AsyncIterator[tuple[FocusedGoal, Pilot[None]]]:
    """Show the goals of a state; yield their widget and a pilot."""
    goals = FocusedGoal(look)
    async with Alone(goals).run_test(size=size) as pilot:
        goals.show_next(state, KEYS)
        await pilot.pause()
        yield goals, pilot


def drawn(goals: FocusedGoal, begin: str = "") -> list[str]:
    """Return the drawn lines that begin with a text."""
    lines = [goals.render_line(y).text.rstrip() for y in range(goals.size.height)]
    return [line for line in lines if line.startswith(begin)]


@pytest.mark.parametrize("look", LOOKS)
async def test_the_conclusion_and_the_next_goals_stay_in_sight_while_hypotheses_scroll(look: Look) -> None:
    async with goals_of(MANY, look) as (goals, pilot):
        conclusion = look.formula(parse("p1 -> q"))
        for _ in range(25):
            assert [
                line for line in drawn(goals) if look.notation.turnstile in line and line.endswith(f"  {conclusion}")
            ]
            assert drawn(goals, "then 2: r")
            selected = goals.selected
            if selected is not None and selected.hypothesis is not None:
                assert [line for line in drawn(goals, look.mark("here")) if f" {selected.hypothesis} :" in line]
            await pilot.press("down")
            await pilot.pause()
        assert goals.selected == Place(None)


async def test_what_has_no_room_is_counted_or_scrolled_to_and_the_air_between_the_parts_goes_first() -> None:
    async with goals_of(parse_state("; ".join(f"p |- q{number}" for number in range(20)))) as (goals, _):
        assert drawn(goals)[-1] == "and 11 goals more"
    async with goals_of(parse_state("p |- " + " -> ".join(f"atom{number}" for number in range(60)))) as (goals, pilot):
        assert "H : p" in "\n".join(drawn(goals))
        goals.scroll_end(animate=False, immediate=True)
        await pilot.pause()
        assert "atom59" in "\n".join(drawn(goals))
    async with goals_of(FEW) as (goals, pilot):
        assert "" in drawn(goals)[:6]
        await pilot.resize_terminal(40, 5)
        await pilot.pause()
        assert [line.strip() for line in drawn(goals)][:2] == ["1   H : p → q", "2  H0 : q"]


async def test_what_the_last_move_changed_is_marked_until_something_is_selected() -> None:
    async with goals_of(FEW) as (goals, pilot):
        assert not drawn(goals, "+")
        goals.show_next(apply(FEW, Move("right")), KEYS)
        assert drawn(goals, "+") == ["+ 0   ⊢   q"]
        goals.show_next(parse_state("p -> q, q, r |- q"), KEYS)
        assert drawn(goals, "+") == ["+ 3  H1 : r"]
        await pilot.press("down")
        assert not drawn(goals, "+")
        goals.forget()
        goals.show_next(FEW, KEYS)
        assert not drawn(goals, "+")


async def test_keys_are_drawn_and_found_and_the_conclusion_has_one_of_its_own() -> None:
    async with goals_of(MANY) as (goals, _):
        for key, place in (("1", Place("H")), ("0", Place(None)), ("a", Place("H8")), ("z", None), (" ", None)):
            assert goals.place_of(key) == place
        goals.forget()
        goals.show_next(FEW, "")
        assert goals.place_of("1") is None
        assert "H : p → q" in [line.strip() for line in drawn(goals)]


async def test_nothing_is_selected_after_a_move_and_enter_then_points_at_nothing() -> None:
    async with goals_of(FEW) as (goals, pilot):
        await pilot.press("enter", "up", "up", "enter")
        goals.show_next(apply(FEW, Move("right")), KEYS)
        await pilot.press("enter")
        assert isinstance(pilot.app, Alone) and pilot.app.pointed == [None, Place("H0"), None]


def learned(moves: int, then: int, examined: int) -> Points:
    """Return the curve of proofs of so many moves in ten episodes and then in ninety, with an exam between."""
    curve = Curve()
    for episode in range(100):
        if episode == 10:
            curve.add_exam(Exam(1, (examined,), None))
        curve.add(moves if episode < 10 else then)
    return curve.points()


@pytest.mark.parametrize("look", LOOKS, ids=["unicode", "ascii"])
async def test_lines_of_a_chart_that_coincide_can_still_be_told_apart(look: Look) -> None:
    chart = Chart(look)
    async with Alone(chart).run_test(size=(100, 20)):
        chart.show(Picture((("A", learned(6, 6, 6)), ("B", learned(6, 6, 6))), 6, 6))
        rows = chart.render().plain.splitlines()
    (row,) = [row for row in rows if "A" in row.split("episodes")[0].split("greedy")[0] and "=" in row]
    assert {"A", "B", "=", "-"} <= set(row)  # on one line, without any colour
    names = "\n".join(rows)
    assert any(name in row for name in ("episodes", "greedy", "you", "best"))  # where its line ends
    for name in ("A episodes", "B episodes", "A greedy", "B greedy", "you", "best"):
        assert names.count(name) == 1
    assert look.ascii_only == names.isascii()


@pytest.mark.parametrize("height", range(9, 21))
async def test_proofs_of_as_many_moves_are_in_one_row_however_high_the_chart_is(height: int) -> None:
    chart = Chart(Look())
    async with Alone(chart).run_test(size=(80, height)):
        chart.show(Picture((("", learned(21, 12, 10)),), 10, 10))
        rows = chart.render().plain.splitlines()
    (row,) = [row for row in rows if "==" in row]
    assert "--" in row and sum("\u2800" < letter <= "\u28ff" for letter in row) > 12  # the greedy line is there, too


async def test_a_chart_stands_on_the_ground_of_its_theme_whatever_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    chart = Chart(Look())
    async with Alone(chart).run_test(size=(60, 12)) as pilot:
        kept = [(1, 2, 3)] * 3
        monkeypatch.setitem(themes, f"textual-auto-{pilot.app.theme}", [*kept, "default", []])
        chart.show(Picture((("A", learned(6, 6, 6)),)))
        grounds = {span.style.bgcolor for span in chart.render().spans if isinstance(span.style, Style)}
    assert len(grounds) == 1
    assert Color.from_rgb(1, 2, 3) not in grounds


async def test_a_chart_without_a_line_says_so_and_has_no_axes() -> None:
    chart = Chart(Look())
    async with Alone(chart).run_test(size=(60, 12)):
        assert chart.render().plain == NOTHING
        chart.show(Picture((("A", learned(6, 6, 6)),)))
        assert NOTHING not in chart.render().plain and "─" in chart.render().plain
        chart.show(Picture((("A", Curve().points()),)))
        assert chart.render().plain == NOTHING


async def test_beliefs_call_moves_by_the_names_that_people_read() -> None:
    moves = (Move("imply2", "H"), Move("imply4", "H0"))
    value = Voice("table", "Both do.", (Column("Q", Kind.VALUE, (0.5, 0.2)),), moves[0])
    table = BeliefTable(Look(), "What it believes")
    async with Alone(table).run_test() as pilot:
        table.show(Opinion(moves, (value,), "table"))
        await pilot.pause()
        shown = "".join(str(each.render()) for each in table.query(Steady))
    assert "curry H" in shown and "nested H0" in shown and "imply" not in shown
