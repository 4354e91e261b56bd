"""A network or a language model as a partner: it makes the move that it takes to be likeliest, and says why."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from oasis.classroom.partner.opinions import in_moves
from oasis.classroom.partner.player import Player
from oasis.classroom.partner.voices.network import Network
from oasis.escalation.costs import Counter
from oasis.neural.files import TINY
from oasis.student.settings import Settings
from tactics.formula import Formula
from tactics.rules import RULES
from tactics.script import Script


class Asked(Player):
    """Asks a network before each move, and learns nothing.

    Args:
        formula: the lemma.
        settings: `max_steps`; the others mean nothing to it.
        rules: the rules that it may use.
        network: the name of the policy that is asked (`oasis.neural.policies.policy_named`).
    """

    def __init__(
        self, formula: Formula, settings: Settings, rules: Collection[str] = tuple(RULES), network: str = TINY
    ) -> None:
        self.settings = settings
        super().__init__(formula, rules, [Network(network, Counter())])

    def change(self, **changes: Any) -> str:
        """Nothing is changed: it does not learn."""
        return "It learns nothing here, so there is nothing to switch."

    def _follow(self, proof: Script) -> str:
        return f"It has seen your proof of {in_moves(len(proof))}, and learns nothing from it."
