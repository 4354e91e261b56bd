"""Beliefs: features without names, neighbours against scipy, the network against enumeration, and choices by name."""

import json
import pickle
from collections.abc import Sequence
from functools import cache
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from curricula import Status
from curricula.generator import search_status
from curricula.lemma import chain
from oasis.dagger.beliefs.bayes import OF_STATE, PARENTS, PAST, Bayes, given_by, visits
from oasis.dagger.beliefs.belief import Even, Floats, Remembered, believed
from oasis.dagger.beliefs.calibration import examined, scale_of
from oasis.dagger.beliefs.features import NAMES, features
from oasis.dagger.beliefs.knn import Knn, nearest
from oasis.dagger.episodes import Episode, played, replayed
from oasis.dagger.fit import default_fitted
from oasis.dagger.knowledge import Knowledge
from oasis.dagger.shapes import tactic
from oasis.escalation.proving import Certain
from oasis.play.policy import Uniform
from oasis.teacher.deciding.decide import Decision, Verdict
from tactics.errors import InputError
from tactics.goal import Goal, State, initial
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import parse_script
from tests.dagger.damage import damaged
from tests.state_spaces.variants import disguised
from tests.strategies import PLAIN_NAMES, goals, states

LEMMAS = ("p /\\ q -> q /\\ p", "p -> q \\/ (r \\/ p)", "~ ~ (p \\/ ~ p)", "(p \\/ q -> r) -> p -> r", "p \\/ ~ p")
open_states = states(PLAIN_NAMES).filter(bool)


@cache
def episodes() -> list[Episode]:
    return [episode for lemma in LEMMAS for episode in played(parse(lemma), Uniform(), 12, 3)]


@cache
def met() -> list[State]:
    return list(dict.fromkeys(state for episode in episodes() for state in episode.states))


# Features


@given(goals(), goals(), goals(), st.randoms())
def test_features_do_not_depend_on_names_or_order(one: Goal, second: Goal, third: Goal, chance: Any) -> None:
    other = disguised((one, third, second), chance).state
    assert features((one, second, third)) == pytest.approx(features(other))


def test_features_say_what_a_person_sees() -> None:
    lemma = parse("p -> (p -> q) -> ((p -> r) -> s) -> (q /\\ s -> t) -> q")
    state = replayed(lemma, parse_script("intro; intro; intro; intro")).steps[-1].after
    assert dict(zip(NAMES, features(initial(parse("p -> q"))), strict=True))["refuted"] == 1
    seen = {name: value for name, value in zip(NAMES, features(state), strict=True) if value and "weight" not in name}
    assert seen == {
        "hypotheses: atom": 1,
        "hypotheses: ready": 1,
        "hypotheses: implies implies": 1,
        "hypotheses: and implies": 1,
        "conclusion: atom": 1,
        "hypotheses": 4,
        "moves": 3,
        "aims": 1,
        "atoms": 5,
        "goals": 1,
    }


def test_what_is_shared_is_not_written_out() -> None:
    formula = parse("p")
    for _ in range(3000):
        formula = formula & formula
    assert np.isfinite(features(initial(formula))).all()


# Neighbours


@pytest.mark.parametrize("k", [1, 7, 60, 10_000])
def test_neighbours_are_those_of_brute_force(k: int) -> None:
    table = np.array([features(state) for episode in episodes() for state in episode.states])
    proved = np.array([episode.proved for episode in episodes() for _ in episode.states])
    deviation = table.std(axis=0)
    units = np.array([float(f"{each:.4g}") if each else 1 for each in deviation])
    stored = np.rint(table / units)
    believed = Knn.of(episodes(), k).probabilities(met())
    for state, answer in zip(met(), believed, strict=True):
        distances = cdist([np.rint(features(state) / units)], stored, "sqeuclidean")[0]
        near = distances <= np.sort(distances)[min(k, len(distances)) - 1]
        share = (proved.sum() + 1) / (len(proved) + 2)
        assert answer == pytest.approx((proved[near].sum() + share) / (near.sum() + 1))


def test_without_smoothing_the_answers_are_shares_and_the_states_seen_most_often_are_kept() -> None:
    one = Knn.of([replayed(parse("p -> p"), parse_script("intro; assumption"))], smoothing=0)
    assert one.probabilities([initial(parse("q -> q"))]) == [1.0]
    with_smoothing = Knn.of(episodes(), k=1).probabilities(met())
    assert ((with_smoothing > 0) & (with_smoothing < 1)).all()
    few = Knn.of(episodes(), largest=3).to_json()
    everything = Knn.of(episodes()).to_json()
    assert sorted(few["seen"], reverse=True) == sorted(everything["seen"], reverse=True)[:3]


