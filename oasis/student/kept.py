"""Students of stored runs: how each kind is kept, taken up again, and handed from one run to another.

A compiled student is stored as a whole. A plain one is stored as the pairs that changed, and recalls a state when it
meets it again; with it what its reward says of itself, so that it does not go on with another one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from oasis.rewards import Dependence, asked, state_of
from oasis.rewards.named import recorded, reward
from oasis.store import Store
from oasis.student.learners import learner
from oasis.student.settings import Settings
from oasis.student.student import Student, why_plain
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import parse
from tactics.script import parse_script

if TYPE_CHECKING:
    from oasis.backends.base import Backend
    from oasis.student.calculus import Calculus
    from oasis.student.memory import Record

_WHAT_VALUES_MEAN = ("reward", "state_space", "actions", "forget_errors", "gamma")
"""Settings that a student cannot change without its values meaning something else."""


class KeptStudent(Protocol):
    """A student, and what has to be stored of it."""

    is_whole: bool
    """Whether it is stored as a whole each time, which takes the longer the more it knows."""

    @property
    def student(self) -> Student:
        """Who it is."""
        ...

    @property
    def met(self) -> int:
        """The number of states that it ever met."""
        ...

    def begin_anew(self) -> None:
        """Put a student in its place that knows nothing."""
        ...

    def changes(self) -> dict[str, Any]:
        """What changed since this was last called, as `Store.checkpoint` takes it."""
        ...


def kept_student(store: Store, run: int, settings: Settings, prover: Backend | None = None) -> KeptStudent:
    """The student of a run as it was stored last; before the first time a new one, or that of the run it was taught by.

    Args:
        store: where the run is.
        run: its number.
        settings: of the student.
        prover: where its moves are made, if not in the embedded calculus.

    Raises InputError if it cannot go on here.
    """
    stored = store.run(run)
    if stored["student"] == "compiled":
        if why_plain(settings):
            raise InputError(
                f"The student of run {run} is a compiled one, but {why_plain(settings)}; see oasis doctor."
            )
        return _Compiled(store, run, settings, stored["taught_by"])
    return _Plain(store, run, settings, stored["taught_by"], prover)


def compatible(store: Store, run: int, settings: Settings) -> str:
    """The kind of the student of a run, which is to go on with other settings.

    Raises InputError if its values would mean something else, or if it was never stored.
    """
    stored = store.run(run)
    theirs = stored["settings"] | {"reward": recorded(stored["settings"]["reward"])}
    for name in _WHAT_VALUES_MEAN:
        if theirs[name] != getattr(settings, name):
            option = "--" + name.replace("_", "-")
            raise InputError(f"The student of run {run} learned with {option} {theirs[name]}; give the same here.")
    one, other = learner(theirs["learner"]), learner(settings.learner)
    if (one.of_goals, one.traces, one.model) != (other.of_goals, other.traces, other.model):
        raise InputError(
            f"The student of run {run} learned by {theirs['learner']}, and what that remembers is of no use to "
            f"{settings.learner}; leave out --learner."
        )
    kind: str = stored["student"]
    if kind == "plain" and reward(settings.reward).dependence == Dependence.HISTORY:
        raise InputError(
            f"The student of run {run} is in plain Python, which does not keep what a reward that depends on history "
            "has counted; train a new one."
        )
    if kind == "compiled" and why_plain(settings):
        raise InputError(f"The student of run {run} is a compiled one, and {why_plain(settings)}; train a new one.")
    if kind == "compiled" and store.snapshot(run) is None:
        raise InputError(f"Nothing that the student of run {run} learned is stored yet; let it practise first.")
    return kind


class _Compiled:
    """A student that is stored as a whole."""

    is_whole = True

    def __init__(self, store: Store, run: int, settings: Settings, taught_by: int | None) -> None:
        from oasis.student.compiled.student import CompiledStudent

        self._settings = settings
        own = store.snapshot(run)
        content = own if own is not None or taught_by is None else store.snapshot(taught_by)
        if content is None:
            self.begin_anew()
        else:
            self.student = CompiledStudent.load(content, settings)
            if own is None:
                self.student.begin_another_run()

    @property
    def met(self) -> int:
        return self.student.states

    def begin_anew(self) -> None:
        from oasis.student.compiled.student import CompiledStudent, new_world

        self.student = CompiledStudent(self._settings, new_world(self._settings))

    def changes(self) -> dict[str, Any]:
        return {"snapshot": self.student.save(), "rng": int(self.student.memory.rng[0])}


class _Plain:
    """A student whose changed pairs are stored."""

    is_whole = False

    def __init__(
        self, store: Store, run: int, settings: Settings, taught_by: int | None, prover: Backend | None
    ) -> None:
        self._store, self._runs = store, [run] if taught_by is None else [run, taught_by]
        self._settings, self._prover = settings, prover
        self.begin_anew()
        self.student.rng.state = store.run(run)["rng"]
        practised = {
            parse(lemma["formula"]): (lemma["practised"], lemma["best"])
            for lemma in store.lemmas(run)
            if lemma["practised"]
        }
        if practised and reward(settings.reward).dependence == Dependence.HISTORY:
            raise InputError(
                f"Run {run} cannot be resumed: its reward depends on what happened before, and a student in plain "
                "Python does not keep that; start the run anew."
            )
        self._put_back_reward(run, taught_by)
        self.student.go_on(
            {formula: episodes for formula, (episodes, _) in practised.items()},
            {formula: parse_script(text) for formula, (_, text) in practised.items() if text},
        )

    @property
    def met(self) -> int:
        return self.student.memory.met

    def begin_anew(self) -> None:
        from oasis.student.plain import PlainStudent

        self.student = PlainStudent(self._settings, recall=self._recall, calculus=self._calculus)

    def changes(self) -> dict[str, Any]:
        states, records = self.student.memory.changes()
        pairs = [(record.state, json.dumps(record.slot), *record[2:]) for record in records]
        state = state_of(self.student.reward)
        snapshot = None if state is None else json.dumps(state).encode()
        return {"states": states, "pairs": pairs, "rng": self.student.rng.state, "snapshot": snapshot}

    def _put_back_reward(self, run: int, taught_by: int | None) -> None:
        """Have the reward see whether it is the one that the student was paid by."""
        content = self._store.snapshot(run)
        if content is None and taught_by is not None:
            content = self._store.snapshot(taught_by)
        if content is None:
            return
        try:
            state = json.loads(content)
        except ValueError:
            raise InputError(
                f"What the reward of run {run} had counted is damaged in the database; put back a copy of the file."
            ) from None
        asked(self.student.reward, self.student.reward.restore, state)

    def _calculus(self, formula: Formula) -> Calculus:
        from oasis.student.calculus import Embedded, InsideProver

        return Embedded(formula) if self._prover is None else InsideProver(formula, self._prover)

    def _recall(self, digest: bytes) -> Iterable[Record] | None:
        from oasis.student.memory import Record

        for run in self._runs:
            pairs = self._store.recall(run, digest)
            if pairs is not None:
                return [
                    Record(digest, tuple(json.loads(slot)), value, visits, bool(forgotten))
                    for slot, value, visits, forgotten in pairs
                ]
        return None
