"""M1 of R†: the graph network's embedding does not see names, its training learns, and the fit that has it."""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula import resolve
from oasis.dagger.beliefs.calibration import examined
from oasis.dagger.episodes import Episode, played
from oasis.dagger.fit import Fitted, default_fitted, fit
from oasis.play.policy import Uniform
from tactics.errors import InputError
from tactics.goal import Goal, initial
from tactics.parser import parse
from tests.commands import Oasis
from tests.neural.modules import graph, training
from tests.state_spaces.variants import disguised
from tests.strategies import goals
from tests.thorough import examples

pytestmark = pytest.mark.slow


@cache
def episodes() -> list[Episode]:
    sources = (f"random:size=6,atoms=3,kind={kind},count=20,seed=3" for kind in ("theorem", "any"))
    lemmas = [lemma.formula for source in sources for lemma in resolve(source).lemmas]
    return [episode for lemma in lemmas for episode in played(lemma, Uniform(), 5)]


@cache
def fitted() -> Fitted:
    return fit(episodes(), lambda taught: training.trained(taught, steps=80))


@settings(max_examples=examples(40))
@given(goals(), goals(), st.randoms())
def test_neither_names_nor_order_change_the_embedding(one: Goal, second: Goal, chance: Any) -> None:
    belief = graph.GraphBelief(graph.GraphNetwork())
    vectors = belief.vectors([(one, second), disguised((second, one), chance).state, (one,), (second,)])
    assert vectors[0] == pytest.approx(vectors[1], rel=1e-4) and (vectors >= 0).all()
    assert vectors[0] == pytest.approx(vectors[2] + vectors[3])
    together, _, first, last = belief.probabilities([(one, second), (one,), (one,), (second,)])
    assert together == pytest.approx(first * last, rel=1e-4)


def test_a_network_learns_from_plays_and_stands_still_in_its_json() -> None:
    gnn = fitted().belief("gnn")
    found = examined(gnn, episodes())
    assert found.auc > 0.85 and found.brier < 0.7 * found.base and not gnn.leaks
    again = training.trained(episodes(), steps=2)
    assert again.version == training.trained(episodes(), steps=2).version != training.trained(episodes(), 1, 2).version
    read = Fitted.from_bytes(fitted().to_bytes())
    states = [episode.states[0] for episode in episodes()]
    for name in ("gnn", "knn"):
        assert list(read.belief(name).probabilities(states)) == list(fitted().belief(name).probabilities(states))
    assert training.trained([], steps=1).probabilities(states[:2]).shape == (2,)


def test_neighbours_are_looked_for_in_the_embedding_of_the_network() -> None:
    knn: Any = fitted().belief("knn")
    assert fitted().knn.space == fitted().graph.version
    assert examined(knn, episodes()).auc > 0.85
    assert len(set(knn.looks_at([initial(parse("p -> q")), initial(parse("a -> b"))]))) == 1
    nothing = fit(episodes()[:20])
    with pytest.raises(InputError, match="fit again with --network"):
        nothing.belief("gnn")


def test_the_packaged_network_beats_the_share_that_was_proved_on_lemmas_never_seen() -> None:
    fresh = resolve("random:size=9,atoms=3,kind=any,count=60,seed=5").lemmas
    plays = [episode for lemma in fresh for episode in played(lemma.formula, Uniform(), 5)]
    for name in ("gnn", "knn", "bayes"):
        found = examined(default_fitted().belief(name), plays)
        assert found.brier < 0.7 * found.base and found.auc > 0.9


def test_a_goal_too_large_to_be_read_is_as_likely_proved_as_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "LARGEST", 2)
    belief = graph.GraphBelief(graph.GraphNetwork())
    assert belief.probabilities([initial(parse("p /\\ q"))])[0] == pytest.approx(0.5)


def test_the_commands_train_a_network_and_find_similar_lemmas(
    oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oasis.neural.beliefs.training.trained", partial(training.trained, steps=3))
    done = oasis.ran("dagger", "fit", "textbook/or_comm", "textbook/and_comm", "--network", "--plot", "reliable.svg")
    assert "gnn" in done.stdout and "gnn: Brier" in (tmp_path / "reliable.svg").read_text()
    found = json.loads(oasis.ran("dagger", "similar", "B /\\ A -> A /\\ B", "--top", "3", "--json").stdout)
    assert found["similar"][0]["lemma"] == "textbook/and_comm" and found["similar"][0]["similarity"] > 0.99
    assert "and_comm" in oasis.ran("dagger", "similar", "textbook/and_comm", "--knowledge", "fit1").stdout
    assert np.isfinite([each["similarity"] for each in found["similar"]]).all()
