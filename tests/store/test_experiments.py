"""Experiments: a trial is stored whole or not at all, and comes back byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.store import Store, StoreError
from tests.store.databases import checked, rows
from tests.thorough import examples

PLAN = {"lemmas": ["∀ p", 'quoted " and \\'], "seeds": [1, 2], "alpha": 0.1, "level": None}
trials = st.dictionaries(st.tuples(st.text(max_size=5), st.integers(0, 2**63 - 1)), st.binary(max_size=40))


def start(store: Store, name: str = "thesis", command: str = "compare") -> int:
    """A new experiment."""
    return store.start_experiment(command=command, name=name, plan=PLAN, version="1", commit=None)


def add(store: Store, number: int, trials: Iterable[tuple[str, int, bytes]], version: str = "1") -> None:
    store.add_trials(number, trials, version=version, commit=None)


def test_an_experiment_comes_back_as_it_was_stored(store: Store, path: Path) -> None:
    number = start(store)
    with Store(path, create=False) as again:
        found = again.experiment(number)
    assert (found["name"], found["plan"], found["version"], found["commit"]) == ("thesis", PLAN, "1", None)
    assert found["finished"] is None


@settings(max_examples=examples(60))
@given(trials, trials)
def test_trials_come_back_byte_for_byte_with_their_own_experiment(
    first: dict[tuple[str, int], bytes], second: dict[tuple[str, int], bytes]
) -> None:
    with TemporaryDirectory() as folder, Store(Path(folder) / "oasis.db") as store:
        for number, stored in enumerate((first, second), 1):
            assert start(store) == number
            add(store, number, ((*key, result) for key, result in stored.items()))
        for number, stored in enumerate((first, second), 1):
            assert store.done(number) == set(stored)
            for variant in {variant for variant, _ in stored}:
                expected = sorted((seed, result) for (name, seed), result in stored.items() if name == variant)
                assert list(store.trials(number, variant)) == expected
        assert [row["trials"] for row in store.experiments()] == [len(first), len(second)]


def test_trials_are_stored_together_or_not_at_all(store: Store, path: Path) -> None:
    number = start(store)
    add(store, number, [("a", 1, b"kept")])
    before = rows(path)

    def breaking() -> Iterator[tuple[str, int, bytes]]:
        yield "a", 2, b"lost"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add(store, number, breaking())
    assert rows(path) == before


def test_a_trial_that_another_process_stored_first_stays(store: Store) -> None:
    number = start(store)
    add(store, number, [("a", 1, b"first")])
    add(store, number, [("a", 1, b"second"), ("a", 2, b"other")])
    assert list(store.trials(number, "a")) == [(1, b"first"), (2, b"other")]


def test_who_made_which_trials_is_known(store: Store) -> None:
    number = start(store)
    add(store, number, [("a", 2, b""), ("a", 1, b"")], version="2")
    add(store, number, [("a", 1, b""), ("a", 3, b"")], version="1")
    found = store.makers(number)
    assert found == [
        {"version": "2", "commit": None, "trials": 2},
        {"version": "1", "commit": None, "trials": 1},
    ]


def test_a_trial_of_an_experiment_that_is_not_there_is_refused(store: Store) -> None:
    with pytest.raises(StoreError):
        add(store, 7, [("a", 1, b"")])
    assert store.done(7) == set()


def test_experiments_are_found_by_number_and_age(store: Store, path: Path) -> None:
    with pytest.raises(StoreError) as refused:
        store.newest_experiment("compare")
    assert "There is no experiment of `oasis compare` in FILE yet" in checked(refused.value, path)
    first, second, third = (start(store, name) for name in "abc")
    store.finish_experiment(third)
    assert store.newest_experiment("compare") == third
    assert store.newest_experiment("compare", unfinished_first=True) == second
    store.finish_experiment(first)
    store.finish_experiment(second)
    assert store.newest_experiment("compare", unfinished_first=True) == third
    assert start(store, "d", "thesis") == store.newest_experiment("thesis")
    assert store.newest_experiment("compare") == third
    assert [(row["name"], row["command"]) for row in store.experiments()][2:] == [("c", "compare"), ("d", "thesis")]
    with pytest.raises(StoreError) as refused:
        store.experiment(99)
    assert "There is no experiment 99 in FILE" in checked(refused.value, path)
