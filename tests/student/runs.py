"""Stored runs as tests compare them: every table, without what a clock, a stop or the order of rows may change."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

from curricula.lemma import Curriculum, Lemma
from oasis.student.compiled.memory import PAIRS
from oasis.student.compiled.student import CompiledStudent
from oasis.student.settings import Settings
from oasis.student.tally import unpacked
from tactics.formula import Formula
from tactics.goal import State, initial
from tactics.parser import parse
from tests.student.truth import successors

TEXTS = [
    "((p \\/ (p -> f)) -> f) -> f",
    "p",
    "p \\/ ~ p",
    "q -> q",
    "p /\\ q -> q /\\ p",
    "q -> q \\/ p",  # goes through a state of the lemma before the last one
]
FORMULAS = [parse(text) for text in TEXTS]
CURRICULUM = Curriculum("six", "small lemmas", tuple(Lemma(f"L{n}", f, None, "") for n, f in enumerate(FORMULAS)))

_TABLES = {
    "runs": "id, finished IS NOT NULL, version, [commit], curriculum, rng, student, taught_by, cohort",
    "lemmas": "run, position, name, formula, status, level, finished, only_examined, practised, proofs, actions, "
    "first_proof, best, best_moves, met, exam, untaught, optimum",
    "states": "*",
    "pairs": "*",
}
Contents = dict[str, Any]


def contents(path: Path) -> Contents:
    """What a database holds: rows as they are, blocks as episodes, students as what they know."""
    with closing(sqlite3.connect(path)) as connection:
        found: Contents = {
            name: sorted(connection.execute(f"SELECT {columns} FROM {name}").fetchall(), key=repr)
            for name, columns in _TABLES.items()
        }
        settings = {run: json.loads(text) for run, text in connection.execute("SELECT id, settings FROM runs")}
        blocks = connection.execute("SELECT run, lemma, content FROM blocks ORDER BY run, lemma, first").fetchall()
        snapshots = connection.execute("SELECT run, content FROM snapshots").fetchall()
    found["settings"] = settings
    found["blocks"] = {
        place: [episode for *_, content in rows for episode in unpacked(content)]
        for place, rows in groupby(blocks, key=lambda row: row[:2])
    }
    found["students"] = {run: knowledge(content, Settings(**settings[run])) for run, content in snapshots}
    return found


def knowledge(content: bytes, settings: Settings) -> dict[str, Any]:
    """What a stored student knows of the lemmas, with all its values, visits and chance."""
    student = CompiledStudent.load(content, settings)
    pairs = student.memory.pairs[1 : int(student.memory.counts[PAIRS])]
    return {
        "q": {state: student.q_values(state) for lemma in FORMULAS for state in reachable(lemma, settings.actions)},
        "pairs": sorted(pairs[["value", "visits", "forgotten"]].tolist()),
        "best": [student.best(lemma) for lemma in FORMULAS],
        "values": [student.value(lemma) for lemma in FORMULAS],
        "states": student.states,
        "rng": int(student.memory.rng[0]),
        "reward": student.reward.state(),
    }


def reachable(lemma: Formula, space: str = "legal") -> set[State]:
    """Every state with goals that can be reached from a lemma."""
    seen: set[State] = set()
    pending = [initial(lemma)]
    while pending:
        state = pending.pop()
        if state and state not in seen:
            seen.add(state)
            pending += successors(state, space).values()
    return seen
