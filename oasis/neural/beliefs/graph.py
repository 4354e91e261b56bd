"""M1 of R†: a graph network that says how likely a state is to be proved, and its embedding of states and formulas.

The graph of a state is that of its goals' subformulas, each of which is one node of its goal (`oasis.neural.encoding`);
so neither names nor the order of hypotheses change what the network says. Whoever plays one goal after the other and
keeps nothing in mind proves all of them with the product of their chances. So a state's vector is the sum of its goals'
vectors, numbers from 0 on, and p(QED | state) = exp(-w · vector) with w ≥ 0: hazards add up.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from math import log
from typing import Any, Final, NamedTuple, Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from oasis.dagger.beliefs.belief import Floats
from oasis.dagger.kept import Kept
from oasis.dagger.valuations import is_refuted
from oasis.neural.encoding.batch import LARGEST, batched, chunked
from oasis.neural.encoding.moves import formulas_of
from oasis.neural.encoding.nodes import Encoded, encoded
from oasis.neural.networks.relational import Reader
from oasis.neural.networks.transformer import Shape
from tactics.formula import Formula
from tactics.goal import Goal, State

SHAPE: Final = Shape(width=32, layers=2, heads=4)
NUMBERS: Final = 32
"""Of a state's vector."""
NODES: Final = 4_096
"""Nodes that are read at once, padding included."""
REMEMBERED: Final = 2**15
"""Goals whose vectors are kept."""
_FIRST_WEIGHT: Final = -4.0
"""Of each hazard, before softplus: with a random network, a goal is as likely to be proved as not."""


class Seen(NamedTuple):
    """A goal as the network sees it: its graph, and whether a classical valuation refutes it."""

    graph: Encoded
    refuted: bool


@lru_cache(REMEMBERED)
def seen(goal: Goal) -> Seen:
    """A goal as the network sees it."""
    return Seen(encoded(formulas_of(goal)), is_refuted(goal))


class GraphNetwork(Reader):
    """The network; see the module."""

    def __init__(self, shape: Shape = SHAPE, numbers: int = NUMBERS) -> None:
        super().__init__(shape)
        self.hazards = hidden(2 * shape.width + 1, numbers)
        self.weights = nn.Parameter(torch.full((numbers,), _FIRST_WEIGHT))
        self.fill()

    def pooled(self, goals: Sequence[Seen]) -> Tensor:
        """What is read of goals: the mean of their nodes, their conclusion, whether refuted; (goals, 2·width + 1)."""
        places, parts = [], []
        for chunk in chunked(np.array([len(goal.graph.tokens) for goal in goals]), NODES):
            tokens, _, relations, there, conclusions, _ = map(
                torch.from_numpy, batched([goals[place].graph for place in chunk])
            )
            parts.append(self.read(tokens, relations, there, conclusions)[1])
            places.append(chunk)
        refuted = torch.tensor([[float(goal.refuted)] for goal in goals])
        order = torch.from_numpy(np.argsort(np.concatenate(places)))
        return torch.cat([torch.cat(parts)[order], refuted], -1)

    def goals(self, goals: Sequence[Seen]) -> Tensor:
        """The vectors of goals; shape (goals, numbers)."""
        vectors: Tensor = functional.softplus(self.hazards(self.pooled(goals)))
        return vectors

    def log_probabilities(self, vectors: Tensor) -> Tensor:
        """Log p(QED) of vectors; shape (vectors,)."""
        return -(vectors @ functional.softplus(self.weights))


class GraphBelief(Kept):
    """What a graph network says of states.

    Args:
        network: that was trained.
    """

    called = "graph network"
    prefix = "gnn-"
    leaks = False

    def __init__(self, network: GraphNetwork) -> None:
        torch.set_num_threads(1)  # more than one make so small a network slower
        self._network = network
        self._known: dict[Goal, Floats] = {}

    def vectors(self, states: Sequence[State]) -> Floats:
        """The embedding of states with goals, the same for those that differ in names and in order; (states, numbers).

        A goal of more than `LARGEST` nodes is not read, and taken to be as likely proved as not.
        """
        if len(self._known) > REMEMBERED:
            self._known.clear()
        goals = [goal for goal in dict.fromkeys(goal for state in states for goal in state) if goal not in self._known]
        forms = [seen(goal) for goal in goals]
        small = [place for place, form in enumerate(forms) if len(form.graph.tokens) <= LARGEST]
        with torch.inference_mode():
            total = float(functional.softplus(self._network.weights).sum())
            self._known |= dict.fromkeys(goals, np.full(len(self._network.weights), log(2) / total))
            if small:
                vectors = self._network.goals([forms[place] for place in small]).double().numpy()
                self._known |= {goals[place]: vector for place, vector in zip(small, vectors, strict=True)}
        return np.array([sum(self._known[goal] for goal in state) for state in states]).reshape(len(states), -1)

    def probabilities(self, states: Sequence[State]) -> Floats:
        """For each state in [0, 1]; shape (states,)."""
        if not states:
            return np.zeros(0)
        with torch.inference_mode():
            logs = self._network.log_probabilities(torch.from_numpy(self.vectors(states)).float())
        return np.asarray(logs.double().exp().numpy())

    def formulas(self, formulas: Sequence[Formula]) -> Floats:
        """The embedding of formulas: the mean vector of the nodes of each, of length 1; shape (formulas, width)."""
        goals = [seen(Goal((), formula)) for formula in formulas]
        with torch.inference_mode():
            means = self._network.pooled(goals)[:, : self._network.shape.width]
            return np.asarray(functional.normalize(means, dim=-1).double().numpy())

    @classmethod
    def _made(cls, fields: Any) -> Self:
        with torch.random.fork_rng(devices=[]):
            network = GraphNetwork(Shape(**fields["shape"]), fields["numbers"])
        weights = torch.from_numpy(np.frombuffer(b64decode(fields["weights"]), np.float16).astype(np.float32))
        nn.utils.vector_to_parameters(weights, network.parameters())
        return cls(network.requires_grad_(False))

    def _content(self) -> dict[str, Any]:
        weights = nn.utils.parameters_to_vector(self._network.parameters()).detach().numpy().astype("<f2")
        numbers = len(self._network.weights)
        return {
            "shape": asdict(self._network.shape),
            "numbers": numbers,
            "weights": b64encode(weights.tobytes()).decode(),
        }


def hidden(inputs: int, outputs: int) -> nn.Sequential:
    """Numbers from others, by a hidden layer."""
    return nn.Sequential(nn.Linear(inputs, inputs), nn.ReLU(), nn.Linear(inputs, outputs))
