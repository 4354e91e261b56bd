"""Plays by a network, and what it learns from the choices of these, as each option of it says."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from curricula import propl
from oasis.neural.encoding.moves import formulas_of
from oasis.neural.labels import Oracle
from oasis.neural.reinforcement.advantages import generalized
from oasis.neural.training.settings import SAMPLERS
from oasis.play.committed import UNCHOSEN, Choosing, committed
from oasis.rewards import Outcome, Transition, closing
from oasis.rewards.named import reward
from tactics.formula import Formula
from tactics.parser import parse
from tests.neural.modules import critic as critics
from tests.neural.modules import devices, goals, learning, loss, networks, paying, policy, rollouts, torch, train
from tests.neural.modules import sampling as samplers
from tests.neural.small import KINDS, small, started

pytestmark = pytest.mark.slow
LEMMAS = [propl.formula(number, 16) for number in islice(propl.sample(3, 10_000, 16), 60)]


@pytest.fixture(scope="module", params=KINDS)
def network(request: pytest.FixtureRequest) -> networks.Network:
    return small(request.param, seed=5)


def draws(
    network: networks.Network, lemmas: list[Formula], invertible: str = "eager", most: int = 300, sampler: str = "plays"
) -> rollouts.Plays:
    rng = np.random.default_rng(2)
    return samplers.sampled(sampler, goals.Goals(network, invertible), lemmas, 4, rng, most=most)


def steps(plays: rollouts.Plays, play: int) -> list[Transition]:
    return paying.path_of(LEMMAS[plays.lemma[play]], plays.script(play))


@pytest.mark.parametrize(("invertible", "sampler"), [("eager", "plays"), ("free", "plays"), ("eager", "rmaxts")])
def test_plays_are_those_of_the_calculus_and_say_truly_what_they_come_to(
    network: networks.Network, invertible: str, sampler: str
) -> None:
    """How they end, what each choice closes, and at which goal it stands."""
    plays, seen = draws(network, LEMMAS, invertible, sampler=sampler), set()
    assert np.bincount(plays.lemma).tolist() == [4] * len(LEMMAS)
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


def test_who_writes_freely_draws_what_is_no_move_by_the_probability_that_is_left_and_loses() -> None:
    network = small("decoder")
    known = goals.Goals(network, "free", writing="free")
    lemmas = [LEMMAS[0]] * 4000
    plays = rollouts.played(known, lemmas, most=300, rng=np.random.default_rng(0))
    first = known.met((lemmas[0],))
    assert first.encoding is not None and len(first.logs) == len(first.options) + 1
    np.testing.assert_allclose(
        np.exp(first.logs[:-1]), network.judged([first.encoding]).moves.exp().detach(), atol=1e-6
    )
    logs, _ = learning._judged(network, [first.encoding], torch.zeros(0), True, 1.0, devices.CPU)
    np.testing.assert_allclose(logs.detach(), first.logs, atol=1e-4)
    begun = plays.place[plays.goal == first.number]
    np.testing.assert_allclose(np.bincount(begun, minlength=len(first.logs)) / 4000, np.exp(first.logs), atol=0.02)
    faults = np.flatnonzero(plays.place == [len(known.all[goal].options) for goal in plays.goal])
    assert len(faults) > 3000 and not plays.proved[plays.play[faults]].any() and not plays.closed[faults].any()
    search, places = samplers._Search(known, lemmas[0], 0), plays.split(plays.place)
    for play in {*plays.play[faults[:20]].tolist()}:
        made, states = plays.walked(play)
        if not made:
            search.begin()
            search.take_in(places[play].tolist(), states, is_cut=False)
            assert search._tree.size == 1, "a fault is nothing new"
        assert len(made) == plays.moves[play] - 1 == len(states) - 2 and states[-1]


def test_the_likeliest_moves_are_those_that_a_policy_plays(network: networks.Network) -> None:
    plays = rollouts.played(goals.Goals(network), LEMMAS, most=300)
    others = [*committed(policy.NetworkPolicy(network), LEMMAS, Choosing(), max_moves=300)]
    chosen = [plays.goals.all[number].logs for number in plays.goal.tolist()]
    ties = [np.count_nonzero(logs == logs.max()) > 1 for logs in chosen]  # moves that want the same formula
    by_lot = {*plays.play[ties].tolist()}
    for play, other in enumerate(others):
        assert play in by_lot or (plays.proved[play], plays.moves[play]) == (other.proved, len(other.script))
    assert len(by_lot) < len(others) / 2


def test_a_goal_is_asked_about_once(network: networks.Network) -> None:
    plays = draws(network, LEMMAS)
    assert plays.goals.asked == len(np.unique(plays.goal)) < len(plays.goal)


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


def test_a_goal_judged_on_the_way_of_unchosen_moves_changes_no_other_draw(network: networks.Network) -> None:
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
    ("name", "coin"), [("terminating", (-1.0, 1.0)), ("standard", None), ("dagger:all", None), ("dagger", None)]
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
        starts = [*before, len(path)]
        wanted = [sum(paid[begin:end]) for begin, end in pairwise(starts)]
        np.testing.assert_allclose(found, wanted, atol=1e-9)


def worth(known: goals.Goals, state: rollouts.State) -> float:
    """Return how many moves the policy is to be expected to make from a state on, by all that it may do."""
    if not state or not (goal := known.all[state[-1]]).options:
        return 0.0
    known.judge([goal])
    made = known.made(np.full(len(goal.options), goal.number), np.arange(len(goal.options)))
    after = [worth(known, known.follower(state, place)) for place in range(len(goal.options))]
    return float(np.exp(goal.logs) @ (made + after))


FEW = [parse("A -> B -> (C \\/ A) /\\ (B \\/ C \\/ A)"), parse("((A -> B) -> C) -> B -> C \\/ A")]


def test_a_search_gives_beginnings_of_earlier_plays_and_what_is_drawn_then_is_the_policys(
    network: networks.Network,
) -> None:
    """Choices that were drawn are as frequent, and close their goals as often, as in plays from the beginning."""
    known, rng = goals.Goals(network), np.random.default_rng(1)
    alone, plays = (samplers.sampled(each, known, FEW * 60, 16, rng, most=50) for each in SAMPLERS)
    earlier: dict[int, set[tuple[int, ...]]] = {}
    for lemma, places, drawn in zip(plays.lemma.tolist(), *map(plays.split, (plays.place, plays.drawn)), strict=True):
        of_lemma, given = earlier.setdefault(lemma, set()), int((~drawn).sum())
        assert not drawn[:given].any() and (not given or tuple(places[:given]) in of_lemma)
        of_lemma |= {tuple(places[:end]) for end in range(len(places) + 1)}
    assert alone.drawn.all() and 0.1 < plays.drawn.mean() < 0.9
    moves = ({*zip(each.goal[each.drawn], each.place[each.drawn], strict=True)} for each in (alone, plays))
    for goal, place in set.intersection(*moves):
        here, there = (each.drawn & (each.goal == goal) for each in (alone, plays))
        near = 2.5 / sqrt(min(here.sum(), there.sum()))
        for one, other in ((alone.place == place, plays.place == place), (alone.closed, plays.closed)):
            assert one[here].mean() == pytest.approx(other[there].mean(), abs=near)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_what_plays_tell_of_goals_is_true_where_it_says_yes(network: networks.Network, sampler: str) -> None:
    """A goal that a play proved is provable, and a move by which it did leaves what is; of others nothing is said."""
    plays = draws(network, LEMMAS, sampler=sampler)
    told, oracle = samplers.outcomes(plays), Oracle()
    assert len(told) == len({each.formulas for each in told}) == len(np.unique(plays.goal))
    assert {each.provable for each in told} == {True, False} and None in {keep for each in told for keep in each.keeps}
    for each in told:
        assert not each.provable or oracle.provable(each.formulas)
        assert not each.keeps or {True, False} <= {*each.keeps}
        for move, keep in zip(each.options, each.keeps, strict=True):
            assert not keep or all(map(oracle.provable, move.premises))


@pytest.mark.parametrize("reward", ["standard", "dagger:all"])
def test_the_critic_comes_near_what_the_policy_is_worth(network: networks.Network, reward: str) -> None:
    """Of states with one goal and with two, after many plays; of a reward of 1 for each move the truth is exact."""
    known = goals.Goals(network)
    plays = rollouts.played(known, FEW, 400, most=50, rng=np.random.default_rng(0))
    paid = plays.split(paying.Payer(reward).paid(plays))
    returns = np.concatenate([np.cumsum(amounts[::-1])[::-1] for amounts in paid])
    critic = critics.Critic(train.copied(network), 3000)
    states = critic.states(plays)
    assert not critic.expected(states).any()
    errors = [critic.learn(states, states.of_choices, returns, 1e-2, 1) for _ in range(150)]
    assert errors[-1] < 1e-3 < errors[0]
    number, place, visits = np.unique(states.of_choices, return_index=True, return_counts=True)
    wanted = np.bincount(states.of_choices, returns) / np.bincount(states.of_choices)
    if reward == "standard":
        at = [state for play in range(len(plays)) for state in plays.walked(play)[1][:-1]]
        assert {len(at[each]) for each in place} == {1, 2}
        wanted = np.array([worth(known, at[each]) for each in place])
    often = visits >= 50  # what few plays came to may have been paid anything
    np.testing.assert_allclose(critic.expected(states)[number][often], wanted[often], atol=0.25)
    assert often.sum() > 2


# Learning from plays

TEMPERATURE = 1.5


def drawn(network: networks.Network) -> rollouts.Plays:
    of_network = goals.Goals(network, temperature=TEMPERATURE)
    return rollouts.played(of_network, LEMMAS, 3, most=100, rng=np.random.default_rng(1))


def flat(network: networks.Network) -> torch.Tensor:
    """Return the gradients of all parameters as one vector."""
    parameters = list(network.module.parameters())
    return torch.cat([(torch.zeros_like(each) if each.grad is None else each.grad).flatten() for each in parameters])


def another(network: networks.Network, seed: int = 8) -> networks.Network:
    """Return a network of the same shape that judges otherwise."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        other = train.copied(network)
        for each in other.module.parameters():
            torch.nn.init.normal_(each, std=0.2)
    return other


