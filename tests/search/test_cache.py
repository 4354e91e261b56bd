"""The goal cache: true of every renaming, kept across processes, and written down while a search goes on."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from curricula.resolve import resolve_lemma
from oasis.ground.names import SEARCHES
from oasis.play.solving import OPEN, PROVED, REFUTED, Budget
from oasis.search.best_first import BestFirst
from oasis.search.cache import LAYOUT, GoalCache
from oasis.search.graph import CacheError, Known
from oasis.search.search import Search
from oasis.store import Store
from tactics.formula import Formula, renamed
from tactics.goal import initial
from tactics.parser import parse
from tactics.script import Script, replay

LEMMA = parse("(p -> q) /\\ (q -> r) -> p -> r")


def searched(formula: Formula, cache: GoalCache, expansions: int = 10_000, kind: type[Search] = BestFirst) -> Search:
    search = kind(initial(formula)[0], cache=cache)
    for _ in search.run(Budget(expansions=expansions)):
        pass
    return search


def proves(formula: Formula, script: Script | None) -> bool:
    return script is not None and not replay(formula, script)[-1]


@pytest.mark.parametrize("name", SEARCHES)
def test_what_one_search_settled_every_other_knows_of_every_renaming(name: str) -> None:
    for formula, status in ((LEMMA, PROVED), (parse("p \\/ ~p"), REFUTED)):
        cache = GoalCache()
        if (name, status) != ("sampling", REFUTED):  # which never knows that there is no proof
            assert searched(formula, cache, kind=SEARCHES[name]).status is status
        else:
            assert searched(formula, cache).status is status
        other = renamed(formula, {"p": "a", "q": "H", "r": "c"})
        for kind in SEARCHES.values():
            again = searched(other, cache, kind=kind)
            assert (again.status, again.expansions) == (status, 0)
            assert proves(other, again.script()) == (status is PROVED)


def test_of_two_proofs_the_shorter_stays_and_is_written_down(store: Store) -> None:
    cache = GoalCache(store)
    for length in (7, 5, 6):
        cache.put(b"key", Known(("intro", None), length))
    cache.flush()
    assert cache.get(b"key") == GoalCache(store).get(b"key") == Known(("intro", None), 5)


@pytest.mark.slow
@pytest.mark.parametrize("room", [0, 5, 60])
def test_what_is_in_a_full_cache_is_enough_for_its_proofs(room: int) -> None:
    formula = resolve_lemma("SYJ202.2").formula
    for name in SEARCHES:
        cache = GoalCache(room=room)
        searched(formula, cache)
        assert len(cache) == room
        search = SEARCHES[name](initial(formula)[0], cache=cache)
        *_, event = search.run(Budget(expansions=500))
        assert event.length is None or proves(formula, search.script())


@pytest.mark.parametrize("broken_off", range(1, 60, 4))
def test_a_cache_that_was_broken_off_anywhere_is_enough_for_its_proofs(tmp_path: Path, broken_off: int) -> None:
    class Breaking(GoalCache):
        left = broken_off

        def put(self, key: bytes, known: Known) -> None:
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt
            super().put(key, known)

    formula = resolve_lemma("SYJ203.3").formula
    with Store(tmp_path / "oasis.db") as store, suppress(KeyboardInterrupt):
        searched(formula, Breaking(store))
    with Store(tmp_path / "oasis.db") as store:
        assert proves(formula, searched(formula, GoalCache(store)).script())


@pytest.mark.parametrize(
    "row",
    [("magic", None, 3), ("intro", "x", 3), ("intro", None, "abc"), ("intro", None, -1), (None, None, 4)],
)
def test_a_row_that_nobody_wrote_is_refused_in_words(store: Store, row: tuple[Any, Any, Any]) -> None:
    store.add_goals(LAYOUT, [(b"key", *row)])
    with pytest.raises(CacheError, match="damaged"):
        GoalCache(store)


def test_what_one_process_wrote_another_reads(tmp_path: Path) -> None:
    path = tmp_path / "oasis.db"
    with Store(path) as store:
        found = searched(LEMMA, GoalCache(store)).script()
    with Store(path) as store:
        store.add_goals(LAYOUT + 1, [(b"key", "intro", None, 3)])
        assert not GoalCache(store).get(b"key")  # which is one of another layout
        again = searched(LEMMA, GoalCache(store))
        assert again.expansions == 0
        assert again.script() == found


def test_two_open_caches_of_one_file_learn_from_each_other(tmp_path: Path) -> None:
    path = tmp_path / "oasis.db"
    with Store(path) as one, Store(path) as other:
        first, second = GoalCache(one), GoalCache(other)
        searched(LEMMA, first)
        second.flush()
        assert second.known == first.known
        for cache, length in ((first, 9), (second, 8)):
            cache.put(b"0123456789abcdef", Known(("intro", None), length))
            cache.flush()
        first.flush()
        assert first.get(b"0123456789abcdef") == Known(("intro", None), 8)


def test_what_a_search_found_is_written_down_while_it_goes_on(store: Store) -> None:
    cache = GoalCache(store)
    search = BestFirst(initial(resolve_lemma("SYJ202.4").formula)[0], cache=cache)
    going_on = search.run(Budget(expansions=10_000_000))  # which writes once more when nobody holds it
    while not cache.known:
        assert next(going_on).status is OPEN
    assert cache.known == GoalCache(store).known
