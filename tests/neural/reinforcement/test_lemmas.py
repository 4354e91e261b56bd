"""Which lemmas are practised, how likely their plays are to end differently, and what is examined on."""

from __future__ import annotations

import json

import numpy as np
import pytest

from curricula import Lemma, Status, propl
from oasis.neural.labels import Oracle
from oasis.neural.reinforcement import lemmas
from oasis.neural.reinforcement.exams import Scores, examined, examined_keys
from oasis.neural.reinforcement.lemmas import Pool
from oasis.neural.reinforcement.settings import PoolSettings
from oasis.neural.training.reserved import key, reserved_keys
from tactics.parser import parse

pytestmark = pytest.mark.slow
SETTINGS = PoolSettings(size=100, connectives=(16, 32))


@pytest.fixture(scope="module")
def pool() -> Pool:
    made = Pool(SETTINGS, 16)
    made.fill()
    return made


def test_what_is_practised_are_theorems_that_nobody_is_examined_on(pool: Pool) -> None:
    kept_back = reserved_keys() | examined_keys()
    assert len(pool.lemmas) == 100
    assert not {key(lemma) for lemma in pool.lemmas} & kept_back
    assert all(Oracle().provable((lemma,)) for lemma in pool.lemmas)


def test_the_sets_are_fixed_and_none_of_them_is_in_propls_tests() -> None:
    sizes = {name: len(theorems) for name, theorems in examined().items()}
    assert sizes == {"ordinary": 200, "hard": 200, "large": 100, "iltp": 37}
    of_propl = {key(each) for name in ("ordinary", "large") for each in examined()[name]}
    assert len(of_propl) == 300
    hundred, others = examined()["hard"][:100], examined()["hard"][100:]
    assert not (of_propl | {*map(key, others)}) & reserved_keys() and {*map(key, hundred)} <= reserved_keys()


@pytest.mark.parametrize("kept_back", ["examined_keys", "reserved_keys"])
def test_a_portion_leaves_out_what_is_kept_back(monkeypatch: pytest.MonkeyPatch, kept_back: str) -> None:
    monkeypatch.setattr(lemmas, "PORTION", 4)
    for name in ("examined_keys", "reserved_keys"):
        monkeypatch.setattr(lemmas, name, frozenset)
    whole = lemmas.portion(SETTINGS, 0)
    first = frozenset(key(propl.formula(number, 16)) for number in whole[:2])
    monkeypatch.setattr(lemmas, kept_back, lambda: first)
    rest = lemmas.portion(SETTINGS, 0)
    assert (len(rest), rest[:2]) == (4, whole[2:])
    assert not {*whole[:2]} & {*rest}


def test_a_lemma_is_practised_once_and_only_if_nobody_is_examined_on_it_and_it_can_be_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = [
        ("examined", "A -> A \\/ B", "reserved for tests"),
        ("reserved", "A -> B \\/ A", "reserved for tests"),
        ("first", "A \\/ B -> B \\/ A", ""),
        ("again", "X \\/ Y -> Y \\/ X", "the same as another one, up to renaming"),
        ("large", "A -> B -> A \\/ B", ""),  # of five subformulas, as many as the first one has
        ("larger", "A -> B -> A \\/ C", "too large for a network to look at"),
        ("none", "A \\/ ~A", "no theorem"),
        ("easy", "A -> A", "no choice to make"),
    ]
    monkeypatch.setattr(lemmas, "LARGEST", 5)
    monkeypatch.setattr(lemmas, "examined_keys", lambda: frozenset([key(parse("q -> q \\/ p"))]))
    monkeypatch.setattr(lemmas, "reserved_keys", lambda: frozenset([key(parse("q -> p \\/ q"))]))
    given = [
        Lemma(name, parse(text), Status.NON_THEOREM if name == "none" else Status.THEOREM, "here")
        for name, text, _ in table
    ]
    wanted = [(lemma.name, why) for lemma, (*_, why) in zip(given, table, strict=True)]
    assert [*lemmas.sorted_out(given)] == wanted


