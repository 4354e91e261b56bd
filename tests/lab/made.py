"""Plans, and trials of students who did exactly what a test wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from curricula import resolve
from oasis.lab.students.plan import Plan, Variant
from oasis.lab.thesis.measures import Trial
from oasis.student.settings import Settings


def plan(
    *variants: str, lemmas: str = "SYJ203.2", episodes: int = 4, seeds: int = 4, orders: bool = False, **settings: Any
) -> Plan:
    """Return a plan whose variants are learners, or with `orders` orders."""
    found = resolve(lemmas)
    base = Settings(episodes=episodes, **settings)
    made = tuple(
        Variant(name, base, order=name) if orders else Variant(name, replace(base, learner=name)) for name in variants
    )
    return Plan(found.name, found.lemmas, made, tuple(range(seeds)), tuple(range(1, 1 + episodes * len(found.lemmas))))


def trial(made: Plan, *, proofs: Sequence[str] | str = "", greedy: Any = 0, value: Any = 0.0, steps: Any = 10) -> Trial:
    """Return a trial; a 1 in `proofs` is an episode with a proof, other numbers fill seeds, checkpoints and lemmas."""
    seeds, episodes, lemmas = len(made.seeds), made.episodes, len(made.lemmas)
    marks = [proofs or "0" * episodes] * seeds if isinstance(proofs, str) else proofs
    return Trial(
        np.array([[mark == "1" for mark in each] for each in marks]),
        np.broadcast_to(np.asarray(steps, np.int32), (seeds, episodes)),
        np.broadcast_to(np.arange(1, episodes + 1, dtype=np.int32), (seeds, episodes)),
        np.broadcast_to(np.asarray(value, np.float64), (seeds, len(made.checkpoints), lemmas)),
        np.broadcast_to(np.asarray(greedy, np.float64), (seeds, lemmas)),
    )
