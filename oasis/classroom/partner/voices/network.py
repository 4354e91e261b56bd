"""What a network says: how likely it makes each move, and how likely what a move leaves is to be provable.

It is loaded behind the back of whoever asks, who is told meanwhile that it is coming; without the libraries that it
needs it says what to install.
"""

from __future__ import annotations

from math import prod
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from oasis.classroom.partner.opinions import Kind, Reason, Voice, Weights, column
from oasis.classroom.partner.player import silent
from oasis.escalation.costs import Counted, Counter
from oasis.play.solving import Cost
from tactics.errors import InputError
from tactics.goal import Goal, Move, State, principal
from tactics.printer import Notation
from tactics.rules import legal_moves, premises, spoken

if TYPE_CHECKING:
    from oasis.play.policy import Policy

_PARTS: Final = 4
_COLUMNS: Final = (("net", Kind.SHARE), ("left", Kind.SHARE))


class Network:
    """The voice of a network.

    Args:
        named: the name of its policy, as `oasis.neural.policies.policy_named` takes it.
        counter: counts what it costs.

    Attributes:
        name, cost: as of any voice.
    """

    name = "network"

    def __init__(self, named: str, counter: Counter) -> None:
        self.cost = Cost()
        self._counter = counter
        self._policy: Policy | None = None
        self._missing = ""
        self._broken: Exception | None = None
        self._loading = Thread(target=self._load, args=(named,), name="network", daemon=True)
        self._loading.start()

    @property
    def is_coming(self) -> bool:
        """Whether it is still being loaded."""
        return self._loading.is_alive()

    def say(self, state: State, moves: tuple[Move, ...]) -> Voice:
        """How likely each move is, and how likely everything that it leaves is to be provable."""
        policy = self._ready()
        if policy is None:
            return silent(self.name, self._missing or "It is coming.", moves, *_COLUMNS)
        shares, values, of_goal = self._judged(policy, state[0], moves)
        columns = [column("net", Kind.SHARE, moves, shares)]
        sentence = f"Likeliest is {self._best(shares)}."
        if of_goal is not None:
            columns.append(column("left", Kind.SHARE, moves, values))
            sentence = f"Provable with {of_goal:.0%}."
        return Voice(self.name, sentence, tuple(columns), self._best(shares))

    def chosen(self, state: State, moves: tuple[Move, ...]) -> Move | None:
        """The likeliest move."""
        policy = self._ready()
        return None if policy is None else self._best(self._judged(policy, state[0], moves)[0])

    def why(self, state: State, move: Move, notation: Notation) -> Reason:
        """How likely the move is, what the network claims, and what in the goal it attends to before the move."""
        from oasis.neural.reasons import reasons

        policy = self._ready()
        assert policy is not None
        goal = state[0]
        moves = legal_moves(goal)
        share = dict(zip(moves, policy.probabilities([state])[0].tolist(), strict=True))[move]
        said = [f"It makes {spoken(move)} with {share:.0%}, and no move on offer is likelier."]
        ask: Any = getattr(policy, "attention", None)
        attention = ask and ask(goal, principal(goal, move))
        claims = tuple(reasons(policy, goal, notation))
        if attention is None:
            said += [] if claims else ["It does not tell why."]
            return Reason(self.name, move, tuple(said), claims=claims)
        weights = Weights()
        for formula, weight in zip(attention.nodes, attention.weights[-1].tolist(), strict=True):
            weights.add(formula, weight)
        return Reason(self.name, move, (*said, "In its last layer it looked at:"), weights.parts(_PARTS), claims)

    def _load(self, named: str) -> None:
        try:
            from oasis.neural.policies import policy_named

            self._policy = policy_named(named, None)
        except InputError as error:
            self._missing = str(error)
        except Exception as error:
            self._broken = error  # raised where it is asked, in the thread that others listen to

    def _ready(self) -> Policy | None:
        """Its policy; None while it is coming, or if it cannot be had."""
        if self.is_coming:
            return None
        if self._broken is not None:
            raise self._broken
        return self._policy

    def _judged(
        self, policy: Policy, goal: Goal, moves: tuple[Move, ...]
    ) -> tuple[dict[Move, float | None], dict[Move, float | None], float | None]:
        """The share of each move that may be made, what it leaves is worth, and what the goal is; None for no worth."""
        counted = Counted(policy)
        left = {move: premises(goal, move) for move in moves}
        goals = list(dict.fromkeys([goal, *(each for of_move in left.values() for each in of_move)]))
        with self._counter.counting(policy) as spending:
            given = dict(zip(legal_moves(goal), counted.probabilities([(goal,)])[0].tolist(), strict=True))
            worths = counted.values(goals)
        self.cost += spending.cost + Cost(calls=counted.calls)
        total = sum(given[move] for move in moves)
        shares: dict[Move, float | None] = {move: given[move] / total if total else 1 / len(moves) for move in moves}
        if worths is None:
            return shares, {}, None
        worth = dict(zip(goals, worths.tolist(), strict=True))
        leaves: dict[Move, float | None] = {move: prod(worth[each] for each in left[move]) for move in moves}
        return shares, leaves, worth[goal]

    @staticmethod
    def _best(shares: dict[Move, float | None]) -> Move:
        return max(shares, key=lambda move: shares[move] or 0.0)
