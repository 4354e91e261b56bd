"""The companion as a partner: it plays by what its person has shown it, and learns from nobody else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import numpy as np

from oasis.classroom.partner.agent import EXAM_PLAYS
from oasis.classroom.partner.companion import Companion, Lesson, Shown
from oasis.classroom.partner.looks import LOOKS
from oasis.classroom.partner.opinions import Kind, Reason, Voice, Weights, column, in_moves
from oasis.classroom.partner.player import Player
from oasis.ground.splitmix import SplitMix64
from oasis.play.exam import Exam, examine
from oasis.play.policy import draw
from oasis.play.solving import Cost
from oasis.student.settings import Settings
from tactics.formula import Formula
from tactics.goal import Move, State, principal
from tactics.printer import Notation
from tactics.rules import RULES, legal_moves, spoken
from tactics.script import Script

_REASONS: Final = 2
_YES: Final = {True: "Yes", False: "No"}


class Taught:
    """The voice of a companion.

    Args:
        companion: whose it is.
        seed: of its lots.

    Attributes:
        name, cost: as of any voice; what it costs is not counted.
        play: the number of the play, from 0; each has lots of its own.
    """

    name = "companion"
    is_coming = False

    def __init__(self, companion: Companion, seed: int) -> None:
        self.companion, self.cost, self.play = companion, Cost(), 0
        self._seed = seed

    def say(self, state: State, moves: tuple[Move, ...]) -> Voice:
        """How likely it makes each move, and whether it was shown what to do here."""
        shares = self._shares(state, moves)
        likeliest = max(moves, key=lambda move: shares[move])
        known = self.companion.remembers(state[0])
        sentence = "It remembers this." if known else "It was never shown this, and goes by what it likes."
        is_lot = sum(shares[move] == shares[likeliest] for move in moves) > 1
        choice = None if is_lot else likeliest
        return Voice(self.name, sentence, (column("takes", Kind.SHARE, moves, {**shares}),), choice, known)

    def chosen(self, state: State, moves: tuple[Move, ...]) -> Move:
        """A move drawn by its probabilities: in one play always the same one at a goal."""
        shares = self._shares(state, moves)
        lots = SplitMix64.seeded(self._seed ^ self.play ^ int.from_bytes(state[0].digest[:8]))
        place = draw(np.array([shares[move] for move in moves]), lots)
        assert place is not None
        return moves[place]

    def why(self, state: State, move: Move, notation: Notation) -> Reason:
        """Whether it was shown this, and the habits and looks that speak most for its move."""
        goal = state[0]
        share = self._shares(state, legal_moves(goal))[move]
        said = [f"It makes {spoken(move)} in {share:.0%} of its plays."]
        if self.companion.remembers(goal):
            said.append("You have shown it what to do here, and it remembers that.")
        for name, answer in self.companion.speaking_for(goal, move)[:_REASONS]:
            look = LOOKS.get(name)
            said.append(f"It has a habit: {name}." if look is None else f"{look.question} {_YES[answer > 0]}.")
        return Reason(self.name, move, tuple(said), Weights().add(principal(goal, move)).parts(1))

    def _shares(self, state: State, moves: tuple[Move, ...]) -> dict[Move, float]:
        given = dict(zip(legal_moves(state[0]), self.companion.probabilities([state])[0].tolist(), strict=True))
        total = sum(given[move] for move in moves)
        return {move: given[move] / total for move in moves}


class Raised(Player):
    """A companion at one lemma.

    Args:
        formula: the lemma.
        settings: its seed, for its lots, and `max_steps`; the others mean nothing to it.
        rules: the rules that it may use.
        lessons: what it was taught, at this lemma and at others.
    """

    def __init__(
        self,
        formula: Formula,
        settings: Settings,
        rules: Collection[str] = tuple(RULES),
        lessons: Iterable[Lesson] = (),
    ) -> None:
        self.settings = settings
        self._taught = Taught(Companion(lessons), settings.seed)
        super().__init__(formula, rules, [self._taught])

    @property
    def states(self) -> int:
        """The number of goals that it remembers."""
        return self._taught.companion.states

    def exam(self) -> Exam | None:
        """The exam of what it was taught; None if it may not use all rules."""
        if self._rules != {*RULES}:
            return None
        policy, most = self._taught.companion, self.settings.max_steps
        return examine(policy, self.formula, plays=EXAM_PLAYS, seed=self.settings.seed, max_steps=most)

    def change(self, **changes: Any) -> str:
        """Nothing is changed: it learns from its person alone."""
        return "It learns from you alone, so there is nothing to switch."

    def _prepare(self) -> None:
        self._taught.play = self._number

    def _learn(self, movers: Sequence[str]) -> None:
        """Learn nothing from its own plays."""

    def _follow(self, proof: Script) -> str:
        self._taught.companion.learn(Shown(self.formula, proof))
        return f"It has seen your proof of {in_moves(len(proof))}, and remembers it."
