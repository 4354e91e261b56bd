"""Training runs: nothing half done is ever in the store, and what is read is what was written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oasis.store import Store
from tests.store.databases import note, refused, rows, start


def breaking(*items: Any) -> Iterator[Any]:
    """Yield these items, then raise an interruption."""
    yield from items
    raise KeyboardInterrupt


@pytest.mark.parametrize("part", ["states", "pairs"])
def test_a_checkpoint_is_stored_whole_or_not_at_all(store: Store, path: Path, part: str) -> None:
    run = start(store, "a")
    note(store, run, states=[b"first"], pairs=[(b"first", "[]", 0.25, 1, False)])
    before = rows(path)
    tally = {"seconds": 9.0, "best": "intro", "finished": 1}
    whole: dict[str, list[Any]] = {"states": [b"second"], "pairs": [(b"first", "[]", 0.5, 2, False)]}
    done = {"tally": tally, "block": (1, 2, b"two"), "snapshot": b"student"}
    with pytest.raises(KeyboardInterrupt):
        note(store, run, **done, **{**whole, part: breaking(*whole[part])})
    assert rows(path) == before
    note(store, run, **done, **whole)
    assert rows(path) != before
    assert store.recall(run, b"first") == [("[]", 0.5, 2, 0)]
    assert store.snapshot(run) == b"student"


def test_a_run_is_stored_with_its_lemmas_or_not_at_all(store: Store, path: Path) -> None:
    before = rows(path)
    run: dict[str, Any] = {"curriculum": "c", "settings": {}, "version": "1", "commit": None, "student": "plain"}
    with pytest.raises(KeyError):
        store.start_run(rng=0, **run, lemmas=[{"name": "no formula"}])
    assert rows(path) == before


def test_a_checkpoint_that_is_there_already_is_refused(store: Store, path: Path) -> None:
    run = start(store, "a")
    note(store, run, block=(1, 5, b"five"))
    before = rows(path)
    for repeated in ({"block": (1, 3, b"three")}, {"block": (6, 1, b"one"), "states": [b"s"] * 2}):
        with refused(path, "another process is training the same run"):
            note(store, run, **repeated)
        assert rows(path) == before


def test_a_lemma_that_is_begun_again_loses_what_is_its_own_and_the_student(store: Store) -> None:
    run = start(store, "a", "b")
    for lemma in (0, 1):
        note(store, run, lemma, block=(1, 5, b"five"), snapshot=b"student", tally={"practised": 5, "best": "intro"})
    note(store, run, 1, snapshot=b"later")
    assert store.snapshot(run) == b"later"
    store.begin_lemma_again(run, 1)
    assert [(block["lemma"], block["first"]) for block in store.blocks(run)] == [("a", 1)]
    assert [(row["practised"], row["best"]) for row in store.lemmas(run)] == [(5, "intro"), (0, None)]
    assert store.snapshot(run) is None
    note(store, run, 1, block=(1, 2, b"two"))


def test_runs_that_were_started_together_are_found_by_any_of_them(store: Store) -> None:
    alone, first = start(store, "a"), start(store, "a")
    others = [start(store, "a", cohort=first) for _ in range(2)]
    assert store.cohort(alone) == [alone]
    assert store.cohort(first) == store.cohort(others[1]) == [first, *others]


def test_what_a_lemma_has_come_to_is_what_was_noted_last(store: Store, path: Path) -> None:
    run, other = start(store, "a", "b"), start(store, "a")
    fresh = store.lemmas(run)[0]
    tally = {"practised": 5, "proofs": 2, "actions": 30, "first_proof": 4, "best": "intro", "best_moves": 1, "met": 7}
    for noted in ({**tally, "practised": 1, "best": "split", "best_moves": 9}, tally):
        note(store, run, tally=noted)
    note(store, other, tally={"practised": 3, "best": "left", "best_moves": 2})
    assert [row["name"] for row in store.lemmas(run)] == ["a", "b"]
    assert store.lemmas(run)[0] == {**fresh, **tally}
    assert [fresh[column] for column in ("practised", "proofs", "actions", "met", "best")] == [0, 0, 0, 0, None]
    totals = [(each["lemmas"], each["lemmas_finished"], each["episodes"]) for each in store.runs()]
    assert totals == [(2, 0, 5), (1, 0, 3)]
    assert (store.best_proof("p"), store.best_proof("q")) == ("intro", None)
    for lemma, first in ((1, 1), (0, 9), (0, 4)):
        note(store, run, lemma, block=(first, 3, b"three"))
    assert [(block["lemma"], block["first"]) for block in store.blocks(run)] == [("a", 4), ("a", 9), ("b", 1)]
    with Store(path, create=False) as again:
        assert (again.lemmas(run), again.runs()) == (store.lemmas(run), store.runs())


def test_what_a_student_remembers_is_recalled_exactly(store: Store) -> None:
    run, other = start(store, "a"), start(store, "a")
    values = [0.1 + 0.2, -1 / 3, 5e-324, 1e300]
    pairs = [(b"s", f'["intro", "H{number}"]', value, number, number % 2 == 1) for number, value in enumerate(values)]
    note(store, run, states=[b"s", b"without pairs"], pairs=pairs)
    assert sorted(store.recall(run, b"s") or []) == sorted(pair[1:] for pair in pairs)
    assert store.recall(run, b"without pairs") == []
    assert store.recall(run, b"never met") is None
    assert store.recall(other, b"s") is None
    note(store, other, states=[b"s"], pairs=[(b"s", '["split", null]', 1.0, 1, False)])
    assert store.recall(other, b"s") == [('["split", null]', 1.0, 1, 0)]
    assert len(store.recall(run, b"s") or []) == len(pairs)


def test_runs_are_found_by_number_and_age(store: Store, path: Path) -> None:
    with refused(path, "There is no run in FILE yet"):
        store.newest_run()
    first, second, third = (start(store, "a", settings={"seed": seed}) for seed in (5, 6, 7))
    assert (store.newest_run(), store.newest_run(unfinished_first=True)) == (third, third)
    store.finish_run(third)
    assert (store.newest_run(), store.newest_run(unfinished_first=True)) == (third, second)
    store.finish_run(second)
    store.finish_run(first)
    assert store.newest_run(unfinished_first=True) == third
    assert [run["settings"]["seed"] for run in store.runs()] == [5, 6, 7]
    assert store.run(second)["rng"] == 3
    with refused(path, "There is no run 99 in FILE; see `oasis runs list`."):
        store.run(99)
