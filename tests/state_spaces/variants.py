"""States to compare: small ones made at random, the same in disguise, and others that differ from them in one place.

Random states alone are nearly never the same and nearly never symmetric. The vocabularies here are so small that they
often are both, and a near variant differs by what a careless labelling overlooks.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations, product
from random import Random
from typing import Final, NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tactics.formula import FALSE, And, Atom, Binary, Formula, Implies, Or, atoms
from tactics.goal import Goal, Hypothesis, State
from tests.strategies import ALL_NAMES, HYPOTHESIS_LIKE_NAMES, walks
from tests.thorough import examples

tried: Final = settings(max_examples=examples(1_000), deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Decorates a property of the state spaces; a long run is `OASIS_EXAMPLES=50000 pytest tests/state_spaces`."""

Bare = list[tuple[list[Formula], Formula]]
"""Goals without the names of their hypotheses."""

FIVE: Final = tuple(map(Atom, "ABCDE"))


def _arrows(points: Sequence[Formula]) -> list[Formula]:
    return [*points, *(one >> other for one, other in permutations(points, 2))]


def _joined(lefts: Iterable[Formula], rights: Iterable[Formula]) -> list[Formula]:
    return [connective(*sides) for sides in product(lefts, rights) for connective in (Implies, And, Or)]


LEAVES: Final = [*FIVE[:3], FALSE]
SMALL: Final = _joined(LEAVES, LEAVES)
"""All formulas with one connective and up to three atoms."""

VOCABULARIES: Final[tuple[list[Formula], ...]] = (
    _arrows(FIVE),
    _arrows(FIVE[:4]),
    [*FIVE, *(one & other >> third for one, other, third in permutations(FIVE[:4], 3))],
    [(one >> other) >> third for one, other, third in permutations(FIVE[:4], 3)],
    [*LEAVES, *SMALL],
    [*LEAVES, *SMALL, *_joined(LEAVES, SMALL), *_joined(SMALL, LEAVES)],
)
"""Formulas that one state draws from: graphs, triples of atoms, and all formulas with up to two connectives."""


def state_of(goals: Iterable[tuple[Iterable[Formula], Formula]]) -> State:
    """Return the goals with hypotheses called H, H0, H1 and so on."""
    return tuple(
        Goal(tuple(Hypothesis(_name(place), formula) for place, formula in enumerate(hypotheses)), conclusion)
        for hypotheses, conclusion in goals
    )


def _name(place: int) -> str:
    return f"H{place - 1}" if place else "H"


def bare(state: State) -> Bare:
    """Return the formulas of a state, goal by goal."""
    return [([formula for _, formula in goal.hypotheses], goal.conclusion) for goal in state]


@st.composite
def made(draw: st.DrawFn, max_goals: int = 3, max_hypotheses: int = 7) -> State:
    """States of up to five atoms from one vocabulary; later goals tend to repeat the hypotheses of the first."""
    formula = st.sampled_from(draw(st.sampled_from(VOCABULARIES)))
    hypotheses = draw(st.lists(formula, max_size=max_hypotheses))
    goals = [(hypotheses, draw(formula))]
    for _ in range(draw(st.integers(0, max_goals - 1))):
        others = hypotheses if draw(st.booleans()) else draw(st.lists(formula, max_size=3))
        goals.append((others, draw(formula)))
    return state_of(goals)


@st.composite
def symmetric(draw: st.DrawFn) -> State:
    """States whose first goal has all images of its hypotheses under a permutation of the atoms, or all but few."""
    formula = st.sampled_from(draw(st.sampled_from(VOCABULARIES)))
    turn = dict(zip(FIVE, draw(st.sampled_from(_TURNS)), strict=True))
    hypotheses: dict[Formula, None] = {}
    for first in draw(st.lists(formula, min_size=1, max_size=3)):
        image = first
        while image not in hypotheses:
            hypotheses[image] = None
            image = renamed(image, turn)
    goals = [([*hypotheses, *draw(st.lists(formula, max_size=1))], draw(st.one_of(st.just(FALSE), formula)))]
    if draw(st.booleans()):
        goals.insert(draw(st.integers(0, 1)), (draw(st.lists(formula, max_size=2)), draw(formula)))
    return state_of(goals)


