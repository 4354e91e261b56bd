"""Figures 7.1 to 7.5 as data: what each compares, under which conditions, and what the thesis saw in it, as claims.

Where the thesis contradicts itself or is silent, what was settled on is said in `Figure.conditions`. Behind the figures
come questions that the thesis leaves open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from curricula.copies import copies
from curricula.lemma import Lemma
from curricula.library import THESIS_LEVELS, thesis_lemma
from oasis.lab.statistics import fewest
from oasis.lab.students.plan import Plan, Variant
from oasis.lab.study import Claim, Study
from oasis.student.settings import Settings
from state_spaces import STATE_SPACES
from tactics.errors import InputError

LONG: Final = 5_000
"""Episodes of a student in the longer parts, over all its lemmas."""
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
AS_THERE: Final = "as in the thesis"
LEGAL: Final = "legal moves"
LONGER: Final = "more episodes"
BOTH: Final = "both"
MARGINS: Final = {"proofs": 5.0, "gain": 5.0, "actions": 10.0, "states": 10.0}
"""Differences that do not matter, by measure: percentage points, actions in an episode, states in memory."""
_LEGAL_STUDENTS: Final = 100
_LONG_STUDENTS: Final = 20
"""As many as tell apart what differs; the thesis had none of these conditions."""

Changes = Mapping[str, Mapping[str, Any]]
"""What sets kinds apart: settings by name of the kind."""


@dataclass(frozen=True)
class Figure:
    """One figure, or one question.

    Attributes:
        number: as in the thesis, or a word.
        title: what is compared.
        conditions: what a reader must know of them, in a sentence or two.
        because: why it is so, as far as it can be known beforehand; empty if it cannot.
        effort: what the horizontal axis of its curves counts.
        plans: what is to be done, by the conditions.
        claims: what is claimed, each under all of these conditions.
    """

    number: str
    title: str
    conditions: str
    because: str
    effort: str
    plans: dict[str, Plan]
    claims: tuple[Claim, ...]


def figures(numbers: Iterable[str] = (), *, share: float = 1.0, episodes: int = LONG) -> tuple[Figure, ...]:
    """Return the figures of these numbers, all of them if none is given.

    Args:
        numbers: such as `7.1`.
        share: of the students to take, in (0, 1]; at least two of each kind.
        episodes: of the longer parts, at least `COPIES`.

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


def plans(chosen: Iterable[Figure]) -> dict[str, Plan]:
    """Return what has to be done for some figures, by names such as `7.1, both`; the thesis's conditions first."""
    every = [(part, figure) for figure in chosen for part in figure.plans]
    order = (AS_THERE, LEGAL, LONGER, BOTH)
    return {name(figure, part): figure.plans[part] for each in order for part, figure in every if part == each}


def study(chosen: Iterable[Figure]) -> Study:
    """Return what is claimed in some figures, each claim under the conditions of its figure."""
    return Study(
        claims=tuple(
            replace(claim, where=tuple(name(figure, part) for part in figure.plans))
            for figure in chosen
            for claim in figure.claims
        )
    )


def name(figure: Figure, part: str) -> str:
    """Return what a part of a figure is called among all parts."""
    return f"{figure.number}, {part}"


def _algorithms(share: float, long: int) -> Figure:
    names = {"epsilon-soft": "epsilon-soft", "sarsa": "Sarsa", "q-learning": "Q-learning"}
    others = [(kind, said) for kind, said in names.items() if kind != "epsilon-soft"]
    return Figure(
        "7.1",
        "Three algorithms on one lemma",
        "Lemma 43, ε 0.4, Simple, terminating, 15 episodes, 500 students. The thesis says 500 in its table, 50 in its "
        "text, and brackets the lemma in two ways; here it is level 3 of SYJ203.",
        "A one-step update moves a reward back by one step an episode, and the shortest proof has 16 moves: after 15 "
        "episodes every student of Sarsa and Q-learning believes the lemma to be worth exactly 0. epsilon-soft "
        "averages whole returns, which reach the first state at once.",
        "episodes",
        _parts("43", {kind: {"learner": kind} for kind in names}, 15, 500, share, long),
        (
            *(_more(said, "epsilon-soft", "actions", (kind, "epsilon-soft")) for kind, said in others),
            *(_more("epsilon-soft", said, "proofs", ("epsilon-soft", kind)) for kind, said in others),
            *(_more("epsilon-soft", said, "gain", ("epsilon-soft", kind)) for kind, said in others),
            *(_alike("Sarsa", "Q-learning", measure, ("sarsa", "q-learning")) for measure in ("proofs", "actions")),
        ),
    )


