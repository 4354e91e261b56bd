"""The course is played by those who think and by those who do not: what is worth points is thinking.

Players without a thought have a fixed order, or none, for what is offered or can be pointed at. They are as quick as
can be: they look first whether a move applies, so none of their moves is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Protocol

import pytest

from curricula.course import World, course
from oasis.classroom.desk.progress import course_exercises, exercises
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import POINTS, Exercise
from oasis.classroom.proving.pointing import moves_at, places
from oasis.classroom.proving.telling import Light
from oasis.teacher.hints import Teacher
from tactics.goal import Move
from tactics.rules import legal_moves

ADVISER = Adviser(60)
FIRST = exercises(course()[0].name)
"""The lemmas of the first world."""
MOST = 200
"""Moves after which a player gives up."""


class Player(Protocol):
    """Somebody who plays."""

    def play(self, attempt: Attempt) -> None:
        """Do in an attempt whatever they do."""


class Thinker:
    """Plays a shortest proof, or says that there is none."""

    def play(self, attempt: Attempt) -> None:
        """Do it without a hint and without a slip."""
        if not _has_proof(attempt):
            attempt.claim(right=True)
        teacher = Teacher()
        while not attempt.is_over:
            attempt.make(teacher.advice(attempt.state[0]).move)


class FromTheList:
    """Has the moves listed and takes always the one at a place, as 0 for the first."""

    def __init__(self, place: int) -> None:
        self._place = place

    def play(self, attempt: Attempt) -> None:
        """Go on until it is done or no move applies."""
        attempt.show_list()
        while offers := attempt.offers():
            attempt.make(offers[self._place].move)


class AtRandomByTheLight:
    """Takes moves by lot and takes each back after which it is dark, which the light says, or a first hint."""

    def __init__(self, seed: int, *, listed: bool) -> None:
        self._seed, self._listed = seed, listed

    def play(self, attempt: Attempt) -> None:
        """Go on until it is done; where all moves lead into the dark, say that there is no proof."""
        random = Random(self._seed)
        if self._listed:
            attempt.show_list()
        while not attempt.is_over:
            untried = list(legal_moves(attempt.state[0]))
            while untried:
                attempt.make(untried.pop(random.randrange(len(untried))))
                if attempt.proved or not self._sees_dark(attempt):
                    break
                attempt.undo()
            else:
                _claim(attempt)
                return

    def _sees_dark(self, attempt: Attempt) -> bool:
        if not attempt.terms.light:
            if attempt.only_move is not None:
                return False  # a hint would say no more than that
            attempt.take_hint()
        return ADVISER.light(attempt) is Light.DARK


class Pointing:
    """Points at one formula after the other, in a fixed order, until a move applies."""

    def __init__(self, order: str, *, claims: bool = False) -> None:
        self._order, self._claims = order, claims

    def play(self, attempt: Attempt) -> None:
        """Go on until it is done or no move applies, and perhaps say then that there is no proof."""
        while following := _pointed_at(attempt, self._order):
            attempt.make(following[0])
        if self._claims and not attempt.is_over:
            _claim(attempt)


class NestedLast:
    """Points in a fixed order, uses nested last or never, and where nothing is left says that there is no proof."""

    def __init__(self, order: str, *, never: bool = False) -> None:
        self._order, self._never = order, never

    def play(self, attempt: Attempt) -> None:
        """Go on until it is done or nothing is left that is ever done."""
        while following := sorted(_pointed_at(attempt, self._order), key=_is_nested):
            if self._never and _is_nested(following[0]):
                break
            attempt.make(following[0])
        if not attempt.is_over:
            _claim(attempt)


class ClaimsFirst:
    """Says first of everything that it has no proof, and plays as another where it has one."""

    def __init__(self, otherwise: Player) -> None:
        self._otherwise = otherwise

    def play(self, attempt: Attempt) -> None:
        """Claim, and go on if that was wrong."""
        _claim(attempt)
        if not attempt.is_over:
            self._otherwise.play(attempt)


class OneByOne:
    """Tries everything: points in a fixed order, and where nothing is left untried takes one move back."""

    def __init__(self, order: str) -> None:
        self._order = order

    def play(self, attempt: Attempt) -> None:
        """Go on until it is done, or until everything is tried and there can be no proof."""
        tried: list[list[Move]] = [[]]
        for _ in range(MOST):
            untried = [move for move in _pointed_at(attempt, self._order) if move not in tried[-1]]
            if untried:
                tried[-1].append(untried[0])
                tried.append([])
                attempt.make(untried[0])
            elif attempt.made:
                tried.pop()
                attempt.undo()
            else:
                _claim(attempt)
            if attempt.is_over:
                return


def _is_nested(move: Move) -> bool:
    return move.rule == "imply4"


def _pointed_at(attempt: Attempt, order: str) -> list[Move]:
    """The moves that apply, in the order in which somebody finds them who points."""
    if attempt.proved:
        return []
    goal = attempt.state[0]
    *hypotheses, conclusion = places(goal)
    there = {
        "down": [*hypotheses, conclusion],
        "up": [conclusion, *reversed(hypotheses)],
        "conclusion first": [conclusion, *hypotheses],
    }[order]
    found = (move for place in there for move in moves_at(goal, place, attempt.terms.rules))
    return [move for move in dict.fromkeys(found) if move in legal_moves(goal)]


@cache
def _provable(exercise: Exercise) -> bool:
    return bool(ADVISER.has_proof(Attempt(exercise.formula)))


def _has_proof(attempt: Attempt) -> bool:
    return _provable(Exercise("", attempt.formula))


def _claim(attempt: Attempt) -> None:
    attempt.claim(right=not _has_proof(attempt))


def share(player: Player, played: Sequence[Exercise]) -> float:
    """How much of the points of some exercises a player gets."""
    points = 0
    for exercise in played:
        attempt = Attempt(exercise.formula, terms=exercise.terms)
        player.play(attempt)
        points += attempt.points
    return points / POINTS / len(played)


ROTE: dict[str, Player] = {
    "the first of the list": FromTheList(0),
    "the last of the list": FromTheList(-1),
    "the list by lot, by the light": AtRandomByTheLight(1, listed=True),
    "from top to bottom": Pointing("down"),
    "from bottom to top": Pointing("up"),
    "the conclusion first": Pointing("conclusion first"),
}
STUBBORN: dict[str, Player] = {
    "from top to bottom, then no proof": Pointing("down", claims=True),
    "from bottom to top, then no proof": Pointing("up", claims=True),
    "the conclusion first, then no proof": Pointing("conclusion first", claims=True),
    "by lot, by the light": AtRandomByTheLight(1, listed=False),
    "all from top to bottom": OneByOne("down"),
    "all from bottom to top": OneByOne("up"),
    "all, the conclusion first": OneByOne("conclusion first"),
    "never nested": NestedLast("down", never=True),
    "nested last, from top to bottom": NestedLast("down"),
    "nested last, from bottom to top": NestedLast("up"),
    "no proof, or from bottom to top": ClaimsFirst(Pointing("up")),
    "no proof, or nested last, from top to bottom": ClaimsFirst(NestedLast("down")),
    "no proof, or nested last, from bottom to top": ClaimsFirst(NestedLast("up")),
    "no proof, or all, the conclusion first": ClaimsFirst(OneByOne("conclusion first")),
}


NESTED_LAST = {order: NestedLast(order) for order in ("down", "up", "conclusion first")}


def test_who_thinks_gets_every_point() -> None:
    assert share(Thinker(), course_exercises()) == 1


@pytest.mark.parametrize("player", ROTE.values(), ids=ROTE)
def test_who_plays_by_rote_gets_at_most_half_of_the_first_world(player: Player) -> None:
    assert 0 < share(player, FIRST) <= 1 / 2


@pytest.mark.parametrize("player", STUBBORN.values(), ids=STUBBORN)
def test_who_tries_everything_or_gives_up_gets_little_more(player: Player) -> None:
    assert share(player, FIRST) <= 0.6


@pytest.mark.parametrize("player", NESTED_LAST.values(), ids=NESTED_LAST)
@pytest.mark.parametrize("world", course()[1:], ids=lambda world: world.name)
def test_who_uses_nested_last_and_then_gives_up_loses_something_in_every_world(world: World, player: Player) -> None:
    assert share(player, exercises(world.name)) <= 0.85


@pytest.mark.parametrize("player", ROTE.values(), ids=ROTE)
def test_nobody_who_plays_by_rote_comes_near_one_who_thinks(player: Player) -> None:
    assert share(player, course_exercises()) <= 0.7


def test_in_each_world_of_the_course_the_list_and_every_fixed_order_lose_something() -> None:
    for world in course():
        assert max(share(player, exercises(world.name)) for player in ROTE.values()) < 1


@pytest.mark.parametrize("player", STUBBORN.values(), ids=STUBBORN)
def test_who_tries_everything_or_gives_up_does_not_come_near_who_thinks_either(player: Player) -> None:
    assert share(player, course_exercises()) <= 0.85
