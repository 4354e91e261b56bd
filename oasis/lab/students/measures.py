"""What is measured of students: when they know the lemmas, what they lack, what they believe, how they got there.

Knowledge comes first: the greedy policy as it is worth exactly, or as exams show it if a lemma has too many states. How
practice went says as much of how a student explores, so it is shown and decides nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from oasis.ground.statistics import MEDIAN, Bools, Floats
from oasis.lab.measure import PERCENT, Family, Measure, Trial, area, at_end, last, whole, yes_or_no

ALMOST: Final = 1e-9
"""By which sums of probabilities are off."""
_TOO_LARGE: Final = "a lemma has too many states to work out exactly what a policy is worth, so exams are sampled"


def without_proof(trial: Trial) -> Bools:
    """Say which lemmas have none, as far as that is known: nothing is missing and nothing proves; shape (lemmas,)."""
    return np.asarray(((trial["chance"] == 0) & (trial["missing"] == 0)).all(axis=0))


def _unknown(trial: Trial) -> Bools:
    """Say at which checkpoints some play of the greedy policy may fail to find a proof; shape (checkpoints, lemmas)."""
    return np.asarray((trial["chance"] < 1 - ALMOST) & ~without_proof(trial))


def _knows_from(trial: Trial) -> Floats:
    """Take the first checkpoint from which on every play proves, or the last one of all."""
    unknown, points = _unknown(trial), trial["checkpoints"]
    after = np.where(unknown.any(axis=0), len(points) - unknown[::-1].argmax(axis=0), 0)
    return np.asarray(points[np.minimum(after, len(points) - 1)], np.float64)


def _never(trial: Trial) -> Bools:
    return np.asarray(_unknown(trial)[-1])


def _proofs(trial: Trial) -> Floats:
    """Take the share of episodes that ended in a proof, lemma by lemma, 0 for a lemma that an order left out."""
    practised = trial["lemma"][:, None] == np.arange(trial["chance"].shape[1])
    return np.asarray((practised & trial["proved"][:, None]).sum(axis=0) / np.maximum(1, practised.sum(axis=0)))


_MISSING: Final = Measure(
    "missing",
    "what the greedy policy lacks of a shortest proof, as a share of what that is worth, exactly: 0 is a shortest "
    "proof for certain, 1 is no proof, and each move too many is a tenth of the rest",
    whole("missing"),
    "less",
    x="checkpoints",
    needs=("missing",),
    lacking=_TOO_LARGE,
    **PERCENT,
)
_PROVES: Final = yes_or_no(
    "proves",
    "chance that a play of the greedy policy proves, however long it takes, exactly, or the share of plays within "
    "--max-steps if a lemma has too many states for that",
    whole("chance"),
    better="more",
    x="checkpoints",
)
_BELIEVES: Final = Measure(
    "believes",
    "what students believe the lemma to be worth, under the policy that they learn about",
    whole("value"),
    x="checkpoints",
    digits=3,
)
STUDENTS: Final = Family(
    "students",
    "episodes",
    (
        Measure(
            "knows from",
            "episodes until every play of the greedy policy proves every lemma that has a proof, from then on at every "
            "checkpoint; who does not get there counts with all episodes",
            _knows_from,
            "less",
            over_lemmas=np.max,
            tested=True,
            headline=True,
            by_lemma=True,
            least=0,
            digits=0,
            unit="episodes",
            never=_never,
        ),
        _MISSING,
        replace(
            _MISSING,
            name="missing, mean",
            says="the mean of `missing` over all episodes",
            take=area("missing", "checkpoints"),
            x="",
            tested=True,
        ),
        at_end(_MISSING, tested=True, by_lemma=True),
        Measure(
            "belief off by",
            "how far what a student believes a lemma to be worth after the last episode is from the exact value that "
            "its beliefs tend to: of the best policy, or of the best ε-soft one if it learns about that",
            lambda trial: abs(trial["value"][-1] - trial["truth"]),
            "less",
            tested=True,
            least=0,
            digits=3,
            needs=("truth",),
            lacking="the exact value is not known for every kind",
        ),
        _PROVES,
        at_end(_PROVES, by_lemma=True),
        Measure(
            "actions",
            "actions of the greedy policy in an episode after the last one of practice, expected",
            last("actions"),
            "less",
            statistic=MEDIAN,
            least=0,
            needs=("actions",),
            lacking=_TOO_LARGE,
        ),
        Measure(
            "own regret",
            "what the greedy policy lacks of the best one under the reward that the student was paid, after the last "
            "episode; kinds of different rewards have different units",
            last("own_regret"),
            "less",
            least=0,
            digits=3,
            needs=("own_regret",),
            lacking="a reward looks at more than single steps, or a lemma has too many states",
        ),
        _BELIEVES,
        at_end(_BELIEVES),
        Measure(
            "while exploring",
            "share of the episodes of practice that proved, random moves included; it says how much a student "
            "explores as well as what it knows",
            _proofs,
            **PERCENT,
        ),
        Measure(
            "cut short",
            "share of the episodes that --max-steps ended",
            lambda trial: (~trial["proved"] & (trial["steps"] >= trial["max_steps"])).mean(),
            "less",
            **PERCENT,
            warn_above=0.01,
        ),
        Measure(
            "states",
            "states in memory after the last episode",
            lambda trial: trial["states"][-1],
            least=0,
            digits=0,
        ),
    ),
)
"""What `oasis compare` shows of students."""
OF_STUDENTS: Final = {each.name: each for each in STUDENTS.measures}
"""The same by their names."""
