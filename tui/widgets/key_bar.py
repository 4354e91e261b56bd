"""The bar at the bottom: what can be done now, each with its key, as much of it as there is room for.

It is drawn as one piece, and not of a widget for each key, because it may change with every move.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from textual.app import RenderResult
from textual.content import Content
from textual.events import Leave, MouseDown, MouseMove
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget


class Key(NamedTuple):
    """Something that can be done now.

    Attributes:
        key: by which it is done.
        display: what the key is called.
        label: what is done, in a word or two.
        about: the same in a sentence.
    """

    key: str
    display: str
    label: str
    about: str

    @property
    def width(self) -> int:
        """Columns that it takes, with the space around it."""
        return cell_len(self.display) + cell_len(self.label) + 3


class HasKeys(Screen[None]):
    """A screen that says what can be done on it."""

    def keys_now(self) -> Iterable[Key]:
        """What can be done now, what matters most first."""
        raise NotImplementedError


class KeyBar(Widget, can_focus=False):
    """Keys and what they do; a click does it.

    Args:
        lines: how many there are at most.
    """

    ALLOW_SELECT: ClassVar[bool] = False
    DEFAULT_CSS = """
    KeyBar { dock: bottom; width: 100%; height: auto; background: $footer-background; color: $text-muted; }
    """

    def __init__(self, lines: int = 1) -> None:
        super().__init__()
        self._most = lines
        self._under_mouse: Key | None = None

    def on_mount(self) -> None:
        """Show other keys as soon as others apply."""
        self.screen.bindings_updated_signal.subscribe(self, self._renew)

    def _renew(self, screen: Screen[object]) -> None:
        if screen is self.screen:
            self.refresh(layout=len(self._lines(self.size.width)) != self.size.height)

    @property
    def keys(self) -> list[Key]:
        """Those that there is room for."""
        return [each for line in self._lines(self.size.width) for each in line]

    def _lines(self, width: int) -> list[list[Key]]:
        """Those that there is room for in lines of so many columns, each in the first that has it."""
        screen, lines = self.screen, list[list[Key]]([[]])
        for each in screen.keys_now() if isinstance(screen, HasKeys) else ():
            fitting = next((line for line in lines if sum(key.width for key in line) + each.width <= width), None)
            if fitting is not None:
                fitting.append(each)
            elif len(lines) < self._most:
                lines.append([each])
        return lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as it takes."""
        return len(self._lines(width))

    def render(self) -> RenderResult:
        """One after the other."""
        return Content("\n").join(
            Content("").join(
                Content.assemble(" ", (each.display, "bold $text"), f" {each.label} ").stylize(
                    "underline" if each == self._under_mouse else ""
                )
                for each in line
            )
            for line in self._lines(self.size.width)
        )

    def _at(self, x: int, y: int) -> Key | None:
        for line in self._lines(self.size.width)[y : y + 1]:  # there may be fewer lines than are still to be seen
            for each in line:
                if 0 <= x < each.width:
                    return each
                x -= each.width
        return None

    def on_mouse_move(self, event: MouseMove) -> None:
        """Tell what a click would do."""
        here = self._at(event.x, event.y)
        if here != self._under_mouse:
            self._under_mouse = here
            self.tooltip = None if here is None else here.about
            self.refresh()

    def on_leave(self, _: Leave) -> None:
        """Nothing is under the mouse."""
        self._under_mouse = None
        self.refresh()

    def on_mouse_down(self, event: MouseDown) -> None:
        """Do as if the key were pressed."""
        if (here := self._at(event.x, event.y)) is not None:
            self.app.simulate_key(here.key)
