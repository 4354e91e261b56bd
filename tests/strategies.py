"""Hypothesis strategies for what the rooms share: formulas, goals, proofs under way, scripts."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from hypothesis import strategies as st

from tactics.formula import FALSE, TRUTH, And, Atom, Formula, Implies, Or, equivalence, negation
from tactics.goal import Goal, Hypothesis, Move, State, initial
from tactics.rules import RULES, apply, legal_moves
from tactics.script import Script

PLAIN_NAMES: Final = ("A", "B", "C")
HYPOTHESIS_LIKE_NAMES: Final = ("H", "H0", "H1", "H2", "H10", "H00", "H01", "Ha", "H'")
AWKWARD_NAMES: Final = ("x'", "x''", "λ", "é", "Ж", "p_1", "_x", "a", "p1", "False'", "Forall", "Γ", "G")
PAID_BY_KIND: Final = ("terminating", "standard", "standard-qed")
"""Rewards that depend on the kind of a step alone."""
ALL_NAMES: Final = (*PLAIN_NAMES, *HYPOTHESIS_LIKE_NAMES, *AWKWARD_NAMES)


def atoms(names: Sequence[str] = ALL_NAMES) -> st.SearchStrategy[Atom]:
    """Atoms with names from a list."""
    return st.sampled_from(names).map(Atom)


_BUILDERS: Final[tuple[Callable[[Formula, Formula], Formula], ...]] = (
    Implies,
    And,
    Or,
    equivalence,
    lambda left, _: negation(left),
)


@st.composite
def formulas(draw: st.DrawFn, names: Sequence[str] = ALL_NAMES, max_steps: int = 10, max_size: int = 200) -> Formula:
    """Formulas in which subformulas recur: built in steps, each joining any two that are there already.

    A formula of more than `max_size` nodes is never built.
    """
    leaf = st.one_of(atoms(names), atoms(names), st.sampled_from([FALSE, TRUTH]))
    built = [draw(leaf)]
    for _ in range(draw(st.integers(0, max_steps))):
        # Counting from the end makes deep formulas likely; 0 asks for a leaf.
        left, right = (
            built[-place] if (place := draw(st.integers(0, min(3, len(built))))) else draw(leaf) for _ in range(2)
        )
        formula = draw(st.sampled_from(_BUILDERS))(left, right)
        if formula.size <= max_size:
            built.append(formula)
    return built[-1]


@st.composite
def goals(draw: st.DrawFn, names: Sequence[str] = PLAIN_NAMES, max_hypotheses: int = 4, max_steps: int = 3) -> Goal:
    """Goals as they may arise anywhere in a proof: hypotheses in any order, with gaps between their names."""
    avoid = frozenset(draw(st.sets(st.sampled_from(["H", "H0", "H1"]), max_size=2)))
    free = [name for name in ("H", *(f"H{number}" for number in range(8))) if name not in avoid]
    chosen = draw(st.lists(st.sampled_from(free), unique=True, max_size=max_hypotheses))
    formula = formulas(names, max_steps, max_size=15)
    return Goal(tuple(Hypothesis(name, draw(formula)) for name in chosen), draw(formula), avoid)


class Walk(NamedTuple):
    """A lemma, legal moves from its beginning on, and the states that they lead through, the initial one first."""

    formula: Formula
    script: Script
    states: tuple[State, ...]


@st.composite
def walks(draw: st.DrawFn, names: Sequence[str] = (*PLAIN_NAMES, *HYPOTHESIS_LIKE_NAMES), max_moves: int = 25) -> Walk:
    """Random walks along legal moves, until the lemma is proved, nothing applies or the moves are used up."""
    formula = draw(formulas(names, max_steps=8, max_size=40))
    script: list[Move] = []
    states = [initial(formula)]
    for _ in range(draw(st.integers(0, max_moves))):
        legal = legal_moves(states[-1][0]) if states[-1] else ()
        if not legal:
            break
        script.append(draw(st.sampled_from(legal)))
        states.append(apply(states[-1], script[-1]))
    return Walk(formula, tuple(script), tuple(states))


def states(names: Sequence[str] = (*PLAIN_NAMES, *HYPOTHESIS_LIKE_NAMES)) -> st.SearchStrategy[State]:
    """States that can be reached from a lemma, the proved state among them."""
    return walks(names).map(lambda walk: walk.states[-1])


def moves() -> st.SearchStrategy[Move]:
    """Moves that a person might type, most of which apply nowhere."""
    hypothesis = st.one_of(st.none(), st.sampled_from(["H", "H0", "H1", "H17", "x'", "A"]))
    return st.builds(Move, st.sampled_from(list(RULES)), hypothesis)


def scripts() -> st.SearchStrategy[Script]:
    """Lists of moves, whether they replay or not."""
    return st.lists(moves(), max_size=12).map(tuple)
