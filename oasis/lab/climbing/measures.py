"""What is measured of ladders: the time until a theorem is proved, how many are, and by whom.

A unit is a lemma that may be a theorem, as a seed changes little; if there is only one, it is a seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, Final

import numpy as np

from curricula.lemma import Status
from oasis.escalation.stages import BY
from oasis.ground.plural import conjunction
from oasis.lab.climbing.plan import STAGES, ClimbPlan
from oasis.lab.measure import Family, Measure, Trial, share
from oasis.lab.report import Report
from oasis.lab.searching.trials import STATUSES
from oasis.lab.statistics import SHARE, Bools
from oasis.lab.words import listed, named
from oasis.play.solving import PROVED, REFUTED

_WHO: Final = np.array(["", *(BY[stage] for stage in STAGES)])
"""Who settled a lemma, by what a trial's `stage` counts."""
_SHARE: Final[dict[str, Any]] = {"statistic": SHARE, "least": 0, "most": 1, "scale": 100, "unit": "%"}


def report(plan: ClimbPlan, trials: Mapping[str, Sequence[Trial]]) -> Report:
    """Report on ladders by their names, the climbs of each in the order of the seeds."""
    return Report(_family(plan), trials, _theorems(plan)[1])


def remarks(plan: ClimbPlan, trials: Mapping[str, Sequence[Trial]]) -> Iterator[str]:
    """Say which ladders needed no more time, and what one proves that another one never does."""
    theorems, names = _theorems(plan)
    proved = {name: np.stack([_proved(trial)[theorems] for trial in each]) for name, each in trials.items()}
    if idle := [
        name for name, each in trials.items() if not any(trial["had_more"] for trial in each) and not proved[name].all()
    ]:
        yield (
            f"{conjunction(map(named, idle))} had nothing more to try before the time was over, so more time would "
            "change nothing."
        )
    for one, other in permutations(proved, 2):
        only = np.flatnonzero(proved[one].any(axis=0) & ~proved[other].any(axis=0))
        if only.size:
            lemmas = [names[place] for place in only]
            yield f"{named(one)} proves with some seed what {named(other)} never does: {listed(lemmas)}."


def _theorems(plan: ClimbPlan) -> tuple[list[int], list[str]]:
    """The places and names of the lemmas that may be theorems, as far as their source says."""
    found = {place: each for place, each in enumerate(plan.lemmas) if each.status is not Status.NON_THEOREM}
    return [*found], [lemma.name for lemma in found.values()]


def _proved(trial: Trial) -> Bools:
    return np.asarray(trial["status"] == STATUSES.index(PROVED))


def _family(plan: ClimbPlan) -> Family:
    theorems, names = _theorems(plan)

    def by(who: str) -> Measure:
        return Measure(
            f"by {who}",
            f"share of theorems that the {who} proves first",
            lambda trial: (_proved(trial) & (_WHO[trial["stage"]] == who))[theorems],
            **_SHARE,
        )

    return Family(
        "climbs",
        "s",
        (
            Measure(
                "time",
                "processor time that the climb of all lemmas took until the theorem was proved, and all of the budget "
                "if it never was",
                lambda trial: np.where(_proved(trial), np.minimum(trial["settled"], plan.seconds), plan.seconds)[
                    theorems
                ],
                "less",
                tested=True,
                headline=True,
                by_lemma=True,
                least=0,
                most=plan.seconds,
                digits=2,
                unit="s",
                never=lambda trial: ~_proved(trial)[theorems],
            ),
            Measure(
                "proved",
                "share of lemmas that may be theorems which are proved",
                lambda trial: _proved(trial)[theorems],
                "more",
                tested=True,
                by_lemma=True,
                **_SHARE,
            ),
            *map(by, ("table", "search", "network")),
            Measure(
                "refuted",
                "lemmas that a search refutes by trying everything",
                lambda trial: np.atleast_1d(np.sum(trial["status"] == STATUSES.index(REFUTED))),
                least=0,
            ),
            Measure(
                "time in all",
                "processor time for all lemmas and the studies of the network; less than the budget if nobody on the "
                "ladder has anything more to try",
                share("spent"),
                "less",
                least=0,
                unit="s",
            ),
            Measure(
                "had more",
                "share of climbs with more to try when the time was over",
                share("had_more"),
                **_SHARE,
            ),
        ),
        across="lemmas" if len(names) > 1 else "seeds",
    )
