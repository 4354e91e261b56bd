"""Plans of students, as tests want them."""

from dataclasses import replace
from typing import Any

from curricula import resolve
from oasis.lab.students.plan import Plan, Variant
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
