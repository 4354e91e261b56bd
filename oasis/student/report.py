"""What came of a run, lemma by lemma, read from the store: the same for a run just made and one made long ago."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any, Final

from oasis.play.exam import Exam
from oasis.store import Row, Store
from oasis.student.settings import Settings
from oasis.student.tally import exam_of_text, unpacked
from tactics.json_form import script_to_json
from tactics.script import Script, parse_script, show_script

_TEXTS: Final = {"name", "formula", "status", "best", "exam", "untaught", "shown"}
"""The columns of a lemma that hold text; all others hold numbers."""


@dataclass(frozen=True)
class Word:
    """What a prover said of a script: its name and version, whether it accepted, and if not, why."""

    prover: str
    version: str
    accepted: bool
    reason: str

    def digest(self, formula: str, script: str) -> str:
        """A digest of this word together with the formula and the script that it was said of (BLAKE2b, 16 bytes).

        It finds what was changed by mistake or by hand; it is no signature, for anybody can make another one.
        """
        said = [formula, script, self.prover, self.version, self.accepted, self.reason]
        return blake2b(json.dumps(said).encode(), digest_size=16).hexdigest()


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
        words: what provers said of a proof of this very formula, by the text of the proof.
        withheld: number of words that are kept but were said of another formula or proof.
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
    words: dict[str, list[Word]]
    withheld: int = 0

    def words_on(self, proof: Script | None) -> list[Word]:
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
        }

    def _exam(self, exam: Exam | None) -> dict[str, Any] | None:
        if exam is None:
            return None
        return {**exam.to_json(), "certificates": [asdict(word) for word in self.words_on(exam.script)]}

    def _proof(self, script: Script | None) -> dict[str, Any]:
        return {
            "length": None if script is None else len(script),
            "script": None if script is None else script_to_json(script),
            "certificates": [asdict(word) for word in self.words_on(script)],
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
    certificates: defaultdict[int, list[Row]] = defaultdict(list)
    for row in store.certificates(run):
        certificates[row["lemma"]].append(row)
    try:
        settings = _settings(stored["settings"])
        lemmas = tuple(_lemma_report(row, certificates[row["position"]]) for row in store.lemmas(run))
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
    """All settings by name; what somebody brought along (`module:object`) need not be at hand to be shown."""
    brought = {name: stored[name] for name in ("learner", "reward") if ":" in stored.get(name, "")}
    ours = {name: value for name, value in stored.items() if name not in brought}
    return asdict(Settings(**ours)) | brought


def _lemma_report(row: Row, certificates: list[Row]) -> LemmaReport:
    for column, value in row.items():
        if not isinstance(value, (str if column in _TEXTS else int | float) | None):
            raise TypeError(f"{column} is {value!r}")
    words: dict[str, list[Word]] = {}
    for kept in certificates:
        word = Word(kept["prover"], kept["version"], bool(kept["accepted"]), kept["reason"])
        if kept["digest"] == word.digest(row["formula"], kept["script"]):
            words.setdefault(kept["script"], []).append(word)
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
        exam=exam_of_text(row["exam"]),
        untaught=exam_of_text(row["untaught"]),
        optimum=row["optimum"],
        best=parse_script(row["best"]) if row["best"] else None,
        shown=parse_script(row["shown"]) if row["shown"] else None,
        states=row["met"],
        steps=row["actions"],
        seconds=row["seconds"],
        words=words,
        withheld=len(certificates) - sum(map(len, words.values())),
    )


def episodes(store: Store, run: int) -> list[dict[str, Any]]:
    """Every episode of a run in order: lemma, episode, steps, proved. Raises StoreError for damaged ones."""
    found = []
    for block in store.blocks(run):
        try:
            numbered = list(enumerate(unpacked(block["content"]), block["first"]))
        except (EOFError, TypeError, ValueError, zlib.error) as error:
            raise store.damaged(f"the episodes of run {run} cannot be read") from error
        for number, (proved, steps) in numbered:
            found.append({"lemma": block["lemma"], "episode": number, "steps": steps, "proved": int(proved)})
    return found
