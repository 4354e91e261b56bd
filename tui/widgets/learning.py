"""A panel with the learning curve; the library that draws it is imported behind the student's back."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import work
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from oasis.classroom.agent.curve import Points
from tui.look import Look

if TYPE_CHECKING:
    from tui.widgets.chart import Chart

REDRAW_SECONDS: Final = 1.0
"""Between two drawings of a curve that grows faster than one can see; each takes some 20 ms."""


class Learning(Vertical):
    """A chart, and what its marks stand for."""

    class Fetched(Message):
        """The chart can be drawn from now on."""

    def __init__(self, look: Look, agents: Sequence[str] = ("",)) -> None:
        super().__init__(classes="panel")
        self._look, self._agents = look, agents
        self._chart: Chart | None = None
        self._points: dict[int, Points] = {}
        self._student = self._shortest = 0
        self._drawn_at = -REDRAW_SECONDS
        self.border_title = "Moves in a proof, by episodes"

    def on_mount(self) -> None:
        """Fetch the chart."""
        self._fetch()

    def compare_with(self, student: int, shortest: int) -> None:
        """The moves in the student's best proof and in the shortest; 0 for what is not to be shown."""
        self._student, self._shortest = student, shortest
        self._draw()

    def show(self, agent: int, points: Points, *, is_blur: bool) -> None:
        """Show the curve of an agent, by its place; now and then if it grows faster than one can see."""
        self._points[agent] = points
        if not is_blur or monotonic() - self._drawn_at >= REDRAW_SECONDS:
            self._draw()

    def on_resize(self) -> None:
        """Draw for the room there is."""
        self._draw()

    @work(thread=True)
    def _fetch(self) -> None:
        import tui.widgets.chart  # noqa: F401

        self.post_message(self.Fetched())

    async def on_learning_fetched(self) -> None:
        """Put the chart where it belongs."""
        from tui.widgets.chart import Chart

        chart = Chart(self._look)
        await self.mount(chart)
        self._chart = chart
        self._draw()

    def _draw(self) -> None:
        if self._chart is None or not self._chart.size:
            return
        from tui.widgets.chart import Picture

        self._drawn_at = monotonic()
        agents = tuple(self._points[place] for place in sorted(self._points))
        picture = Picture(agents, self._student or None, self._shortest or None)
        self._chart.show(picture)
        self.border_subtitle = self._legend()

    def _legend(self) -> Content:
        from tui.widgets.chart import COLOURS, MARKS

        parts = [
            Content.styled(f"{tries}{name} tries {greedy}{name} greedy", f"${colour}")
            for name, (tries, greedy), colour in zip(self._agents, MARKS, COLOURS, strict=False)
        ]
        if self._student:
            parts.append(Content.styled("- you", "$accent"))
        if self._shortest:
            parts.append(Content.styled("= best", "$success"))
        return Content(" ").join(parts)
