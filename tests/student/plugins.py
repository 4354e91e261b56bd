"""What somebody may bring along without touching a room: rewards of several dependences, and one of each other kind."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oasis.backends.export import Export
from oasis.backends.native import Native
from oasis.dagger.term import OfStep, Term, Version
from oasis.play.policy import Floats, equal_shares
from oasis.play.solving import OPEN
from oasis.rewards import Dependence, Outcome, Reward, RowReward, Transition, Uses
from oasis.rewards.seam import Rows
from oasis.search.search import Search
from oasis.student.environment import PerceivedEnvironment
from oasis.student.learners import Learner, Parameters, steps
from oasis.student.memory import Memory
from oasis.student.policy import Choose
from state_spaces import Key, StateSpace, View
from tactics.formula import Formula
from tactics.goal import Goal, Move, State
from tactics.rules import RULES, legal_moves


class Tidy(Reward):
    """A step is paid by the goals that it closes or opens, and by its rule."""

    dependence = Dependence.TRANSITION

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return (len(before) - len(after)) / 3 + len(move.rule) / 100 + (2.0 if not after else -float(ended))


class Curious(Reward):
    """What was done often in the rounds before pays less; a proof pays 1 beside it."""

    dependence = Dependence.HISTORY
    round = 5

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.rounds = 0
        self.lemmas: list[Formula] = []

    def begin(self, lemma: Formula) -> None:
        self.lemmas.append(lemma)

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return (not after) + 1 / (1 + self.seen[move.rule])

    def refresh(self, steps: Mapping[Transition, Uses]) -> None:
        self.rounds += 1
        for transition, uses in steps.items():
            self.seen[transition.move.rule] += uses.times + 3 * uses.closed

    def state(self) -> Any:
        return [self.rounds, dict(self.seen)]

    def restore(self, state: Any) -> None:
        self.rounds, self.seen = state[0], Counter(state[1])


class Brief(Reward):
    """Nothing until the end: then a proof pays by its length, and being cut short costs 2."""

    dependence = Dependence.KIND
    pays_at_end = True

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return 0.0

    def end(self, outcome: Outcome) -> float:
        if outcome.proved:
            return 10 / len(outcome.script) - outcome.steps / 1000
        return -2.0 if outcome.truncated else -1.0


class BriefAndCurious(Brief):
    """Both at once: counters, and something at the end."""

    dependence = Dependence.HISTORY
    round = 7

    def __init__(self) -> None:
        self.seen = 0

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return 1 / (1 + self.seen)

    def refresh(self, steps: Mapping[Transition, Uses]) -> None:
        self.seen += sum(uses.times for uses in steps.values())

    def state(self) -> Any:
        return self.seen

    def restore(self, state: Any) -> None:
        self.seen = state


class Booked(RowReward):
    """A row of numbers for each step: what was done often pays less, what was closed more, and the end pays by all."""

    dependence = Dependence.HISTORY
    pays_at_end = True
    round = 4
    row_type = np.dtype([("rule", "i4"), ("open", "f8"), ("ended", "?")])

    def __init__(self) -> None:
        self.times = np.zeros(len(RULES) + 1)
        self.closed = np.zeros(len(RULES) + 1)

    def row(self, before: State, move: Move, after: State, ended: bool) -> tuple[float, ...]:
        return [*RULES, "simplify"].index(move.rule), len(before) - len(after), ended

    def pay(self, rows: Rows) -> NDArray[np.float64]:
        seen = np.log1p(self.closed) - np.log1p(self.times)
        return np.asarray(rows["open"] / 3 + seen[rows["rule"]] - rows["ended"] * self.gamma)

    def count(self, rows: Rows, uses: Rows) -> None:
        np.add.at(self.times, rows["rule"], uses["times"])
        np.add.at(self.closed, rows["rule"], uses["closed"] + uses["proved"] / 8)

    def finish(self, rows: Rows, proved: bool) -> float:
        return float(rows["open"].mean() + rows["ended"].sum() + 2 * proved)

    def state(self) -> Any:
        return [self.times.tolist(), self.closed.tolist()]

    def restore(self, state: Any) -> None:
        self.times, self.closed = map(np.array, state)


class Numberless(Reward):
    """Pays what is no number."""

    dependence = Dependence.TRANSITION

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        return nan


def _halfway(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """Halfway between Sarsa and Q-learning: the target is the mean of the best value and the mean value."""
    for step in steps(environment, policy):
        values = [q.values[pair] for _, pair in step.after.actions]
        ahead = (max(values) + sum(values) / len(values)) / 2 if values else 0.0
        q.update(step.pair, step.reward + parameters.gamma * ahead, parameters.alpha)


HALFWAY = Learner(_halfway)
"""A learner without a compiled form."""


class Insistent:
    """A policy that takes the first of its favourite rules that applies, and else any move."""

    def __init__(self, *rules: str) -> None:
        self._rules = rules

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        return [self._shares(state) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        return None

    def _shares(self, state: State) -> Floats:
        moves = legal_moves(state[0])
        for rule in self._rules:
            fitting = np.array([float(move.rule == rule) for move in moves])
            if fitting.any():
                return np.asarray(fitting / fitting.sum(), np.float64)
        return equal_shares(len(moves))


class Unordered(StateSpace):
    """States are the same if they read the same, whatever the order of hypotheses."""

    def view(self, state: State) -> View:
        names = [name for name, _ in state[0].hypotheses] if state else []
        key = tuple((frozenset(goal.hypotheses), goal.conclusion) for goal in state)
        return View(key, dict(zip(names, names, strict=True)))

    def digest(self, key: Key) -> bytes:
        assert isinstance(key, tuple)
        told = [
            [*sorted(f"{name} {formula.digest!r}" for name, formula in given), wanted.digest] for given, wanted in key
        ]
        return blake2b(repr(told).encode(), digest_size=16).digest()


class Breadth(Search):
    """A search that looks at goals in the order in which it meets them."""

    def _search(self) -> Iterator[None]:
        met = deque([self.root.number])
        while met and self.status is OPEN:
            node = self.graph.nodes[met.popleft()]
            if node.status is OPEN and node.edges is None:
                met += [premise for _, _, premises in self.graph.expand(node) for premise in premises]
                self.expansions += 1
                yield


COUNTED = Export(".txt", lambda proofs: "".join(f"{each.name}: {len(each.script)}\n" for each in proofs))
"""A kind of file that counts moves."""


class Replaying(Native):
    """A prover that makes the moves of a script."""

    name = "replaying"


_STEPS = Version("1 / n", 0, 1, OfStep(lambda _, step: 1 / len(step.before)))
STEPS = Term(
    "steps", "steps", asks="Steps are to be made while few goals are open.", differs="", seed=_STEPS, sound=_STEPS
)
"""A term of R†."""
