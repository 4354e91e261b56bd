"""Colours that can be read: those of a theme, moved as far as it takes for every text on every ground.

WCAG 2.2 (success criterion 1.4.3) asks for a contrast of 4.5 to 1. A theme keeps its background and what distinguishes
its colours; what is written in them becomes lighter on dark grounds and darker on light ones, where it is too faint.
Without colours (NO_COLOR) Textual draws greys, so the greys are held to the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from textual.color import BLACK, WHITE, Color
from textual.constants import DIM_FACTOR
from textual.theme import BUILTIN_THEMES

CONTRAST: Final = 4.5
"""The least there is between a text and its ground, as WCAG counts it: 1 for none, 21 for black on white."""
_MARGIN: Final = 0.15
"""Above that, for what is lost where colours are rounded and greys are made of them."""
_STEPS: Final = 40
_MIDDLE: Final = 0.18
"""The luminance that stands equally far from black and from white."""

OFFERED: Final = tuple(sorted(name for name, theme in BUILTIN_THEMES.items() if not theme.ansi))
"""The themes to choose from: not those with the terminal's own colours, of which nobody here knows what they are."""

_SHADES: Final = {"panel": 0.07, "surface": 0.04, "block-hover-background": 0.07, "scrollbar-background": 0.04}
"""Grounds, and how much of the foreground is in them; the rest is the background."""
_TEXTS: Final = (
    "foreground",
    "text",
    "block-cursor-foreground",
    "block-cursor-blurred-foreground",
    "input-selection-foreground",
    "input-cursor-background",
    "button-foreground",
    "link-color",
    "footer-foreground",
    "footer-key-foreground",
)
"""What is written in the foreground's colour."""
_INKS: Final = ("primary", "secondary", "accent", "warning", "error", "success")


def contrast(text: Color, ground: Color) -> float:
    """The contrast of WCAG 2.2 between two opaque colours, from 1 to 21."""
    darker, lighter = sorted((_luminance(text.rgb), _luminance(ground.rgb)))
    return (lighter + 0.05) / (darker + 0.05)


def readable(text: Color, grounds: Sequence[Color], *, dimmed: bool = False) -> Color:
    """The colour nearest to one that has the contrast on every ground; where asked for, when it is dimmed, too."""
    farthest = _farthest(grounds)
    for step in range(_STEPS + 1):
        moved = text.blend(farthest, step / _STEPS, alpha=1)
        if all(_is_read(moved, ground, dimmed=dimmed) for ground in grounds):
            return moved
    return farthest


def legible(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables of a theme with colours that can be read, each on each of its grounds."""
    background, primary = Color.parse(variables["background"]), Color.parse(variables["primary"])
    wanted = Color.parse(variables["foreground"])
    grounds = {name: background.blend(wanted, share, alpha=1) for name, share in _SHADES.items()}
    grounds["background"] = background
    cursor = _cursor(background, primary)
    grounds["block-cursor-background"] = grounds["input-selection-background"] = cursor
    grounds["block-cursor-blurred-background"] = background.blend(cursor, 0.5, alpha=1)
    on = list(grounds.values())
    foreground = readable(wanted, on, dimmed=True)
    muted = readable(wanted.blend(background, 0.35, alpha=1), on)
    inks = {name: readable(Color.parse(variables[name]), on) for name in _INKS}
    texts = {
        **dict.fromkeys(_TEXTS, foreground),
        **dict.fromkeys(("text-muted", "text-disabled", "foreground-muted", "foreground-disabled"), muted),
        **inks,
        **{f"text-{name}": ink for name, ink in inks.items()},
        "border": inks["primary"],
        "border-blurred": background.blend(foreground, 0.3, alpha=1),
        "button-color-foreground": background,
        "footer-background": grounds["panel"],
        "footer-description-foreground": muted,
        "input-cursor-foreground": background,
    }
    styles = {"block-cursor-text-style": "bold", "block-cursor-blurred-text-style": "none"}
    return {**variables, **{name: colour.hex for name, colour in {**grounds, **texts}.items()}, **styles}


def _cursor(background: Color, primary: Color) -> Color:
    """The ground of the row under the cursor: as much of the primary colour as leaves what is dimmed there readable."""
    grounds = [background.blend(primary, percent / 100, alpha=1) for percent in range(30, 5, -2)]
    return next(each for each in grounds if _is_read(_farthest([background]), each, dimmed=True))


def _farthest(grounds: Sequence[Color]) -> Color:
    """White on dark grounds, black on light ones."""
    return WHITE if max(_luminance(ground.rgb) for ground in grounds) < _MIDDLE else BLACK


def _is_read(text: Color, ground: Color, *, dimmed: bool = False) -> bool:
    """Whether a text has the contrast on a ground, as it is and as a grey; where asked for, when it is dimmed, too."""
    if dimmed and not _is_read(ground.blend(text, DIM_FACTOR, alpha=1), ground):
        return False
    greys = contrast(text.monochrome, ground.monochrome)
    return min(contrast(text, ground), greys) >= CONTRAST + _MARGIN


@lru_cache(4096)
def _luminance(rgb: tuple[int, int, int]) -> float:
    """The relative luminance of WCAG 2.2, from 0 for black to 1 for white."""
    parts = [part / 255 for part in rgb]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
