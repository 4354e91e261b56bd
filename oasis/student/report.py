"""What comes of a run, lemma by lemma: added up block by block, kept in the store, and read from it again.

What is read is the same for a run just made and one made long ago.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from oasis.ground.settings import known
from oasis.play.exam import Exam
from oasis.store import Row, Store
from oasis.student.settings import Settings
from oasis.student.student import Practice
from tactics.script import Script, parse_script, show_script

if TYPE_CHECKING:
    from oasis.student.unlearning import Known
    from tactics.claims import Certificate

_TEXTS: Final = {"name", "formula", "status", "best", "exam", "untaught", "shown", "known"}
"""The columns of a lemma that hold text; all others hold numbers."""


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
        known: what exams during practice say that the student knew, and may have lost; None if it knew nothing.
    """

    episodes: int
    proofs: int
    actions: int
    first_proof: int | None
    best: Script | None
    met: int
    seconds: float
    known: Known | None

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
            known=_known(row["known"]) if row["known"] else None,
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
            "known": None if self.known is None else self.known.to_text(),
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


@dataclass(frozen=True)
class LemmaReport:
    """What a student made of one lemma.

    Attributes:
        name: of the lemma.
        formula: in Coq's notation.
        status: what its source says: `theorem`, `non-theorem` or None.
        level: of its family; None if it has none.
        finished: whether all episodes were played and the student was examined.
        episodes: number played.
        proved_episodes: number that ended in a proof.
        first_proof_episode: the first of those, from 1, or None.
        only_examined: whether the student is examined on it without practice.
        exam: the exam of the student after its last episode; None if it was not examined.
        untaught: the exam of somebody who knows nothing; None likewise.
        optimum: the length of a shortest proof; None if there is none or it is not known.
        best: the shortest proof of all episodes and the exam, or None.
        shown: the proof that the student was shown before it practised, or None.
        states: number of states met for the first time in this run.
        steps: actions taken.
        seconds: time spent learning.
        unlearned: a proof that it knew during practice and gave up, by its exam in the end; None if there is none.
        words: what provers said of a proof of this very formula, by the text of the proof.
        withheld: number of words that are kept and were changed since they were said.
    """

    name: str
    formula: str
    status: str | None
    level: int | None
    finished: bool
    episodes: int
    proved_episodes: int
    first_proof_episode: int | None
    only_examined: bool
    exam: Exam | None
    untaught: Exam | None
    optimum: int | None
    best: Script | None
    shown: Script | None
    states: int
    steps: int
    seconds: float
    unlearned: Known | None
    words: dict[str, list[Certificate]]
    withheld: int = 0

    def words_on(self, proof: Script | None) -> list[Certificate]:
        """What provers said of a proof; nothing if there is none or none was asked."""
        return [] if proof is None else self.words.get(show_script(proof), [])

    @property
    def proofs(self) -> list[Script]:
        """The proofs that are reported: that of the exam, the best one, and the one that was shown."""
        found = (self.exam.script if self.exam else None, self.best, self.shown)
        return [proof for proof in found if proof is not None]

    @property
    def share_proved(self) -> float:
        """Share of the episodes that ended in a proof, in [0, 1]."""
        return self.proved_episodes / self.episodes if self.episodes else 0.0

    @property
    def family(self) -> str | None:
        """The name of its family; None for a lemma without a level."""
        return None if self.level is None else self.name.rpartition(".")[0] or self.name.rpartition("/")[0]

    @property
    def is_known(self) -> bool:
        """Whether every play of the exam ends in a proof."""
        return self.exam is not None and self.exam.share == 1

    @property
    def is_shortest(self) -> bool:
        """Whether every play of the exam ends in a proof, and the median of these is as short as a proof can be."""
        return self.is_known and self.exam is not None and self.exam.median == self.optimum

    @property
    def steps_per_second(self) -> float:
        """Actions a second, learning included; 0 if no time was measured."""
        return self.steps / self.seconds if self.seconds else 0.0

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints; length and script are null where there is no proof."""
        return {
            "name": self.name,
            "formula": self.formula,
            "episodes": self.episodes,
            "proved_episodes": self.proved_episodes,
            "first_proof_episode": self.first_proof_episode,
            "only_examined": self.only_examined,
            "exam": self._exam(self.exam),
            "untaught": self._exam(self.untaught),
            "optimum": self.optimum,
            "best": self._proof(self.best),
            "shown": self._proof(self.shown),
            "states": self.states,
            "steps": self.steps,
            "seconds": round(self.seconds, 3),
            "unlearned": None if self.unlearned is None else self.unlearned.to_json(),
        }

    def _exam(self, exam: Exam | None) -> dict[str, Any] | None:
        if exam is None:
            return None
        return {**exam.to_json(), "certificates": [word.kept() for word in self.words_on(exam.script)]}

    def _proof(self, script: Script | None) -> dict[str, Any]:
        from tactics.json_form import script_to_json

        return {
            "length": None if script is None else len(script),
            "script": None if script is None else script_to_json(script),
            "certificates": [word.kept() for word in self.words_on(script)],
        }


@dataclass(frozen=True)
class RunReport:
    """A run as stored: its number, settings and lemmas, whether it is finished, and whose student went on in it."""

    run: int
    curriculum: str
    started: str
    finished: str | None
    version: str
    commit: str | None
    taught_by: int | None
    settings: dict[str, Any]
    lemmas: tuple[LemmaReport, ...]

    def is_like(self, other: RunReport) -> bool:
        """Return True for a run that differs in its seed alone, so that both can be told together."""
        names = [[lemma.name for lemma in each.lemmas] for each in (self, other)]
        return {**self.settings, "seed": None} == {**other.settings, "seed": None} and names[0] == names[1]

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints."""
        return {
            "run": self.run,
            "seed": self.settings["seed"],
            "taught_by": self.taught_by,
            "settings": self.settings,
            "lemmas": [lemma.to_json() for lemma in self.lemmas],
        }


