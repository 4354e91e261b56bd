"""A critic of returns: what is expected to be paid from a state on, by any reward.

The provability head says how likely a goal is to be proved, which is all that a reward for proofs needs. What another
reward pays has other bounds, or none that anybody knows, and depends on all open goals. So the critic is a network of
its own, begun as a copy of the policy's, whose word on a goal is not squashed: it counts in the mean and the deviation
of the returns that were seen first. A state is shown to it as one goal, the conjunction of the goals that are open,
each as an implication from its hypotheses. It is of use to training alone; the file's values stay probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from oasis.neural.devices import precision
from oasis.neural.encoding.batch import LARGEST, chunked
from oasis.neural.encoding.form import Encoding
from oasis.neural.encoding.moves import Formulas
from oasis.neural.networks.network import Network
from oasis.neural.reinforcement.goals import Met, Numbers
from oasis.neural.reinforcement.rollouts import Plays, State
from oasis.neural.training.descent import Descent
from oasis.play.policy import Floats
from tactics.formula import Formula


class States(NamedTuple):
    """The states of some plays, each once.

    Attributes:
        encodings: of each as one goal, in the critic's form.
        of_choices: the number of the state at each choice; shape (choices,).
        of_ends: the number of the state in which each play was cut, -1 if it was not; shape (plays,).
    """

    encodings: list[Encoding]
    of_choices: Numbers
    of_ends: Numbers


class Critic:
    """What is expected to be paid from each state on.

    Args:
        network: says it; trained from what it is.
        nodes: of states that go through the network together, padding included.

    Attributes:
        middle, unit: the mean and the deviation of the returns that it learned from first, in which the network counts;
            a unit of 0 says that it has learned from none, and expects 0 everywhere.
        descent: how the network is trained.
    """

    def __init__(self, network: Network, nodes: int) -> None:
        self.network, self._nodes = network, nodes
        self.middle = self.unit = 0.0
        self.descent = Descent(network)

    def states(self, plays: Plays) -> States:
        """The states of plays."""
        numbers: dict[State, int] = {}
        of_choices, of_ends = [], np.full(len(plays), -1)
        for play, is_cut in enumerate(plays.is_cut.tolist()):
            *at_choices, last = plays.walked(play)[1]
            of_choices += [numbers.setdefault(state, len(numbers)) for state in at_choices]
            if is_cut:
                of_ends[play] = numbers.setdefault(last, len(numbers))
        goals = plays.goals.all
        encodings = [self.network.form(_as_goal([goals[number] for number in state]), ()) for state in numbers]
        return States(encodings, np.array(of_choices, np.int64), of_ends)

    def expected(self, states: States) -> Floats:
        """What is expected from each state on; the mean from one that is too large for a look; shape (states,)."""
        found = np.zeros(len(states.encodings))
        if self.unit:
            with torch.inference_mode():
                for places, said in self._said(states.encodings, np.arange(len(found))):
                    found[places] = said.double().cpu().numpy()
        return self.middle + self.unit * found

    def learn(self, states: States, number: Numbers, returns: Floats, rate: float, passes: int) -> float:
        """Learn from the returns at some states to come nearer to their mean at each; gives how far it was.

        Args:
            states: those that there are.
            number: of the state of each return, at least one; shape (returns,).
            returns: what was paid from there on; shape (returns,).
            rate: the learning rate.
            passes: over all of them.

        Returns the mean of the squares in the last pass, in units.
        """
        if not self.unit:
            deviation = float(returns.std())
            self.middle, self.unit = float(returns.mean()), deviation if deviation > 1e-6 else 1.0
        times = np.bincount(number, minlength=len(states.encodings))
        wanted = (np.bincount(number, returns, len(times)) / np.maximum(times, 1) - self.middle) / self.unit
        error = 0.0
        for _ in range(passes):
            error = 0.0
            for places, said in self._said(states.encodings, np.flatnonzero(times)):
                weight, mean = (torch.from_numpy(each[places]).to(said) for each in (times, wanted))
                squares = ((said - mean) ** 2) @ weight
                self.descent.begin()
                (squares / weight.sum()).backward()  # type: ignore[no-untyped-call]
                self.descent.step(rate)
                error += float(squares.detach())
        return error / len(returns)

    def _said(self, encodings: Sequence[Encoding], places: Numbers) -> Iterator[tuple[Numbers, Tensor]]:
        """What the network says of the states at some places, those of nearly one length together."""
        device = next(self.network.module.parameters()).device
        sizes = np.array([len(each.tokens) for each in encodings], np.int64)
        fitting = places[sizes[places] <= LARGEST]
        for chunk in chunked(sizes[fitting], self._nodes) if len(fitting) else ():
            with precision(device):
                judgement = self.network.judged([encodings[place] for place in fitting[chunk]])
            yield fitting[chunk], judgement.provable.float()


def _as_goal(state: Sequence[Met]) -> Formulas:
    """A goal that is provable if and only if all goals of a state are, of which the one in focus stands last."""
    if len(state) == 1:
        return state[0].formulas
    implied: list[Formula] = []
    for goal in state:
        conclusion, *hypotheses = goal.formulas
        implied.append(reduce(lambda proved, given: given >> proved, hypotheses, conclusion))
    return (reduce(lambda others, first: first & others, implied),)
