"""A panel with the learning curve; the library that draws it is imported behind the student's back."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import work
from textual.containers import Vertical
from textual.message import Message

from oasis.classroom.partner.curve import Points
from tui.look import Look

if TYPE_CHECKING:
    from tui.widgets.chart import Chart

REDRAW_SECONDS: Final = 1.0
"""Between two drawings of a curve that grows faster than one can see; each takes some 20 ms."""


class Learning(Vertical):
    """A chart of what partners learn."""

    class Fetched(Message):
        """The chart can be drawn from now on."""

    def __init__(self, look: Look, letters: Sequence[str] = ("",)) -> None:
        super().__init__(classes="panel")
        self._look, self._letters = look, letters
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

    def show(self, place: int, points: Points, *, is_blur: bool) -> None:
        """Show the curve of a partner, by its place; now and then if it grows faster than one can see."""
        before, self._points[place] = self._points.get(place), points
        if before is not None and _extent(before) == _extent(points):
            return
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
        self.app.theme_changed_signal.subscribe(self, lambda _: self._draw())
        self._draw()

    def _draw(self) -> None:
        if self._chart is None or not self._chart.size:
            return
        from tui.widgets.chart import Picture

        self._drawn_at = monotonic()
        partners = tuple((self._letters[place], self._points[place]) for place in sorted(self._points))
        self._chart.show(Picture(partners, self._student or None, self._shortest or None))


def _extent(points: Points) -> tuple[int, ...]:
    """How far a curve goes; it is drawn anew only where it has become longer or begun anew."""
    return tuple(int(each[-1]) if len(each) else 0 for each in (points.last, points.exams, points.shown))
