"""What a student at work is told: no more than was asked for, and never whether a lemma has a proof at all.

The light, and the first hint, which says the same in words, are dark where a move has lost the proof. Of a lemma that
has none they are dark where no move applies, and say just what they say where a lost proof ends like that; anywhere
else they say what they say where nothing is lost. The second hint leaves open, too, whether there is a proof where
nothing is lost. What is true of a state is known to `oasis.teacher.hints`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from oasis.classroom.proving.attempt import Attempt
from oasis.teacher.countermodels.countermodel import Countermodel
from oasis.teacher.hints import LEVELS, Hint, Loss
from tactics.goal import Move
from tactics.printer import COQ, Notation
from tactics.rules import spoken

NOTHING_LOST: Final = "No move so far has lost a proof."
TELLING: Final = LEVELS[2]
"""The level of the first hint that tells of a lemma whether it has a proof; of one that has none nothing more."""
IS_THERE_A_PROOF: Final = "Think first about whether there is a proof at all."
NO_PROOF: Final = "This lemma has no proof, whatever the moves: say so."
CLAIMED_BEFORE: Final = "This lemma has a proof, as you know since you said that it had none; so nothing is counted."
_NO_WORD_OF_A_PROOF: Final = "That only one move applies does not mean that it leads to a proof."


def has_a_proof(attempt: Attempt) -> str:
    """The answer to a wrong claim, which what it costs may follow.

    Where there is a light, that says whether a move has lost the proof; at the beginning none can have.
    """
    known = attempt.terms.light or not attempt.made
    return "This lemma has a proof" if known else "This lemma has a proof, though a move so far may have lost it"


def no_move_applies(attempt: Attempt, undo: str, claim: str) -> str:
    """What is said where no move applies, in one way whether there is a proof or not.

    It depends on what the student did, which is no secret: whether a side was chosen on the way to this goal.

    Args:
        attempt: that stands there.
        undo: how a move is taken back.
        claim: how it is said that there is no proof.
    """
    if attempt.side is None:
        return (
            f"No move applies here: take a move back ({undo}) and try another, or ask yourself how the lemma could "
            f"fail ({claim} says that it has no proof)."
        )
    step, side = attempt.side
    return (
        f"No move applies here. In move {step} you chose the {side} side: go back ({undo}) and try the other one, or "
        "ask yourself how both could fail."
    )


class Light(StrEnum):
    """Whether there may be a proof from here, as far as a student is told."""

    ON = "on"
    DARK = "dark"


class Answer(NamedTuple):
    """What a student is told who asks.

    Attributes:
        light: what the light says here.
        level: how much was asked for, of `oasis.teacher.hints.LEVELS`.
        only_move: the one that applies, if nothing but that is told because there is no choice; else None.
        is_last: whether nothing more is told here, however often somebody asks.
        where: what to look at if there is a proof, a hypothesis by its name or the conclusion; empty if not told.
        restricted: whether not all twelve rules may be used, so that all of this is about those that may.
        hint: what is true here; None where that would tell too much.
        loss: why the move lost the proof that a hint names.
        countermodel: why there is no proof from here, if that is told.
        knows_of_proof: whether the student was told that the lemma has a proof, after a wrong claim.
    """

    light: Light
    level: int
    only_move: Move | None = None
    is_last: bool = False
    where: str = ""
    restricted: bool = False
    hint: Hint | None = None
    loss: Loss | None = None
    countermodel: Countermodel | None = None
    knows_of_proof: bool = False

    def sentences(self, notation: Notation = COQ) -> list[str]:
        """The answer in words, a sentence for each thing."""
        if self.only_move is not None:
            return [*self._forced(self.only_move), _NO_WORD_OF_A_PROOF]
        hint = self.hint
        within = " with these tactics" if self.restricted else ""
        if self.where and not self.knows_of_proof:
            return [IS_THERE_A_PROOF, f"If there is one, look at {self.where}."]
        if self.where:
            return [f"If there is a proof{within}, look at {self.where}." if within else f"Look at {self.where}."]
        if hint is not None and hint.step == 0:
            return ["This lemma has a proof, but none with these tactics." if hint.has_other else NO_PROOF]
        if self.light is Light.ON:
            advice = None if hint is None else hint.advice
            return [NOTHING_LOST] if advice is None else advice.sentences(self.level, notation, spoken)
        if hint is None:
            thought = [IS_THERE_A_PROOF] if self.level > LEVELS[0] and not self.knows_of_proof else []
            return [f"There is no proof from here{within}, and no move applies.", *thought]
        lost_by = "" if hint.lost_by is None else f", {spoken(hint.lost_by)}"
        said = [f"There is no proof from here{within} since move {hint.step}{lost_by}."]
        if hint.advice is not None:
            said += [f"Go back to before move {hint.step}.", *hint.advice.sentences(self.level, notation, spoken)]
        return said

    def _forced(self, move: Move) -> list[str]:
        """What is said of the only move that applies, at once as much as any hint of the exercise may say."""
        match self.level:
            case 1:
                return ["Only one move applies here."]
            case 2:
                return ["Only one move applies here.", f"Look at {self.where}."]
            case 3:
                return [f"Only one move applies here, by {spoken(Move(move.rule))}."]
        return [f"Only one move applies here: {spoken(move)}."]
