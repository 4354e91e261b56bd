"""How all pictures look, and how they become files. What is in them is known to the modules beside this one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from io import StringIO
from itertools import chain, count
from math import ceil
from pathlib import Path
from re import DOTALL, sub
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from oasis.ground.files import check_place as check_place
from oasis.ground.files import writing
from tactics.errors import InputError, LibraryMissing, install_command

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS: Final = (".png", ".svg", ".pdf")
WHITE: Final = '<rect width="100%" height="100%" fill="white"/>'
"""The ground of an SVG file."""
SLIDE: Final = (13.3, 7.5)
"""Inches."""
_LETTERS_IN_A_LEGEND: Final = 8.5
"""In a legend, to the inch."""
_KEY: Final = 9
"""Letters that the line beside a name would take."""
_LEGEND_ROW: Final = 0.27
"""Inches."""
_MARKS: Final = 6
"""Markers on a curve."""
_LOOK: Final[dict[Any, Any]] = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "axes.titleweight": "bold",
    "font.size": 13,
    "grid.alpha": 0.3,
    "lines.linewidth": 2.2,
    "lines.markersize": 8,
    "savefig.dpi": 150,
    "svg.hashsalt": "oasis",  # so that the same results give the same file
}


class Style(NamedTuple):
    """How something is drawn; line, marker and lightness each tell it apart."""

    colour: str
    line: Any
    marker: str
    hollow: bool = False

    @property
    def keywords(self) -> dict[str, Any]:
        """How matplotlib is told of it."""
        face = {"markerfacecolor": "white"} if self.hollow else {}
        return {"color": self.colour, "linestyle": self.line, "marker": self.marker, **face}


_STYLES: Final = (
    Style("#e08a1e", "-", "o"),
    Style("#0072b2", "--", "s"),
    Style("#1a1a1a", ":", "^"),
    Style("#74c1ee", "-.", "D"),
    Style("#8c1d4f", (0, (7, 2)), "v"),
    Style("#2ca25f", (0, (3, 1, 1, 1, 1, 1)), "P"),
    Style("#d24a2c", (0, (1, 1)), "X"),
    Style("#4b3f9e", (0, (9, 2, 2, 2)), "*"),
)


def styles(names: Iterable[str], known: Sequence[str] = ()) -> dict[str, Style]:
    """A style for each name; from the ninth on with hollow markers, then with lines of other colours.

    Args:
        names: of what is drawn, in the order in which those that are not known get their styles.
        known: names that have the same style in every picture, by their places among these. In a picture with one of
            them the styles of the others come after, or, so that colours differ, are those of known names not in it.
    """
    names, number = [*names], len(_STYLES)
    taken = {known.index(name) for name in names if name in known}
    first = len(known) if taken else 0
    order = chain(range(first, number), range(min(first, number)), count(max(first, number)))
    free = (place for place in order if place not in taken)
    return {name: _style(known.index(name) if name in known else next(free)) for name in names}


def _style(place: int) -> Style:
    number = len(_STYLES)
    look = _STYLES[(place + 3 * (place // (2 * number))) % number]
    return look._replace(colour=_STYLES[place % number].colour, hollow=place // number % 2 == 1)


def marked(value: NDArray[np.float64], offset: float) -> list[int]:
    """Where a curve has markers: a few of its points, other ones than those of other curves, and each point alone.

    Args:
        value: of the curve, NaN where there is none.
        offset: of the first marker, as a share of the distance between two; 0 to less than 1.
    """
    there = np.isfinite(value)
    beside = np.pad(there, 1)
    alone = np.flatnonzero(there & ~beside[:-2] & ~beside[2:])
    points = np.flatnonzero(there)
    gap = max(1, len(points) // _MARKS)
    marked: list[int] = np.union1d(points[int(offset * gap) :: gap], alone).tolist()
    return marked


def legend(drawing: Figure, title: str = "") -> None:
    """Draw one legend above the whole picture, with each name once; its title says what the curves are."""
    found = [axes.get_legend_handles_labels() for axes in drawing.axes]
    names = {name: handle for handles, of_axes in found for handle, name in zip(handles, of_axes, strict=True)}
    drawing.legend(
        [*names.values()],
        [*names],
        title=title,
        loc="outside upper center",
        ncols=legend_columns([*names], drawing.get_figwidth()),
        frameon=False,
        handlelength=4,
    )


def legend_height(names: Sequence[str], width: float) -> float:
    """How many inches high a legend of these names is on a picture of such a width."""
    return _LEGEND_ROW * ceil(len(names) / legend_columns(names, width))


def legend_columns(names: Sequence[str], width: float) -> int:
    """How many names fit beside each other on so many inches, filling the rows evenly."""
    room = int(_LETTERS_IN_A_LEGEND * width / (max(map(len, names), default=0) + _KEY))
    rows = ceil(len(names) / max(1, room))
    return ceil(len(names) / rows) if rows else 1


def svg_file(width: float, height: float, title: str, style: str, *elements: str, about: str = "") -> str:
    """An SVG file of so many pixels; title and description are for who cannot see it."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}">',
            f"<title>{escape(title)}</title>",
            *[f"<desc>{escape(about)}</desc>"] * bool(about),
            f"<style>{style}</style>",
            *elements,
            "</svg>\n",
        ]
    )


def need_matplotlib() -> None:
    """Raises LibraryMissing if it is not there."""
    if find_spec("matplotlib") is None:
        raise LibraryMissing(f"Pictures need matplotlib, which is not installed: {install_command('plots')}")


def check_plot(path: Path) -> None:
    """Raises InputError if no picture can be written under this name, LibraryMissing if matplotlib is not there."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"{path} should end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}; rename it.")
    check_place(path)
    need_matplotlib()


def save(path: Path, draw: Callable[[], Figure]) -> None:
    """Write what is drawn in the format that the name ends in. Raises InputError if that fails."""
    check_plot(path)
    from matplotlib import rc_context

    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower())
    with writing(path), rc_context(_LOOK):
        draw().savefig(path, metadata=undated)


def to_svg(draw: Callable[[], Figure], name: str) -> str:
    """What is drawn as an `<svg>` element to stand in a page, as wide as its place; letters stay text.

    Args:
        draw: makes the figure.
        name: goes before all identifiers, which must differ between the pictures of a page.
    """
    need_matplotlib()
    from matplotlib import rc_context

    stream = StringIO()
    with rc_context({**_LOOK, "svg.fonttype": "none"}):
        draw().savefig(stream, format="svg", metadata={"Date": None}, transparent=True)
    text = stream.getvalue()
    text = sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=DOTALL)
    text = sub(r' width="[\d.]+pt"| height="[\d.]+pt"', "", text, count=2)
    return sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", text)
