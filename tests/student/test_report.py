"""What came of a run, as it is read from the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oasis.store import Store, StoreError
from oasis.student.report import LemmaReport, report
from tactics.goal import Move
from tactics.json_form import script_to_json
from tactics.script import show_script

SHORT, LONG = (Move("intro"), Move("assumption")), (Move("intro"), Move("imply1", "H"), Move("assumption"))
FAILED = (Move("left"), Move("left"), Move("left"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "oasis.db") as opened:
        yield opened


def stored(
    store: Store, episodes: list[tuple[Move, ...] | None], greedy: tuple[tuple[Move, ...], bool] | None
) -> LemmaReport:
    """The report on one lemma with these episodes, a script or a failure of three steps, and this greedy script."""
    run = store.start_run(
        curriculum="text",
        settings={"seed": 7},
        version="1",
        commit=None,
        rng=[],
        lemmas=[{"name": "the lemma", "formula": "p -> p", "status": None, "level": None}],
    )
    rows = [
        (number, len(script or FAILED), bool(script), len(script or FAILED), show_script(script) if script else None)
        for number, script in enumerate(episodes, 1)
    ]
    result = None if greedy is None else (greedy[1], len(greedy[0]), show_script(greedy[0]))
    store.checkpoint(run, 0, seconds=2.0, rng=[], episodes=rows, states=[b"a", b"b"], pairs=[], greedy=result)
    found = report(store, run)
    assert found.to_json()["seed"] == 7
    return found.lemmas[0]


def test_a_lemma_is_reported_with_its_best_and_its_greedy_proof(store: Store) -> None:
    lemma = stored(store, [None, LONG, SHORT, None], (LONG, True))
    assert (lemma.greedy, lemma.best) == (LONG, SHORT)
    assert (lemma.episodes, lemma.proved_episodes, lemma.first_proof_episode) == (4, 2, 2)
    assert (lemma.share_proved, lemma.steps, lemma.steps_per_second, lemma.states) == (0.5, 11, 5.5, 2)
    assert lemma.to_json() == {
        "name": "the lemma",
        "formula": "p -> p",
        "episodes": 4,
        "proved_episodes": 2,
        "first_proof_episode": 2,
        "greedy": {"proved": True, "length": 3, "script": script_to_json(LONG), "certificates": []},
        "best": {"length": 2, "script": script_to_json(SHORT), "certificates": []},
        "states": 2,
        "steps": 11,
        "seconds": 2.0,
    }


def test_the_greedy_proof_counts_among_the_best(store: Store) -> None:
    assert stored(store, [None, LONG], (SHORT, True)).best == SHORT
    assert stored(store, [None, None], (SHORT, True)).best == SHORT


def test_a_greedy_script_that_proves_nothing_is_no_proof(store: Store) -> None:
    lemma = stored(store, [None, LONG], (SHORT, False))
    assert (lemma.greedy, lemma.best, lemma.finished) == (None, LONG, True)
    assert lemma.to_json()["greedy"] == {"proved": False, "length": None, "script": None, "certificates": []}


@pytest.mark.parametrize("episodes", [[], [None, None]], ids=["no episodes", "no proofs"])
def test_a_lemma_without_a_proof_is_reported_so(store: Store, episodes: list[Any]) -> None:
    lemma = stored(store, episodes, None)
    assert (lemma.greedy, lemma.best, lemma.first_proof_episode, lemma.finished) == (None, None, None, False)
    assert (lemma.proved_episodes, lemma.share_proved, lemma.steps) == (0, 0.0, 3 * len(episodes))
    assert lemma.to_json()["best"] == {"length": None, "script": None, "certificates": []}


def test_an_unknown_run_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="There is no run 3 in"):
        report(store, 3)
