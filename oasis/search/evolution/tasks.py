"""Tasks that go on side by side: generators that are resumed in turn, each up to its next expansion.

A search stops after any expansion, may lie still for days or be forgotten, and may be run by a program that has an
event loop of its own. Loops of asyncio allow none of that: they run until something is done, one in a thread, and
complain of what is left in the middle. Generators do, and what is done first is no matter of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeAlias, TypeVar

_Result = TypeVar("_Result")

Task: TypeAlias = Generator[int | None, None, _Result]
"""Gives None where it has expanded something, or the number of a goal about which it waits to hear from the policy."""


def side_by_side(
    tasks: Sequence[Task[_Result]], ask: Callable[[list[int]], None]
) -> Generator[None, None, list[_Result]]:
    """Resume tasks in turn until all are done; gives an item an expansion, and returns the results in their order.

    What the tasks want to hear from the policy in the same turn is asked at once.
    """
    results: dict[int, _Result] = {}
    while len(results) < len(tasks):
        waiting: list[int] = []
        for number, task in enumerate(tasks):
            if number not in results:
                try:
                    goal = next(task)
                except StopIteration as done:
                    results[number] = done.value
                else:
                    if goal is None:
                        yield
                    else:
                        waiting.append(goal)
        if waiting:
            ask(waiting)
    return [results[number] for number in range(len(tasks))]
