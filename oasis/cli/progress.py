"""Live progress on stderr: bars of a training in a terminal, a line for each lemma elsewhere; how far a count is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, Final

from oasis.cli.narration import narrate
from tactics.errors import printable

if TYPE_CHECKING:
    from oasis.neural.training.board import Board
    from oasis.neural.training.loop import Loop
    from oasis.neural.training.progress import Told
    from oasis.student.settings import Settings
    from oasis.student.training import Training
    from state_spaces.reachable import Census

_REDRAW_SECONDS: Final = 0.1
_SILENT_SECONDS: Final = 5
"""How long a count says nothing outside a terminal."""
_LINE_SECONDS: Final = 2
"""Between two lines about a count that goes up to a total."""


def watch(training: Training, *, quiet: bool) -> None:
    """Train to the end, showing how it goes."""
    if quiet:
        for _ in training:
            pass
    elif sys.stderr.isatty():
        _draw_bars(training)
    else:
        _write_lines(training)


def remark_on_compiling(settings: Iterable[Settings]) -> None:
    """Say why students of these settings will keep people waiting: they are to be compiled first, or cannot be."""
    from oasis.student.school import is_compiled, why_plain

    students = list(settings)
    if reasons := "; ".join(dict.fromkeys(filter(None, map(why_plain, students)))):
        narrate(f"Students run in plain Python, a hundred times slower than compiled: {reasons}.")
    if not all(map(is_compiled, students)):
        narrate(
            "Learners are compiled for this machine when they are first used: up to half a minute for the first, "
            "some seconds for each other."
        )


def _draw_bars(training: Training) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    episodes = training.settings.episodes
    columns = (
        TextColumn("{task.description}", style="bold", markup=False),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("{task.fields[share]:>4.0%} proved", style="green"),
        TimeRemainingColumn(compact=True, elapsed_when_finished=True),
    )
    with Progress(*columns, console=Console(stderr=True), refresh_per_second=10) as bars:
        whole = bars.add_task("all lemmas", total=training.episodes, share=0.0)
        one = bars.add_task("", total=episodes, share=0.0)
        proved = made = 0
        position, drawn = -1, 0.0
        for progress in training:
            if progress.position != position:
                position = progress.position
                bars.reset(one, total=episodes, description=printable(progress.lemma), share=0.0)
                drawn = 0.0
            proved, made = proved + progress.proved, made + progress.episodes
            now = monotonic()
            if now - drawn > _REDRAW_SECONDS or progress.episode == episodes:
                drawn = now
                bars.update(one, completed=progress.episode, share=progress.proved / progress.episodes)
                bars.update(whole, completed=position * episodes + progress.episode, share=proved / made)
        if training.finished:  # lemmas that were not practised among them
            bars.update(whole, completed=training.episodes)


def _write_lines(training: Training) -> None:
    episodes = training.settings.episodes
    proved = 0
    for progress in training:
        proved = progress.proved + (proved if progress.episode > progress.episodes else 0)
        if progress.episode == episodes:
            narrate(f"{progress.lemma}: {episodes:,} episodes, {proved:,} proved")


def watch_census(census: Census) -> None:
    """Count all goals and states, saying how many there are so far when it takes long."""
    from rich.console import Console

    in_terminal = sys.stderr.isatty()
    status = Console(stderr=True).status("")
    said = monotonic()
    try:
        for noun, tallies, found in (
            ("goals", census.goals, census.count_goals()),
            ("states", census.states, census.count_states()),
        ):
            for number, (space, _) in enumerate(found):
                if number % 256 or monotonic() - said < (_REDRAW_SECONDS if in_terminal else _SILENT_SECONDS):
                    continue
                said = monotonic()
                words = f"{space}: {tallies[space].value:,} {noun} so far"
                if in_terminal:
                    status.start()
                    status.update(words)
                else:
                    narrate(words)
    finally:
        status.stop()


def watch_count(numbers: Iterable[int], total: int, noun: str, *, quiet: bool) -> None:
    """Go through numbers that count up to a total: a bar in a terminal, a line now and then elsewhere."""
    if not quiet and sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn(noun), BarColumn(bar_width=None), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
        with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
            bar = bars.add_task("", total=total)
            for done in numbers:
                bars.update(bar, completed=done)
        return
    said, last = monotonic(), -1
    for done in numbers:
        if not quiet and done > last and (done == total or monotonic() - said > _LINE_SECONDS):
            said, last = monotonic(), done
            how_many = f"{done:,} of {total:,} {noun}" if total > 1 else f"the {noun.removesuffix('s')}"
            narrate(how_many)


def watch_policy(training: Loop, board: Board | None, on_save: Callable[[float], None], *, quiet: bool) -> Told:
    """Train a network to the end, showing how it goes: a bar in a terminal, lines elsewhere; what was told last.

    Whenever the checkpoint was written `on_save` is called, with the share of the fixed hundred that is solved.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("steps"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[said]}"),
    )
    in_terminal = sys.stderr.isatty() and not quiet
    with Progress(*columns, console=Console(stderr=True), disable=not in_terminal) as bars:
        bar = bars.add_task("", total=training.settings.steps, completed=training.step, said="")
        said, solved = 0.0, None
        for told in training:
            if board is not None:
                board.write(told)
            if told.solved is not None:
                solved = told.solved
                on_save(solved)
            words = told.news if solved is None else f"{told.news}; hard solved {solved:.0%}"
            if in_terminal:
                bars.update(bar, completed=told.step, said=words)
            elif not quiet and (told.solved is not None or monotonic() - said > _SILENT_SECONDS):
                said = monotonic()
                narrate(f"{told.step:,} of {training.settings.steps:,} steps: {words}")
    return told