@given(st.data(), st.integers(1, 40))
def test_faiss_finds_the_neighbours_that_numpy_finds(data: Any, k: int) -> None:
    pytest.importorskip("faiss")
    points = data.draw(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=1, max_size=30, unique=True))
    seen = np.array(data.draw(st.lists(st.integers(1, 5), min_size=len(points), max_size=len(points))))
    found = [
        list(nearest(np.array(points), np.array([[0, 9, 4], [7, 7, 7]]), seen, k, by_faiss=by)) for by in (True, False)
    ]
    assert all((one == other).all() for one, other in zip(*found, strict=True))


def test_who_saw_nothing_believes_one_half() -> None:
    for belief in (Knn.of([]), Bayes.of([]), Even()):
        assert belief.probabilities(met()[:3]).tolist() == [0.5, 0.5, 0.5]


# The network


def enumerated(network: Bayes, observed: dict[str, int]) -> float:
    """Return p(proved | what is observed), adding up the joint probability of everything else."""
    content = network.to_json()
    values = {name: len(node.values) + 1 for name, node in OF_STATE.items()}
    values |= {"proved": 2, "rule": len(RULES), "shape": len(content["shapes"]) + 1}
    rows: dict[str, dict[tuple[int, ...], list[float]]] = {}
    for name, parents in PARENTS.items():
        counts = iter(content["tables"][name])
        rows[name] = {}
        for given_parents in product(*(range(values[parent]) for parent in parents)):
            row = [next(counts) + content["prior"] / values[name] for _ in range(values[name])]
            rows[name][given_parents] = [each / sum(row) for each in row]
    hidden = [name for name in PARENTS if name not in observed]
    joint = [0.0, 0.0]
    for chosen in product(*(range(values[name]) for name in hidden)):
        world = {**observed, **dict(zip(hidden, chosen, strict=True))}
        joint[world["proved"]] += prod(
            rows[name][tuple(world[parent] for parent in parents)][world[name]] for name, parents in PARENTS.items()
        )
    return joint[1] / sum(joint)