def test_choices_of_another_policy_are_learned_from_as_the_formula_says(network: networks.Network) -> None:
    """By hand from the plays, every second choice of which is learned from, clipped below 0.9 and above 1.4."""
    reference, plays = another(network, 9), drawn(another(network))
    learned = np.arange(1, len(plays.play), 2)
    rng = np.random.default_rng(2)
    advantages, weighs = rng.normal(size=len(learned)), rng.random(len(learned))

    met = [plays.goals.all[number] for number in dict.fromkeys(plays.goal[learned].tolist())]
    judgements = [each.judged([goal.encoding for goal in met if goal.encoding]) for each in (network, reference)]
    at = {goal.number: place for place, goal in enumerate(met)}
    ends = np.cumsum([len(goal.logs) for goal in met]).tolist()
    present, kept = ((each.moves / 1.5).tensor_split(ends) for each in judgements)
    sums, clipped = torch.zeros(5), 0
    for choice, advantage, share in zip(learned.tolist(), advantages.tolist(), weighs.tolist(), strict=True):
        goal, move = at[int(plays.goal[choice])], int(plays.place[choice])
        logs, odds = present[goal].log_softmax(0), judgements[0].provable[goal]
        ratio = (logs[move] - float(met[goal].logs[move])).exp()
        gain = ratio.clamp(max=1.4) * advantage if advantage > 0 else ratio.clamp(min=0.9) * advantage
        clipped += int(ratio > 1.4 if advantage > 0 else ratio < 0.9)
        above = kept[goal].log_softmax(0)[move].detach() - logs[move]
        wrong = -torch.nn.functional.logsigmoid(odds if plays.closed[choice] else -odds)
        apart, uncertainty = ratio * (above.exp() - above - 1), -(logs.exp() * logs).sum()
        sums = sums + share * torch.stack([torch.tensor(1.0), gain, uncertainty, apart, wrong])
    wanted = -(sums[1] + 0.01 * sums[2] - 0.02 * sums[3] - 0.3 * sums[4])
    network.module.zero_grad()
    wanted.backward()  # type: ignore[no-untyped-call]
    by_hand = flat(network)

    made, tally = learning.Choices.of(plays, learned, advantages, weighs), learning.Tally()
    network.module.zero_grad()
    counted = learning.Weights(0.1, 0.4, 0.01, 0.02, 0.3, TEMPERATURE)
    total = torch.stack([*learning.losses(network, reference, made, counted, 300, devices.CPU, tally)])
    total.sum().backward()  # type: ignore[no-untyped-call]
    assert len(total) > 1
    assert total.sum().item() == pytest.approx(wanted.item(), rel=1e-5)
    torch.testing.assert_close(flat(network), by_hand, atol=1e-5 * float(by_hand.abs().max()), rtol=1e-3)
    np.testing.assert_allclose(tally.sums, sums.detach().numpy(), rtol=1e-4)
    assert tally.clipped == clipped > 0
    assert tally.choices == len(learned) > clipped


