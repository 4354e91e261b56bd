"""A learning curve: moves in the proofs of partners over their episodes, with the student's proof and the shortest.

Episodes are on a logarithmic axis, because most is learned at the beginning. Every line is named where it ends, and
where lines run in one another each still shows: the names' letters stand on them in turn, and the shortest is dashed.
The library that draws takes a quarter of a second to import, so this module is imported where nobody waits
(`tui.widgets.learning`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log10
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from plotext._dict import themes as _grounds
from rich.text import Text
from textual.color import Color
from textual_plotext import PlotextPlot

from oasis.classroom.partner.curve import Points
from tui.look import Look

EPISODES: Final = "episodes"
"""What the line of the proofs is called that a partner found in its episodes, where it tries things at random, too."""
NOTHING: Final = "Nothing to be drawn yet."
COLOURS: Final = ("primary", "warning")
"""For each partner a colour of the theme."""
_ASCII: Final = str.maketrans("─│┌┐└┘┤├┬┴┼", "-|+++++++++")
_ROWS_BETWEEN_TICKS: Final = 3
_AXES: Final = 5
"""Columns, about, that are not of the lines: ticks and axis."""
_COLUMNS_FOR_ONE: Final = 3
"""Columns for which the mean of all episodes is one point: fewer would show chance alone."""
_BETWEEN_LETTERS: Final = 12
"""Columns."""

_DASHES: Final = {"you": (0, 1), "best": (3, 4)}
"""The columns of six in which a dash stands, so that both show where they are one."""


class Line(NamedTuple):
    """Something to draw.

    Attributes:
        name: that stands where it ends.
        colour: of the theme.
        episodes: of its points,
        moves: and how many moves each stands for.
        letter: that stands on it now and then; none if it is empty.
        is_dashed: whether others are to be seen through it.
        is_mean: whether its points are means, and may lie between whole moves.
    """

    name: str
    colour: str
    episodes: Sequence[float]
    moves: Sequence[float]
    letter: str = ""
    is_dashed: bool = False
    is_mean: bool = False


class Picture(NamedTuple):
    """What a chart shows.

    Attributes:
        partners: the letter of each, empty if there is but one, and its curve.
        student: moves in the student's best proof; None if there is none.
        shortest: moves in the shortest proof; None if it is not to be shown.
    """

    partners: tuple[tuple[str, Points], ...] = ()
    student: int | None = None
    shortest: int | None = None

    @property
    def last_episode(self) -> int:
        """Of the partner that has played most, at least 10."""
        return max(10, *(int(points.last[-1]) for _, points in self.partners if len(points.last)), 10)

    def lines(self, stretches: int) -> Iterator[Line]:
        """What is drawn, from the back to the front, episodes as means of so many stretches; no line has no points."""
        edges = np.geomspace(1, self.last_episode + 1, max(2, stretches + 1))
        for (letter, points), colour in zip(self.partners, COLOURS, strict=False):
            found = ~np.isnan(points.mean)
            means = _averaged(points.last[found], points.mean[found], edges)
            if means[0]:
                yield Line(f"{letter} {EPISODES}".strip(), colour, *means, letter.lower(), is_mean=True)
        for (letter, points), colour in zip(self.partners, COLOURS, strict=False):
            proves = points.greedy > 0
            if proves.any():
                # What was proved at the last exam still holds.
                exams, greedy = points.exams[proves].tolist(), points.greedy[proves].tolist()
                until = [float(points.last[-1])] if len(points.last) else []
                yield Line(f"{letter} greedy".strip(), colour, exams + until, greedy + greedy[-1:] * len(until), letter)
        everywhere = (1.0, float(self.last_episode))
        for name, moves, colour in (("you", self.student, "accent"), ("best", self.shortest, "success")):
            if moves is not None:
                yield Line(name, colour, everywhere, (moves, moves), is_dashed=True)


class Chart(PlotextPlot):
    """A picture of learning."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._is_empty = True

    def show(self, picture: Picture) -> None:
        """Draw another picture."""
        plot, end = self.plt, log10(picture.last_episode)
        self._register_theme(self.app.theme)
        plot.clear_data()
        plot.theme(self._get_plotext_theme_name(self.app.theme))  # on whose ground names are written
        lines = list(picture.lines(self.size.width // _COLUMNS_FOR_ONE))
        self._is_empty = not lines
        margin = max([len(line.name) + 1 for line in lines], default=0)
        columns = max(10, self.size.width - _AXES - margin)
        right = end * (columns + margin) / columns
        low, high = self._axes(end, right, [move for line in lines for move in line.moves])
        lines = [line if line.is_mean else self._on_rows(line, low, high) for line in lines]
        for line in lines:
            self._draw(line, end / columns)
        for line in lines:
            self._letter(line, end / columns)
        self._label(lines, end + end / columns, low, high)
        self.refresh()

    def render(self) -> Text:
        """The drawing, in ASCII if everything is; where there is nothing to draw, that is said."""
        if self._is_empty:
            return Text(NOTHING, self.app.theme_variables["text-muted"])
        text = super().render()
        assert isinstance(text, Text)
        if self._look.ascii_only:
            text.plain = text.plain.translate(_ASCII)
        return text

    def _register_theme(self, app_theme_name: str) -> None:
        """Take the colours of a theme from the application, also if some were kept under its name.

        A chart that was mounted just when the theme changed has kept those of the theme before.
        """
        _grounds.pop(self._get_plotext_theme_name(app_theme_name), None)
        super()._register_theme(app_theme_name)

    def _on_rows(self, line: Line, low: int, high: int) -> Line:
        """A line in the middle of rows: signs and dots are rounded apart, and what is equal has to look so."""
        row = (high - low) / (self._rows - 1)
        return line._replace(moves=[low + int((moves - low) / row + 0.5) * row for moves in line.moves])

    @property
    def _rows(self) -> int:
        """Rows of the lines, without ticks and axis."""
        return max(2, self.size.height - 2)

    def _draw(self, line: Line, column: float) -> None:
        """Draw a line, of which a column is so wide."""
        places, colour = [log10(episode) for episode in line.episodes], self._colour(line.colour)
        if line.is_dashed:
            mark = "=" if line.name == "you" else "-"
            marks = np.arange(places[0], places[1], column)
            dashes = [place for number, place in enumerate(marks) if number % 6 in _DASHES[line.name]]
            self.plt.scatter(dashes, [line.moves[0]] * len(dashes), marker=mark, color=colour)
            return
        plain = "." if line.letter.islower() or line.name == EPISODES else "o"
        self.plt.plot(places, line.moves, marker=plain if self._look.ascii_only else "braille", color=colour)

    def _letter(self, line: Line, column: float) -> None:
        """Put the letter of a line on it; those of A and B stand in turn, so both show where their lines are one."""
        if line.letter:
            places = [log10(episode) for episode in line.episodes]
            first = (ord(line.letter.lower()) - ord("a")) * _BETWEEN_LETTERS / 2
            where = np.arange(first * column, places[-1], _BETWEEN_LETTERS * column)
            where = where[where >= places[0]]
            moves = np.interp(where, places, line.moves).tolist()
            self.plt.scatter(where.tolist(), moves, marker=line.letter, color=self._colour(line.colour))

    def _label(self, lines: Sequence[Line], place: float, low: int, high: int) -> None:
        """Put the names where the lines end, each in a row of its own as long as there are rows."""
        rows = self._rows
        taken: set[int] = set()
        for line in sorted(lines, key=lambda line: line.moves[-1]):
            wanted = round((line.moves[-1] - low) / (high - low) * (rows - 1))
            free = sorted(set(range(rows)) - taken, key=lambda row: abs(row - wanted))
            if free:
                taken.add(free[0])
                height = low + free[0] * (high - low) / (rows - 1)
                self.plt.text(line.name, place, height, color=self._colour(line.colour), alignment="left")

    def _axes(self, end: float, right: float, moves: Sequence[float]) -> tuple[int, int]:
        plot = self.plt
        plot.xaxes(True, False)
        plot.yaxes(True, False)
        plot.xlim(0, right)
        powers = range(int(end) + 1)
        plot.xticks(list(powers), [_power_of_ten(power) for power in powers])
        low, high = max(0, int(min(moves, default=0)) - 1), int(max(moves, default=9)) + 1
        plot.ylim(low, high)
        ticks = range(low, high + 1, max(1, (high - low) * _ROWS_BETWEEN_TICKS // max(1, self.size.height)))
        plot.yticks(list(ticks), list(map(str, ticks)))
        return low, high

    def _colour(self, name: str) -> tuple[int, int, int]:
        return Color.parse(self.app.theme_variables[name]).rgb


def _averaged(
    episodes: NDArray[np.int64], moves: NDArray[np.float64], edges: NDArray[np.float64]
) -> tuple[list[float], list[float]]:
    """The mean of the points in each stretch between two edges that has one, where its last point is."""
    stretch = np.searchsorted(edges, episodes, side="right")
    ends = np.append(np.flatnonzero(np.diff(stretch)), len(stretch) - 1) if len(stretch) else np.array([], np.int64)
    starts = np.append(0, ends[:-1] + 1) if len(ends) else ends
    means = [float(moves[start : end + 1].mean()) for start, end in zip(starts, ends, strict=True)]
    return episodes[ends].astype(float).tolist(), means


def _power_of_ten(power: int) -> str:
    return f"{10 ** (power % 3)}{('', 'k', 'M', 'G')[power // 3]}"
