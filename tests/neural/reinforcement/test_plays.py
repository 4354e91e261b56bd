"""Plays by a network: they are those of the calculus, each goal is asked about once, and what is closed is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import numpy as np
import pytest
import torch

from curricula import propl
from oasis.committed import Choosing, committed
from oasis.neural.encoding.form import Encoding
from oasis.neural.encoding.moves import formulas_of
from oasis.neural.labels import Oracle
from oasis.neural.networks.network import Judgement, Network
from oasis.neural.networks.presets import from_json
from oasis.neural.policy import NetworkPolicy
from oasis.neural.reinforcement.goals import Goals
from oasis.neural.reinforcement.paying import Payer, path_of
from oasis.neural.reinforcement.rollouts import Play, played
from oasis.neural.training.loss import logsumexp
from oasis.rewards import closing
from tactics.formula import Formula
from tactics.parser import parse


@pytest.fixture(scope="module", params=["relational", "decoder"])
def network(request: pytest.FixtureRequest) -> Network:
    with torch.random.fork_rng():
        torch.manual_seed(5)
        return from_json({"kind": request.param, "width": 16, "layers": 2, "heads": 2})


def formulas(n: int = 16) -> Iterator[Formula]:
    return (propl.formula(number, n) for number in propl.sample(3, 10_000, n))


LEMMAS = list(islice(formulas(), 60))


def draws(network: Network, lemmas: list[Formula], invertible: str = "eager", most: int = 300) -> list[Play]:
    return played(Goals(network, invertible), lemmas, 4, most=most, rng=np.random.default_rng(2))


@pytest.mark.parametrize("invertible", ["eager", "free"])
def test_plays_are_made_of_legal_moves_and_say_truly_how_they_end(network: Network, invertible: str) -> None:
    plays = draws(network, LEMMAS, invertible)
    assert {play.proved for play in plays} == {True, False}
    for play in plays:
        path = path_of(LEMMAS[play.lemma], play)
        end = path[-1].after if path else None
        if end is not None:
            assert play.proved == (not end)
            assert play.proved or play.is_cut or not Oracle().provable(formulas_of(end[0]))
        assert len(path) == len(play.script)


@pytest.mark.parametrize("invertible", ["eager", "free"])
def test_what_is_closed_is_what_the_calculus_closes(network: Network, invertible: str) -> None:
    seen = set()
    for play in draws(network, LEMMAS, invertible):
        path = path_of(LEMMAS[play.lemma], play)
        closed = {id(step) for step in closing(path)}
        assert play.closed == [id(path[number]) in closed for number in play.before]
        seen |= {*zip(play.closed, [play.proved] * len(play.closed), strict=True)}
    assert (True, False) in seen  # a goal that was closed in a play that was lost


def test_the_likeliest_moves_are_those_that_a_policy_plays(network: Network) -> None:
    plays = played(Goals(network), LEMMAS, most=300)
    for play, other in zip(plays, committed(NetworkPolicy(network), LEMMAS, Choosing(), max_moves=300), strict=True):
        assert (play.proved, len(play.script)) == (other.proved, len(other.script))


def test_a_goal_is_asked_about_once(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Encoding] = []
    judged = type(network).judged

    def listening(self: Network, goals: Sequence[Encoding]) -> Judgement:
        asked.extend(goals)
        return judged(self, goals)

    monkeypatch.setattr(type(network), "judged", listening)
    plays = draws(network, LEMMAS)
    choices = [goal for play in plays for goal in play.goals]
    assert len(asked) == len({*choices}) < len(choices)


def test_moves_are_drawn_by_the_softmax_of_the_scores_over_the_temperature(network: Network) -> None:
    goals = Goals(network, temperature=2.0)
    goal = goals.met((parse("A \\/ (B \\/ C)"), parse("(A -> B) -> C")))
    goals.judge([goal])
    assert goal.encoding is not None
    scores = network.judged([goal.encoding]).moves.detach() / 2
    wanted = scores - logsumexp(scores, torch.zeros(len(scores), dtype=torch.int64), 1)
    np.testing.assert_allclose(goal.logs, wanted.numpy(), atol=1e-5)
    drawn = [goal.drawn((number + 0.5) / 4000) for number in range(4000)]
    np.testing.assert_allclose(np.bincount(drawn, minlength=len(scores)) / 4000, np.exp(goal.logs), atol=1e-3)
    assert goal.likeliest == int(np.argmax(goal.logs))


def test_a_play_is_broken_off_after_so_many_moves(network: Network) -> None:
    plays = draws(network, LEMMAS, most=3)
    assert any(play.is_cut for play in plays)
    assert all(len(play.script) <= 3 and not (play.is_cut and play.proved) for play in plays)


def test_a_play_is_worth_the_product_of_its_open_goals_whatever_need_not_be_chosen(network: Network) -> None:
    lemma = parse("(A \\/ B) /\\ (A \\/ B -> C \\/ A)")  # after split and intro: three goals, two of them one
    goals = Goals(network)
    plays = played(goals, [lemma], 6, most=50, rng=np.random.default_rng(0), with_values=True)
    first = goals.values([goals.met((lemma,))])[0]
    assert first == pytest.approx(plays[0].values[0])
    assert 0 < first < 1
    assert goals.values([goals.met((parse("A"),)), goals.met((parse("A -> A"),))]) == [0.0, 1.0]
    assert all(len(play.values) == len(play.goals) for play in plays)


@pytest.mark.parametrize("name", ["terminating", "standard", "dagger:sound", "dagger"])
def test_a_play_is_paid_what_its_reward_pays_step_by_step(network: Network, name: str) -> None:
    from oasis.rewarding import reward

    payer, other = Payer(name), reward(name)
    for play in draws(network, LEMMAS[:20]):
        if not play.goals:
            continue
        lemma = LEMMAS[play.lemma]
        path = path_of(lemma, play)
        other.begin(lemma)
        last = len(path) - 1
        steps = [other.step(*step, place == last and not play.is_cut) for place, step in enumerate(path)]
        if other.pays_at_end:
            from oasis.rewards import Outcome

            script = tuple(step.move for step in path)
            steps[-1] += other.end(Outcome(play.proved, play.is_cut, len(path), script, path))
        starts = [0, *play.before[1:], len(path)]
        wanted = [sum(steps[begin:end]) for begin, end in pairwise(starts)]
        np.testing.assert_allclose(payer.paid(lemma, play), wanted, atol=1e-9)


def test_only_a_reward_for_how_a_play_ends_is_a_coin() -> None:
    assert Payer("terminating").coin == (-1.0, 1.0)
    assert Payer("standard").coin is None
    assert Payer("dagger:sound").coin is None


def test_a_reward_counts_what_was_played_when_it_is_told_to(network: Network) -> None:
    payer = Payer("dagger:seed")
    plays = [play for play in draws(network, LEMMAS[:20]) if play.goals]
    before = [payer.paid(LEMMAS[play.lemma], play).sum() for play in plays]
    payer.refresh()
    after = [payer.paid(LEMMAS[play.lemma], play).sum() for play in plays]
    assert before != after
    again = Payer("dagger:seed")
    again.restore(payer.state())
    assert [again.paid(LEMMAS[play.lemma], play).sum() for play in plays] == pytest.approx(after)
