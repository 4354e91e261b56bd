"""Plays by a network: they are those of the calculus, each goal is asked about once, and what is closed is told."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise

import numpy as np
import pytest

from curricula import propl
from oasis.committed import UNCHOSEN, Choosing, committed
from oasis.neural.encoding.form import Encoding
from oasis.neural.encoding.moves import formulas_of
from oasis.neural.labels import Oracle
from oasis.rewarding import reward
from oasis.rewards import Outcome, Transition, closing
from tactics.formula import Formula
from tactics.parser import parse
from tests.neural.modules import goals, loss, networks, paying, policy, rollouts, torch
from tests.neural.small import KINDS, small

LEMMAS = [propl.formula(number, 16) for number in islice(propl.sample(3, 10_000, 16), 60)]


@pytest.fixture(scope="module", params=KINDS)
def network(request: pytest.FixtureRequest) -> networks.Network:
    return small(request.param, seed=5)


def draws(
    network: networks.Network, lemmas: list[Formula], invertible: str = "eager", most: int = 300
) -> rollouts.Plays:
    return rollouts.played(goals.Goals(network, invertible), lemmas, 4, most=most, rng=np.random.default_rng(2))


def steps(plays: rollouts.Plays, play: int) -> list[Transition]:
    return paying.path_of(LEMMAS[plays.lemma[play]], plays.script(play))


@pytest.mark.parametrize("invertible", ["eager", "free"])
def test_plays_are_those_of_the_calculus_and_say_truly_what_they_come_to(
    network: networks.Network, invertible: str
) -> None:
    """How they end, what each choice closes, and at which goal it stands."""
    plays, seen = draws(network, LEMMAS, invertible), set()
    assert {*plays.proved.tolist()} == {True, False}
    parts = zip(*map(plays.split, (plays.before, plays.closed, plays.goal, plays.place)), strict=True)
    for play, (befores, closes, *made) in enumerate(parts):
        path, proved = steps(plays, play), bool(plays.proved[play])
        assert len(path) == plays.moves[play]
        if path:
            end = path[-1].after
            assert proved == (not end)
            assert proved or plays.is_cut[play] or not Oracle().provable(formulas_of(end[0]))
        closed = {id(step) for step in closing(path)}
        assert closes.tolist() == [id(path[number]) in closed for number in befores]
        seen |= {(each, proved) for each in closes.tolist()}
        for before, goal, place in zip(befores, *made, strict=True):
            conclusion, *hypotheses = plays.goals.all[goal].formulas
            focus, *others = formulas_of(path[before].before[0])
            assert conclusion is focus and {*hypotheses} <= {*others}  # which may have another copy of one
            assert plays.goals.all[goal].options[place] is plays.script(play)[before]
    assert (True, False) in seen  # a goal that was closed in a play that was lost


def test_the_likeliest_moves_are_those_that_a_policy_plays(network: networks.Network) -> None:
    plays = rollouts.played(goals.Goals(network), LEMMAS, most=300)
    others = committed(policy.NetworkPolicy(network), LEMMAS, Choosing(), max_moves=300)
    wanted = [(other.proved, len(other.script)) for other in others]
    assert [*zip(plays.proved, plays.moves, strict=True)] == wanted


def test_a_goal_is_asked_about_once(network: networks.Network, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Encoding] = []
    judged = type(network).judged

    def listening(self: networks.Network, encodings: Sequence[Encoding]) -> networks.Judgement:
        asked.extend(encodings)
        return judged(self, encodings)

    monkeypatch.setattr(type(network), "judged", listening)
    plays = draws(network, LEMMAS)
    assert len(asked) == len(np.unique(plays.goal)) < len(plays.goal)


def test_moves_are_drawn_by_the_softmax_of_the_scores_over_the_temperature(network: networks.Network) -> None:
    known = goals.Goals(network, temperature=2.0)
    goal = known.met((parse("A \\/ (B \\/ C)"), parse("(A -> B) -> C")))
    known.judge([goal])
    assert goal.encoding is not None
    scores = network.judged([goal.encoding]).moves.detach() / 2
    wanted = scores - loss.logsumexp(scores, torch.zeros(len(scores), dtype=torch.int64), 1)
    np.testing.assert_allclose(goal.logs, wanted.numpy(), atol=1e-5)
    number = np.full(4000, goal.number)
    drawn = known.drawn(number, (np.arange(4000) + 0.5) / 4000)
    np.testing.assert_allclose(np.bincount(drawn, minlength=len(scores)) / 4000, np.exp(goal.logs), atol=1e-3)
    assert known.likeliest(number[:1]).tolist() == [np.argmax(goal.logs)]


def test_a_play_is_broken_off_after_so_many_moves(network: networks.Network) -> None:
    plays, whole = (rollouts.played(goals.Goals(network), LEMMAS, most=most) for most in (3, 300))
    assert plays.is_cut.any() and plays.proved.any()
    assert plays.is_cut.tolist() == (whole.moves > 3).tolist()
    assert plays.moves.tolist() == np.minimum(whole.moves, 3).tolist()
    assert plays.proved.tolist() == (whole.proved & ~plays.is_cut).tolist()


def test_a_play_is_worth_the_product_of_its_open_goals_whatever_need_not_be_chosen(network: networks.Network) -> None:
    lemma = parse("(A \\/ B) /\\ (A \\/ B -> C \\/ A)")  # after split and intro: three goals, two of them one
    known = goals.Goals(network)
    plays = rollouts.played(known, [lemma], 6, most=50, rng=np.random.default_rng(0), with_values=True)
    first = known.values([known.met((lemma,))])[0]
    assert first == pytest.approx(plays.value[0])
    assert 0 < first < 1
    assert known.values([known.met((parse("A"),)), known.met((parse("A -> A"),))]) == [0.0, 1.0]
    assert np.isfinite(plays.value).all()


def test_a_goal_that_is_judged_on_the_way_of_moves_that_nobody_chooses_leaves_the_draws_of_others_alone(
    network: networks.Network,
) -> None:
    long = parse(" -> ".join([f"A{each} /\\ B{each}" for each in range(UNCHOSEN)] + ["C \\/ D"]))
    other = parse("C \\/ (D -> D) \\/ (C -> D)")
    known, alone = goals.Goals(network), goals.Goals(network)
    for each in (known, alone):
        each.judge([each.met((other,))])
    (left,) = known.leads_to(known.met((long,))) or ()
    assert left.only is not None
    assert len(left.options) > 1
    known.values([known.met((long,))])
    drawn, expected = (
        rollouts.played(each, [other, LEMMAS[0]], 40, most=50, rng=np.random.default_rng(0), with_values=True)
        for each in (known, alone)
    )
    assert drawn.place.tolist() == expected.place.tolist()


@pytest.mark.parametrize(
    ("name", "coin"), [("terminating", (-1.0, 1.0)), ("standard", None), ("dagger:sound", None), ("dagger", None)]
)
def test_a_play_is_paid_what_its_reward_pays_step_by_step(
    network: networks.Network, name: str, coin: tuple[float, float] | None
) -> None:
    """Only a reward for how a play ends is a coin."""
    payer, other = paying.Payer(name), reward(name)
    assert payer.coin == coin
    plays = draws(network, LEMMAS[:20], most=12)
    assert plays.is_cut.any() and not plays.is_cut.all()
    of_plays = zip(plays.split(payer.paid(plays)), plays.split(plays.before), strict=True)
    for play, (found, before) in enumerate(of_plays):
        if not len(found):
            continue
        lemma, is_cut = LEMMAS[plays.lemma[play]], bool(plays.is_cut[play])
        path = steps(plays, play)
        other.begin(lemma)
        last = len(path) - 1
        paid = [other.step(*step, place == last and not is_cut) for place, step in enumerate(path)]
        if other.pays_at_end:
            script = tuple(step.move for step in path)
            paid[-1] += other.end(Outcome(bool(plays.proved[play]), is_cut, len(path), script, path))
        starts = [0, *before[1:], len(path)]
        wanted = [sum(paid[begin:end]) for begin, end in pairwise(starts)]
        np.testing.assert_allclose(found, wanted, atol=1e-9)
