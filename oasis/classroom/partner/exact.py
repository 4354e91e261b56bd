"""The teacher as a partner: it always plays a shortest proof, and there is nothing for it to learn."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from oasis.classroom.partner.opinions import Share
from oasis.classroom.partner.player import Player
from oasis.classroom.partner.voices.teacher import Knowing
from oasis.student.settings import Settings
from tactics.formula import Formula
from tactics.goal import initial
from tactics.rules import RULES
from tactics.script import Script


class Exact(Player):
    """Plays what the teacher says; where there is no proof it makes no move.

    Args:
        formula: the lemma.
        settings: its seed, for lots among equally short proofs, and `max_steps`; the others mean nothing to it.
        rules: the rules that it may use.
    """

    def __init__(self, formula: Formula, settings: Settings, rules: Collection[str] = tuple(RULES)) -> None:
        self.settings = settings
        super().__init__(formula, rules, [Knowing(rules, settings.seed)])

    @property
    def shares(self) -> tuple[Share, ...]:
        """None: what the truth costs is not counted."""
        return ()

    def change(self, **changes: Any) -> str:
        """Nothing is changed: it does not learn."""
        return "It knows the truth, so there is nothing to switch."

    def _follow(self, proof: Script) -> str:
        said = [voice.sentence for voice in self.opinion(initial(self.formula)).voices]
        return " ".join([f"It has seen your proof of {len(proof)} moves.", *said])