@pytest.mark.parametrize("reward", ["terminating", "standard"])
def test_ppo_holds_each_choice_against_what_was_expected_there(tmp_path: Path, reward: str) -> None:
    """By hand, with λ = 0.5: values 2p - 1 of a coin, else what the critic expects, also where a play was cut."""
    training = started("ppo", 4, tmp_path / "net", trace_decay=0.5, reward=reward)
    critic, rng = training.critic, np.random.default_rng(3)
    known = goals.Goals(training.network)
    plays = rollouts.played(known, LEMMAS, 2, most=9, rng=rng, with_values=critic is None)
    assert plays.is_cut.any() and plays.proved.any() and np.bincount(plays.play).max() > 2
    paid, values, ends = training.payer.paid(plays), 2 * plays.value - 1, np.zeros(len(plays))
    by_hand = paid.copy()
    if critic is None:  # what was cut is lost
        by_hand[plays.starts[1:][plays.is_cut & (np.diff(plays.starts) > 0)] - 1] = -1
    else:
        critic.middle, critic.unit = 1.0, 2.0
        said = critic.expected(states := critic.states(plays))
        values, ends = said[states.of_choices], np.where(plays.is_cut, said[states.of_ends], 0.0)
        assert np.ptp(said) > 0
    proved = np.bincount(plays.lemma[plays.proved], minlength=len(LEMMAS))
    found = training.weighed(train.Played([*range(len(LEMMAS))], plays, paid, proved, 0))
    of_plays = zip(plays.split(by_hand), plays.split(values), ends, strict=True)
    wanted = np.concatenate([generalized(*each[:2], 1.0, 0.5, each[2]) for each in of_plays])
    np.testing.assert_allclose(found.advantages, (wanted - wanted.mean()) / wanted.std(), atol=1e-9)
    assert found.returns is not None
    np.testing.assert_allclose(found.returns, wanted + values)