def _epsilons(share: float, long: int) -> Figure:
    kinds = {f"ε {epsilon}": {"epsilon": epsilon} for epsilon in (0.1, 0.2, 0.3, 0.4, 0.5)}
    low, *_, high = kinds
    return Figure(
        "7.2",
        "How much to explore",
        "Lemma 42, epsilon-soft, Simple, terminating, 10 episodes, 500 students.",
        "",
        "episodes",
        _parts("42", kinds, 10, 500, share, long),
        tuple(_more(low, high, measure) for measure in ("actions", "proofs")),
    )


def _class(share: float, long: int) -> Figure:
    return Figure(
        "7.3",
        "State spaces in a class of lemmas",
        "Lemmas 41 to 46, one episode each and one memory for all, epsilon-soft, ε 0.4, terminating, 75 students.",
        "Of the 339 goals that lemma 43 can lead to, as Name sees them, none can come up in lemma 42, and of its 59 "
        "none in lemma 41: what a space saves in a class it saves within each lemma.",
        "lemmas of the class",
        _memories(tuple(map(thesis_lemma, THESIS_LEVELS)), share, long),
        tuple(_alike(space, "Simple", "states") for space in ("Name", "Match")),
    )


def _letters(share: float, long: int) -> Figure:
    lemma = thesis_lemma("44")
    renamed = tuple(
        replace(lemma, name=f"{lemma.name}, copy {number}", formula=formula)
        for number, formula in enumerate(copies(lemma.formula, COPIES, Random("Figure 7.4")), 1)
    )
    return Figure(
        "7.4",
        "State spaces and the names of propositions",
        "Lemma 44 in other letters again and again, one episode each and one memory for all, epsilon-soft, ε 0.4, "
        f"terminating, 75 students. The thesis does not say how many copies it took; here there are {COPIES}.",
        "To Name and Match the copies are one lemma, which is practised again and again.",
        "copies",
        _memories(renamed, share, long),
        (
            *(_more("Simple", space, "states") for space in ("Name", "Match")),
            *(_more("Name", space, "proofs") for space in ("Simple", "Match")),
        ),
    )


def _rewards(share: float, long: int) -> Figure:
    kinds = {reward: {"reward": reward} for reward in ("terminating", "standard", "standard-qed")}
    return Figure(
        "7.5",
        "Three rewards",
        "Lemma 43, epsilon-soft, ε 0.4, Simple, 10 episodes, 100 students.",
        "At γ 0.9 terminating and standard-qed teach short proofs and standard teaches long ones: to it the shortest, "
        "of 16 moves, is worth 8.15 at the start, and the longest, of 58, 9.98.",
        "episodes",
        _parts("43", kinds, 10, 100, share, long),
        (
            *(_more("standard", other, "actions") for other in ("terminating", "standard-qed")),
            *(_more(other, "standard", "proofs") for other in ("terminating", "standard-qed")),
            _more("standard-qed", "terminating", "proofs"),
        ),
    )


def _learners(share: float, long: int) -> Figure:
    others = ("sarsa-lambda", "q-lambda", "dyna-q", "and-or-q")
    parts = _parts("43", {kind: {"learner": kind} for kind in ("q-learning", *others)}, 15, 100, share, long)
    return Figure(
        "learners",
        "Learners that the thesis does not have",
        "As Figure 7.1, 100 students.",
        "Their rewards travel further than a step an episode.",
        "episodes",
        {part: parts[part] for part in (AS_THERE, LEGAL)},
        tuple(_more(kind, "q-learning", "proofs") for kind in others),
    )


def _gammas(share: float, long: int) -> Figure:
    kinds = {f"γ {gamma}": {"gamma": gamma} for gamma in (0.5, 0.9, 1.0)}
    return Figure(
        "gamma",
        "The discount, which chapter 8 leaves open",
        "Lemma 43, epsilon-soft, ε 0.4, Simple, terminating, 15 episodes, 100 students.",
        "",
        "episodes",
        _parts("43", kinds, 15, 100, share, long),
        tuple(_more("γ 0.9", other, "proofs") for other in ("γ 0.5", "γ 1.0")),
    )


