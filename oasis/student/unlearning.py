"""What a student knew of a lemma during its practice and gave up again, and which term of R† paid for that.

During its practice a student has small exams (`oasis.student.training.marks`). It *knew* the lemma if every play
proved, and has *unlearned* it if half of the plays of its last exam or fewer do. That is no luck: a policy that proves
half of its plays proves `PLAYS` in a row once in a million times.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from oasis.ground.names import REWARDS
from oasis.play.exam import Exam, played
from oasis.rewards import asked, state_of
from oasis.rewards.named import reward
from oasis.student.learners import learner
from oasis.student.student import Student
from tactics.formula import Formula
from tactics.script import Script, parse_script, show_script

PLAYS: Final = 20
"""Plays of an exam during practice."""
_HALF: Final = 0.5


@dataclass(frozen=True)
class Known:
    """A proof that a student knew, and what became of it.

    Attributes:
        after: the last exam in which every play proved, by the number of episodes before it.
        script: the shortest of these proofs.
        lost: the first exam after that in which half of the plays or fewer proved; None if there was none.
        paid: of each term of R† what it pays in the end for that proof, and for what the student does instead, both
            discounted; empty if it is paid otherwise.
    """

    after: int
    script: Script
    lost: int | None = None
    paid: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def to_text(self) -> str:
        """Return it as the store keeps it."""
        return json.dumps({**vars(self), "script": show_script(self.script)})

    @classmethod
    def of_text(cls, text: str) -> Known:
        """Return what `to_text` wrote. Raises ValueError, KeyError or TypeError if it is none."""
        stored = json.loads(text)
        paid = {term: (float(proof), float(other)) for term, (proof, other) in stored["paid"].items()}
        return cls(int(stored["after"]), parse_script(stored["script"]), stored["lost"], paid)

    @property
    def culprit(self) -> str | None:
        """The term that pays most for giving the proof up; None if R† as a whole pays no more for that."""
        more = {term: other - proof for term, (proof, other) in self.paid.items()}
        return max(more, key=more.__getitem__) if sum(more.values()) > 0 else None

    def sentence(self, lemma: str, exam: Exam) -> str:
        """Say that a lemma was unlearned, as the last exam shows, and what paid for that."""
        said = (
            f"{lemma} was unlearned: every play of an exam proved it after {self.after:,} episodes, at most half did "
            f"after {self.lost:,}, and {exam.proved} of {exam.plays} did in the end."
        )
        if not self.paid:
            return said
        proof, other = (sum(each) for each in zip(*self.paid.values(), strict=True))
        cause = ", so none of its terms is behind that"
        if self.culprit is not None:
            mostly, instead = self.paid[self.culprit]
            cause = f"; the term behind that is {self.culprit}, with {mostly:+.3f} and {instead:+.3f}"
        return (
            f"{said} Discounted, R† pays {proof:+.3f} for the proof that was known and {other:+.3f} for what the "
            f"student does instead{cause}."
        )

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints."""
        from tactics.json_form import script_to_json

        paid = {term: {"proof": proof, "instead": other} for term, (proof, other) in self.paid.items()}
        named = {"known_after": self.after, "lost_after": self.lost, "script": script_to_json(self.script)}
        return {**named, "paid": paid, "term": self.culprit}


def examined(known: Known | None, episodes: int, exam: Exam) -> Known | None:
    """Take an exam after so many episodes into account."""
    if exam.script is not None and exam.share == 1:
        return Known(episodes, exam.script)
    if known is None or known.lost is not None or exam.share > _HALF:
        return known
    return replace(known, lost=episodes)


def is_unlearned(known: Known | None, exam: Exam | None) -> bool:
    """Whether what was known during practice was lost, and is so in the last exam."""
    return known is not None and known.lost is not None and exam is not None and exam.share <= _HALF


def unlearned(known: Known, episodes: int, exam: Exam, student: Student, lemma: Formula) -> Known | None:
    """Take the last exam into account; return what was unlearned, explained, or None if nothing was."""
    last = examined(known, episodes, exam)
    return explained(last, student, lemma) if last is not None and is_unlearned(last, exam) else None


def explained(known: Known, student: Student, lemma: Formula) -> Known:
    """Work out what R† pays, by what it has counted, for a proof that was given up and for what the student does now.

    That is its greedy policy's first play without a proof. For another reward, and for a learner that looks at none or
    whose actions are other than the moves that apply, nothing is known.
    """
    settings = student.settings
    is_paid_by_terms = REWARDS.takes_argument(settings.reward) and not learner(settings.learner).of_goals
    if not is_paid_by_terms or settings.actions != "legal":
        return known
    from oasis.dagger.episodes import replayed
    from oasis.dagger.explain import explain
    from oasis.dagger.reward import RewardDagger

    counting = reward(settings.reward, gamma=settings.gamma)  # its own, so that asking leaves no trace
    asked(counting, counting.restore, state_of(student.reward))
    plays = played(student.policy(), lemma, plays=PLAYS, max_steps=settings.max_steps)
    instead = next((play.script for play in plays if not play.proved), None)
    if instead is None or not isinstance(counting, RewardDagger):
        return known
    proof, other = (explain(counting, replayed(lemma, script)).worth for script in (known.script, instead))
    return replace(known, paid={term: (proof[term], other[term]) for term in counting.weights.weights})
