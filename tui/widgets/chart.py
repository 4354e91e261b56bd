"""A learning curve: moves in the proofs of agents over their episodes, with the student's proof and the shortest.

Episodes are on a logarithmic axis, because most is learned at the beginning. The library that draws takes a quarter
of a second to import, so this module is imported where nobody waits (`tui.widgets.learning`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log10
from typing import Final, NamedTuple

import numpy as np
from rich.text import Text
from textual.color import Color
from textual_plotext import PlotextPlot

from oasis.classroom.agent.curve import Points
from tui.look import Look

MARKS: Final = ((".", "o"), (",", "x"))
"""For each agent a mark for its tries, and one for what it proves without exploring."""
COLOURS: Final = ("primary", "warning")
"""For each agent a colour of the theme."""

_ASCII: Final = str.maketrans("─│┌┐└┘┤├┬┴┼", "-|+++++++++")
_ROWS_BETWEEN_TICKS: Final = 3


class Line(NamedTuple):
    """Points to draw: places on both axes, the character that stands for one, and its colour in the theme."""

    episodes: Sequence[float]
    moves: Sequence[float]
    mark: str
    colour: str


class Picture(NamedTuple):
    """What a chart shows.

    Attributes:
        agents: the curve of each agent.
        student: moves in the student's best proof; None if there is none.
        shortest: moves in the shortest proof; None if it is not to be shown.
    """

    agents: tuple[Points, ...] = ()
    student: int | None = None
    shortest: int | None = None

    @property
    def last_episode(self) -> int:
        """Of the agent that has played most, at least 10."""
        return max(10, *(int(points.last[-1]) for points in self.agents if len(points.last)), 10)

    def lines(self) -> Iterator[Line]:
        """What is drawn, from the back to the front."""
        everywhere = np.geomspace(1, self.last_episode, 100).tolist()
        for moves, mark, colour in [(self.shortest, "=", "success"), (self.student, "-", "accent")]:
            if moves is not None:
                yield Line(everywhere, [moves] * len(everywhere), mark, colour)
        for points, (mark, _), colour in zip(self.agents, MARKS, COLOURS, strict=False):
            found = ~np.isnan(points.mean)
            yield Line(points.last[found].tolist(), points.mean[found].tolist(), mark, colour)
        for points, (_, mark), colour in zip(self.agents, MARKS, COLOURS, strict=False):
            proves = points.greedy > 0
            yield Line(points.exams[proves].tolist(), points.greedy[proves].tolist(), mark, colour)


class Chart(PlotextPlot):
    """A picture of learning."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look

    def show(self, picture: Picture) -> None:
        """Draw another picture."""
        plot, lines = self.plt, [line for line in picture.lines() if line.moves]
        plot.clear_data()
        for line in lines:
            places = [log10(episode) for episode in line.episodes]
            plot.scatter(places, line.moves, marker=line.mark, color=self._colour(line.colour))
        self._axes(log10(picture.last_episode), [move for line in lines for move in line.moves])
        self.refresh()

    def render(self) -> Text:
        """The drawing, in ASCII if everything is."""
        text = super().render()
        assert isinstance(text, Text)
        if self._look.ascii_only:
            text.plain = text.plain.translate(_ASCII)
        return text

    def _axes(self, end: float, moves: Sequence[float]) -> None:
        plot = self.plt
        plot.xaxes(True, False)
        plot.yaxes(True, False)
        plot.xlim(0, end)
        powers = range(int(end) + 1)
        plot.xticks(list(powers), [_power_of_ten(power) for power in powers])
        low, high = max(0, int(min(moves, default=0)) - 1), int(max(moves, default=9)) + 1
        plot.ylim(low, high)
        ticks = range(low, high + 1, max(1, (high - low) * _ROWS_BETWEEN_TICKS // max(1, self.size.height)))
        plot.yticks(list(ticks), list(map(str, ticks)))

    def _colour(self, name: str) -> tuple[int, int, int]:
        return Color.parse(self.app.theme_variables[name]).rgb


def _power_of_ten(power: int) -> str:
    return f"{10 ** (power % 3)}{('', 'k', 'M', 'G')[power // 3]}"
