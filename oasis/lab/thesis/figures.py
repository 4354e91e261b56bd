"""Figures 7.1 to 7.5 as data: what each compares, under which conditions, and what the thesis saw in it.

Where the thesis contradicts itself or is silent, what was settled on is said in `Figure.conditions`, for whoever reads
the results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from curricula.lemma import Lemma
from curricula.library import THESIS_LEVELS, thesis_lemma
from oasis.lab.students.copies import copies
from oasis.lab.students.plan import Plan, Variant
from oasis.student.settings import Settings
from state_spaces import STATE_SPACES
from tactics.errors import InputError

LONG: Final = 5_000
"""Episodes of a student in the long part, over all its lemmas."""
MAX_STEPS: Final = 20_000
"""More actions than any episode here takes, so that none is cut short: the thesis knows no step limit."""
COPIES: Final = 10
"""Renamed copies in Figure 7.4; the thesis does not say how many it took."""
CONDITIONS: Final = Settings(
    learner="epsilon-soft",
    reward="terminating",
    state_space="simple",
    actions="blind",
    forget_errors=True,
    epsilon=0.4,
    alpha=0.7,
    gamma=0.9,
    max_steps=MAX_STEPS,
)
"""What holds in every figure that does not compare it."""
_WITHOUT_SILENCE: Final = ("sarsa-lambda", "q-lambda", "dyna-q", "and-or-q")
"""Learners that the thesis does not have, whose rewards travel further than a step an episode."""


@dataclass(frozen=True)
class Figure:
    """One figure of chapter 7.

    Attributes:
        number: as in the thesis.
        title: what is compared.
        conditions: what a reader must know of them, in a sentence or two.
        saw: what the thesis saw, to follow a colon.
        unit: what the horizontal axis of its curves counts.
        short: under the thesis's conditions.
        long: the same with more episodes and fewer students.
        beside: what explains the first, under the same conditions; None where nothing is needed.
    """

    number: str
    title: str
    conditions: str
    saw: str
    unit: str
    short: Plan
    long: Plan
    beside: Plan | None = None

    @property
    def compares_memories(self) -> bool:
        """Whether state spaces are compared, so that the size of memories matters."""
        return len({variant.settings.state_space for variant in self.short.variants}) > 1

    @property
    def plans(self) -> dict[str, Plan]:
        """What has to be done, by the names of the parts."""
        parts = {"short": self.short, "beside": self.beside, "long": self.long}
        return {part: plan for part, plan in parts.items() if plan is not None}

    def with_plans(self, plans: Mapping[str, Plan]) -> Figure:
        """Return the same figure with other plans, by the names of the parts."""
        return replace(self, short=plans["short"], beside=plans.get("beside"), long=plans["long"])


def figures(numbers: Iterable[str] = (), *, share: float = 1.0, episodes: int = LONG) -> tuple[Figure, ...]:
    """The figures of these numbers, all of them if none is given.

    Args:
        numbers: such as `7.1`.
        share: of the students to take, in (0, 1]; at least two of each kind.
        episodes: of the long part, at least `COPIES`.

    Raises InputError for what is out of range.
    """
    if not 0 < share <= 1:
        raise InputError(f"--share must be above 0 and at most 1, not {share:g}; 0.1 takes a tenth of the students.")
    if episodes < COPIES:
        raise InputError(f"--episodes must be at least {COPIES}, one for each lemma of a figure, not {episodes}.")
    wanted = tuple(dict.fromkeys(numbers)) or tuple(_FIGURES)
    for number in wanted:
        if number not in _FIGURES:
            raise InputError(f"There is no Figure {number}; --figure is one of {', '.join(_FIGURES)}.")
    return tuple(_FIGURES[number](share, episodes) for number in wanted)


def _algorithms(share: float, long: int) -> Figure:
    lemma = (thesis_lemma("43"),)
    learners = {name: {"learner": name} for name in ("epsilon-soft", "sarsa", "q-learning")}
    others = {name: {"learner": name} for name in _WITHOUT_SILENCE}
    return Figure(
        "7.1",
        "Three algorithms on one lemma",
        "Lemma 43, ε 0.4, Simple, terminating, 15 episodes, 500 students. The thesis says 500 in its table, 50 in its "
        "text, and brackets the lemma in two ways; here it is level 3 of SYJ203.",
        "epsilon-soft works best, with the fewest actions and the most completed proofs, and its curve improves; "
        "Sarsa and Q-learning are very similar and hardly learn",
        "episode",
        short=_plan("As in the thesis", lemma, learners, 15, 500, share),
        beside=_plan("Other learners", lemma, others, 15, 100, share),
        long=_plan("Longer", lemma, learners, long, 20, share),
    )


def _epsilons(share: float, long: int) -> Figure:
    lemma = (thesis_lemma("42"),)
    variants = {f"ε {epsilon}": {"epsilon": epsilon} for epsilon in (0.1, 0.2, 0.3, 0.4, 0.5)}
    legal = {name: {**changes, "actions": "legal", "forget_errors": False} for name, changes in variants.items()}
    return Figure(
        "7.2",
        "How much to explore",
        "Lemma 42, epsilon-soft, Simple, terminating, 10 episodes, 500 students.",
        "a lower ε needs more actions for an episode, and more episodes end in a completed proof; a higher ε does the "
        "opposite",
        "episode",
        short=_plan("As in the thesis", lemma, variants, 10, 500, share),
        beside=_plan("Legal moves alone", lemma, legal, 10, 100, share),
        long=_plan("Longer", lemma, variants, long, 20, share),
    )


def _class(share: float, long: int) -> Figure:
    lemmas = tuple(map(thesis_lemma, THESIS_LEVELS))
    return Figure(
        "7.3",
        "State spaces in a class of lemmas",
        "Lemmas 41 to 46, one episode each and one memory for all, epsilon-soft, ε 0.4, terminating, 75 students.",
        "no gain: either equivalence does not work as hoped, or a class of lemmas has few equivalent states",
        "lemma of the class",
        short=_plan("As in the thesis", lemmas, _spaces(), 1, 75, share),
        beside=_plan("Each lemma afresh", lemmas, _spaces(), 1, 40, share, order="afresh"),
        long=_plan("Longer", lemmas, _spaces(), long // len(lemmas), 10, share),
    )


def _letters(share: float, long: int) -> Figure:
    lemma = thesis_lemma("44")
    renamed = tuple(
        replace(lemma, name=f"{lemma.name}, copy {number}", formula=formula)
        for number, formula in enumerate(copies(lemma.formula, COPIES, Random("Figure 7.4")), 1)
    )
    itself = tuple(replace(copy, formula=lemma.formula) for copy in renamed)
    return Figure(
        "7.4",
        "State spaces and the names of propositions",
        "Lemma 44 in other letters again and again, one episode each and one memory for all, epsilon-soft, ε 0.4, "
        f"terminating, 75 students. The thesis does not say how many copies it took; here there are {COPIES}.",
        "both Name and Match find equivalent states",
        "copy",
        short=_plan("As in the thesis", renamed, _spaces(), 1, 75, share),
        beside=_plan("Without renaming", itself, _spaces(), 1, 40, share),
        long=_plan("Longer", renamed, _spaces(), long // COPIES, 10, share),
    )


def _rewards(share: float, long: int) -> Figure:
    lemma = (thesis_lemma("43"),)
    variants = {name: {"reward": name} for name in ("terminating", "standard", "standard-qed")}
    return Figure(
        "7.5",
        "Three rewards",
        "Lemma 43, epsilon-soft, ε 0.4, Simple, 10 episodes, 100 students.",
        "standard has more actions in most episodes and fewer completed proofs than the others; standard-qed seems to "
        "win, with no big difference to terminating",
        "episode",
        short=_plan("As in the thesis", lemma, variants, 10, 100, share),
        long=_plan("Longer", lemma, variants, long, 20, share),
    )


_FIGURES: Final = {"7.1": _algorithms, "7.2": _epsilons, "7.3": _class, "7.4": _letters, "7.5": _rewards}


def _spaces() -> dict[str, dict[str, Any]]:
    return {space.capitalize(): {"state_space": space} for space in STATE_SPACES}


def _plan(
    name: str,
    lemmas: tuple[Lemma, ...],
    variants: Mapping[str, Mapping[str, Any]],
    episodes: int,
    students: int,
    share: float,
    order: str = "fixed",
) -> Plan:
    """A plan in which so many students have so many episodes on each lemma."""
    return Plan(
        name,
        lemmas,
        tuple(
            Variant(variant, replace(CONDITIONS, episodes=episodes, **changes), order)
            for variant, changes in variants.items()
        ),
        seeds=tuple(range(max(2, round(share * students)))),
        checkpoints=(episodes * len(lemmas),),
    )
