"""Goals as graphs of nodes, sentences and questions: the same whatever they are called, and complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from curricula import resolve_lemma
from oasis.neural.encoding import batch, entail, nodes, sentences
from oasis.neural.encoding.batch import RELATIONS, batched, chunked
from oasis.neural.encoding.moves import formulas_of, options
from oasis.neural.encoding.nodes import NONE, Encoded, encoded, nodes_of
from oasis.neural.encoding.pages import page
from oasis.neural.encoding.sentences import (
    LABELS,
    LONGEST,
    NOTHING,
    RULE_WORDS,
    TOKENS,
    WORDS,
    Sentence,
    sentence,
    spelled,
    takes_hypothesis,
)
from oasis.neural.labels import Oracle
from oasis.neural.training.data import questioned, theorems
from oasis.neural.training.settings import DataSettings
from state_spaces.canonical import TooSymmetric
from state_spaces.name import Name
from tactics.formula import FALSE, TRUTH, And, Atom, Binary, Formula, Implies, Or, subformulas
from tactics.goal import Goal, State, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import CAN_LOSE, legal_moves, premises
from tactics.sequent import parse_state
from tests.neural.small import is_provable
from tests.state_spaces.variants import disguised, randoms, state_of, states
from tests.strategies import goals


def encoding(goal: Goal) -> Encoded:
    return encoded(formulas_of(goal), options(formulas_of(goal)))


def relation(text: str, one: str, other: str) -> tuple[int, bool, bool]:
    """Return the relation of two nodes of a goal: its kind, and whether each is a formula of the goal."""
    (goal,) = parse_state(text)
    names = [show(part) for part in dict.fromkeys(chain.from_iterable(map(subformulas, formulas_of(goal))))]
    found = int(batched([encoding(goal)]).relations[0, names.index(one), names.index(other)])
    return found // 4, bool(found & 2), bool(found & 1)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("A /\\ B -> A", "A /\\ B -> A", batch.SELF),
        ("A /\\ B -> A", "A /\\ B", batch.LEFT_SIDE),
        ("A /\\ B", "B", batch.RIGHT_SIDE),
        ("C \\/ C", "C", batch.BOTH_SIDES),
        ("A /\\ B", "A /\\ B -> A", batch.HAS_ON_LEFT),
        ("A", "A /\\ B -> A", batch.HAS_ON_RIGHT),
        ("C", "C \\/ C", batch.HAS_ON_BOTH),
        ("A /\\ B -> A", "B", batch.PART),
        ("B", "A /\\ B -> A", batch.WHOLE),
        ("A", "B", batch.SAME_FORMULA),
        ("A /\\ B", "C", batch.APART),
    ],
)
def test_nodes_are_related_as_they_stand_in_the_formulas(one: str, other: str, kind: int) -> None:
    whole = {"A /\\ B -> A", "C \\/ C"}
    assert relation("H : A /\\ B -> A ⊢ C \\/ C", one, other) == (kind, one in whole, other in whole)


@given(goals())
def test_moves_are_the_legal_ones_and_leave_what_the_calculus_leaves(goal: Goal) -> None:
    formulas = dict(goal.hypotheses)
    legal = {
        (move.rule, goal.conclusion if move.hypothesis is None else formulas[move.hypothesis]): [
            unordered(premise) for premise in premises(goal, move)
        ]
        for move in legal_moves(goal)
    }
    once = len(formulas) == len(set(formulas.values()))
    found = {
        (move.rule, move.principal): [(premise[0], frozenset(premise[1:])) for premise in move.premises]
        for move in options(formulas_of(goal))
    }
    assert found.keys() == legal.keys()
    assert found == legal or not once


def unordered(goal: Goal) -> tuple[object, frozenset[object]]:
    return goal.conclusion, frozenset(formula for _, formula in goal.hypotheses)


@given(goals())
def test_sides_stand_before_the_whole_and_numbers_are_in_range(goal: Goal) -> None:
    found = encoding(goal)
    assert len(found.tokens) == len(found.sides)
    for place, sides in enumerate(found.sides):
        assert all(NONE <= side < place for side in sides)
    assert (found.tokens < nodes.TOKENS).all()
    relations = batched([found]).relations
    assert ((relations >= 0) & (relations < RELATIONS)).all()


def test_equal_subformulas_are_one_node() -> None:
    lemma = resolve_lemma("SYN007.14")
    assert lemma.formula.size > 10_000
    assert len(encoding(initial(lemma.formula)[0]).tokens) < 200
    assert len(encoding(initial(parse("True -> A"))[0]).tokens) == 3


@pytest.mark.slow
def test_a_goal_of_more_nodes_than_16_bits_can_count_is_encoded_as_well() -> None:
    atoms = [Atom(f"A{number}") for number in range(16_400)]
    formulas = (Or(atoms[-2], atoms[-1]), *(Implies(one, other) for one, other in pairwise(atoms)))
    found, parts = encoded(formulas, options(formulas)), nodes_of(formulas)
    assert len(parts) > 1 << 15
    assert all(
        (parts[left], parts[right]) == (whole.left, whole.right)
        for whole, (left, right) in zip(parts, found.sides.tolist(), strict=True)
        if isinstance(whole, Binary)
    )


@given(st.lists(st.integers(1, 300), min_size=1, max_size=60), st.integers(1, 2000))
def test_chunks_hold_every_goal_once_and_keep_to_the_budget(sizes: list[int], budget: int) -> None:
    counts: NDArray[np.int64] = np.array(sizes)
    chunks = list(chunked(counts, budget))
    assert sorted(np.concatenate(chunks).tolist()) == list(range(len(sizes)))
    for chunk in chunks:
        longest = int(counts[chunk].max())
        assert len(chunk) == 1 or (len(chunk) * longest <= budget and len(chunk) * longest**2 <= 64 * budget)


# Sentences

LEAVES = {"False": FALSE, "True": TRUTH, " false": FALSE, " true": TRUTH}
CONNECTIVES = {"∧": And, "∨": Or, "→": Implies, " and": And, " or": Or, " ->": Implies}


def worded(goal: Goal) -> Sentence:
    return sentence(formulas_of(goal), options(formulas_of(goal)))


def words(tokens: Iterable[int]) -> list[str]:
    return [WORDS[token] for token in tokens]


def goal_of(text: list[str]) -> Goal:
    """Read a sentence: formulas in Polish notation, each with what it is."""
    reading = iter(text)
    formulas: dict[str, Formula] = {}
    while (word := next(reading)) != "?":
        formula = formula_of(word, reading)
        formulas[next(reading)] = formula
    conclusion = formulas.pop("⊢")
    (goal,) = state_of([(formulas.values(), conclusion)])
    return goal


def formula_of(word: str, reading: Iterator[str]) -> Formula:
    if word in CONNECTIVES:
        left = formula_of(next(reading), reading)
        return CONNECTIVES[word](left, formula_of(next(reading), reading))
    return LEAVES.get(word) or Atom(word.strip())


@given(goals())
def test_each_sign_is_that_of_its_subformula(goal: Goal) -> None:
    formulas = formulas_of(goal)
    spelling = spelled(formulas)
    signs = spelling.signs(formulas[0])
    assert len(signs) == len(spelling.tokens)
    for word, sign in zip(words(spelling.tokens), signs, strict=True):
        if isinstance(sign, Atom):
            assert word.startswith("a")
        elif sign is None:
            assert word in ("⊢", "?") or word.startswith("h")
        else:
            assert sign is LEAVES[word] if word in LEAVES else isinstance(sign, CONNECTIVES[word])
    assert {sign for sign in signs if sign is not None} == set(nodes_of(formulas))


@given(goals())
def test_the_goal_can_be_read_from_its_sentence(goal: Goal) -> None:
    (once,) = state_of([(dict.fromkeys(formula for _, formula in goal.hypotheses), goal.conclusion)])
    assert Name().view((goal_of(words(worded(goal).tokens)),)).key == Name().view((once,)).key


@given(states(), randoms)
def test_a_goal_in_disguise_is_the_same_sentence(state: State, rng: Random) -> None:
    for goal in state[:1]:
        (other,) = disguised((goal,), rng).state
        for form in (worded, asking):
            assert form(goal).tokens.tolist() == form(other).tokens.tolist()
            assert sorted(form(goal).moves.tolist()) == sorted(form(other).moves.tolist())


@given(goals())
def test_moves_are_words_that_can_be_read_and_no_two_are_alike(goal: Goal) -> None:
    formulas = formulas_of(goal)
    moves, spelling = options(formulas), spelled(formulas)
    asked = spelling.asking(moves).moves.tolist()
    assert len({tuple(each) for each in asked}) == len(moves)
    for move, each in zip(moves, asked, strict=True):
        assert spelling.move(*each) == (move.rule, move.principal if takes_hypothesis(move.rule) else None)


def test_words_that_are_no_move_are_none() -> None:
    spelling = spelled(formulas_of(parse_state("H : A ⊢ A")[0]))
    (slot,) = spelling.slots.values()
    assert spelling.move(RULE_WORDS["destruct_or"], slot) is not None  # not legal, but a move
    assert spelling.move(slot, NOTHING) is None
    assert spelling.move(RULE_WORDS["destruct_or"], NOTHING) is None
    for word in set(range(TOKENS)) - {slot}:
        assert spelling.move(RULE_WORDS["imply4"], word) is None


def test_a_goal_too_symmetric_to_be_labelled_keeps_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> object:
        raise TooSymmetric("too symmetric")

    monkeypatch.setattr(sentences, "label_unnamed", refuse)
    formulas = formulas_of(parse_state("H : B, H0 : A ⊢ A -> B")[0])
    assert list(spelled(formulas).slots) == list(formulas[1:])


@pytest.mark.slow
def test_a_goal_that_is_too_long_is_written_as_deep_as_there_is_room() -> None:
    lemma = resolve_lemma("SYN007.14")
    assert lemma.formula.size > 10_000
    tokens = words(worded(initial(lemma.formula)[0]).tokens)
    assert 100 < len(tokens) <= LONGEST and tokens.count("…") > 10
    wide = state_of([([Atom(f"p{number}") for number in range(LONGEST)], FALSE)])
    assert len(worded(wide[0]).tokens) == 2 * LONGEST + 3  # nothing is deep in it
    asked = asking(initial(lemma.formula)[0])
    assert 100 < len(asked.tokens) <= LONGEST and (asked.tokens == entail.WORDS.index(" ...")).sum() > 10


def test_a_goal_of_more_hypotheses_than_labels_uses_some_labels_twice() -> None:
    found = spelled((FALSE, *[Atom(f"p{number}") for number in range(LABELS + 1)]))
    assert Counter(Counter(found.slots.values()).values()) == {1: LABELS - 1, 2: 1}
    assert Counter(Counter(words(found.tokens)).values()) == {1: 2 * LABELS + 1, 2: 2}


@given(st.lists(goals(), min_size=1, max_size=6))
def test_a_page_holds_every_sentence_and_each_word_that_begins_a_move_once(several: list[Goal]) -> None:
    encodings = [worded(goal) for goal in several]
    found = page(encodings)
    for place, each in enumerate(encodings):
        length = found.lengths[place]
        assert found.tokens[place, :length].tolist() == each.tokens.tolist()
        assert (found.tokens[place, length:] == NOTHING).all()
        begun = {int(first) for first, second in each.moves if second != NOTHING}
        stems = [word for word in found.stems[place].tolist() if word != NOTHING]
        assert sorted(stems) == sorted(begun)
    assert found.moves[:, 1:3].tolist() == [move for each in encodings for move in each.moves.tolist()]
    for goal, first, second, stem in found.moves:
        assert second == NOTHING or found.stems[goal, stem] == first


# Questions whether formulas follow


def asking(goal: Goal) -> entail.Entailment:
    return entail.entail(formulas_of(goal), options(formulas_of(goal)))


def told(found: entail.Entailment) -> tuple[list[Formula], list[Formula]]:
    """Read the hypotheses of a text, and what is asked."""
    text = "|".join(entail.WORDS[token] for token in found.tokens).replace("|'", "'").split("|")
    reading, formulas = iter(text[1:]), dict[str, list[Formula]]({";": [], "?": []})
    for word in reading:
        formula = formula_of(next(reading) if word == " Show" else word, reading)
        formulas[next(reading)].append(formula)
    assert (found.tokens[found.questions] == entail.QUESTION).all()
    return formulas[";"], formulas["?"]


@given(goals())
def test_a_move_keeps_a_provable_goal_exactly_if_what_it_wants_follows(goal: Goal) -> None:
    formulas, found = formulas_of(goal), asking(goal)
    hypotheses, questions = told(found)
    goals = [(dict.fromkeys(hypotheses), questions[0]), (formulas[1:], goal.conclusion)]
    here, there = (Name().view(state_of([each])).key for each in goals)
    assert here == there and len(set(questions)) == len(questions)
    for move, number in zip(options(formulas), found.moves.tolist(), strict=True):
        assert (number == NONE) == (move.rule not in CAN_LOSE)
        if number != NONE and is_provable(formulas):
            follows = is_provable((questions[number], *hypotheses))
            assert follows == all(map(is_provable, move.premises)) == Oracle().keeps(move)


def test_no_two_atoms_have_one_name_however_many_there_are() -> None:
    hypotheses, _ = told(entail.entail((FALSE, *[Atom(f"p{number}") for number in range(90)])))
    assert len(set(hypotheses)) == 90


@pytest.mark.slow
def test_answers_are_true_and_to_the_questions_in_their_order() -> None:
    oracle, settings = Oracle(), DataSettings(theorems=8, plays=2, eager=1.0, parts=4, astray=0.5)
    met = [questioned(each.labelled, oracle, Random(1), settings.parts) for each in theorems(settings, 0)]
    examples = list(chain.from_iterable(met))
    assert {example.provable for example in examples} == {True, False}
    for example in examples:
        found = entail.entail(example.formulas, example.options, dict(example.answers))
        hypotheses, questions = told(found)
        assert [is_provable((each, *hypotheses)) for each in questions] == found.answers.tolist()
        assert [bool(found.answers[number]) for number in found.moves] == [*example.keeps]