def _alphas(share: float, long: int) -> Figure:
    kinds = {
        f"{learner}, α {alpha}": {"learner": learner, "alpha": alpha}
        for learner in ("sarsa", "q-learning")
        for alpha in (0.1, 0.7)
    }
    return Figure(
        "alpha",
        "The step size, which chapter 8 leaves open",
        "Lemma 43, ε 0.4, Simple, terminating, 15 episodes, 100 students.",
        "In 15 episodes no reward reaches the first state (Figure 7.1), whatever α is.",
        "episodes",
        _parts("43", kinds, 15, 100, share, long),
        tuple(_more(f"{kind}, α 0.7", f"{kind}, α 0.1", "proofs") for kind in ("sarsa", "q-learning")),
    )


def _simplify(share: float, long: int) -> Figure:
    kinds = {
        "blind": {},
        LEGAL: {"actions": "legal", "forget_errors": False},
        "simplify": {"actions": "simplify", "forget_errors": False},
    }
    parts = _parts("43", kinds, 15, 100, share, long)
    return Figure(
        "simplify",
        "One action for all moves without a choice, which McCarren added",
        "Lemma 43, epsilon-soft, ε 0.4, Simple, terminating, 15 episodes, 100 students.",
        "",
        "episodes",
        {part: parts[part] for part in (AS_THERE, LONGER)},
        tuple(
            claim
            for other in ("blind", LEGAL)
            for claim in (_more(other, "simplify", "actions"), _more("simplify", other, "proofs"))
        ),
    )


_FIGURES: Final = {
    "7.1": _algorithms,
    "7.2": _epsilons,
    "7.3": _class,
    "7.4": _letters,
    "7.5": _rewards,
    "learners": _learners,
    "gamma": _gammas,
    "alpha": _alphas,
    "simplify": _simplify,
}
_WORDS: Final = {
    "proofs": "proves more often than",
    "gain": "improves more than",
    "actions": "takes more actions than",
    "states": "keeps more states than",
}


def _more(more: str, less: str, measure: str, pair: tuple[str, str] | None = None) -> Claim:
    """Claim that one kind has more than another; `pair` holds their names where they are not what is said."""
    than, fewer = pair or (more, less)
    return Claim(f"{more} {_WORDS[measure]} {less}", measure, fewer, than, margin=MARGINS[measure])


def _alike(one: str, other: str, measure: str, pair: tuple[str, str] | None = None) -> Claim:
    """Claim that two kinds differ by no more than the margin."""
    says = {"proofs": "prove equally often", "actions": "take as many actions", "states": "keep as many states"}
    return Claim(f"{one} and {other} {says[measure]}", measure, alike=pair or (one, other), margin=MARGINS[measure])


def _parts(number: str, kinds: Changes, episodes: int, students: int, share: float, long: int) -> dict[str, Plan]:
    """Return the parts of a figure on one lemma, at whose end students are examined."""
    lemmas = (thesis_lemma(number),)
    return {
        part: _plan(lemmas, _without_errors(kinds) if part in (LEGAL, BOTH) else kinds, each, number, share, (each,))
        for part, each, number in (
            (AS_THERE, episodes, students),
            (LEGAL, episodes, min(students, _LEGAL_STUDENTS)),
            (LONGER, long, _LONG_STUDENTS),
            (BOTH, long, _LONG_STUDENTS),
        )
    }


def _memories(lemmas: tuple[Lemma, ...], share: float, long: int) -> dict[str, Plan]:
    """Return the parts of a figure that compares memories; in the longer ones are as few students as can differ."""
    kinds = {space.capitalize(): {"state_space": space} for space in STATE_SPACES}
    few = fewest(len(kinds))
    return {
        part: _plan(lemmas, _without_errors(kinds) if part in (LEGAL, BOTH) else kinds, each, number, share, ())
        for part, each, number in (
            (AS_THERE, 1, 75),
            (LEGAL, 1, 75),
            (LONGER, long // len(lemmas), few),
            (BOTH, long // len(lemmas), few),
        )
    }


def _without_errors(kinds: Changes) -> Changes:
    return {kind: {"actions": "legal", "forget_errors": False, **changes} for kind, changes in kinds.items()}


def _plan(
    lemmas: tuple[Lemma, ...],
    kinds: Changes,
    episodes: int,
    students: int,
    share: float,
    checkpoints: Sequence[int],
) -> Plan:
    """Return a plan in which so many students have so many episodes on each lemma."""
    return Plan(
        lemmas[0].name if len(lemmas) == 1 else f"{lemmas[0].name} to {lemmas[-1].name}",
        lemmas,
        tuple(Variant(kind, replace(CONDITIONS, episodes=episodes, **changes)) for kind, changes in kinds.items()),
        seeds=tuple(range(max(2, round(share * students)))),
        checkpoints=tuple(checkpoints),
    )
