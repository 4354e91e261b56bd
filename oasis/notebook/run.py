"""Stored runs as a notebook has them: a table, every episode as arrays, and the student that practised."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from oasis.ground.table import Table, html
from oasis.play.exam import Exam
from oasis.store import Store
from oasis.student.kept import kept_student
from oasis.student.report import LemmaReport, RunReport, episodes, report
from oasis.student.student import Student
from oasis.student.training import settings_of
from tactics.errors import LibraryMissing

_FRAMES: Final = ("pandas", "polars")
"""Libraries with a data frame, the one that is preferred first."""


class Run:
    """A run of `oasis train`.

    Attributes:
        report: what came of it, lemma by lemma.
    """

    def __init__(self, store: Store, report: RunReport) -> None:
        self._store, self.report = store, report

    @classmethod
    def open(cls, db: str | Path, number: int | None = None) -> Self:
        """The run of a number, or the newest; its file stays open with it. Raises StoreError if there is none."""
        store = Store(Path(db), create=False)
        try:
            return cls(store, report(store, store.newest_run() if number is None else number))
        except BaseException:
            store.close()
            raise

    @property
    def number(self) -> int:
        """Its number in the file."""
        return self.report.run

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of its student, by name."""
        return self.report.settings

    @property
    def lemmas(self) -> tuple[LemmaReport, ...]:
        """What came of each lemma, in the order of practice."""
        return self.report.lemmas

    @cached_property
    def student(self) -> Student:
        """The student, as it was stored last. Raises InputError if it cannot go on here."""
        return kept_student(self._store, self.number, settings_of(self._store.run(self.number))).student

    @cached_property
    def episodes(self) -> dict[str, NDArray[Any]]:
        """Every episode in order: `lemma`, its name; `episode` of the lemma, from 1; `steps`; and `proved`."""
        rows = [*episodes(self._store, self.number)]
        kinds = {"lemma": None, "episode": np.int64, "steps": np.int64, "proved": np.bool_}
        return {name: np.array([row[name] for row in rows], kind) for name, kind in kinds.items()}

    def frame(self) -> Any:
        """The episodes as a data frame of pandas, or else of polars. Raises LibraryMissing if neither is there."""
        for name in _FRAMES:
            if find_spec(name) is not None:
                return import_module(name).DataFrame(self.episodes)
        raise LibraryMissing(f"A frame needs pandas or polars, not installed here: pip install {_FRAMES[0]}")

    def __repr__(self) -> str:
        said = self.report
        known = sum(lemma.is_known for lemma in said.lemmas)
        state = "" if said.finished else ", unfinished"
        of = f"{known} of {len(said.lemmas)} lemmas known"
        return f"run {said.run}: {said.settings['learner']} on {said.curriculum}, {of}{state}"

    def _repr_html_(self) -> str:
        header = ("lemma", "episodes", "proved", "exam", "median", "best", "shortest")
        rows = tuple(
            (each.name, f"{each.episodes:,}", f"{each.share_proved:.0%}", *_examined(each.exam), _told(each.optimum))
            for each in self.lemmas
        )
        return html(Table(repr(self), header, rows))


def _examined(exam: Exam | None) -> tuple[str, str, str]:
    return ("–", "–", "–") if exam is None else (f"{exam.share:.0%}", _told(exam.median), _told(exam.best))


def _told(number: float | None) -> str:
    return "–" if number is None else f"{number:g}"
