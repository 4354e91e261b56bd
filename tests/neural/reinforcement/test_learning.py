"""What networks learn from choices: by the same probabilities with which these were made, whatever goes together."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from curricula import propl
from tests.neural.modules import devices, goals, learning, networks, rollouts, torch, train
from tests.neural.reinforcement.quick import started
from tests.neural.small import KINDS, small

LEMMAS = [propl.formula(number, 16) for number in islice(propl.sample(9, 10_000, 16), 40)]
TEMPERATURE = 1.5


def weights(**counted: float) -> learning.Weights:
    """Return what counts beside the surrogate: what is named alone."""
    return learning.Weights(
        0.2, 0.28, **{"entropy": 0.0, "divergence": 0.0, "value": 0.0, **counted}, temperature=TEMPERATURE
    )


@pytest.fixture(params=KINDS)
def network(request: pytest.FixtureRequest) -> networks.Network:
    return small(request.param, seed=5)


def drawn(network: networks.Network) -> rollouts.Plays:
    of_network = goals.Goals(network, temperature=TEMPERATURE)
    return rollouts.played(of_network, LEMMAS, 3, most=100, rng=np.random.default_rng(1))


def choices(network: networks.Network, advantage: float | None = None) -> learning.Choices:
    """Return choices drawn by a network, with advantages by lot or all with one."""
    plays = drawn(network)
    made = len(plays.play)
    rng = np.random.default_rng(2)
    advantages = rng.normal(size=made) if advantage is None else np.full(made, advantage)
    return learning.Choices.of(plays, np.arange(made), advantages, rng.random(made))


def gradient(
    network: networks.Network,
    made: learning.Choices,
    counted: learning.Weights,
    reference: networks.Network | None = None,
    nodes: int = 3000,
) -> tuple[torch.Tensor, learning.Tally]:
    tally = learning.Tally()
    network.module.zero_grad()
    for loss in learning.losses(network, reference, made, counted, nodes, devices.CPU, tally):
        loss.backward()  # type: ignore[no-untyped-call]
    return flat(network), tally


def flat(network: networks.Network) -> torch.Tensor:
    """The gradients of all parameters in a row."""
    found = [torch.zeros_like(each) if each.grad is None else each.grad for each in network.module.parameters()]
    return torch.cat([each.flatten() for each in found])


def another(network: networks.Network, seed: int = 8) -> networks.Network:
    """A network of the same shape that judges otherwise."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        other = train.copied(network)
        for each in other.module.parameters():
            torch.nn.init.normal_(each, std=0.2)
    return other


def test_what_was_drawn_has_the_probability_with_which_it_was_drawn(network: networks.Network) -> None:
    """The moves among which a probability is shared out are the same in sampling and in learning, so the ratio is 1."""
    made = choices(network)
    _, tally = gradient(network, made, weights())
    assert tally.clipped == 0 and tally.choices == len(made.goal)
    wanted = float((made.share * made.advantage).sum() / made.share.sum())
    assert tally.means()["surrogate"] == pytest.approx(wanted, abs=1e-5)


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


def test_at_the_reference_without_advantages_there_is_nothing_to_learn(network: networks.Network) -> None:
    found, tally = gradient(network, choices(network, 0.0), weights(divergence=0.5), train.copied(network))
    assert found.abs().max() == 0
    assert tally.means()["divergence"] == pytest.approx(0, abs=1e-6)


def test_what_goes_through_the_network_together_does_not_matter(network: networks.Network) -> None:
    made, counted = choices(network), weights(entropy=0.1, divergence=0.1, value=0.3)
    reference = another(network)
    whole, of_whole = gradient(network, made, counted, reference, 10**6)
    parts, of_parts = gradient(network, made, counted, reference, 60)
    torch.testing.assert_close(parts, whole, atol=1e-4, rtol=1e-3)
    assert of_parts.means() == pytest.approx(of_whole.means(), rel=1e-4)
    assert of_whole.means()["divergence"] > 0.001 and of_whole.means()["value"] > 0.1


def test_ppo_holds_each_choice_against_what_was_expected_there(tmp_path: Path) -> None:
    """By hand: values 2p - 1, a proof pays 1, and λ = 0.5."""
    training = started("ppo", 4, tmp_path / "net", trace_decay=0.5)
    of_network = goals.Goals(training.network)
    plays = rollouts.played(of_network, LEMMAS, 2, most=100, rng=np.random.default_rng(3), with_values=True)
    assert not plays.is_cut.any()
    proved = np.bincount(plays.lemma[plays.proved], minlength=len(LEMMAS))
    paid = training.payer.paid(plays)
    found = training.weighed(train.Played([*range(len(LEMMAS))], plays, paid, proved, 0)).advantages
    by_hand = []
    for is_proved, of_play in zip(plays.proved, plays.split(plays.value), strict=True):
        values = [2 * each - 1 for each in of_play]
        following, errors = 0.0, []
        for place in reversed(range(len(values))):
            is_last = place == len(values) - 1
            target = (1.0 if is_proved else -1.0) if is_last else values[place + 1]
            following = target - values[place] + 0.5 * following
            errors.append(following)
        by_hand += errors[::-1]
    wanted = (np.array(by_hand) - np.mean(by_hand)) / np.std(by_hand)
    np.testing.assert_allclose(found, wanted, atol=1e-9)
    assert np.bincount(plays.play).max() > 2
