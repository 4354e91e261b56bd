"""How M1 is trained on plays: without labels at first, then by how the plays ended.

Without labels it learns by contrast (InfoNCE, van den Oord et al. 2018; SimCLR, Chen et al. 2020) which state follows a
state, and which state is another one with the sides of its ∧ and ∨ swapped at random, among those of others. Renaming
atoms and reordering hypotheses need no learning, since the network does not see them. Its labels are whether plays that
went through a state ended in a proof: binary cross-entropy, a term for each visit.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from math import cos, pi
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from oasis.dagger.episodes import Episode
from oasis.neural.beliefs.graph import NUMBERS, GraphBelief, GraphNetwork, hidden, seen
from tactics.formula import And, Binary, Formula, Or, subformulas
from tactics.goal import Goal, Hypothesis, State

STEPS: Final = 400
"""Of the optimizer, by labels."""
CONTRASTS: Final = 0.25
"""Steps without labels for each of those; with as many, what was learned so stood in the way of the labels."""
LEMMAS: Final = 8
"""Whose states make a batch with labels."""
PAIRS: Final = 48
"""A batch without labels: states and what follows them."""
TEMPERATURE: Final = 0.2
LEARNING_RATE: Final = 3e-3
WARM_UP: Final = 50
"""Steps."""
_SUREST: Final = -1e-6
"""The largest log-probability, so that that of the opposite is a number."""


def trained(episodes: Sequence[Episode], seed: int = 0, steps: int = STEPS) -> GraphBelief:
    """The belief of a network that learned from episodes, which takes half a minute on one processor.

    Args:
        episodes: of any lemmas; those of a lemma stand together in a batch.
        seed: of the first weights and of the batches; the same seed gives the same network on the same machine.
        steps: by labels.
    """
    torch.set_num_threads(1)
    choices = random.Random(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = GraphNetwork()
        if episodes:
            _contrast(network, episodes, choices, round(CONTRASTS * steps))
            _fit(network, episodes, choices, steps)
    belief = GraphBelief(network)
    return GraphBelief.from_json(belief.to_json())  # with the digits that are kept


def _contrast(network: GraphNetwork, episodes: Sequence[Episode], choices: random.Random, steps: int) -> None:
    """Learn which state follows which, and which ones are the same but for the sides of ∧ and ∨."""
    pairs = list(dict.fromkeys((step.before, step.after) for each in episodes for step in each.steps if step.after))
    if len(pairs) < 2:
        return
    project, follow = hidden(2 * network.shape.width + 1, NUMBERS), hidden(NUMBERS, NUMBERS)
    parts = nn.ModuleList([network, project, follow])

    def loss() -> Tensor:
        batch = choices.sample(pairs, min(PAIRS, len(pairs)))
        views = [[state for state, _ in batch], [_mirrored(state, choices) for state, _ in batch]]
        states = [*views[0], *views[1], *(after for _, after in batch)]
        before, mirrored, after = _summed(lambda goals: project(network.pooled(goals)), states).chunk(3)
        return _told_apart(before, mirrored) + _told_apart(follow(before), after)

    _descend(parts, loss, steps)


def _told_apart(vectors: Tensor, others: Tensor) -> Tensor:
    """How badly each vector is told which of the others is its own."""
    likeness = functional.normalize(vectors, dim=-1) @ functional.normalize(others, dim=-1).T / TEMPERATURE
    return functional.cross_entropy(likeness, torch.arange(len(vectors)))


def _fit(network: GraphNetwork, episodes: Sequence[Episode], choices: random.Random, steps: int) -> None:
    """Learn how likely the episodes through a state end in a proof."""
    visits: dict[Formula, Counter[State]] = {}
    proofs: Counter[tuple[Formula, State]] = Counter()
    for episode in episodes:
        visits.setdefault(episode.lemma, Counter()).update(episode.states)
        proofs.update((episode.lemma, state) for state in episode.states if episode.proved)
    order: list[Formula] = []

    def loss() -> Tensor:
        if len(order) < LEMMAS:
            order.extend(choices.sample([*visits], len(visits)))
        batch, order[:LEMMAS] = order[:LEMMAS], []
        asked = [(lemma, state) for lemma in batch for state in visits[lemma]]
        number = torch.tensor([float(visits[lemma][state]) for lemma, state in asked])
        proved = torch.tensor([float(proofs[each]) for each in asked])
        logs = network.log_probabilities(_summed(network.goals, [state for _, state in asked])).clamp(max=_SUREST)
        return -(proved * logs + (number - proved) * torch.log(-torch.expm1(logs))).sum() / number.sum()

    _descend(network, loss, steps)


def _summed(vectors: Callable[..., Tensor], states: Sequence[State]) -> Tensor:
    """For each state the sum of its goals' vectors."""
    places: dict[Goal, int] = {}
    cells = [(row, places.setdefault(goal, len(places))) for row, state in enumerate(states) for goal in state]
    rows, columns = torch.tensor(cells).unbind(1)
    of_goals = vectors([seen(goal) for goal in places])
    return torch.zeros(len(states), of_goals.shape[1]).index_add(0, rows, of_goals[columns])


def _descend(module: nn.Module, loss: Callable[[], Tensor], steps: int) -> None:
    """Make steps down a loss, at a rate that rises at first and falls to 0 as a cosine does."""
    optimizer = torch.optim.AdamW(module.parameters(), weight_decay=0.05)
    for step in range(steps):
        optimizer.zero_grad()
        loss().backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(module.parameters(), 1.0)
        rate = LEARNING_RATE * min(1.0, (step + 1) / WARM_UP) * (1 + cos(pi * step / steps)) / 2
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()


def _mirrored(state: State, choices: random.Random) -> State:
    """A state with the sides of each ∧ and ∨ swapped, or not, by lot."""
    found: dict[Formula, Formula] = {}
    for goal in state:
        for whole in (goal.conclusion, *(formula for _, formula in goal.hypotheses)):
            for part in subformulas(whole):
                if part not in found:
                    found[part] = part
                    if isinstance(part, Binary):
                        sides = found[part.left], found[part.right]
                        swaps = isinstance(part, And | Or) and choices.random() < 0.5
                        found[part] = type(part)(*(reversed(sides) if swaps else sides))
    return tuple(
        Goal(tuple(Hypothesis(name, found[formula]) for name, formula in goal.hypotheses), found[goal.conclusion])
        for goal in state
    )