def report(store: Store, run: int) -> RunReport:
    """What came of a run so far. Raises StoreError if there is none of that number, or it cannot be read."""
    stored = store.run(run)
    try:
        settings = _settings(stored["settings"])
        lemmas = tuple(_lemma_report(row, store) for row in store.lemmas(run))
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise store.damaged(f"run {run}: {error}") from error
    return RunReport(
        run=run,
        curriculum=stored["curriculum"],
        started=stored["started"],
        finished=stored["finished"],
        version=stored["version"],
        commit=stored["commit"],
        taught_by=stored["taught_by"],
        settings=settings,
        lemmas=lemmas,
    )


def _settings(stored: dict[str, Any]) -> dict[str, Any]:
    """Return all settings by name, as usual if not stored; a learner of somebody's own need not be at hand."""
    usual = {each.name: each.default for each in fields(Settings)}
    for each in known(Settings).values():
        each.check(stored.get(each.name, each.default))
    if strange := stored.keys() - usual:
        raise TypeError(f"there is no setting {', '.join(strange)}")
    return usual | stored


def words_of(store: Store, formula: str) -> tuple[dict[str, list[Certificate]], int]:
    """What provers said of proofs of a formula, by the text of the proof, and how much was changed since.

    Raises StoreError if it is damaged.
    """
    words: dict[str, list[Certificate]] = {}
    kept = store.certificates(formula)
    for row in kept:
        if row["holds"]:
            from tactics.claims import Certificate

            word = Certificate(row["prover"], row["version"], bool(row["accepted"]), row["reason"])
            words.setdefault(row["script"], []).append(word)
    return words, sum(not row["holds"] for row in kept)


def _known(text: str) -> Known:
    from oasis.student.unlearning import Known

    return Known.of_text(text)


def _unlearned(text: str, exam: Exam | None) -> Known | None:
    from oasis.student.unlearning import is_unlearned

    read = _known(text)
    return read if is_unlearned(read, exam) else None


def _lemma_report(row: Row, store: Store) -> LemmaReport:
    for column, value in row.items():
        if not isinstance(value, (str if column in _TEXTS else int | float) | None):
            raise TypeError(f"{column} is {value!r}")
    words, withheld = words_of(store, row["formula"])
    exam = exam_of_text(row["exam"])
    return LemmaReport(
        name=row["name"],
        formula=row["formula"],
        status=row["status"],
        level=row["level"],
        finished=bool(row["finished"]),
        episodes=row["practised"],
        proved_episodes=row["proofs"],
        first_proof_episode=row["first_proof"],
        only_examined=bool(row["only_examined"]),
        exam=exam,
        untaught=exam_of_text(row["untaught"]),
        optimum=row["optimum"],
        best=parse_script(row["best"]) if row["best"] else None,
        shown=parse_script(row["shown"]) if row["shown"] else None,
        states=row["met"],
        steps=row["actions"],
        seconds=row["seconds"],
        unlearned=_unlearned(row["known"], exam) if row["known"] else None,
        words=words,
        withheld=withheld,
    )


def episodes(store: Store, run: int) -> Iterator[dict[str, Any]]:
    """Yield every episode of a run in order: lemma, episode, steps, proved. Raises StoreError for damaged ones."""
    for block in store.blocks(run):
        try:
            numbered = list(enumerate(unpacked(block["content"]), block["first"]))
        except (EOFError, TypeError, ValueError, zlib.error) as error:
            raise store.damaged(f"the episodes of run {run} cannot be read") from error
        for number, (proved, steps) in numbered:
            yield {"lemma": block["lemma"], "episode": number, "steps": steps, "proved": int(proved)}
