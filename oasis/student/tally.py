"""What the episodes on a lemma add up to, and blocks of episodes as bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Self

import numpy as np

from oasis.play.exam import Exam
from oasis.student.student import Practice
from tactics.script import Script, parse_script, show_script


@dataclass
class Tally:
    """The sum of what blocks of episodes have brought on one lemma.

    Attributes:
        episodes: practised.
        proofs: episodes that ended in a proof.
        actions: taken in all.
        first_proof: the number of the first episode with a proof, from 1; None if there is none.
        best: the shortest proof; None if there is none.
        met: states in memory that were met on this lemma.
        seconds: spent on practice.
    """

    episodes: int
    proofs: int
    actions: int
    first_proof: int | None
    best: Script | None
    met: int
    seconds: float

    @classmethod
    def of(cls, row: dict[str, Any]) -> Self:
        """What is stored of a lemma so far."""
        return cls(
            episodes=row["practised"],
            proofs=row["proofs"],
            actions=row["actions"],
            first_proof=row["first_proof"],
            best=parse_script(row["best"]) if row["best"] else None,
            met=row["met"],
            seconds=row["seconds"],
        )

    def add(self, practice: Practice, best: Script | None, met: int, seconds: float) -> None:
        """Count some more episodes, at least one.

        Args:
            practice: what became of them.
            best: the shortest proof among the student's episodes on the lemma.
            met: states met for the first time in them.
            seconds: that they took.
        """
        if self.first_proof is None and practice.proved.any():
            self.first_proof = self.episodes + 1 + int(practice.proved.argmax())
        self.episodes += len(practice.proved)
        self.proofs += int(practice.proved.sum())
        self.actions += int(practice.steps.sum())
        self.consider(best)
        self.met += met
        self.seconds += seconds

    def consider(self, proof: Script | None) -> None:
        """Keep a proof if there is none that is as short."""
        if proof is not None and (self.best is None or len(proof) < len(self.best)):
            self.best = proof

    def columns(self) -> dict[str, Any]:
        """As the store keeps it."""
        return {
            "practised": self.episodes,
            "proofs": self.proofs,
            "actions": self.actions,
            "first_proof": self.first_proof,
            "best": None if self.best is None else show_script(self.best),
            "best_moves": None if self.best is None else len(self.best),
            "met": self.met,
            "seconds": self.seconds,
        }


def packed(practices: list[Practice]) -> bytes:
    """What became of episodes, as bytes: whether each was proved, and its steps."""
    stream = BytesIO()
    np.save(stream, np.packbits(np.concatenate([each.proved for each in practices])), allow_pickle=False)
    np.save(stream, np.concatenate([each.steps for each in practices]), allow_pickle=False)
    return zlib.compress(stream.getbuffer(), level=1)


def unpacked(content: bytes) -> Iterator[tuple[bool, int]]:
    """For each episode whether it was proved, and its steps."""
    stream = BytesIO(zlib.decompress(content))
    proved, steps = np.load(stream, allow_pickle=False), np.load(stream, allow_pickle=False)
    yield from zip(np.unpackbits(proved, count=len(steps)).astype(bool).tolist(), steps.tolist(), strict=True)


def exam_to_text(exam: Exam) -> str:
    """An exam as the store keeps it."""
    script = None if exam.script is None else show_script(exam.script)
    return json.dumps({"plays": exam.plays, "lengths": exam.lengths, "script": script})


def exam_of_text(text: str | None) -> Exam | None:
    """The exam that `exam_to_text` wrote. Raises ValueError, KeyError or TypeError if it is none."""
    if text is None:
        return None
    stored = json.loads(text)
    script = None if stored["script"] is None else parse_script(stored["script"])
    plays, lengths = stored["plays"], stored["lengths"]
    if not all(type(number) is int for number in [plays, *lengths]):
        raise TypeError("an exam counts in whole numbers")
    if not len(lengths) <= plays or bool(lengths) != (script is not None):
        raise ValueError(f"an exam of {plays} plays has {len(lengths)} proofs and shows {script}")
    return Exam(plays, tuple(lengths), script)