_TURNS: Final = [[Atom(name) for name in names] for names in ("BCDEA", "BCDAE", "BCAED", "BADCE", "BCADE", "CDBAE")]
"""Where permutations of several kinds take A, B, C, D and E."""


def random_goal(rng: Random, max_hypotheses: int = 4) -> State:
    """Return a small state of one goal."""
    vocabulary = rng.choice(VOCABULARIES)
    return state_of([(rng.choices(vocabulary, k=rng.randint(0, max_hypotheses)), rng.choice(vocabulary))])


def states() -> st.SearchStrategy[State]:
    """Small states: made, reached in a proof, and in every other case symmetric."""
    reached = walks(["A", "B", "C", "H", "H0"], max_moves=8).map(lambda walk: walk.states[-1])
    return st.one_of(made(), reached, symmetric(), symmetric())


randoms: Final = st.randoms(use_true_random=True)
"""Where a disguise or a change is to be drawn: states shrink, these do not."""


class Disguised(NamedTuple):
    """A state that is the same as another one.

    Attributes:
        state: what it looks like now.
        atoms: what each atom became.
        hypotheses: for each goal, what each hypothesis is called now.
    """

    state: State
    atoms: dict[Atom, Atom]
    hypotheses: tuple[dict[str, str], ...]


def disguised(state: State, rng: Random, atoms: bool = True, names: bool = True, order: bool = True) -> Disguised:
    """Return the state with its atoms and hypotheses renamed and its hypotheses shuffled, as far as asked for.

    Atoms change places among themselves or get other names, some of which look like those of hypotheses.
    """
    own = atoms_of(state)
    renaming = dict(zip(own, _new_atoms(own, rng), strict=True)) if atoms else {atom: atom for atom in own}
    avoid = frozenset(atom.name for atom in renaming.values() if atom.name in HYPOTHESIS_LIKE_NAMES)
    goals: list[Goal] = []
    called: list[dict[str, str]] = []
    for goal in state:
        old = [name for name, _ in goal.hypotheses]
        free = [name for place in range(2 * len(old) + 9) if (name := _name(place)) not in avoid]
        new = dict(zip(old, rng.sample(free, len(old)) if names else old, strict=True))
        hypotheses = [Hypothesis(new[name], renamed(formula, renaming)) for name, formula in goal.hypotheses]
        if order:
            rng.shuffle(hypotheses)
        goals.append(Goal(tuple(hypotheses), renamed(goal.conclusion, renaming), avoid if atoms else goal.avoid))
        called.append(new)
    return Disguised(tuple(goals), renaming, tuple(called))


def _new_atoms(own: Sequence[Atom], rng: Random) -> list[Atom]:
    choices = [
        [atom.name for atom in own],
        [*ALL_NAMES, *(f"p{number}" for number in range(2, len(own)))],
        [f"H{number}" for number in range(len(own))],
    ]
    return [Atom(name) for name in rng.sample(rng.choice(choices), len(own))]


def atoms_of(state: State) -> list[Atom]:
    """Return the atoms of a state, each once."""
    formulas = [formula for hypotheses, conclusion in bare(state) for formula in (*hypotheses, conclusion)]
    return list(dict.fromkeys(atom for formula in formulas for atom in atoms(formula)))


def renamed(formula: Formula, renaming: Mapping[Atom, Atom]) -> Formula:
    """Return the formula with other atoms, all at once."""
    if isinstance(formula, Binary):
        return type(formula)(renamed(formula.left, renaming), renamed(formula.right, renaming))
    return renaming.get(formula, formula) if isinstance(formula, Atom) else formula


def near(state: State, rng: Random) -> State:
    """Return a state that differs in one or two places, or in none that matters."""
    goals = bare(state)
    for _ in range(rng.choice((0, 1, 1, 2))):
        if goals:
            rng.choice(_CHANGES)(goals, rng)
    return state_of(goals)


def _change_an_atom(goals: Bare, rng: Random) -> None:
    _replace(goals, rng, lambda formula: _changed(formula, rng, Atom(rng.choice("ABCDE"))))


def _mirror(goals: Bare, rng: Random) -> None:
    _replace(goals, rng, lambda formula: _mirrored(formula, rng))


