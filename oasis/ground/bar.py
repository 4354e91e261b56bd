"""A bar on stderr that says how far work is; imports nothing of ours but how text is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tactics.errors import printable


@contextmanager
def bar(noun: str, total: int | None, done: int = 0) -> Iterator[Callable[[int, str], None]]:
    """Draw a bar on stderr, with how many of how many, the time that is left, and what is shown in words."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        *([] if total is None else [MofNCompleteColumn()]),
        TextColumn("{task.fields[words]}", markup=False),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(noun, total=total, completed=done, words="")
        yield lambda done, words: bars.update(task, completed=done, words=printable(words))