def of_one_lemma() -> Pool:
    pool = Pool(PoolSettings(lemmas=("A -> A \\/ B",)), 16)
    pool.fill()
    return pool


def chance_of(proved: int, lost: int) -> float:
    pool = of_one_lemma()
    pool.proved[0], pool.lost[0] = proved, lost
    return float(pool.chances[0])


def test_the_chance_to_be_mixed_is_the_beta_binomial_one() -> None:
    rng = np.random.default_rng(0)
    for proved, lost in ((0, 0), (16, 0), (3, 13)):
        of_proofs = rng.beta(proved + 0.05, lost + 0.05, 400_000)
        drawn = rng.binomial(16, of_proofs)
        assert chance_of(proved, lost) == pytest.approx(np.mean((drawn > 0) & (drawn < 16)), abs=0.005)
    assert chance_of(8, 8) > 0.99 > chance_of(15, 1) > chance_of(0, 0) > chance_of(16, 0)
    assert chance_of(16, 0) == pytest.approx(chance_of(0, 16))
    assert chance_of(0, 0) == pytest.approx(0.15, abs=0.005)


def test_lemmas_whose_plays_differ_are_drawn_more_often_and_none_twice_at_once(pool: Pool) -> None:
    for place in range(100):
        pool.learn(place, 16 if place < 90 else 8)
    rng = np.random.default_rng(1)
    draws = [pool.draw(rng, 10) for _ in range(50)]
    assert all(len({*drawn}) == 10 for drawn in draws)
    assert np.mean([place >= 90 for drawn in draws for place in drawn]) > 0.5
    assert sorted(pool.draw(rng, 200, without=range(50))) == list(range(50, 100))
    assert pool.draw(rng, 5, without=range(100)) == []


def test_the_latest_plays_count_most() -> None:
    pool = of_one_lemma()
    pool.learn(0, 16)
    pool.learn(0, 0)
    assert (pool.proved[0], pool.lost[0]) == (8, 16)


def test_a_portion_takes_the_place_of_those_that_are_known() -> None:
    pool = Pool(SETTINGS, 16)
    pool.fill()
    for place in range(100):
        pool.learn(place, 8 if place < 50 else 16)
    before = list(pool.lemmas)
    pool.renew()
    assert pool.lemmas[:50] == before[:50] and not {*pool.lemmas[50:]} & {*before}
    assert pool.proved[50:].sum() == pool.lost[50:].sum() == 0
    again = Pool(SETTINGS, 16)
    again.restore(json.loads(json.dumps(pool.state())))
    for each in (pool, again):
        each.renew()
    assert again.lemmas == pool.lemmas and (again.chances == pool.chances).all()


@pytest.mark.parametrize(
    "wrong",
    [
        *({"proved": each} for each in ([1.0], [float("nan")] * 100, [1e300] * 100)),
        *({"lost": ["x"]}, {"portions": -1}),
        *({"numbers": [each] * 100} for each in ([1_000_000, 5], [16, -5], [16, 1 << 999])),
        {"numbers": [], "proved": [], "lost": []},
    ],
)
def test_a_state_that_is_none_is_refused(pool: Pool, wrong: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        Pool(SETTINGS, 16).restore({**pool.state(), **wrong})


def test_scores_that_are_none_are_refused() -> None:
    scores = Scores({"hard": (3, 4)})
    sizes = {"hard": 4}
    assert Scores.from_json(scores.to_json(), sizes) == scores and str(scores) == "hard 75.0%"
    others = [{"ordinary": [3, 4]}, {"hard": [3, 5]}, {"hard": [3, 4], "large": [3, 4]}]
    for wrong in ({}, {"hard": [5, 4]}, {"hard": [0, 0]}, {"hard": [1]}, *others):
        with pytest.raises(ValueError, match=r"scores|unpack"):
            Scores.from_json(wrong, sizes)
