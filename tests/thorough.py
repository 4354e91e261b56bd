"""How much is tried: a part of the tests, variants and examples every day, and all with OASIS_TEST_THOROUGH=1."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from random import Random
from typing import Any, Final, TypeVar
from zlib import crc32

import pytest

THOROUGH: Final = os.environ.get("OASIS_TEST_THOROUGH") == "1"
PART: Final = 6
"""One in so many random examples is tried every day."""

DAYS: Final = 4
"""A test that is marked `some_days` has its turn every so many days."""

_Item = TypeVar("_Item")


def examples(number: int) -> int:
    """How many random examples a property is tried on: `number`, every day a part, or what OASIS_EXAMPLES says."""
    if said := os.environ.get("OASIS_EXAMPLES"):
        return int(said)
    return number if THOROUGH else max(1, number // PART)


def thoroughly(*values: Any) -> list[Any]:
    """Return values of a parameter that only a thorough run tries.

    `@pytest.mark.parametrize("learner", ["sarsa", *thoroughly("q-learning", "dyna-q")])` tries one learner every day.
    """
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.thorough) for value in values
    ]


def everyday(chosen: Iterable[Any], among: Iterable[Any]) -> list[Any]:
    """Return all values of a parameter, of which only a thorough run tries those that are not chosen."""
    chosen = list(chosen)
    return [value if value in chosen else pytest.param(value, marks=pytest.mark.thorough) for value in among]


def paired(ones: Iterable[Any], others: Iterable[Any], apart: int) -> list[Any]:
    """Return all pairs of two parameters; most of them only a thorough run tries.

    Every day has each `apart`-th diagonal of the table of pairs, so that each value has its turn with several others.
    """
    others = list(others)
    return [
        pytest.param(one, other, marks=() if (row + column) % apart == 0 else pytest.mark.thorough)
        for row, one in enumerate(ones)
        for column, other in enumerate(others)
    ]


def some(items: Sequence[_Item], number: int, name: str) -> list[_Item]:
    """So many of the items at most, in their order; the name alone decides which. A thorough run has all of them."""
    if THOROUGH or len(items) <= number:
        return list(items)
    return [items[place] for place in sorted(Random(name).sample(range(len(items)), number))]


def has_its_turn(name: str, day: int) -> bool:
    """Whether a test of a name that is marked `some_days` is run on a day, which is counted from any."""
    return (crc32(name.encode()) + day) % DAYS == 0


def left_out(items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """The tests that are not run.

    These are those marked `thorough`, the variants beyond what `some_variants` says and, where OASIS_TEST_DAY tells a
    number, those marked `some_days` that have their turn on another day: those with one argument together.
    """
    if THOROUGH:
        return set()
    found = {item for item in items if item.get_closest_marker("thorough")}
    if day := os.environ.get("OASIS_TEST_DAY"):
        for item in items:
            if mark := item.get_closest_marker("some_days"):
                (name,) = mark.args or (item.nodeid,)
                if not has_its_turn(name, int(day)):
                    found.add(item)
    variants: dict[tuple[str, int], list[pytest.Function]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and (mark := item.get_closest_marker("some_variants")):
            variants[item.nodeid.partition("[")[0], mark.args[0]].append(item)
    for (name, number), group in variants.items():
        found |= {*group} - _chosen(group, number, name)
    return found


def _chosen(variants: Sequence[pytest.Function], number: int, name: str) -> set[pytest.Function]:
    """So many variants, or as many as it takes to have each value of each parameter that comes again in others.

    Of all pairs of a learner and a level, say, each learner and each level is there, also one that is new.
    """
    values = [{(key, repr(value)) for key, value in variant.callspec.params.items()} for variant in variants]
    times = Counter(chain.from_iterable(values))
    needed: set[int] = set()
    seen: set[tuple[str, str]] = set()
    order = Random(name).sample(range(len(variants)), len(variants))
    for each in order:
        if new := {value for value in values[each] - seen if times[value] > 1}:
            needed.add(each)
            seen |= new
    others = [each for each in order if each not in needed]
    return {variants[each] for each in needed.union(others[: max(0, number - len(needed))])}
