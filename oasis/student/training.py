"""A run: one student practises the lemmas of a curriculum one after the other, and the store keeps all of it.

Everything up to the last checkpoint survives the process, and a resumed run goes on exactly as it would have gone on:
the random numbers, the memory and the episodes are stored together. Drawing progress is left to whoever iterates.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from hashlib import blake2b
from time import perf_counter
from typing import Any, Final

from curricula.lemma import Curriculum
from oasis.backends.registry import backend
from oasis.store import Store
from oasis.student.calculus import Embedded, InsideProver
from oasis.student.environment import ProofEnvironment
from oasis.student.memory import Record
from oasis.student.plain import PlainStudent
from oasis.student.policy import Policy, greedy
from oasis.student.settings import Settings
from oasis.student.splitmix import SplitMix64
from oasis.version import commit, version
from tactics.parser import parse
from tactics.printer import show
from tactics.script import show_script

CHECKPOINT_SECONDS: Final = 1.0
"""The longest a finished episode waits to be stored."""


@dataclass(frozen=True)
class Progress:
    """One finished episode.

    Attributes:
        position: of the lemma in the run, from 0.
        lemma: its name.
        episode: number, from 1.
        proved: whether it ended in a proof.
        steps: actions taken.
    """

    position: int
    lemma: str
    episode: int
    proved: bool
    steps: int


class Training:
    """A run in a store, started or resumed; iterating trains.

    Set `stop_requested` to the number of a signal, or any other true value, to end after the current episode.
    """

    def __init__(self, store: Store, run: int) -> None:
        stored = store.run(run)
        self.store, self.run = store, run
        self.settings = Settings(**stored["settings"])
        self.lemmas = store.lemmas(run)
        self.finished: bool = stored["finished"] is not None
        self.curriculum: str = stored["curriculum"]
        self.stop_requested = 0
        self._student = PlainStudent(self.settings, recall=self._recall)
        self._student.rng.state = _rng_state(stored["rng"])
        self._prover = None if self.settings.backend == "native" else backend(self.settings.backend)
        self._unstored: list[tuple[int, int, bool, int, str | None]] = []
        self._stored_at = perf_counter()

    @classmethod
    def start(cls, store: Store, curriculum: Curriculum, settings: Settings) -> Training:
        """A new run; it is in the store before the first episode."""
        run = store.start_run(
            curriculum=curriculum.name,
            settings=asdict(settings),
            version=version(),
            commit=commit(),
            rng=SplitMix64.seeded(settings.seed).state,
            lemmas=(
                {
                    "name": lemma.name,
                    "formula": show(lemma.formula, quantified=True),
                    "status": lemma.status,
                    "level": lemma.level,
                }
                for lemma in curriculum.lemmas
            ),
        )
        return cls(store, run)

    def __iter__(self) -> Iterator[Progress]:
        """Train on what is left, an episode at a time; the run is finished when this ends without being stopped."""
        if self.finished:
            return
        with self._prover or nullcontext():
            for position, lemma in enumerate(self.store.lemmas(self.run)):
                if not lemma["finished"]:
                    yield from self._practise(position, lemma)
                    if self.stop_requested:
                        return
                    # What was learned is recalled from the store when it is met again, so memory stays small.
                    self._student.memory.clear()
        self.store.finish_run(self.run)
        self.finished = True

    def _practise(self, position: int, lemma: dict[str, Any]) -> Iterator[Progress]:
        formula = parse(lemma["formula"])
        calculus = Embedded(formula) if self._prover is None else InsideProver(formula, self._prover)
        environment = self._student.environment(calculus)
        seconds: float = lemma["seconds"]
        for episode in range(lemma["episodes"] + 1, self.settings.episodes + 1):
            began = perf_counter()
            self._student.learn(environment, episode)
            seconds += perf_counter() - began
            script = show_script(environment.script) if environment.proved else None
            self._unstored.append((episode, environment.steps, environment.proved, len(environment.script), script))
            yield Progress(position, lemma["name"], episode, environment.proved, environment.steps)
            if self.stop_requested or perf_counter() - self._stored_at > CHECKPOINT_SECONDS:
                self._checkpoint(position, seconds)
            if self.stop_requested:
                return
        play(environment, greedy(self._student.memory))
        result = (environment.proved, len(environment.script), show_script(environment.script))
        self._checkpoint(position, seconds, result)

    def _checkpoint(self, position: int, seconds: float, result: tuple[bool, int, str] | None = None) -> None:
        states, records = self._student.memory.changes()
        self.store.checkpoint(
            self.run,
            position,
            seconds=seconds,
            rng=self._student.rng.state,
            episodes=self._unstored,
            states=states,
            pairs=[(record.state, json.dumps(record.slot), *record[2:]) for record in records],
            greedy=result,
        )
        self._unstored.clear()
        self._stored_at = perf_counter()

    def _recall(self, digest: bytes) -> list[Record] | None:
        pairs = self.store.recall(self.run, digest)
        if pairs is None:
            return None
        return [
            Record(digest, tuple(json.loads(slot)), value, visits, bool(forgotten))
            for slot, value, visits, forgotten in pairs
        ]


def play(environment: ProofEnvironment, policy: Policy) -> None:
    """One episode without learning."""
    observation, _ = environment.reset()
    truncated = False
    while observation.actions and not truncated:
        observation, _, _, truncated, _ = environment.step(policy(observation))


def _rng_state(stored: int | list[Any]) -> int:
    """The state as it is stored; older runs have Python's generator instead, whose state seeds ours."""
    if isinstance(stored, int):
        return stored
    return int.from_bytes(blake2b(json.dumps(stored).encode(), digest_size=8).digest())
