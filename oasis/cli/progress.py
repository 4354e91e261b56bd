"""Live progress on stderr: bars in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import gc
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from oasis.escalation.climb import Climb, Visit
    from oasis.ground.board import Board
    from oasis.neural.training.loop import Loop
    from oasis.neural.training.progress import Told
    from oasis.student.training import Training
    from state_spaces.reachable import Census

T = TypeVar("T")
_Step = tuple[int, str, bool]
"""How many are done, how it stands in words, and whether that is news, which is said at once."""
_SELDOM: Final = 100_000
"""How many more objects are made than freed before garbage is collected; Python's default is 700."""
_REDRAW_SECONDS: Final = 0.1
_SILENT_SECONDS: Final = 2
"""Between two lines about a count, outside a terminal."""


def counted(found: Iterable[T], total: int, name: Callable[[T], str]) -> Iterator[T]:
    """Give what is found, one after the other, with a bar and its name in a terminal, and nothing elsewhere."""
    if not sys.stderr.isatty():
        yield from found
        return
    from oasis.ground.bar import bar

    with bar("", total) as show:
        for number, each in enumerate(found, 1):
            show(number, name(each))
            yield each


def watch_count(numbers: Iterable[int], total: int | None, noun: str, *, quiet: bool) -> None:
    """Go through numbers that count up to a total, or for ever, saying how far they are."""
    _follow(((done, "", False) for done in numbers), total, noun, quiet=quiet)


def watch_census(census: Census) -> None:
    """Count all goals and states, saying how many there are so far when it takes long."""
    goals = ((f"{space}: {census.goals[space].value:,} goals so far", False) for space, _ in census.count_goals())
    states = ((f"{space}: {census.states[space].value:,} states so far", False) for space, _ in census.count_states())
    _follow(((number, *words) for number, words in enumerate(chain(goals, states))), None, "")


def finished(numbers: Iterable[int], total: int | None, noun: str, *, quiet: bool) -> bool:
    """Go through numbers that count up to a total (`watch_count`); False if Ctrl-C ended it.

    Garbage is collected seldom meanwhile: plays make no cycles, and collecting would take half of their time.
    """
    usual = gc.get_threshold()
    gc.set_threshold(_SELDOM, *usual[1:])
    try:
        watch_count(numbers, total, noun, quiet=quiet)
    except KeyboardInterrupt:
        return False
    finally:
        gc.set_threshold(*usual)
    return True


def watch_policy(training: Loop, boards: Sequence[Board], on_save: Callable[[float], None], *, quiet: bool) -> Told:
    """Train a network to the end, saying how far it is and how it does; what was told last.

    Whenever the checkpoint was written `on_save` is called, with the share of the fixed hundred that is solved.
    """
    from oasis.neural.training.progress import CURVES, SoFar

    told: Told

    def steps() -> Iterator[_Step]:
        nonlocal told
        solved = ""
        for each in training.steps():
            if isinstance(each, SoFar):
                yield each.step, each.news + solved, False
                continue
            told = each
            for board in boards:
                board.write(told, CURVES)
            if told.solved is not None:
                solved = f"; hard solved {told.solved:.0%}"
                on_save(told.solved)
            yield told.step, told.news + solved, told.solved is not None

    _follow(steps(), training.settings.steps, "steps", begun=training.step, quiet=quiet)
    return told


def watch(training: Training, *, quiet: bool) -> None:
    """Train to the end, saying how it goes, and at its end what came of each lemma."""
    episodes = training.settings.episodes

    def steps() -> Iterator[_Step]:
        proved = 0
        for each in training:
            proved = each.proved + (proved if each.episode > each.episodes else 0)
            is_over = each.episode == episodes
            if is_over or sys.stderr.isatty():
                words = f"{each.lemma}: {each.episode:,} episodes, {proved:,} proved"
                yield each.position * episodes + each.episode, words, is_over

    _follow(steps(), training.episodes, "", quiet=quiet)


def watch_climb(visits: Iterable[Visit], climb: Climb, names: Sequence[str], *, quiet: bool) -> None:
    """Let lemmas of these names climb to the end of their time, saying how far they are, at each round or in a bar."""
    pace, total = climb.pace, len(names)

    def steps() -> Iterator[_Step]:
        told = pace.round
        for visit in visits:
            spent, is_news = min(pace.spent, pace.budget), pace.round > told and total > 1
            told = pace.round
            if sys.stderr.isatty():
                words = f"s, {climb.proved:,} of {total:,} proved; {names[visit.position]}, {visit.stage}"
                yield int(spent), words, False
            elif is_news:
                words = f"{climb.proved:,} of {total:,} proved after {pace.spent:.0f} of {pace.budget:,.0f} s"
                yield int(spent), f"Round {pace.round + 1}, {pace.slice:.2g} s a stage: {words}", True

    _follow(steps(), int(pace.budget), "", begun=int(pace.spent), quiet=quiet)


def _follow(steps: Iterable[_Step], total: int | None, noun: str, *, begun: int = 0, quiet: bool = False) -> None:
    """Go through steps, saying how far they are: by a bar in a terminal, and by a line now and then elsewhere.

    Args:
        steps: as they are done.
        total: how many there are, None if nobody knows.
        noun: what is counted; empty if the words say it all.
        begun: how many were done before.
        quiet: whether nothing is said.
    """
    if quiet:
        deque(steps, maxlen=0)
    elif sys.stderr.isatty():
        from oasis.ground.bar import bar

        with bar(noun, total, begun) as show:
            drawn = 0.0
            for done, words, _ in steps:
                if done == total or monotonic() - drawn > _REDRAW_SECONDS:
                    drawn = monotonic()
                    show(done, words)
    else:
        said, last, of = monotonic(), -1, "" if total is None else f" of {total:,}"
        for done, words, is_news in steps:
            if is_news or (done > last and (done == total or monotonic() - said > _SILENT_SECONDS)):
                said, last = monotonic(), done
                how_many = f"the {noun.removesuffix('s')}" if total == 1 else f"{done:,}{of} {noun}"
                narrate(": ".join(filter(None, [how_many if noun else "", words])))
