"""Rollouts by an author of whole proofs: each is a text, cut at the first fault, with a step for each of its moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from oasis.play.actions import ActionSpace
from oasis.play.choices import Writing
from oasis.play.policy import Policy
from oasis.play.writing import Author, Proof, written
from oasis.search.rollouts.play import Job, Look, Playing, Rollout, Step, Tick
from tactics.goal import Goal
from tactics.script import Script


class Writers:
    """Has rollouts written (`oasis.search.rollouts.players.Players`); known proofs (`look`) are not used.

    Args:
        author: writes.
        writing: says how.
        goal: with which all proofs begin.
    """

    def __init__(self, author: Author, writing: Writing, goal: Goal) -> None:
        self._author, self._writing, self._goal = author, writing, goal

    def play(self, policy: Policy, space: ActionSpace, jobs: Sequence[Job], look: Look | None) -> Playing:
        """Have a proof written from each job's state on, behind the text that led there."""
        proofs = [Proof(self._goal, job.state, job.chance, self._text(job.begun)) for job in jobs]
        for spent in written(self._author, proofs, self._writing):
            yield Tick(*spent)
        return [_rollout(proof) for proof in proofs]

    def _text(self, steps: Iterable[tuple[str, Script]]) -> str:
        """Return the text of some steps; moves without one, such as those from the goal cache, are written here."""
        text = ""
        for own, moves in steps:
            text += own
            for move in moves[bool(own) :]:
                text = self._author.style.added(text, move)
        return text


def _rollout(proof: Proof) -> Rollout:
    """Return a step for each move, and at the end of what is no proof a step that fails, whatever was written there."""
    steps = [
        Step(None, (piece.move,), state, piece.text) for piece, state in zip(proof.pieces, proof.states, strict=True)
    ]
    return (*steps, *([] if proof.is_proved else [Step(None, (), proof.state)]))
