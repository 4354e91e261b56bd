"""How far long work is: in a notebook and at Python's prompt, and in a script that asks for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from time import monotonic
from typing import Final

_REDRAW_SECONDS: Final = 0.1


@contextmanager
def progress_of(noun: str, total: int, progress: bool | None) -> Iterator[Callable[[int], None]]:
    """Show how many of so many are done, as the function is told that is given.

    In a notebook the bar stays below the cell, full at the end; in a terminal it is drawn on stderr and goes.

    Args:
        noun: what is counted, in the plural.
        total: how many there are, at least 1.
        progress: whether it is shown; None for in a notebook and at Python's prompt alone.
    """
    is_notebook = _is_notebook()
    if not (is_notebook or hasattr(sys, "ps1") if progress is None else progress):
        yield lambda done: None
    elif is_notebook:
        yield _in_notebook(noun, total)
    else:
        from oasis.ground.bar import bar

        with bar(noun, total) as show:
            yield lambda done: show(done, "")


def _is_notebook() -> bool:
    """Whether what is displayed goes to a notebook, or to what shows the same."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and shell.has_trait("kernel")


def _in_notebook(noun: str, total: int) -> Callable[[int], None]:
    """Display a bar, which moves on as the function is told that is returned."""
    from IPython.display import display

    def shown(done: int) -> dict[str, str]:
        words = f"{done:,} of {total:,} {noun}"
        page = f'<progress value="{done}" max="{total}"></progress> {escape(words)}'
        return {"text/plain": words, "text/html": page}

    handle, drawn = display(shown(0), raw=True, display_id=True), monotonic()

    def show(done: int) -> None:
        nonlocal drawn
        if done == total or monotonic() - drawn > _REDRAW_SECONDS:
            drawn = monotonic()
            handle.update(shown(done), raw=True)

    return show