def plays(lemma: list[int], goal: list[list[int]], closed: list[list[bool]]) -> rollouts.Plays:
    """Return plays with a lemma each, the goals of their choices, and whether the choices closed these."""
    lengths = [len(each) for each in goal]
    number = np.repeat(np.arange(len(goal)), lengths)
    nothing = np.zeros(len(number))
    at: Any = SimpleNamespace(all=[SimpleNamespace(logs=np.log([0.5, 0.5]))] * 8, is_free=False)
    return rollouts.Plays(
        lemmas=[],
        goals=at,
        lemma=np.array(lemma),
        moves=np.array(lengths),
        proved=np.array([all(each) for each in closed]),
        is_cut=np.zeros(len(goal), np.bool_),
        play=number,
        goal=np.concatenate(goal),
        place=nothing.astype(np.int64),
        before=nothing.astype(np.int64),
        closed=np.concatenate(closed),
        value=nothing,
        drawn=nothing == 0,
    )


PAID = np.array([1.0, 2.0, 0.0, 0.0, -1.0, 1.0, 4.0, 1.0, 1.0])


@pytest.mark.parametrize(
    ("credit", "advantage", "by_hand"),
    [
        ("goal", "mean", [0.5, 0, -1.5, 0, 0, 0.5, 1, -1, 0.5]),
        ("goal", "std", [0.5, 0, -1.5, 0, 0, 0.5, 1 / sqrt(2), -1 / sqrt(2), 0.5]),
        ("play", "leave-one-out", [3, 3, -3, -3, -3, 0, 2, -2, -2]),
        ("play", "std", [1, 1, -1, -1, -1, 0, 1 / sqrt(2), -1 / sqrt(2), -1 / sqrt(2)]),
        ("to-go", "mean", [2, 1.5, -2, -1.5, 0, 0, 1, -1, 0]),
        ("to-go", "leave-one-out", [3, 3, -3, -3, 0, 0, 2, -2, 0]),
    ],
)
def test_a_choice_answers_for_what_its_credit_says_and_is_held_against_others_as_its_advantage_says(
    tmp_path: Path, credit: str, advantage: str, by_hand: list[float]
) -> None:
    """Of two lemmas three plays and two; goals 7 and 4 are proved by some choices there, 2 by both, 5 by none."""
    five = plays(
        lemma=[0, 0, 0, 1, 1],
        goal=[[7, 2], [7, 2, 5], [7], [4], [4, 7]],
        closed=[[True, True], [False, True, False], [True], [True], [False, True]],
    )
    training = started("grpo", 2, tmp_path / "net", credit=credit, advantage=advantage)
    weighed = training.weighed(train.Played([0, 1], five, PAID, np.array([2, 1]), 0))
    np.testing.assert_allclose(weighed.advantages, by_hand, atol=1e-12)
    assert weighed.told_apart.tolist() == weighed.learned.tolist() == [each != 0 for each in by_hand]


