"""Random lemmas from a seed: formulas of a given size, sifted into theorems and non-theorems where that is asked for.

A formula is drawn in three independent steps: the shape, uniformly among all binary trees with `size` inner nodes (Rémy
1985); each connective, uniformly among conjunction, disjunction and implication; each leaf, False with probability
`falsum` and otherwise uniformly among the atoms. The sieve is a plain exhaustive search with a budget, enough for
formulas of this kind; deciding hard ones is not this module's business.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from curricula.lemma import Lemma, Status
from curricula.settings import MAX_COUNT, Settings
from tactics.errors import InputError
from tactics.formula import FALSE, And, Atom, Formula, Implies, Or
from tactics.goal import Goal, Move, Sequent, initial, sequent
from tactics.recursion import Call, run
from tactics.rules import CAN_LOSE, legal_moves, premises

ATOM_NAMES: Final = "pqrstuvwxyzabcdefghijklmno"
KINDS: Final = ("any", "theorem", "non-theorem")
MAX_SIZE: Final = 200

SEARCH_BUDGET: Final = 2_000
"""How many goals the search may look at for one formula."""

PATIENCE: Final = 2_000
"""How many unsuitable formulas in a row are drawn before the search for a lemma is given up."""

_CONNECTIVES: Final[tuple[Callable[[Formula, Formula], Formula], ...]] = (And, Or, Implies)


@dataclass(frozen=True, slots=True)
class RandomSettings(Settings):
    """What kind of random lemmas to make; the same settings give the same lemmas in every process.

    Attributes:
        size: connectives in each formula, 1 to 200; negation counts as the implication of False that it is.
        atoms: different atoms that may occur, 1 to 26: p, q, r and so on.
        kind: `theorem`, `non-theorem`, or `any` for formulas as they are drawn.
        count: how many lemmas, 1 to 10,000; a larger count only adds lemmas at the end.
        seed: any integer from 0.
        falsum: probability that a leaf is False, 0 to 1.

    Raises:
        InputError: a setting is out of range.
    """

    curriculum: ClassVar[str] = "random"
    of_a_choice: ClassVar[tuple[str, ...]] = ("count",)

    size: int = 6
    atoms: int = 3
    kind: str = "any"
    count: int = 20
    seed: int = 0
    falsum: float = 0.1

    def __post_init__(self) -> None:
        self.check_range("size", self.size, 1, MAX_SIZE)
        self.check_range("atoms", self.atoms, 1, len(ATOM_NAMES))
        self.check_range("count", self.count, 1, MAX_COUNT)
        self.check_seed(self.seed)
        self.check_range("falsum", self.falsum, 0, 1)
        if self.kind not in KINDS:
            raise InputError(f"kind={self.kind} does not exist; choose one of {', '.join(KINDS)}.")


def random_lemmas(settings: RandomSettings) -> Iterator[Lemma]:
    """The lemmas that the settings describe, all different: `random/1`, `random/2`, or `random:size=8/1` and so on.

    For `theorem` and `non-theorem` a formula is kept when `search_status` decides it so within its budget, and dropped
    when it is undecided. What comes out is therefore the drawn distribution conditioned on being decided quickly: with
    growing size it leans towards easy formulas. For `any` nothing is dropped but repetitions; a lemma that is undecided
    has status None.

    Raises:
        InputError: `PATIENCE` draws in a row gave no further lemma.
    """
    # Only random() is promised to give the same numbers in every Python version.
    draw = random.Random(settings.seed).random
    atoms = [Atom(name) for name in ATOM_NAMES[: settings.atoms]]
    used: set[Formula] = set()
    while len(used) < settings.count:
        for _ in range(PATIENCE):
            formula = random_formula(draw, settings.size, atoms, settings.falsum)
            if formula in used:
                continue
            status = search_status(formula)
            if settings.kind == "any" or settings.kind == status:
                break
        else:
            wanted = "further formula" if settings.kind == "any" else f"further {settings.kind}"
            raise InputError(
                f"After {len(used)} of {settings.count} random lemmas no {wanted} of size {settings.size} with "
                f"{settings.atoms} atoms turned up in {PATIENCE} draws; ask for fewer, or change size, atoms or kind."
            )
        used.add(formula)
        source = f"random, seed {settings.seed}, size {settings.size}, atoms {settings.atoms}"
        yield Lemma(f"{settings.prefix}/{len(used)}", formula, status, source)


def random_formula(draw: Callable[[], float], size: int, atoms: Sequence[Formula], falsum: float) -> Formula:
    """A formula with exactly `size` connectives, at least 0; `draw` gives numbers from 0 up to but without 1."""
    links = random_tree(draw, size)
    # Nodes still to be visited; an inner node comes twice, and the second time its sides are built.
    pending = [(links[0], False)]
    built: list[Formula] = []
    while pending:
        node, sides_built = pending.pop()
        if node % 2 == 0:
            built.append(FALSE if draw() < falsum else atoms[int(draw() * len(atoms))])
        elif sides_built:
            right = built.pop()
            built.append(_CONNECTIVES[int(draw() * len(_CONNECTIVES))](built.pop(), right))
        else:
            pending += [(node, True), (links[node + 1], False), (links[node], False)]
    return built.pop()


def random_tree(draw: Callable[[], float], size: int) -> list[int]:
    """A binary tree with `size` inner nodes, each shape with the same probability, in linear time.

    Rémy's algorithm: take any node, put an inner node in its place, and hang the node on one side of that and a leaf on
    the other (Rémy 1985; Knuth, The Art of Computer Programming 4A, 7.2.1.6). Inner nodes are odd, leaves are even
    numbers; `links[0]` is the root, and the sides of inner node i are `links[i]` and `links[i + 1]`.
    """
    links = [0]
    for leaf in range(2, 2 * size + 1, 2):
        choice = int(draw() * (2 * leaf - 2))
        place, leaf_on_the_left = choice // 2, choice % 2
        inner = leaf - 1
        links += [leaf, links[place]] if leaf_on_the_left else [links[place], leaf]
        links[place] = inner
    return links


def search_status(formula: Formula, budget: int = SEARCH_BUDGET) -> Status | None:
    """Whether a formula has a proof, by exhaustive search; None when that would take more than `budget` goals.

    Goals with the same formulas count once, whatever their hypotheses are called.
    """
    provable: dict[Sequent, bool] = {}
    seen = 1

    def search(goal: Goal) -> Call[bool]:
        nonlocal seen
        for move in _alternatives(goal):
            left = [(sequent(premise), premise) for premise in premises(goal, move)]
            for key, premise in left:
                if key not in provable and all(provable.get(other, True) for other, _ in left):
                    if seen == budget:
                        raise _TooManyGoals
                    seen += 1
                    provable[key] = yield search(premise)
            if all(provable.get(key) for key, _ in left):
                return True
        return False

    try:
        return Status.THEOREM if run(search(*initial(formula))) else Status.NON_THEOREM
    except _TooManyGoals:
        return None


class _TooManyGoals(Exception):
    """The search has looked at as many goals as it may."""


def _alternatives(goal: Goal) -> tuple[Move, ...]:
    """The moves that have to be tried: one that is invertible is enough."""
    moves = legal_moves(goal)
    return next(((move,) for move in moves if move.rule not in CAN_LOSE), moves)
