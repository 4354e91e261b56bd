"""A comparison that is quick to make, and ones whose students did what a test wants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from curricula import resolve_lemma
from oasis.lab.sharing.experiments import Episode, Sharing
from oasis.student.settings import Settings
from state_spaces import STATE_SPACES


def untaught(lemma: str = "SYJ203.2", *, copies: int = 3, students: int = 2, **settings: Any) -> Sharing:
    """Nobody has done anything yet."""
    chosen = Settings(**{"learner": "epsilon-soft", **settings})
    return Sharing(resolve_lemma(lemma), chosen, copies=copies, students=students)


@cache
def quick() -> Sharing:
    """Three students on twelve copies of SYJ203.2."""
    sharing = untaught(copies=12, students=3)
    assert [*sharing] == [1, 2, 3]
    return sharing


Episodes = Sequence[Episode]


def made_up(students: int = 2, **experiments: Mapping[str, Sequence[Episodes]]) -> Sharing:
    """For some experiments (`_` for `-`) what the students of each space did; in all else they did next to nothing."""
    sharing = untaught(students=students)
    idle = [Episode(1, 1, False)] * 25
    for number in range(students):
        sharing.taught.append(
            {
                (experiment.name, space): list(done[space][number])
                if (done := experiments.get(experiment.name.replace("-", "_")))
                else idle
                for experiment in sharing.experiments
                for space in STATE_SPACES
            }
        )
    return sharing
