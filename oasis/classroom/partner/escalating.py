"""The escalating student as a partner: a table that practises, a search where it is not sure, a network after that.

Before each episode the table practises for a moment; then each move is made by the first voice that is sure of it. What
comes out as a proof with the help of the others, the table learns from, as in `oasis.escalation`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.player import Player
from oasis.classroom.partner.voices.network import Network
from oasis.classroom.partner.voices.search import Searching
from oasis.classroom.partner.voices.table import Table
from oasis.escalation.costs import Counter
from oasis.escalation.ladder import Ladder
from oasis.play.actions import LEGAL
from oasis.play.exam import Exam
from oasis.student.learners import learner
from oasis.student.settings import Settings
from oasis.student.training import EXPLORATION
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.rules import RULES
from tactics.script import Script

PRACTICE_SECONDS: Final = 0.1
"""Of the table, before each episode."""


class Escalating(Player):
    """Asks its table, then a search, then a network.

    Args:
        formula: the lemma.
        settings: of its table.
        rules: the rules that it may use.
        network: the name of the policy that is asked last (`oasis.neural.policies.policy_named`).
    """

    def __init__(
        self,
        formula: Formula,
        settings: Settings,
        rules: Collection[str] = tuple(RULES),
        network: str = Ladder().network,
    ) -> None:
        self._check(settings)
        counter = Counter()
        self._agent = Agent(formula, settings, rules)
        self._table = Table(self._agent, counter)
        is_free = set(rules) >= set(RULES)
        self._search = Searching(lambda: self._agent.policy(EXPLORATION), counter, settings.seed, is_free=is_free)
        super().__init__(formula, rules, [self._table, self._search, Network(network, counter)])

    @property
    def settings(self) -> Settings:  # type: ignore[override]
        """Those of its table."""
        return self._agent.settings

    @property
    def states(self) -> int:
        """The number of states in its table."""
        return self._agent.states

    def exam(self) -> Exam:
        """The exam of its table: what it has learned."""
        return self._agent.exam()

    def change(self, **changes: Any) -> str:
        """Change settings of the table. Raises InputError for actions that the search and the network do not know."""
        self._check(Settings(actions=changes.get("actions", LEGAL.name)))
        curve = self._agent.curve
        said = self._agent.change(**changes)
        self._search.forget()  # searches go on with the policy with which they began
        if self._agent.curve is not curve:  # the table is another one
            self._begin()
        return said

    def _prepare(self) -> None:
        if learner(self.settings.learner).learns:
            self._table.practise(PRACTICE_SECONDS)

    def _learn(self, movers: Sequence[str]) -> None:
        """Learn from a proof that was not the table's alone."""
        if not self.state and set(movers) - {self._table.name} and learner(self.settings.learner).learns:
            self._agent.follow(self.script)

    def _follow(self, proof: Script) -> str:
        return self._agent.follow(proof).replace("It has", "Its table has")

    @staticmethod
    def _check(settings: Settings) -> None:
        if settings.actions != LEGAL.name:
            raise InputError("The search and the network know legal moves alone, so the moves on offer stay legal.")
