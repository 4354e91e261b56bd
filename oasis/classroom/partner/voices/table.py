"""What a table says: it is the agent's, and is sure of itself where playing greedily comes to a proof each time."""

from __future__ import annotations

from time import monotonic
from typing import Final

from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.opinions import Reason, Voice, of_table, why_by_table
from oasis.escalation.costs import Counter
from oasis.ground.splitmix import SplitMix64
from oasis.play.solving import Cost
from tactics.goal import Move, State
from tactics.printer import Notation

PLAYS: Final = 5
"""That have to end in a proof, so that one that was lucky with its lots is not taken for knowledge."""


class Table:
    """The voice of an agent's table.

    Args:
        agent: whose table it is; its actions are legal moves.
        counter: counts what practising costs.

    Attributes:
        name, cost: as of any voice.
    """

    name = "table"
    is_coming = False

    def __init__(self, agent: Agent, counter: Counter) -> None:
        self.agent, self.cost = agent, Cost()
        self._counter = counter

    def say(self, state: State, moves: tuple[Move, ...]) -> Voice:
        """The values of the moves."""
        return of_table(self.agent.beliefs(state), self.name, brief=True)

    def chosen(self, state: State, moves: tuple[Move, ...]) -> Move | None:
        """The greedy move, ties by lot, if all plays from here on are proofs."""
        with self._counter.counting() as spending:
            rng = SplitMix64.seeded(self.agent.settings.seed)
            first = [self.agent.greedy_play(state, rng) for _ in range(PLAYS)] if self.agent.has_met(state) else [None]
        self.cost += spending.cost
        return first[0] if None not in first else None

    def why(self, state: State, move: Move, notation: Notation) -> Reason:
        """Its values, and that its plays come to a proof."""
        reason = why_by_table(self.agent.beliefs(state), self.name)
        return reason._replace(
            move=move, sentences=(*reason.sentences, f"From here all of {PLAYS} greedy plays end in a proof.")
        )

    def practise(self, seconds: float) -> None:
        """Play episodes by the agent's own policy, and learn from them, for so long."""
        before, began = self.agent.curve.episodes, monotonic()
        with self._counter.counting() as spending:
            while monotonic() - began < seconds:
                self.agent.practise(1)
        self.cost += spending.cost + Cost(episodes=self.agent.curve.episodes - before)