def _exchange_atoms_in_one_formula(goals: Bare, rng: Random) -> None:
    one, other = _two_atoms(goals, rng)
    _replace(goals, rng, lambda formula: renamed(formula, {one: other, other: one}))


def _exchange_atoms_in_one_goal(goals: Bare, rng: Random) -> None:
    one, other = _two_atoms(goals, rng)
    place = rng.randrange(len(goals))
    hypotheses, conclusion = goals[place]
    swap = {one: other, other: one}
    goals[place] = [renamed(formula, swap) for formula in hypotheses], renamed(conclusion, swap)


def _identify_atoms(goals: Bare, rng: Random) -> None:
    one, other = _two_atoms(goals, rng)
    goals[:] = [
        ([renamed(formula, {one: other}) for formula in hypotheses], renamed(conclusion, {one: other}))
        for hypotheses, conclusion in goals
    ]


def _repeat_a_hypothesis(goals: Bare, rng: Random) -> None:
    hypotheses, conclusion = rng.choice(goals)
    hypotheses.append(rng.choice([*hypotheses, conclusion]))


def _drop_a_hypothesis(goals: Bare, rng: Random) -> None:
    hypotheses, _ = rng.choice(goals)
    if hypotheses:
        hypotheses.pop(rng.randrange(len(hypotheses)))


def _move_a_hypothesis(goals: Bare, rng: Random) -> None:
    (giving, _), (taking, _) = rng.choice(goals), rng.choice(goals)
    if giving:
        taking.append(giving.pop(rng.randrange(len(giving))))


def _exchange_hypothesis_and_conclusion(goals: Bare, rng: Random) -> None:
    goal = rng.randrange(len(goals))
    hypotheses, conclusion = goals[goal]
    if hypotheses:
        place = rng.randrange(len(hypotheses))
        goals[goal] = [*hypotheses[:place], conclusion, *hypotheses[place + 1 :]], hypotheses[place]


def _reorder_goals(goals: Bare, rng: Random) -> None:
    goals.append(goals.pop(0))


def _repeat_a_goal(goals: Bare, rng: Random) -> None:
    hypotheses, conclusion = rng.choice(goals)
    goals.insert(rng.randrange(len(goals)), ([*hypotheses], conclusion))


def _drop_a_goal(goals: Bare, rng: Random) -> None:
    goals.pop(rng.randrange(len(goals)))


_CHANGES: Final[tuple[Callable[[Bare, Random], None], ...]] = (
    _change_an_atom,
    _mirror,
    _exchange_atoms_in_one_formula,
    _exchange_atoms_in_one_goal,
    _identify_atoms,
    _repeat_a_hypothesis,
    _drop_a_hypothesis,
    _move_a_hypothesis,
    _exchange_hypothesis_and_conclusion,
    _reorder_goals,
    _repeat_a_goal,
    _drop_a_goal,
)


def _two_atoms(goals: Bare, rng: Random) -> tuple[Atom, Atom]:
    one, *others = rng.sample(own := atoms_of(state_of(goals)), len(own)) or [Atom("A")]
    return one, (others or [Atom("E")])[0]


def _replace(goals: Bare, rng: Random, change: Callable[[Formula], Formula]) -> None:
    goal = rng.randrange(len(goals))
    hypotheses, conclusion = goals[goal]
    place = rng.randrange(len(hypotheses) + 1)
    if place == len(hypotheses):
        goals[goal] = hypotheses, change(conclusion)
    else:
        goals[goal] = [*hypotheses[:place], change(hypotheses[place]), *hypotheses[place + 1 :]], conclusion


def _changed(formula: Formula, rng: Random, leaf: Atom) -> Formula:
    if not isinstance(formula, Binary):
        return leaf
    if rng.random() < formula.left.size / (formula.left.size + formula.right.size):
        return type(formula)(_changed(formula.left, rng, leaf), formula.right)
    return type(formula)(formula.left, _changed(formula.right, rng, leaf))


def _mirrored(formula: Formula, rng: Random) -> Formula:
    if not isinstance(formula, Binary):
        return formula
    if rng.random() < 0.5:
        return type(formula)(formula.right, formula.left)
    return type(formula)(_mirrored(formula.left, rng), formula.right)
