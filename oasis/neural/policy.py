"""A network as a policy (`oasis.play.policy`): probabilities of moves, and how likely goals are to be provable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from time import monotonic
from typing import Final

import numpy as np
import torch

from oasis.neural.cloning import Demonstrations, clone
from oasis.neural.devices import device_named
from oasis.neural.encoding.batch import LARGEST, chunked
from oasis.neural.encoding.entail import Entailment
from oasis.neural.encoding.form import Encoding
from oasis.neural.encoding.moves import Formulas, Unordered, formulas_of, options, unordered
from oasis.neural.networks.network import Attending, Attention, Network, Pick, Writing, likeliest
from oasis.neural.training.descent import Descent
from oasis.play.calibration import cooled
from oasis.play.committed import choices
from oasis.play.policy import Floats, equal_shares
from tactics.formula import Formula
from tactics.goal import Goal, Move, State, principal
from tactics.rules import legal_moves, premises, wanted
from tactics.script import Script

NODES: Final = {"cpu": 4_096, "cuda": 65_536}
"""In one forward pass, padding included, by where the network is: a GPU is idle with fewer."""
REMEMBERED: Final = 50_000
"""Goals whose judgement is kept."""

_Scores = dict[tuple[str, Formula], float]


class NetworkPolicy:
    """The policy of a network, and its values: the probability that a goal is provable.

    Each goal is judged once, whatever its hypotheses are called; goals asked about together go through the network
    together. Of goals that are too large for a look (`LARGEST`) it knows nothing: their moves are equal.

    Args:
        network: judges the goals.
        nodes: that may be in one forward pass; None for as many as suit where the network is.
        temperature: above 0; what the log-odds that a goal is provable are divided by, which keeps their order
            (temperature scaling, Guo et al. 2017).

    Attributes:
        forwards: goals that went through the network so far, in its studies as well.
        gpu_seconds: wall time of this so far, if they are on a GPU; None on the CPU.
    """

    def __init__(self, network: Network, nodes: int | None = None, temperature: float = 1.0) -> None:
        self._network, self._nodes, self._temperature = network, nodes, temperature
        self.forwards = 0
        self.gpu_seconds: float | None = None
        self._shown = Demonstrations(network.form)
        self._scores: dict[Unordered, _Scores] = {}
        self._values: dict[Unordered, float] = {}

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """The softmax of the scores of the legal moves of each focused goal; it does not see the other goals."""
        keys = self._judge((state[0] for state in states if state), with_moves=True)
        return [_shares(state[0], self._scores[keys[state[0]]]) if state else equal_shares(0) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats:
        """The probability that each goal is provable: that all goals are at which it comes to a choice.

        The network judges these alone (`oasis.play.committed.choices`), as if they had nothing to do with each other.
        """
        left = {goal: choices(goal) for goal in dict.fromkeys(goals)}
        keys = self._judge((each for of_goal in left.values() for each in of_goal or ()), with_moves=False)

        def value(of_goal: list[Goal] | None) -> float:
            if of_goal is None:
                return 0.0
            return prod(self._values[key] for key in dict.fromkeys(keys[each] for each in of_goal))

        known = {goal: value(of_goal) for goal, of_goal in left.items()}
        values = np.array([known[goal] for goal in goals], np.float64)
        return values if self._temperature == 1 else cooled(values, self._temperature)

    def follows(self, goal: Goal) -> dict[Formula, float]:
        """The probability that the conclusion, and each formula that a legal move wants, follows from the hypotheses.

        A network that is asked this to judge the moves (`oasis.neural.encoding.entail`) gives these answers, and any
        other its values.
        """
        wants = {formula: move for move in legal_moves(goal) if (formula := wanted(goal, move)) is not None}
        if not isinstance(self._network.form(formulas_of(goal)), Entailment):
            goals = {formula: premises(goal, move)[0] for formula, move in wants.items()} | {goal.conclusion: goal}
            return dict(zip(goals, self.values([*goals.values()]).tolist(), strict=True))
        key = self._judge([goal], with_moves=True)[goal]
        odds = np.array([self._scores[key][move.rule, principal(goal, move)] for move in wants.values()])
        answers = {**dict(zip(wants, 1 / (1 + np.exp(-odds)), strict=True)), goal.conclusion: self._values[key]}
        return dict(zip(answers, cooled([*answers.values()], self._temperature).tolist(), strict=True))

    def compute_on(self, device: str) -> None:
        """Compute on a device from now on: `auto`, `cpu` or `cuda`, with 32-bit numbers on each.

        Raises InputError for an unknown one, and where there is no GPU.
        """
        self._network.module.to(device_named(device))

    def attention(self, goal: Goal, principal: Formula) -> Attention | None:
        """What is attended to in a goal when a move on one of its formulas is considered; None if nobody can tell."""
        if not isinstance(self._network, Attending):
            return None
        return self._network.attended(formulas_of(goal), principal)

    def learn(
        self,
        proofs: Mapping[Formula, Script],
        *,
        seed: int,
        seconds: float,
        clock: Callable[[], float],
        stop: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Learn from proofs what they choose (`oasis.neural.cloning.clone`), for so many seconds at most.

        Half of the time at most goes into reading proofs that are new; those that are left are read the next time.
        Gives whether anything was learned from.
        """
        began = clock()
        self._shown.read(proofs, lambda: stop() or clock() - began >= seconds / 2)
        left = seconds - (clock() - began)
        if left <= 0:
            return False
        with self._timed():
            passed = clone(self._network, self._shown, seed=seed, seconds=left, clock=clock, stop=stop)
        self.forwards += passed
        self.forget()
        return passed > 0

    def make_ready(self) -> None:
        """Do what takes seconds the first time: with its first optimizer torch imports all that it trains with."""
        Descent(self._network)

    def forget(self) -> None:
        """Forget the judgements that are kept, which take some kilobytes each."""
        self._scores.clear()
        self._values.clear()

    def _judge(self, goals: Iterable[Goal], *, with_moves: bool) -> dict[Goal, Unordered]:
        """Make sure that goals are judged, with their moves or without; the key of each."""
        if max(len(self._scores), len(self._values)) > REMEMBERED:
            self.forget()
        known = self._scores if with_moves else self._values
        keys: dict[Goal, Unordered] = {}
        unknown: dict[Unordered, Formulas] = {}
        for goal in goals:
            if goal not in keys:
                formulas = formulas_of(goal)
                key = keys[goal] = unordered(formulas)
                if key not in known:
                    unknown[key] = formulas
        if unknown:
            self._pass(unknown, with_moves=with_moves)
        return keys

    def _pass(self, unknown: dict[Unordered, Formulas], *, with_moves: bool) -> None:
        """Send goals through the network."""
        moves = [options(formulas) if with_moves else () for formulas in unknown.values()]
        goals = [self._network.form(*each) for each in zip(unknown.values(), moves, strict=True)]
        names = list(unknown)
        with self._timed():
            for place, scores, value in judgements(self._network, goals, self._nodes):
                self._values[names[place]] = value
                if with_moves:
                    of_moves = zip(moves[place], scores.tolist(), strict=True)
                    self._scores[names[place]] = {(move.rule, move.principal): score for move, score in of_moves}
        self.forwards += sum(len(goal.tokens) <= LARGEST for goal in goals)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Count the time of a GPU, if the network is on one."""
        began = monotonic()
        yield
        if next(self._network.module.parameters()).is_cuda:
            self.gpu_seconds = (self.gpu_seconds or 0.0) + monotonic() - began


def judgements(
    network: Network, goals: Sequence[Encoding], nodes: int | None = None
) -> Iterator[tuple[int, Floats, float]]:
    """What a network says of any number of goals, those of nearly one length together.

    Args:
        network: judges.
        goals: with the moves that it is asked about.
        nodes: that may be in one forward pass; None for as many as suit where the network is.

    Yields the place of each goal, the scores of its moves, and the probability that it is provable; of a goal that is
    too large for a look (`LARGEST`) equal scores, and one half.
    """
    sizes = np.array([len(goal.tokens) for goal in goals], np.int64)
    for place in np.flatnonzero(sizes > LARGEST).tolist():
        yield place, np.zeros(len(goals[place].moves)), 0.5
    fitting = np.flatnonzero(sizes <= LARGEST)
    if not len(fitting):
        return
    if nodes is None:
        nodes = NODES[next(network.module.parameters()).device.type]
    for chunk in chunked(sizes[fitting], nodes):
        places = fitting[chunk]
        scores, values = judged(network, [goals[place] for place in places])
        ends = np.cumsum([len(goals[place].moves) for place in places])
        of_goals = zip(places.tolist(), np.split(scores, ends[:-1]), values.tolist(), strict=True)
        yield from of_goals


class WritingPolicy(NetworkPolicy):
    """The policy of a network that can write moves by itself (`oasis.play.policy.Writer`)."""

    def __init__(self, network: Writing, nodes: int | None = None, temperature: float = 1.0) -> None:
        super().__init__(network, nodes, temperature)
        self._writing = network

    def written(self, goals: Sequence[Goal], *, tactics: bool = False, pick: Pick = likeliest) -> list[Move | None]:
        """The move that is written on each goal; of equal hypotheses the first one is meant."""
        written = self._writing.written([*map(formulas_of, goals)], tactics=tactics, pick=pick)
        return [each and _named(goal, *each) for goal, each in zip(goals, written, strict=True)]

    def worded(self, goals: Sequence[Goal], pick: Pick) -> list[Move | None]:
        """The move that is written on each goal in words that somebody picks (`oasis.play.writing.Wording`)."""
        self.forwards += len(goals)
        with self._timed():
            return self.written(goals, pick=pick)


def policy_of(network: Network, temperature: float = 1.0) -> NetworkPolicy:
    """The policy of a network, which writes if the network does."""
    if isinstance(network, Writing):
        return WritingPolicy(network, temperature=temperature)
    return NetworkPolicy(network, temperature=temperature)


def _named(goal: Goal, rule: str, hypothesis: Formula | None) -> Move:
    """A move with the name of its hypothesis."""
    return Move(rule, next((name for name, formula in goal.hypotheses if formula is hypothesis), None))


def judged(network: Network, goals: Sequence[Encoding]) -> tuple[Floats, Floats]:
    """The scores of the moves of goals, goal after goal, and for each goal the probability that it is provable."""
    with torch.inference_mode():
        judgement = network.judged(goals)
        scores, values = judgement.moves.double(), judgement.provable.double().sigmoid()
    return scores.cpu().numpy(), values.cpu().numpy()


def _shares(goal: Goal, scores: _Scores) -> Floats:
    """The probabilities of the legal moves of a goal, in their order; moves on equal hypotheses have the same."""
    formulas = dict(goal.hypotheses)
    of_moves = [
        scores[move.rule, goal.conclusion if move.hypothesis is None else formulas[move.hypothesis]]
        for move in legal_moves(goal)
    ]
    if not of_moves:
        return equal_shares(0)
    return softmax(np.array(of_moves))


def softmax(scores: Floats) -> Floats:
    """Shares that sum to 1, of one score or more."""
    shares: Floats = np.exp(scores - scores.max())
    shares /= shares.sum()
    return shares
