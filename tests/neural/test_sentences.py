"""Goals as sentences: one sentence for all that are the same up to names, from which the goal can be read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve_lemma
from oasis.neural.encoding import sentences
from oasis.neural.encoding.moves import formulas_of, options
from oasis.neural.encoding.nodes import nodes_of
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
from state_spaces.canonical import TooSymmetric
from state_spaces.name import Name
from tactics.formula import FALSE, TRUTH, And, Atom, Formula, Implies, Or
from tactics.goal import Goal, State, initial
from tactics.sequent import parse_state
from tests.state_spaces.variants import disguised, randoms, state_of, states
from tests.strategies import goals

LEAVES = {"False": FALSE, "True": TRUTH}
CONNECTIVES = {"∧": And, "∨": Or, "→": Implies}


def encoding(goal: Goal) -> Sentence:
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
    return LEAVES.get(word) or Atom(word)


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


def test_a_goal_reads_as_it_should() -> None:
    (goal,) = parse_state("H : Q -> False ⊢ Q \\/ True")
    (atom,) = {word for word in words(encoding(goal).tokens) if word.startswith("a")}
    (slot,) = spelled(formulas_of(goal)).slots.values()
    assert words(encoding(goal).tokens) == ["∨", atom, "True", "⊢", "→", atom, "False", WORDS[slot], "?"]
    assert [words(move) for move in encoding(goal).moves] == [["left", "_"], ["right", "_"]]
    (move,) = encoding(parse_state("H : Q -> R, H0 : Q ⊢ False")[0]).moves
    assert words(move)[0] == "imply1" and words(move)[1].startswith("h")


@given(goals())
def test_the_goal_can_be_read_from_its_sentence(goal: Goal) -> None:
    (once,) = state_of([(dict.fromkeys(formula for _, formula in goal.hypotheses), goal.conclusion)])
    assert Name().view((goal_of(words(encoding(goal).tokens)),)).key == Name().view((once,)).key


@given(states(), randoms)
def test_a_goal_in_disguise_is_the_same_sentence(state: State, rng: Random) -> None:
    for goal in state[:1]:
        (other,) = disguised((goal,), rng).state
        assert encoding(goal).tokens.tolist() == encoding(other).tokens.tolist()
        assert sorted(encoding(goal).moves.tolist()) == sorted(encoding(other).moves.tolist())


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


def test_a_goal_that_is_too_long_is_written_as_deep_as_there_is_room() -> None:
    lemma = resolve_lemma("SYN007.14")
    assert lemma.formula.size > 10_000
    tokens = words(encoding(initial(lemma.formula)[0]).tokens)
    assert 100 < len(tokens) <= LONGEST and tokens.count("…") > 10
    wide = state_of([([Atom(f"p{number}") for number in range(LONGEST)], FALSE)])
    assert len(encoding(wide[0]).tokens) == 2 * LONGEST + 3  # nothing is deep in it


def test_who_has_more_hypotheses_than_labels_uses_some_twice() -> None:
    found = spelled((FALSE, *[Atom(f"p{number}") for number in range(LABELS + 1)]))
    assert Counter(Counter(found.slots.values()).values()) == {1: LABELS - 1, 2: 1}
    assert Counter(Counter(words(found.tokens)).values()) == {1: 2 * LABELS + 1, 2: 2}


@given(st.lists(goals(), min_size=1, max_size=6))
def test_a_page_holds_every_sentence_and_each_word_that_begins_a_move_once(several: list[Goal]) -> None:
    encodings = [encoding(goal) for goal in several]
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
