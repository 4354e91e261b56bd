"""Whose moves agree more than chance: simulated classes in which nobody copies, and in which somebody does."""

import random
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from math import exp

import pytest

from curricula import resolve_lemma
from oasis.classroom.register.likeness import Pair, alike, choices_of
from oasis.classroom.register.mistakes import Work
from oasis.classroom.register.register import Register
from oasis.store import KeptEvent, Store
from oasis.teacher.exact.values import Lengths, lengths
from state_spaces import Match
from tactics.formula import Formula, renamed
from tactics.goal import Move, initial
from tactics.printer import COQ
from tactics.rules import RULES, apply, legal_moves
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, local, make, or_comm, sit
from tests.classroom.people import PROOF as OF_OR_COMM

LEMMAS = ("choices/dead_end", "choices/three_doors", "choices/errand", "choices/relay")
SPACE = Match()


@cache
def known(name: str) -> tuple[Formula, Lengths]:
    formula = resolve_lemma(name).formula
    return formula, lengths(formula)


class Habits(defaultdict[object, float]):
    """What the students of one class have in common: how much each move appeals, drawn when it is first met."""

    def __init__(self, chance: random.Random, spread: float) -> None:
        super().__init__(lambda: chance.gauss(0, spread))


def work(chance: random.Random, ability: float, habits: Habits, name: str) -> Work:
    """Return what a student does at a lemma: moves by appeal and ability, and back from where nothing is left."""
    formula, shortest = known(name)
    states, tried, events = [initial(formula)], [set[Move]()], list[KeptEvent]()
    while states[-1] and len(events) < 40:
        goal, worth = states[-1][0], shortest.by_move(states[-1][0])
        left = [move for move in legal_moves(goal) if move not in tried[-1]]
        at = f"2026-06-01T10:{len(events):02}:00+00:00"
        if left:
            best = min((each for each in worth.values() if each), default=None)
            view = SPACE.view((goal,))
            appeal = [exp(habits[view.key, view.slot(move)] + ability * (worth[move] == best)) for move in left]
            (move,) = chance.choices(left, appeal)
            tried[-1].add(move)
            states.append(apply(states[-1], move))
            tried.append(set())
            events.append(KeptEvent(at, "move", str(move)))
        elif len(states) == 1:
            break
        else:
            states.pop()
            tried.pop()
            events.append(KeptEvent(at, "undo", ""))
    return Work(1, formula, tuple(RULES), events, formula)


def works(chance: random.Random, habits: Habits) -> list[tuple[str, Work]]:
    ability = chance.uniform(0, 4)
    return [(name, work(chance, ability, habits, name)) for name in LEMMAS]


def classroom(seed: int, size: int, spread: float = 1.0) -> dict[str, list[tuple[str, Work]]]:
    """Return what the students of a class do; the larger the spread, the more they have in common."""
    chance = random.Random(seed)
    habits = Habits(chance, spread)
    return {f"student {number}": works(chance, habits) for number in range(size)}


def named(done: dict[str, list[tuple[str, Work]]]) -> list[Pair]:
    return alike({name: choices_of(each, SPACE) for name, each in done.items()})


def test_nobody_is_named_where_nobody_copies() -> None:
    assert [seed for seed in range(8) if named(classroom(seed, 8))] == []


def in_other_letters(lemma: str, done: Work) -> tuple[str, Work]:
    """The same moves at the same lemma in other letters."""
    return lemma, done._replace(formula=renamed(done.formula, dict(zip("pqrs", "wxyz", strict=True))))


def with_a_detour(lemma: str, done: Work) -> tuple[str, Work]:
    """The same moves, and once, where there is a choice first, another one that is taken back."""
    state, before = initial(done.formula), 0
    while len(legal_moves(state[0])) == 1:
        (move,) = parse_script(done.events[before].what)
        state, before = apply(state, move), before + 1
    at, _, what = done.events[before]
    other = next(move for move in legal_moves(state[0]) if str(move) != what)
    detour = [KeptEvent(at, "move", str(other)), KeptEvent(at, "undo", "")]
    return lemma, done._replace(events=[*done.events[:before], *detour, *done.events[before:]])


def as_it_is(lemma: str, done: Work) -> tuple[str, Work]:
    return lemma, done


@pytest.mark.parametrize("changed", [as_it_is, in_other_letters, with_a_detour])
def test_who_copies_is_named_with_their_source_and_the_moves_side_by_side(
    changed: Callable[[str, Work], tuple[str, Work]],
) -> None:
    done = classroom(0, 15)
    done["copier"] = [changed(*each) for each in done["student 3"]]
    (pair,) = named(done)
    assert pair.names == ("student 3", "copier")
    assert pair.chance < 0.001
    agreed = [both for both in pair.both if both.agree]
    assert len(agreed) >= len(pair.both) - (len(LEMMAS) if changed is with_a_detour else 0)
    assert all(SPACE.view((both.one.goal,)).key == SPACE.view((both.other.goal,)).key for both in pair.both)
    content = pair.to_json(COQ)
    assert [each["agree"] for each in content["moves"]] == [both.agree for both in pair.both]
    assert f"student 3 and copier chose the same in {len(agreed)} of {len(pair.both)} places" in pair.sentence()


def test_what_all_do_says_nothing_even_if_two_do_the_same_throughout() -> None:
    (only,) = classroom(0, 1).values()
    assert named({str(number): only for number in range(12)}) == []


def test_what_was_told_forced_or_made_before_is_no_choice(store: Store) -> None:
    attempt = sit(local(store, "Ann"), OR_COMM)
    make(attempt, OF_OR_COMM[:2])
    attempt.take_hint()
    make(attempt, OF_OR_COMM[2:4])
    (problem,) = Register(store).problems()
    (found,) = Register(store).works(problem)
    made = choices_of([("or_comm", found)])
    # intro is the only move; destruct_or was chosen; right was told; assumption was chosen among two.
    assert [str(choice.move) for choice in made] == ["destruct_or H"]
    assert choices_of([("or_comm", found), ("again", found)]) == made
    assert made[0].at == found.events[1].at


def test_the_register_compares_whatever_letters_and_names_students_have(store: Store) -> None:
    for name, letters in (("Ann", "pq"), ("Bob", "xy"), ("Eve", "ab")):
        make(sit(local(store, name), or_comm(letters)), OF_OR_COMM)
    assert Register(store).alike(level=0.999) == [], "all three did the same, so nothing is unusual"
