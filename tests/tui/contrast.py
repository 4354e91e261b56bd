"""What cannot be read on a screen: the text of every cell against its ground, as the terminal gets them."""

from __future__ import annotations

from typing import NamedTuple

from rich.segment import Segment
from textual.color import Color
from textual.screen import Screen

from tui.colours import CONTRAST, contrast

_DRAWN = set("─│╭╮╰╯┌┐└┘├┤┬┴┼━┃▔▁▂▃▄▅▆▇█▊▎▌▐▕▏▍▋▉▀━╸╺┏┓┗┛═║╔╗╚╝╠╣-|+=#_ ")
"""What frames, scroll bars and charts are drawn with, and no text is."""


class Faint(NamedTuple):
    """A text that cannot be read, and its contrast, with colours and without."""

    text: str
    coloured: float
    grey: float
    style: str


def faint(screen: Screen[object]) -> list[Faint]:
    """Every text of a screen that does not reach the contrast, with its colours or as greys."""
    strips = screen._compositor.render_strips()
    found = {_measured(segment) for strip in strips for segment in strip if set(segment.text) - _DRAWN}
    return sorted(each for each in found if min(each.coloured, each.grey) < CONTRAST)


def _measured(segment: Segment) -> Faint:
    style = segment.style
    assert style is not None, f"{segment.text!r} has no colours of its own"
    assert style.color is not None, f"{segment.text!r} has the colour of the terminal"
    assert style.bgcolor is not None, f"{segment.text!r} has the ground of the terminal"
    assert not style.dim, f"{segment.text!r} is dimmed by the terminal"
    text, ground = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
    if style.reverse:
        text, ground = ground, text
    grey = contrast(text.monochrome, ground.monochrome)
    return Faint(segment.text.strip(), round(contrast(text, ground), 2), round(grey, 2), str(style))
