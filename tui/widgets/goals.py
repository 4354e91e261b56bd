"""What is to be proved: the goal in focus, its hypotheses over its conclusion, and the goals that wait.

One widget draws all of it, line by line, because a state may change with every key. The conclusion is always in sight:
where there is no room for everything, the hypotheses scroll above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from oasis.classroom.proving.pointing import as_they_came
from tactics.goal import Goal, State
from tui.look import Look
from tui.widgets.formulas import styled

_NARROWEST: Final = 8
"""Columns that a formula has at least, however long the name before it is."""
_LONGEST_LINE: Final = 60


class Line(NamedTuple):
    """A line of a goal.

    Attributes:
        content: what is drawn.
        row: the place of its formula, from 0, the hypotheses as they came and the conclusion last; None for a line
            that belongs to no formula.
    """

    content: Content
    row: int | None = None


class Goals(ScrollView):
    """A state, or a sentence instead of one."""

    DEFAULT_CSS = "Goals { overflow-x: hidden; scrollbar-size-vertical: 1; }"
    ALLOW_SELECT = False

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._state: State = ()
        self._instead: Content | None = Content("")
        self._lines: list[Line] = []
        self._pinned = 0
        self._strips: dict[int, Strip] = {}
        self._head = ""
        self.border_title = self._heading

    def show(self, state: State) -> None:
        """Show a state; the first goal whole, the others in a line each."""
        self._state = state
        self.border_title = self._heading
        self._instead = None if state else Content.styled("Nothing is left to prove.", "bold $success")
        self.scroll_to(y=0, animate=False)
        self.lay_out()

    @property
    def _heading(self) -> str:
        """What stands above a state."""
        count = len(self._state)
        return self._head or (f"To prove: goal 1 of {count}" if count > 1 else "To prove")

    def head(self, text: str) -> None:
        """Have this stand above states from now on; again what always does if it is empty."""
        self._head = text
        self.border_title = self._heading

    def say(self, sentence: str) -> None:
        """Show a sentence instead of a state."""
        self._state, self._instead = (), Content.styled(sentence, "dim italic")
        self.lay_out()

    def on_resize(self) -> None:
        """Lines are as wide as there is room."""
        self.lay_out()

    def notify_style_update(self) -> None:
        """Other colours."""
        self._strips = {}
        super().notify_style_update()

    # Lines.

    def lay_out(self) -> None:
        """Work out the lines, and which of them scroll."""
        width, height = self.content_region.size
        if width <= 1 or not height:
            return
        self._lay_out(width, height)
        if len(self._lines) > height:
            width -= 1  # for the scroll bar
            self._lay_out(width, height)
        self._strips = {}
        self.virtual_size = Size(width, max(height, len(self._lines)))
        self.refresh()

    def _lay_out(self, width: int, height: int) -> None:
        if self._instead is not None:
            self._lines, self._pinned = [Line(each) for each in self._instead.wrap(width)], 0
        else:
            above, below = self._divided(self._state[0], width, height)
            self._lines, self._pinned = [*above, *below], len(below)

    def _divided(self, goal: Goal, width: int, height: int) -> tuple[list[Line], list[Line]]:
        """The lines that scroll, and those under them that do not; with air between them where there is room."""
        above, below = list(self._hypotheses(goal, width)), list(self._conclusion(goal, width))
        waiting = list(self._waiting(width))
        length = max((line.content.cell_length for line in above + below), default=0)
        line = Line(Content.styled(self._look.mark("line") * max(12, min(length, _LONGEST_LINE, width)), "dim"))
        air = [Line(Content(""))] if len(above) + len(below) + len(waiting) + 5 <= height else []
        above, below = [*air, *above, *air], [line, *air, *below, *air]
        if len(above) + len(below) + len(waiting) > height:
            room = max(1, height // 4, height - len(above) - len(below))
            if len(waiting) > room:
                more = f"and {len(waiting) - room + 1} goals more"
                waiting = [*waiting[: room - 1], Line(Content.styled(more, "dim italic"))]
            if len(below) + len(waiting) > height - 2:
                return [*above, *below, *waiting], []
        return above, [*below, *waiting]

    def _hypotheses(self, goal: Goal, width: int) -> Iterator[Line]:
        names = max([len(name) for name, _ in goal.hypotheses], default=1)
        for row, (name, formula) in enumerate(as_they_came(goal)):
            head = Content.assemble((f"{name:>{names}}", "bold $text-primary"), " : ")
            yield from self._row(row, head, styled(formula, self._look), width)
        if not goal.hypotheses:
            yield Line(Content.styled("no hypotheses yet", "dim italic"))

    def _conclusion(self, goal: Goal, width: int) -> Iterator[Line]:
        names = max([len(name) for name, _ in goal.hypotheses], default=1)
        turnstile = self._look.notation.turnstile
        head = Content.assemble((f"{turnstile:>{names}}", "bold $text-primary"), " " * max(1, 3 + 1 - len(turnstile)))
        yield from self._row(len(goal.hypotheses), head, self._aimed_at(goal), width)

    def _aimed_at(self, goal: Goal) -> Content:
        """The conclusion's formula."""
        return styled(goal.conclusion, self._look)

    def _row(self, row: int, head: Content, formula: Content, width: int) -> Iterator[Line]:
        """The lines of a formula; under its first one the others stand in."""
        start = Content.assemble(self.margin(row), head)
        indent = Content(" " * start.cell_length)
        for number, part in enumerate(self.dress(row, formula).wrap(max(_NARROWEST, width - start.cell_length))):
            yield Line(Content.assemble(start if number == 0 else indent, part), row)

    def margin(self, row: int) -> Content:
        """What stands before a formula and its name."""
        return Content("")

    def dress(self, row: int, formula: Content) -> Content:
        """A formula as its row is drawn now."""
        return formula

    def _waiting(self, width: int) -> Iterator[Line]:
        """A line for each goal that waits."""
        for number, goal in enumerate(islice(self._state, 1, None), 2):
            text = Content.assemble(f"then {number}: ", styled(goal.conclusion, self._look))
            if text.cell_length > width:
                rest = self._look.mark("rest")
                text = text.truncate(max(1, width - len(rest))) + rest
            yield Line(text.stylize_before("$text-muted"))

    def line_at(self, y: int) -> Line | None:
        """The line that is drawn so many lines below the first one in sight."""
        place = self._place(y)
        return None if place is None else self._lines[place]

    def _place(self, y: int) -> int | None:
        total, height = len(self._lines), self.content_region.height
        place = total - height + y if total > height and y >= height - self._pinned else y + self.scroll_offset.y
        return place if 0 <= place < total else None

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        width, place = self.size.width, self._place(y)
        if place is None:
            return Strip.blank(width, self.rich_style)
        if place not in self._strips:
            content = self._lines[place].content
            strips = Visual.to_strips(self, content, width, 1, self.visual_style, apply_selection=False, pad=True)
            strip = strips[0] if strips else Strip.blank(width)  # there are none in a window of a few columns
            self._strips[place] = strip.adjust_cell_length(width, self.rich_style)
        return self._strips[place]
