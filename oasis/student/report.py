"""What came of a run, lemma by lemma, read from the store: the same for a run just made and one made long ago."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import Any

from oasis.store import Store
from tactics.script import Script, parse_script, show_script, to_json


@dataclass(frozen=True)
class Word:
    """What a prover said of a script: its name and version, whether it accepted, and if not, why."""

    prover: str
    version: str
    accepted: bool
    reason: str


@dataclass(frozen=True)
class LemmaReport:
    """What a student made of one lemma.

    Attributes:
        name: of the lemma.
        formula: in Coq's notation.
        status: what its source says: `theorem`, `non-theorem` or None.
        finished: whether all episodes were played and the greedy policy asked.
        episodes: number played.
        proved_episodes: number that ended in a proof.
        first_proof_episode: the first of those, from 1, or None.
        greedy: the greedy policy's proof after the last episode; None if it has none.
        best: the shortest proof of all episodes and the greedy policy, or None.
        states: number of states met for the first time in this run.
        steps: actions taken.
        seconds: time spent learning.
        words: what provers said of a proof, by its text.
    """

    name: str
    formula: str
    status: str | None
    finished: bool
    episodes: int
    proved_episodes: int
    first_proof_episode: int | None
    greedy: Script | None
    best: Script | None
    states: int
    steps: int
    seconds: float
    words: dict[str, list[Word]]

    def words_on(self, proof: Script | None) -> list[Word]:
        """What provers said of a proof; nothing if there is none or none was asked."""
        return [] if proof is None else self.words.get(show_script(proof), [])

    @property
    def share_proved(self) -> float:
        """Share of the episodes that ended in a proof, in [0, 1]."""
        return self.proved_episodes / self.episodes if self.episodes else 0.0

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
            "greedy": {"proved": self.greedy is not None, **self._proof(self.greedy)},
            "best": self._proof(self.best),
            "states": self.states,
            "steps": self.steps,
            "seconds": round(self.seconds, 3),
        }

    def _proof(self, script: Script | None) -> dict[str, Any]:
        return {
            "length": None if script is None else len(script),
            "script": None if script is None else to_json(script),
            "certificates": [asdict(word) for word in self.words_on(script)],
        }


@dataclass(frozen=True)
class RunReport:
    """A run as stored: its number, settings and lemmas, and whether it is finished."""

    run: int
    curriculum: str
    started: str
    finished: str | None
    version: str
    commit: str | None
    settings: dict[str, Any]
    lemmas: tuple[LemmaReport, ...]

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints."""
        return {
            "run": self.run,
            "seed": self.settings["seed"],
            "settings": self.settings,
            "lemmas": [lemma.to_json() for lemma in self.lemmas],
        }


def report(store: Store, run: int) -> RunReport:
    """What came of a run so far. Raises StoreError if there is none of that number."""
    stored = store.run(run)
    words: defaultdict[int, dict[str, list[Word]]] = defaultdict(dict)
    for row in store.certificates(run):
        word = Word(row["prover"], row["version"], bool(row["accepted"]), row["reason"])
        words[row["lemma"]].setdefault(row["script"], []).append(word)
    return RunReport(
        run=run,
        curriculum=stored["curriculum"],
        started=stored["started"],
        finished=stored["finished"],
        version=stored["version"],
        commit=stored["commit"],
        settings=stored["settings"],
        lemmas=tuple(_lemma_report(row, words[row["position"]]) for row in store.lemmas(run)),
    )


def _lemma_report(row: dict[str, Any], words: dict[str, list[Word]]) -> LemmaReport:
    greedy = parse_script(row["greedy_script"]) if row["greedy_proved"] else None
    proofs = [proof for proof in (greedy, parse_script(row["best_script"] or "") or None) if proof is not None]
    return LemmaReport(
        name=row["name"],
        formula=row["formula"],
        status=row["status"],
        finished=bool(row["finished"]),
        episodes=row["episodes"],
        proved_episodes=row["proved_episodes"],
        first_proof_episode=row["first_proof_episode"],
        greedy=greedy,
        best=min(proofs, key=len, default=None),
        states=row["states"],
        steps=row["steps"],
        seconds=row["seconds"],
        words=words,
    )
