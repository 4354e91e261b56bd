"""The goal as it is drawn: what stays in sight, what is marked, and what is clicked on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from oasis.classroom.proving.pointing import Place
from tactics.formula import Or
from tactics.goal import Move, State
from tactics.parser import parse
from tactics.printer import NOTATIONS, Notation, show
from tactics.rules import apply
from tactics.sequent import parse_state
from tui.look import Look
from tui.widgets.focused_goal import FocusedGoal
from tui.widgets.formulas import halves, styled

LOOKS = [Look(), Look.ascii()]
FEW = parse_state("p -> q, q |- p \\/ q")
MANY = parse_state(", ".join(f"p{number} -> q" for number in range(20)) + " |- p1 -> q; p |- r; p |- s")
KEYS = "1234567890abcdefghijklm"


class Alone(App[None]):
    """A goal, and nothing else."""

    CSS = "FocusedGoal { height: 1fr; }"

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.goals = FocusedGoal(look)
        self.pointed: list[Place | None] = []

    def compose(self) -> ComposeResult:
        yield self.goals

    def on_focused_goal_pointed(self, event: FocusedGoal.Pointed) -> None:
        self.pointed.append(event.place)

    def lines(self) -> list[str]:
        """What is drawn."""
        return [self.goals.render_line(y).text.rstrip() for y in range(self.goals.size.height)]


@asynccontextmanager
async def alone(
    state: State, look: Look = LOOKS[0], size: tuple[int, int] = (40, 12)
) -> AsyncIterator[tuple[Alone, Pilot[None]]]:
    """The application with a state in it."""
    app = Alone(look)
    async with app.run_test(size=size) as pilot:
        app.goals.show_next(state, KEYS)
        await pilot.pause()
        yield app, pilot


@pytest.mark.parametrize("look", LOOKS)
async def test_the_conclusion_and_the_next_goals_stay_in_sight_while_hypotheses_scroll(look: Look) -> None:
    async with alone(MANY, look) as (app, pilot):
        conclusion = look.formula(parse("p1 -> q"))
        for _ in range(25):
            drawn = app.lines()
            assert [line for line in drawn if look.notation.turnstile in line and line.endswith(f"  {conclusion}")]
            assert [line for line in drawn if line.startswith("then 2: r")]
            selected = app.goals.selected
            if selected is not None and selected.hypothesis is not None:
                assert [
                    line for line in drawn if line.startswith(look.mark("here")) and f" {selected.hypothesis} :" in line
                ]
            await pilot.press("down")
            await pilot.pause()
        assert app.goals.selected == Place(None)


async def test_waiting_goals_that_have_no_room_are_counted() -> None:
    state = parse_state("; ".join(f"p |- q{number}" for number in range(20)))
    async with alone(state) as (app, _):
        assert app.lines()[-1] == "and 11 goals more"


async def test_a_conclusion_longer_than_the_screen_scrolls() -> None:
    state = parse_state("p |- " + " -> ".join(f"atom{number}" for number in range(60)))
    async with alone(state) as (app, pilot):
        assert "H : p" in "\n".join(app.lines())
        app.goals.scroll_end(animate=False, immediate=True)
        await pilot.pause()
        assert "atom59" in "\n".join(app.lines())


async def test_where_there_is_little_room_the_air_between_the_parts_goes_first() -> None:
    async with alone(FEW, size=(40, 12)) as (app, pilot):
        assert "" in app.lines()[:6]
        await pilot.resize_terminal(40, 5)
        await pilot.pause()
        assert [line.strip() for line in app.lines()][:2] == ["1   H : p → q", "2  H0 : q"]


async def test_what_the_last_move_changed_is_marked_until_something_is_selected() -> None:
    async with alone(FEW) as (app, pilot):
        assert not [line for line in app.lines() if line.startswith("+")]
        app.goals.show_next(apply(FEW, Move("right")), KEYS)
        assert [line for line in app.lines() if line.startswith("+")] == ["+ 0   ⊢   q"]
        app.goals.show_next(parse_state("p -> q, q, r |- q"), KEYS)
        assert [line for line in app.lines() if line.startswith("+")] == ["+ 3  H1 : r"]
        await pilot.press("down")
        assert not [line for line in app.lines() if line.startswith("+")]
        app.goals.forget()
        app.goals.show_next(FEW, KEYS)
        assert not [line for line in app.lines() if line.startswith("+")]


async def test_keys_are_drawn_and_found_and_the_conclusion_has_one_of_its_own() -> None:
    async with alone(MANY) as (app, _):
        assert app.goals.place_of("1") == Place("H")
        assert app.goals.place_of("0") == Place(None)
        assert app.goals.place_of("a") == Place("H8")
        assert app.goals.place_of("z") is None and app.goals.place_of(" ") is None
        app.goals.forget()
        app.goals.show_next(FEW, "")
        assert app.goals.place_of("1") is None
        assert "H : p → q" in [line.strip() for line in app.lines()]


async def test_nothing_is_selected_after_a_move_and_enter_then_points_at_nothing() -> None:
    async with alone(FEW) as (app, pilot):
        await pilot.press("enter", "up", "up", "enter")
        app.goals.show_next(apply(FEW, Move("right")), KEYS)
        await pilot.press("enter")
        assert app.pointed == [None, Place("H0"), None]


def test_an_equivalence_inside_a_formula_stands_in_brackets() -> None:
    formula = parse("p <-> q -> p /\\ q")
    assert [look.formula(formula) for look in LOOKS] == ["(p ↔ q) → p ∧ q", "(p <-> q) -> p /\\ q"]


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
@pytest.mark.parametrize(
    "text", ["p \\/ q", "p \\/ q \\/ r", "(p \\/ q) \\/ r", "(p -> q) \\/ ~r", "p /\\ q \\/ (p <-> q)"]
)
def test_the_halves_of_a_disjunction_are_found_in_its_text(text: str, notation: Notation) -> None:
    formula = parse(text)
    assert isinstance(formula, Or)
    whole = show(formula, notation)
    end, begin = halves(formula, notation)
    assert whole[end:begin] == f" {notation.disjunction} "
    for half, found in ((formula.left, whole[:end]), (formula.right, whole[begin:])):
        assert found in (show(half, notation), f"({show(half, notation)})")


@pytest.mark.parametrize("look", LOOKS)
def test_connectives_are_set_off_from_atoms_by_weight(look: Look) -> None:
    content = styled(parse("Falsey /\\ ~q -> False \\/ (p <-> r)"), look)
    notation = look.notation
    marked = {content.plain[span.start : span.end] for span in content.spans if "bold" in str(span.style)}
    signs = (notation.conjunction, notation.disjunction, notation.implication, notation.equivalence, notation.falsum)
    assert marked == {*signs, notation.negation.strip()}
