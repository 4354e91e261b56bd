"""Training runs: nothing half done is ever in the store, and what is read is what was written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.store import Store, StoreError
from tests.store.databases import Episode, add_episodes, checked, note, rows, start
from tests.thorough import examples


class Interruption(BaseException):
    """Stands for Ctrl-C."""


def breaking(*items: Any) -> Iterator[Any]:
    """These items, and then an interruption."""
    yield from items
    raise Interruption


@pytest.mark.parametrize("part", ["states", "pairs"])
def test_a_checkpoint_is_stored_whole_or_not_at_all(store: Store, path: Path, part: str) -> None:
    run = start(store, "a")
    note(store, run, states=[b"first"], pairs=[(b"first", "[]", 0.25, 1, False)])
    before = rows(path)
    tally = {"seconds": 9.0, "best": "intro", "finished": 1}
    whole: dict[str, list[Any]] = {"states": [b"second"], "pairs": [(b"first", "[]", 0.5, 2, False)]}
    done = {"tally": tally, "block": (1, 2, b"two"), "snapshot": b"student"}
    with pytest.raises(Interruption):
        note(store, run, **done, **{**whole, part: breaking(*whole[part])})
    assert rows(path) == before
    note(store, run, **done, **whole)
    assert rows(path) != before
    assert store.recall(run, b"first") == [("[]", 0.5, 2, 0)]
    assert store.snapshot(run) == b"student"


def test_a_run_is_stored_with_its_lemmas_or_not_at_all(store: Store, path: Path) -> None:
    before = rows(path)
    run: dict[str, Any] = {
        "curriculum": "c",
        "settings": {},
        "version": "1",
        "commit": None,
        "rng": [],
        "student": "plain",
    }
    with pytest.raises(KeyError):
        store.start_run(**run, lemmas=[{"name": "no formula"}])
    assert rows(path) == before


def test_a_checkpoint_that_is_there_already_is_refused(store: Store, path: Path) -> None:
    run = start(store, "a")
    note(store, run, block=(1, 5, b"five"))
    before = rows(path)
    for repeated in ({"block": (1, 3, b"three")}, {"block": (6, 1, b"one"), "states": [b"s"] * 2}):
        with pytest.raises(StoreError) as refused:
            note(store, run, **repeated)
        assert "another process is training the same run" in checked(refused.value, path)
        assert rows(path) == before


def test_a_lemma_that_is_begun_again_loses_its_own_blocks_alone(store: Store) -> None:
    run = start(store, "a", "b")
    for lemma in (0, 1):
        note(store, run, lemma, block=(1, 5, b"five"))
    store.begin_lemma_again(run, 1)
    assert [block["lemma"] for block in store.blocks(run)] == ["a"]
    note(store, run, 1, block=(1, 2, b"two"))


def test_a_snapshot_is_the_last_one(store: Store) -> None:
    run, other = start(store, "a"), start(store, "a")
    assert store.snapshot(run) is None
    for content in (b"early", b"late"):
        note(store, run, snapshot=content)
    assert (store.snapshot(run), store.snapshot(other)) == (b"late", None)


def test_runs_that_were_started_together_are_found_by_any_of_them(store: Store) -> None:
    alone, first = start(store, "a"), start(store, "a")
    others = [start(store, "a", cohort=first) for _ in range(2)]
    assert store.cohort(alone) == [alone]
    assert store.cohort(first) == store.cohort(others[1]) == [first, *others]


def test_a_store_killed_in_the_middle_of_a_checkpoint_has_the_last_one(
    store: Store, path: Path, tmp_path: Path
) -> None:
    run = start(store, "a")
    note(store, run, states=[b"first"])

    def copying() -> Iterator[bytes]:
        # The files as a process that is killed at this moment leaves them.
        yield b"second"
        copy = tmp_path / "copy"
        copy.mkdir()
        for file in path.parent.glob("oasis.db*"):
            (copy / file.name).write_bytes(file.read_bytes())
        yield b"third"

    note(store, run, states=copying())
    (tmp_path / "copy" / "oasis.db-shm").unlink(missing_ok=True)
    with Store(tmp_path / "copy" / "oasis.db") as left:
        assert left.lemmas(run)[0]["states"] == 1
    assert store.lemmas(run)[0]["states"] == 3


def test_what_a_lemma_has_come_to_is_what_was_noted_beside_older_episodes(store: Store) -> None:
    run = start(store, "a")
    add_episodes(store.path, run, 0, [(1, 3, True, 2, "intro; assumption"), (2, 4, False, 4, None)])
    assert store.best_proof("p") == "intro; assumption"
    tally = {"practised": 5, "proofs": 2, "actions": 30, "first_proof": 4, "best": "intro", "best_moves": 1, "met": 7}
    note(store, run, tally=tally, block=(3, 5, b"five"))
    (lemma,) = store.lemmas(run)
    columns = ("episodes", "proved_episodes", "steps", "first_proof_episode", "best_script", "states")
    assert [lemma[column] for column in columns] == [7, 3, 37, 1, "intro", 7]
    assert store.best_proof("p") == "intro"
    assert [each["episodes"] for each in store.runs()] == [7]


# What is read.


@st.composite
def histories(draw: st.DrawFn) -> list[list[Episode]]:
    """Episodes of some lemmas of a run, with ties between the shortest proofs."""

    def episode(number: int) -> Episode:
        steps, proved, length = draw(st.tuples(st.integers(0, 9), st.booleans(), st.integers(1, 4)))
        return number, steps, proved, length, f"script {number}" if proved else None

    return [[episode(n + 1) for n in range(draw(st.integers(0, 6)))] for _ in range(draw(st.integers(1, 3)))]


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(histories(), min_size=1, max_size=2), st.data())
def test_episodes_of_older_versions_add_up_as_a_recount_does(
    runs: list[list[list[Episode]]], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder, Store(Path(folder) / "oasis.db") as store:
        for number, lemmas in enumerate(runs, 1):
            assert start(store, *(f"L{position}" for position in range(len(lemmas)))) == number
            states = iter(range(1000))
            for position, episodes in enumerate(lemmas):
                cut = data.draw(st.integers(0, len(episodes)))
                add_episodes(store.path, number, position, episodes)
                note(store, number, position, states=[bytes([next(states)]) for _ in range(1 + cut % 2)])
        for number, lemmas in enumerate(runs, 1):
            assert len(store.episodes(number)) == sum(map(len, lemmas))
            for position, (row, episodes) in enumerate(zip(store.lemmas(number), lemmas, strict=True)):
                proofs = [episode for episode in episodes if episode[2]]
                best = min(proofs, key=lambda episode: episode[3], default=None)
                assert (row["run"], row["position"], row["name"]) == (number, position, f"L{position}")
                assert row["episodes"] == len(episodes)
                assert row["proved_episodes"] == len(proofs)
                assert row["steps"] == sum(episode[1] for episode in episodes)
                assert row["first_proof_episode"] == (proofs[0][0] if proofs else None)
                assert row["best_script"] == (best[4] if best else None)
        totals = [(run["id"], run["lemmas"], run["lemmas_finished"], run["episodes"]) for run in store.runs()]
        assert totals == [(n, len(lemmas), 0, sum(map(len, lemmas))) for n, lemmas in enumerate(runs, 1)]


def test_a_lemma_counts_the_states_that_were_met_in_it_first(store: Store) -> None:
    run, other = start(store, "a", "b"), start(store, "a")
    note(store, run, 0, states=[b"1", b"2"])
    note(store, run, 1, states=[b"3"])
    note(store, other, 0, states=[b"1"])
    assert [lemma["states"] for lemma in store.lemmas(run)] == [2, 1]
    assert [lemma["states"] for lemma in store.lemmas(other)] == [1]


def test_episodes_come_in_order_with_the_names_of_their_lemmas(store: Store) -> None:
    run = start(store, "b", "a")
    add_episodes(store.path, run, 1, [(1, 3, False, 2, None)])
    add_episodes(store.path, run, 0, [(2, 4, True, 4, "intro; assumption"), (1, 9, False, 9, None)])
    assert [tuple(row.values()) for row in store.episodes(run)] == [
        ("b", 1, 9, 0, 9, None),
        ("b", 2, 4, 1, 4, "intro; assumption"),
        ("a", 1, 3, 0, 2, None),
    ]


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
    with pytest.raises(StoreError) as refused:
        store.newest_run()
    assert "There is no run in FILE yet" in checked(refused.value, path)
    first, second, third = (start(store, "a", settings={"seed": seed}) for seed in (5, 6, 7))
    assert (store.newest_run(), store.newest_run(unfinished_first=True)) == (third, third)
    store.finish_run(third)
    assert (store.newest_run(), store.newest_run(unfinished_first=True)) == (third, second)
    store.finish_run(second)
    store.finish_run(first)
    assert store.newest_run(unfinished_first=True) == third
    assert [run["settings"]["seed"] for run in store.runs()] == [5, 6, 7]
    assert store.run(second)["rng"] == [3, [1, 2], None]
    with pytest.raises(StoreError) as refused:
        store.run(99)
    assert checked(refused.value, path) == "There is no run 99 in FILE; see `oasis runs list`."


def test_what_is_stored_is_there_when_the_store_is_opened_again(path: Path) -> None:
    with Store(path) as store:
        note(store, start(store, "a"), states=[b"s"], tally={"best": "intro; assumption"})
        before = store.lemmas(1), store.runs()
    with Store(path, create=False) as store:
        assert (store.lemmas(1), store.runs()) == before
        assert before[0][0]["best_script"] == "intro; assumption"