@pytest.mark.parametrize(
    "hidden", ["", "shape", "rule", "rule shape", "goals hypotheses", "compound or rule", "moves closable"]
)
def test_the_network_answers_as_enumeration_does(hidden: str) -> None:
    network = Bayes.of(episodes(), most=4)
    for episode in episodes()[::7]:
        step = episode.steps[len(episode.steps) // 2]
        used = tactic(step.before[0], step.move)
        places = {shape: place for place, shape in enumerate(network.to_json()["shapes"])}
        observed = {**given_by(step.before), "rule": [*RULES].index(used.rule), "shape": places.get(used.shape, 4)}
        observed = {name: value for name, value in observed.items() if name not in hidden.split()}
        assert network.posterior(observed) == pytest.approx(enumerated(network, observed))
        if hidden == "rule shape":
            assert network.probabilities([step.before])[0] == network.posterior(observed)


def test_every_step_is_counted_once_and_with_nothing_given_it_is_the_share_of_observations() -> None:
    observations = sum(len(episode.steps) + (not episode.proved) for episode in episodes())
    in_proofs = sum(len(episode.steps) for episode in episodes() if episode.proved)
    assert Bayes.of(episodes()).posterior({}) == pytest.approx((in_proofs + 0.5) / (observations + 1))
    tables = Bayes.of(episodes()).to_json()["tables"]
    assert sum(tables["rule"]) == sum(tables["shape"]) == sum(len(episode.steps) for episode in episodes())
    assert all(sum(tables[name]) == observations for name in ("proved", *OF_STATE))


def test_what_was_learned_elsewhere_counts_less_than_the_plays_at_hand() -> None:
    always = [replayed(parse("p -> p"), parse_script("intro; assumption"))] * PAST
    never = [replayed(parse("p \\/ (p -> p)"), parse_script("left"))] * (PAST // 4)
    (state,) = never[0].states[:1]
    before, after = Bayes.of(always), Bayes.of(always).learn(visits(never))
    assert before.posterior({}) > 0.99 and after.posterior({}) == pytest.approx(2 / 3, abs=0.01)
    assert after.probabilities([state])[0] < 0.1 < before.probabilities([state])[0]
    assert sum(Bayes.from_json(after.to_json()).to_json()["tables"]["proved"]) == PAST + 2 * len(never)


# Calibration


def test_a_belief_on_its_scale_means_what_it_says_and_may_learn_on() -> None:
    scale = scale_of(Bayes.of(episodes()), episodes())
    assert scale_of(Even(), []) == (1, 0)
    belief, again = Remembered(Bayes.of([]), scale, learns=True), Remembered(Bayes.of([]), scale, learns=True)
    before = examined(belief, episodes()).brier
    belief.learn(visits(episodes()))
    said = belief.probabilities(met())
    assert said == scale.applied(Bayes.of([]).learn(visits(episodes())).probabilities(met())).tolist()
    assert examined(belief, episodes()).brier < before
    again.restore(json.loads(json.dumps(belief.belief.to_json())))
    assert again.probabilities(met()) == said and again.version == belief.version


# Neighbours, networks and knowledge as JSON


@pytest.mark.parametrize("kind", [Knn, Bayes, Knowledge])
def test_json_and_pickle_give_the_same_and_anything_else_is_refused_in_a_sentence(kind: type[Any]) -> None:
    kept = kind.of(episodes())
    for other in (kind.from_json(json.loads(json.dumps(kept.to_json()))), pickle.loads(pickle.dumps(kept))):
        assert (other.version, other.to_json()) == (kept.version, kept.to_json())
        assert kind is Knowledge or (other.probabilities(met()) == kept.probabilities(met())).all()
    assert len({kind.of(part).version for part in (episodes(), episodes()[20:], [])}) == 3
    for content in (*damaged(kind.of(episodes()[:3]).to_json()), None, [], "x", {"version": 1}):
        with pytest.raises(InputError, match=r"^This [^\n]* fit it again with oasis dagger fit\.$"):
            kind.from_json(content)
    with pytest.raises(InputError, match=rf"^This {kind.called} is of format 99, not {kind.layout}"):
        kind.from_json({**kept.to_json(), "version": "99-abc"})


# Beliefs by name


class Wrong:
    """A belief whose answers are what it is told."""

    version, leaks = "wrong", False

    def __init__(self, answers: Any = 0.5) -> None:
        self._answers = answers

    def probabilities(self, states: Sequence[State]) -> Floats:
        if isinstance(self._answers, BaseException):
            raise self._answers
        return self._answers  # type: ignore[no-any-return]


class Forgetful(Even):
    """A belief that learns and cannot be stored."""

    learn = Even.probabilities


half = Even()


def named(name: str) -> Any:
    return default_fitted().belief(name).belief


def test_beliefs_by_name() -> None:
    assert isinstance(named("bayes-online"), Bayes) and default_fitted().belief("bayes-online").learns
    assert isinstance(named("even"), Even) and isinstance(named("exact"), Certain)
    assert named("exact").leaks and not named("even").leaks
    assert named(f"{__name__}:half") is half and isinstance(named(f"{__name__}:Wrong"), Wrong)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "kn",
        "no_such_module:x",
        f"{__name__}:nothing",
        f"{__name__}:LEMMAS",
        "json:loads",
        "sys:exit",
        f"{__name__}:Forgetful",
    ],
)
def test_what_is_no_belief_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(InputError, match=r"^--belief"):
        named(name)


@pytest.mark.parametrize(
    "answers",
    [
        *map(np.array, ([0.5], [0.5, np.nan], [0.5, 1.01], [-0.1, 0.5], [0.5, 0.5j], ["x", "y"])),
        *(None, KeyError("x"), SystemExit(0)),
    ],
    ids=str,
)
def test_answers_that_are_no_probabilities_are_refused(answers: Any) -> None:
    with pytest.raises(InputError, match=r"^The belief Wrong "):
        believed(Wrong(answers), met()[:2])


@given(open_states)
def test_the_exact_one_knows_what_search_finds(state: State) -> None:
    provable = [
        search_status(chain((formula for _, formula in goal.hypotheses), goal.conclusion)) is Status.THEOREM
        for goal in state
    ]
    assert Certain().probabilities([state, state]).tolist() == [float(all(provable))] * 2


def test_the_exact_one_does_not_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = Decision(Verdict.UNKNOWN, "intuit", 10.0, reason="the time is used up")
    monkeypatch.setattr("oasis.escalation.proving.decide", lambda _: unknown)
    with pytest.raises(InputError, match=r"not known \(the time is used up\); choose another belief than exact\.$"):
        Certain().probabilities([initial(parse("nobody -> asked -> this"))])
