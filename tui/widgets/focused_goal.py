"""The goal in focus, each of its formulas a row to be pointed at: by arrows and Enter, by its key, or by a click."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click, Leave, MouseMove
from textual.message import Message
from textual.style import Style

from oasis.classroom.proving.pointing import SIDES, Place, as_they_came, places
from tactics.formula import Or
from tactics.goal import Goal, State
from tui.look import Look
from tui.widgets.formulas import halves
from tui.widgets.goals import Goals

CONCLUSION_KEY: Final = "0"
"""The key of the conclusion, however many hypotheses there are."""
_SELECTED: Final = "bold reverse"
_CHANGED: Final = "bold $text-success"


class FocusedGoal(Goals):
    """A state with rows to point at; posts `Pointed`.

    Nothing is selected to begin with. What the last step has changed is marked until a row is selected.

    Attributes:
        selected: the place under the cursor, None if there is none.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "select(-1)", "Up", show=False),
        Binding("down", "select(1)", "Down", show=False),
        Binding("enter", "point", "Point", show=False),
    ]

    class Pointed(Message):
        """A formula was pointed at; None for a place without a formula, or Enter where nothing is selected."""

        def __init__(self, place: Place | None) -> None:
            super().__init__()
            self.place = place

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._places: tuple[Place, ...] = ()
        self._keys = ""
        self._cursor: int | None = None
        self._under_mouse: int | None = None
        self._before: Goal | None = None
        self._changed: frozenset[int] = frozenset()

    @property
    def selected(self) -> Place | None:
        """The place under the cursor."""
        return None if self._cursor is None else self._places[self._cursor]

    @property
    def nothing_selected(self) -> str:
        """How a formula is selected, where none is; a conclusion without hypotheses is told by its key."""
        if self._keys and len(self._places) == 1:
            return f"Nothing is selected: press {CONCLUSION_KEY} for the conclusion."
        return "Nothing is selected: the arrows or a key select a formula."

    def forget(self) -> None:
        """Mark nothing as changed in the next state, because it does not come of this one."""
        self._before = None

    def show_next(self, state: State, keys: str) -> None:
        """Show a state, what is new in it marked; with keys for its rows, none of them for no keys."""
        goal = state[0] if state else None
        before, self._before = self._before, goal
        self._changed = frozenset(() if goal is None or before is None or goal is before else _changes(before, goal))
        self._places = () if goal is None else places(goal)
        hypotheses = keys.replace(CONCLUSION_KEY, "")[: max(0, len(self._places) - 1)]
        self._keys = f"{hypotheses:<{len(self._places) - 1}}{CONCLUSION_KEY}" if keys and goal is not None else ""
        self._cursor = self._under_mouse = None
        self.show(state)

    def place_of(self, key: str) -> Place | None:
        """The place of a key, if there is one."""
        row = self._keys.find(key)
        return self._places[row] if row >= 0 and key.strip() else None

    def deselect(self) -> None:
        """Select nothing."""
        self._select(None)

    def action_select(self, step: int) -> None:
        """Select the next row, up or down; from nothing the first one, or the last."""
        if not self._places:
            return
        if self._cursor is None:
            self._select(0 if step > 0 else len(self._places) - 1)
        else:
            self._select(min(max(self._cursor + step, 0), len(self._places) - 1))

    def action_point(self) -> None:
        """Point at what is selected."""
        self.post_message(self.Pointed(self.selected))

    def _select(self, row: int | None) -> None:
        if row == self._cursor:
            return
        self._cursor, self._changed = row, frozenset()
        self.lay_out()
        self._bring_into_sight(row)

    def _bring_into_sight(self, row: int | None) -> None:
        lines = [number for number, line in enumerate(self._lines) if line.row == row and row is not None]
        if not lines or lines[0] >= len(self._lines) - self._pinned:
            return
        height, top = self.content_region.height - self._pinned, self.scroll_offset.y
        if lines[0] < top:
            self.scroll_to(y=lines[0], animate=False)
        elif lines[-1] >= top + height:
            self.scroll_to(y=lines[-1] - height + 1, animate=False)

    # The mouse.

    def on_click(self, event: Click) -> None:
        """Point at the row, or at the half of it, that is clicked."""
        event.stop()
        row = self._row_at(event)
        place = None if row is None else self._places[row]._replace(side=event.style.meta.get("side", ""))
        self.post_message(self.Pointed(place))

    def on_mouse_move(self, event: MouseMove) -> None:
        """Show what a click would point at."""
        self._go_under(self._row_at(event))

    def on_leave(self, _: Leave) -> None:
        """Nothing is under the mouse."""
        self._go_under(None)

    def _go_under(self, row: int | None) -> None:
        if row != self._under_mouse:
            self._under_mouse = row
            self.lay_out()

    def _row_at(self, event: Click | MouseMove) -> int | None:
        at = event.get_content_offset(self)
        line = None if at is None else self.line_at(at.y)
        return None if line is None or not self._places else line.row

    # How rows are drawn.

    def margin(self, row: int) -> Content:
        """A mark for the row under the cursor or one that is new, and the row's key."""
        if row == self._cursor:
            mark = (self._look.mark("here"), _SELECTED)
        else:
            mark = (self._look.mark("new"), _CHANGED) if row in self._changed else (" ", "")
        key = self._keys[row] if self._keys else ""
        return Content.assemble(mark, " ", (f"{key} " if key else "", "$text-muted"), " " if key else "")

    def dress(self, row: int, formula: Content) -> Content:
        """A formula as its row is drawn now."""
        if row == self._cursor:
            return formula.stylize(_SELECTED)
        if row == self._under_mouse:
            return formula.stylize("underline")
        return formula.stylize("bold") if row in self._changed else formula

    def _aimed_at(self, goal: Goal) -> Content:
        """The conclusion, with the halves of a disjunction set apart for the mouse."""
        aimed_at = super()._aimed_at(goal)
        if isinstance(goal.conclusion, Or):
            end, begin = halves(goal.conclusion, self._look.notation)
            left, right = (Style.from_meta({"side": side}) for side in SIDES)
            aimed_at = aimed_at.stylize(left, 0, end).stylize(right, begin)
        return aimed_at


def _changes(before: Goal, after: Goal) -> list[int]:
    """The rows of a goal that were not there before."""
    changed = [row for row, each in enumerate(as_they_came(after)) if each not in before.hypotheses]
    return changed if after.conclusion is before.conclusion else [*changed, len(after.hypotheses)]
