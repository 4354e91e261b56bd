"""Results: experiments by trials, files that trainings wrote, and what was fitted come back as they were stored."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.store import Store, StoreError
from tests.store.databases import add_checkpoint, refused, rows
from tests.thorough import examples

PLAN = {"lemmas": ["∀ p", 'quoted " and \\'], "seeds": [1, 2], "alpha": 0.1, "level": None}
trials = st.dictionaries(st.tuples(st.text(max_size=5), st.integers(0, 2**63 - 1)), st.binary(max_size=40))


def start(store: Store, name: str = "thesis", command: str = "compare") -> int:
    """Start an experiment; return its number."""
    return store.start_experiment(command=command, name=name, plan=PLAN, version="1", commit=None)


def add(store: Store, number: int, trials: Iterable[tuple[str, int, bytes]], version: str = "1") -> None:
    store.add_trials(number, trials, version=version, commit=None)


def fit(store: Store, name: str, content: bytes = b"x") -> None:
    store.add_fitted(name, version="1", origin={"seed": 0}, content=content)


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
    with pytest.raises(StoreError):
        add(store, 7, [("a", 1, b"of no experiment")])
    assert rows(path) == before


def test_a_trial_that_another_process_stored_first_stays_and_who_made_which_is_known(store: Store) -> None:
    number = start(store)
    add(store, number, [("a", 2, b"first"), ("a", 1, b"")], version="2")
    add(store, number, [("a", 2, b"second"), ("a", 3, b"other")], version="1")
    assert list(store.trials(number, "a")) == [(1, b""), (2, b"first"), (3, b"other")]
    assert store.makers(number) == [
        {"version": "2", "commit": None, "trials": 2},
        {"version": "1", "commit": None, "trials": 1},
    ]


def test_experiments_are_found_by_number_and_age(store: Store, path: Path) -> None:
    with refused(path, "There is no experiment of `oasis compare` in FILE yet"):
        store.newest_experiment("compare")
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
    with refused(path, "There is no experiment 99 in FILE"):
        store.experiment(99)
    with Store(path, create=False) as again:
        found = again.experiment(4)
    assert (found["name"], found["plan"], found["version"], found["commit"]) == ("d", PLAN, "1", None)
    assert found["finished"] is None


def test_what_a_training_writes_again_is_one_row_and_other_trainings_and_files_are_rows_of_their_own(
    path: Path, store: Store
) -> None:
    add_checkpoint(store)
    add_checkpoint(store, settings={"seed": 1, "steps": 9})
    add_checkpoint(store, training="imitate")
    add_checkpoint(store, path="/b")
    add_checkpoint(store, step=9, solved=0.5, digest="y")
    with Store(path) as again:
        found = again.checkpoints()
    which = [(row["path"], row["training"], row["settings"]["seed"], row["step"], row["digest"]) for row in found]
    assert which == [
        ("/a", "sft", 0, 9, "y"),
        ("/a", "sft", 1, 1, "x"),
        ("/a", "imitate", 0, 1, "x"),
        ("/b", "sft", 0, 1, "x"),
    ]
    assert (found[0]["solved"], found[0]["network"]) == (0.5, {"kind": "k"})
    assert found[0]["started"] <= found[0]["written"]


def test_what_was_fitted_comes_back_under_a_name_that_is_given_once(path: Path, store: Store) -> None:
    fit(store, "b", bytes(range(256)))
    fit(store, "a")
    with refused(path, "called b already; give another --name"):
        fit(store, "b", b"y")
    with Store(path) as again:
        assert [row["name"] for row in again.fitted_list()] == ["b", "a"]
        row = again.fitted("b")
    assert (row["content"], row["origin"], row["version"]) == (bytes(range(256)), {"seed": 0}, "1")
    with refused(path, "Nothing fitted is called c in FILE; see `oasis dagger list`"):
        store.fitted("c")