@pytest.mark.parametrize(
    ("others", "learned"),
    [
        ({}, [True, False, True, False, False, False]),
        ({"entropy": 0.01}, [True, True, True, False, False, False]),
        ({"divergence": 0.02}, [True, True, True, False, False, False]),
    ],
)
def test_other_choices_of_a_lemma_are_learned_from_only_where_the_entropy_or_the_divergence_counts(
    tmp_path: Path, others: dict[str, float], learned: list[bool]
) -> None:
    """Two lemmas: of the first one two choices at a goal ended differently, of the second one none."""
    both = plays([0, 0, 1, 1], [[7, 2], [7], [4], [4, 5]], [[True, True], [False], [True], [True, True]])
    training = started("grpo", 2, tmp_path / "net", **others)
    found = train.Played([0, 1], both, np.zeros(6), np.array([1, 2]), 0)
    weighed = training.weighed(found)
    assert weighed.told_apart.tolist() == [True, False, True, False, False, False]
    assert weighed.learned.tolist() == learned
    choices = training.choices(found, weighed)
    assert choices is not None
    assert len(choices.goal) == sum(learned)


def test_ppo_learns_from_all_choices_and_tells_lemmas_apart_that_were_both_proved_and_lost(tmp_path: Path) -> None:
    """Three lemmas with two plays each: both proved, one proved and one lost, both lost."""
    six = plays([0, 0, 1, 1, 2, 2], [[number] for number in range(6)], [[True]] * 3 + [[False]] * 3)
    training = started("ppo", 2, tmp_path / "net", group=2)
    found = train.Played([0, 1, 2], six, np.zeros(6), np.array([2, 1, 0]), 0)
    weighed = training.weighed(found)
    assert weighed.told_apart.tolist() == [False, False, True, True, False, False]
    choices = training.choices(found, weighed)
    assert choices is not None
    assert choices.advantage.tolist() == pytest.approx([1, 1, 1, -1, -1, -1])


@pytest.mark.parametrize(
    ("aggregation", "short", "long"), [("sequence", 1 / 4, 1 / 16), ("token", 0.1, 0.1), ("constant", 1 / 8, 1 / 8)]
)
def test_choices_of_plays_of_two_and_of_eight_weigh_as_the_aggregation_says(
    tmp_path: Path, aggregation: str, short: float, long: float
) -> None:
    """With `constant`, each choice counts 1/(4 · 2): four choices are usual, and there are two plays."""
    both, everywhere = plays([0, 0], [[0] * 2, [0] * 8], [[True] * 2, [False] * 8]), np.ones(10, np.bool_)
    training = started("grpo", 2, tmp_path / "net", aggregation=aggregation, usual=4.0)
    played = train.Played([0], both, np.zeros(10), np.array([1]), 0)
    found = training.choices(played, train.Weighed(np.arange(10.0), everywhere, everywhere))
    assert found is not None
    weights = dict(zip(found.advantage.tolist(), found.share.tolist(), strict=True))
    assert [weights[choice] for choice in range(10)] == pytest.approx([short] * 2 + [long] * 8)


@pytest.mark.parametrize(("kind", "others", "value"), [("grpo", {}, 0.0), ("ppo", {"value": 0.7}, 0.7)])
def test_what_counts_beside_the_surrogate_is_what_the_settings_say(
    tmp_path: Path, kind: str, others: dict[str, float], value: float
) -> None:
    """Unless told otherwise both clip a fifth below and a little more above."""
    usual = started(kind, 2, tmp_path / "net").weights
    assert (usual.lower, usual.upper, usual.entropy, usual.divergence, usual.temperature) == (0.2, 0.28, 0, 0, 1)
    told = {"lower": 0.1, "upper": 0.4, "entropy": 0.01, "divergence": 0.02, "temperature": 1.5}
    assert started(kind, 2, tmp_path / "net", **told, **others).weights == replace(usual, **told, value=value)
