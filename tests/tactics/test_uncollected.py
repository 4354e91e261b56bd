"""Work that the collector of cyclic garbage is kept from: it goes on afterwards, and frees cycles in the end."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tactics import uncollected as room
from tactics.uncollected import MANY, uncollected


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


class Cycle:
    alive = 0

    def __init__(self) -> None:
        self.itself = self
        Cycle.alive += 1

    def __del__(self) -> None:
        Cycle.alive -= 1


def are_old(objects: list[list[int]]) -> bool:
    old = {id(each) for each in gc.get_objects(generation=2)}
    return all(id(each) in old for each in objects)


def test_the_collector_rests_meanwhile_and_works_afterwards_even_after_an_error() -> None:
    @uncollected()
    def divide(divisor: int) -> float:
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
        return 1 / divisor

    with pytest.raises(ZeroDivisionError):
        divide(0)
    assert gc.isenabled()


def test_a_collector_that_was_paused_before_stays_so() -> None:
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_many_objects_made_meanwhile_are_old_and_few_are_not() -> None:
    gc.collect()
    with uncollected():
        few: list[list[int]] = [[] for _ in range(100)]
    assert not are_old(few)
    with uncollected():
        many: list[list[int]] = [[] for _ in range(2 * MANY)]
    assert are_old(many)


def test_cycles_made_meanwhile_are_freed_when_enough_was_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST", 10 * MANY)
    monkeypatch.setattr(room, "_old", 0)
    monkeypatch.setattr(room, "_passed_over", 0)
    gc.collect()
    most = 0
    for _ in range(20):
        with uncollected():
            for _ in range(2 * MANY):
                Cycle()
        most = max(most, Cycle.alive)
        if Cycle.alive < most:
            break
    else:
        pytest.fail("nothing was freed")
    assert most <= 12 * MANY


def test_what_others_froze_stays_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    with uncollected():
        many: list[list[int]] = [[] for _ in range(2 * MANY)]
    assert gc.get_freeze_count() > frozen // 2
    assert not are_old(many)
