"""What the tests of screens share: what they leave behind is forgotten before it is too much."""

import gc
import multiprocessing
import sys
from asyncio import BaseEventLoop, get_running_loop, sleep
from collections.abc import Hashable, Iterator
from contextlib import chdir, redirect_stderr
from multiprocessing.context import ForkServerContext
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from time import monotonic, process_time
from types import SimpleNamespace
from typing import Any, Final

import pytest
import textual.app
import textual.pilot
import textual.screen
from textual._compositor import Compositor
from textual._context import active_app
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

from oasis.ground.limits import occupied
from tui.failures import Enduring

_MUCH: Final = 400 << 20
"""Bytes; to look for what is dead takes seconds where much is alive."""
_MOMENT: Final = 0.005
"""Seconds."""
_before = occupied() or 0


@pytest.fixture(autouse=True)
def _failures_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen says what has failed beside it, and goes on; here that ends the test."""
    monkeypatch.setattr(Enduring, "IS_STRICT", True)


@pytest.fixture(autouse=True)
def _passphrases_are_cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passphrases are hashed cheaply; what they cost is tested elsewhere."""
    monkeypatch.setattr("oasis.classroom.people.passphrases._COST", 2**8)


@pytest.fixture(autouse=True, scope="session")
def _style_sheets_are_parsed_once() -> Iterator[None]:
    """Every application parses the same style sheets when it begins, which takes a third of most tests here."""
    parse, parsed = Stylesheet._parse_rules, dict[Hashable, list[RuleSet]]()

    def find_or_parse(self: Stylesheet, *what: Any, **how: Any) -> list[RuleSet]:
        key = (what, frozenset(how.items()), frozenset(self._variables.items()))
        if key not in parsed:
            parsed[key] = parse(self, *what, **how)
        return parsed[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", find_or_parse)
        yield


@pytest.fixture(autouse=True, scope="session")
def _frames_are_drawn_when_somebody_looks() -> Iterator[None]:
    """Nobody sees the frames in between, which take a fourth of most tests; `rooms.opened` looks at the last one."""
    draw = Compositor.render_update

    def draw_if_all_is_asked_for(self: Compositor, full: bool = False, *what: Any, **how: Any) -> Any:
        if full:
            return draw(self, full, *what, **how)
        self._dirty_regions.clear()
        return None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Compositor, "render_update", draw_if_all_is_asked_for)
        yield


def _is_waiting() -> bool:
    """Return True if something has its turn next, or if the screen that is shown waits for its timer to be laid out.

    Little processor time alone does not say so: on a busy machine a moment may pass while the process itself waits.
    """
    loop, app = get_running_loop(), active_app.get(None)
    assert isinstance(loop, BaseEventLoop)
    if loop._ready:  # type: ignore[attr-defined]  # asyncio offers no other way to see it
        return True
    if app is None or not app.is_running:  # one that broke down lays nothing out any more
        return False
    screen = app._screen_stack[-1] if app._screen_stack else None
    return screen is not None and any(
        (screen._layout_required, screen._scroll_required, screen._recompose_required, screen._callbacks)
    )


async def _wait_for_idle(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """Wait until this process has nothing to do for a moment."""
    began, used = monotonic(), process_time()
    while True:
        busy = process_time()
        await sleep(_MOMENT)
        is_idle = not _is_waiting() and process_time() - busy < _MOMENT / 10
        if process_time() - used >= max_sleep or (is_idle and monotonic() - began >= min_sleep):
            return


@pytest.fixture(autouse=True, scope="session")
def _idleness_is_seen_soon() -> Iterator[None]:
    """After each key Textual looks whether it is idle every 20 ms, and lays a screen out 60 times a second at most.

    Together that would be half of the time of most tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module in (textual.app, textual.pilot):
            patch.setattr(module, "wait_for_idle", _wait_for_idle)
        patch.setattr(textual.screen, "UPDATE_PERIOD", 0.001)
        yield


@pytest.fixture(autouse=True, scope="session")
def _neighbours_are_forked() -> Iterator[None]:
    """To spawn a partner, or who looks for wrong moves, takes seconds; a process that has imported all of it forks."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.tui.neighbours"])

    def from_here(_: str) -> ForkServerContext:
        # It finds what it imports in this folder, and hands on a standard error that is a file.
        with chdir(Path(__file__).resolve().parents[2]), redirect_stderr(sys.__stderr__):
            ensure_running()
        return context

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("oasis.classroom.processes.multiprocessing", SimpleNamespace(get_context=from_here))
        yield


@pytest.fixture(autouse=True, scope="module")
def _forgotten() -> Iterator[None]:
    """Places keep widgets out of every search for cycles (`tui.screens.room`); here dead ones would be kept, too."""
    global _before
    yield
    if (occupied() or 0) - _before > _MUCH:
        gc.unfreeze()
        gc.collect()
        _before = occupied() or 0
