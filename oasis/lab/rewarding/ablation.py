"""The ablation of R†: students paid by all of it, by all but one term, by C and one term, and by `terminating`.

Each lemma has students of its own, so it is one part of an experiment (`oasis.lab.experiment`), with exams at
checkpoints that lie the closer together the earlier they are. What came of them is put together elsewhere
(`oasis.lab.rewarding.contrasts`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from curricula.lemma import Lemma, Status
from oasis.dagger.making import described
from oasis.dagger.weights import Weights
from oasis.lab.students.plan import Plan, Variant
from oasis.student.settings import Settings
from tactics.errors import InputError

TERMINATING: Final = "terminating"
ALL: Final = "R†"
CORRECT: Final = "C"
_WITHOUT: Final = "R† without "
_ALONE: Final = "C and "
_FIRST: Final = 4
"""Episodes before the first exam."""


class Compared(NamedTuple):
    """Two variants that are compared, and what is asked.

    Attributes:
        ours: the name of the one.
        theirs: of the other.
        term: in which they differ; empty for whole rewards.
        is_dropped: whether ours lacks it, and theirs has it.
    """

    ours: str
    theirs: str
    term: str = ""
    is_dropped: bool = False


def variants(weights: Weights, settings: Settings, *, dropped: bool = True, alone: bool = True) -> tuple[Variant, ...]:
    """What is compared.

    Args:
        weights: of all of R†.
        settings: of every student, but for the reward.
        dropped: whether each term is left out in turn.
        alone: whether each term is added to C alone.

    Raises InputError if there is no term but C.
    """
    terms = [name for name in weights.weights if name != "C"]
    if not terms:
        raise InputError("These weights have no term but C; give --weights with more.")
    chosen = {TERMINATING: "terminating", ALL: described(weights), CORRECT: _only(weights, {"C": 1.0})}
    if dropped:
        chosen |= {
            f"{_WITHOUT}{name}": _only(weights, {other: w for other, w in weights.weights.items() if other != name})
            for name in weights.weights
        }
    if alone:
        chosen |= {f"{_ALONE}{name}": _only(weights, {"C": 1.0, name: weights.weights[name]}) for name in terms}
    return tuple(Variant(name, replace(settings, reward=reward)) for name, reward in chosen.items())


def _only(weights: Weights, chosen: Mapping[str, float]) -> str:
    return described(replace(weights, weights=chosen))


def comparisons(names: Sequence[str]) -> list[Compared]:
    """Which of the variants with these names are compared: each with `terminating`, and with what it differs little."""
    found = [Compared(name, TERMINATING) for name in names if name != TERMINATING]
    found += [
        Compared(name, ALL, name.removeprefix(_WITHOUT), is_dropped=True) for name in names if name.startswith(_WITHOUT)
    ]
    return found + [Compared(name, CORRECT, name.removeprefix(_ALONE)) for name in names if name.startswith(_ALONE)]


def checkpoints(episodes: int) -> tuple[int, ...]:
    """After which episodes students are examined: 4, 6, 8, 11, 16, 23, … each √2 times the one before, and the last."""
    places = range(2 * max(1, episodes // _FIRST).bit_length() + 1)
    spaced = {round(_FIRST * 2 ** (place / 2)) for place in places}
    return tuple(sorted({number for number in spaced if number < episodes} | {episodes}))


def plans(lemmas: Sequence[Lemma], kinds: tuple[Variant, ...], seeds: tuple[int, ...]) -> dict[str, Plan]:
    """A plan for each lemma that is not known to be no theorem. Raises InputError if there is none."""
    theorems = [lemma for lemma in lemmas if lemma.status is not Status.NON_THEOREM]
    if not theorems:
        raise InputError("None of these lemmas is a theorem, so there is nothing to learn; name others.")
    episodes = kinds[0].settings.episodes
    return {lemma.name: Plan(lemma.name, (lemma,), kinds, seeds, checkpoints(episodes)) for lemma in theorems}
