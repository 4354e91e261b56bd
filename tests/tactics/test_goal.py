"""Goals: one object for equal ones while somebody holds it, Coq's names, and a weight that orders them."""

import gc
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor

from hypothesis import example, given
from hypothesis import strategies as st

from tactics.formula import FALSE, Atom, Formula, atoms
from tactics.goal import Goal, Hypothesis, Move, State, initial, weight
from tactics.parser import parse
from tactics.rules import apply, legal_moves
from tests.strategies import HYPOTHESIS_LIKE_NAMES, PLAIN_NAMES, formulas, goals, states
from tests.tactics.sequents import read

A, B = Atom("A"), Atom("B")


@given(goals())
def test_equal_goals_are_one_object(goal: Goal) -> None:
    hypotheses = tuple(Hypothesis("".join(name), formula) for name, formula in goal.hypotheses)
    assert Goal(hypotheses, goal.conclusion, frozenset(set(goal.avoid))) is goal


@given(goals())
def test_an_unpickled_goal_is_the_goal_itself(goal: Goal) -> None:
    assert pickle.loads(pickle.dumps(goal)) is goal


@given(states())
def test_what_was_worked_out_about_a_goal_is_not_pickled(state: State) -> None:
    before = pickle.dumps(state)
    for goal in state:
        legal_moves(goal)
    if state:
        for move in legal_moves(state[0]):
            apply(state, move)
    assert pickle.dumps(state) == before


def test_goals_that_show_or_name_something_else_differ_and_so_do_their_digests() -> None:
    texts = ["⊢ A", "⊢ B", "H : A ⊢ A", "H0 : A ⊢ A", "H : B ⊢ A", "H : A ⊢ B"]
    texts += ["H : A, H0 : B ⊢ A", "H0 : B, H : A ⊢ A", "H : B, H0 : A ⊢ A"]
    avoiding = [read("⊢ A", "H"), read("⊢ A", "H0"), read("⊢ A", "H", "H0"), read("H : A ⊢ A", "H0")]
    different = [*map(read, texts), *avoiding]
    assert len({id(goal) for goal in different}) == len(different)
    assert len({goal.digest for goal in different}) == len(different)


def test_goals_are_forgotten_when_nobody_holds_them() -> None:
    state = initial(Atom("passing") >> (B >> (A | B)))
    held = [weakref.ref(state[0])]
    for move in ("intro", "intro", "right"):
        state = apply(state, Move(move))
        held.append(weakref.ref(state[0]))
    # Only the last goal is held by name; an earlier one would hold the later ones.
    gc.collect()
    assert [reference() is not None for reference in held] == [False, False, False, True]
    del state
    gc.collect()
    assert held[-1]() is None


def test_a_goal_holds_the_goals_that_it_led_to() -> None:
    state = initial(Atom("passing") >> Atom("by"))
    later = weakref.ref(apply(state, Move("intro"))[0])
    gc.collect()
    assert later() is apply(state, Move("intro"))[0]


@given(formulas(names=(*HYPOTHESIS_LIKE_NAMES, *PLAIN_NAMES)))
def test_lemmas_with_the_same_atoms_named_like_hypotheses_avoid_the_same_names(formula: Formula) -> None:
    (goal,) = initial(formula)
    for name in ("H", "H0", "H1", "H2", "H10"):
        assert (name in goal.avoid) == (Atom(name) in atoms(formula))
    # Names that Coq never gives do not matter, and goals that differ in them alone should be one.
    assert not goal.avoid & {"H00", "H01", "Ha", "H'", *PLAIN_NAMES}


TWELVE_NAMES = read("H : A, " + ", ".join(f"H{number} : A" for number in range(10)) + " ⊢ A", "H10")


@given(goals())
@example(TWELVE_NAMES)
def test_a_fresh_name_is_free_and_no_earlier_one_is(goal: Goal) -> None:
    taken = {hypothesis.name for hypothesis in goal.hypotheses} | goal.avoid
    fresh = goal.fresh_name()
    assert fresh not in taken
    names = ["H", *(f"H{number}" for number in range(20))]
    assert set(names[: names.index(fresh)]) <= taken


def test_a_weight_lists_formulas_and_goals_heaviest_first() -> None:
    assert read("⊢ A").weight == (1,)
    assert read("H : A /\\ B, H0 : A -> B ⊢ A \\/ (B -> C)").weight == (5, 4, 3)
    assert read("H : A, H0 : ~ A, H1 : A ⊢ False").weight == (3, 1, 1, 1)
    light, heavy = read("H : A ⊢ A"), read("⊢ A /\\ B")
    assert weight((light, heavy)) == weight((heavy, light)) == ((4,), (1, 1))
    assert weight((light, light)) == ((1, 1), (1, 1))


multisets = st.lists(st.integers(1, 5), max_size=5)


@given(multisets, multisets)
def test_weights_compare_as_multisets_do(one: list[int], other: list[int]) -> None:
    """Dershowitz and Manna (1979): M < N if they differ and what N has too many exceeds all that M has too many."""
    by_weight: dict[int, Formula] = {1: FALSE}
    for heavier in range(3, 10, 2):
        by_weight[heavier] = A >> by_weight[heavier - 2]
    first, second = (
        Goal(tuple(Hypothesis(f"H{place}", by_weight[2 * number - 1]) for place, number in enumerate(numbers)), FALSE)
        for numbers in (one, other)
    )
    excess_one, excess_other = list(one), list(other)
    for number in one:
        if number in excess_other:
            excess_other.remove(number)
            excess_one.remove(number)
    smaller = bool(excess_other) and all(any(big > number for big in excess_other) for number in excess_one)
    assert (first.weight < second.weight) == smaller


def test_goals_made_by_several_threads_at_once_are_one() -> None:
    formulas = [parse(f"p{number} -> q") for number in range(500)]
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda _: [Goal((), formula) for formula in formulas], range(4)))
    assert all(goals == made[0] for goals in made)
