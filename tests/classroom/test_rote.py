"""The course is played by those who think and by those who do not: what is worth points is thinking.

Players without a thought have a fixed order, or none, for what is offered or can be pointed at. They are as quick as
can be: they look first whether a move applies, so none of their moves is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from random import Random
from typing import Final

import pytest

from curricula.course import World, course
from oasis.classroom.desk.progress import course_exercises, exercises
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import POINTS, Exercise
from oasis.classroom.proving.pointing import moves_at, places
from oasis.classroom.proving.telling import Light
from oasis.teacher.hints import Teacher
from tactics.formula import Formula
from tactics.goal import Move
from tactics.rules import legal_moves

ADVISER: Final = Adviser(60)
FIRST: Final = exercises(course()[0].name)
"""The lemmas of the first world."""
MOST: Final = 200
"""Moves after which a player gives up."""

Player = Callable[[Attempt], None]


@cache
def has_proof(formula: Formula) -> bool:
    """Return True if a formula has a proof."""
    return bool(ADVISER.has_proof(Attempt(formula)))


def claim(attempt: Attempt) -> None:
    """Say that there is no proof."""
    attempt.claim(right=not has_proof(attempt.formula))


def pointed_at(attempt: Attempt, order: str) -> list[Move]:
    """The moves that apply, in the order in which somebody finds them who points."""
    if attempt.proved:
        return []
    *hypotheses, conclusion = places(attempt.state[0])
    there = {
        "down": [*hypotheses, conclusion],
        "up": [conclusion, *reversed(hypotheses)],
        "conclusion first": [conclusion, *hypotheses],
    }[order]
    found = (move for place in there for move in moves_at(attempt.state[0], place, attempt.terms.rules))
    return [move for move in dict.fromkeys(found) if move in legal_moves(attempt.state[0])]


def think(attempt: Attempt) -> None:
    """Play a shortest proof, or say that there is none."""
    if not has_proof(attempt.formula):
        claim(attempt)
    teacher = Teacher()
    while not attempt.is_over:
        attempt.make(teacher.advice(attempt.state[0]).move)


def from_the_list(attempt: Attempt, *, place: int) -> None:
    """Have the moves listed, and take always the one at a place, as 0 for the first."""
    attempt.show_list()
    while offers := attempt.offers():
        attempt.make(offers[place].move)


def by_the_light(attempt: Attempt, *, listed: bool) -> None:
    """Take moves by lot, and each back after which it is dark; if all lead into the dark, say that there is no proof.

    Whether it is dark says the light, or else a first hint.
    """
    random = Random(1)
    if listed:
        attempt.show_list()
    while not attempt.is_over:
        untried = list(legal_moves(attempt.state[0]))
        while untried:
            attempt.make(untried.pop(random.randrange(len(untried))))
            if attempt.proved or not _sees_dark(attempt):
                break
            attempt.undo()
        else:
            claim(attempt)
            return


def _sees_dark(attempt: Attempt) -> bool:
    if not attempt.terms.light:
        if attempt.only_move is not None:
            return False  # a hint would say no more than that
        attempt.take_hint()
    return ADVISER.light(attempt) is Light.DARK


def point(attempt: Attempt, *, order: str, claims: bool = False) -> None:
    """Point at one formula after the other until no move applies, and perhaps say then that there is no proof."""
    while following := pointed_at(attempt, order):
        attempt.make(following[0])
    if claims and not attempt.is_over:
        claim(attempt)


def nested_last(attempt: Attempt, *, order: str, never: bool = False) -> None:
    """Point, use nested last or never, and where nothing is left say that there is no proof."""

    def is_nested(move: Move) -> bool:
        return move.rule == "imply4"

    while following := sorted(pointed_at(attempt, order), key=is_nested):
        if never and is_nested(following[0]):
            break
        attempt.make(following[0])
    if not attempt.is_over:
        claim(attempt)


def one_by_one(attempt: Attempt, *, order: str) -> None:
    """Try everything, and where nothing is left untried take one move back, until there can be no proof."""
    tried: list[list[Move]] = [[]]
    for _ in range(MOST):
        untried = [move for move in pointed_at(attempt, order) if move not in tried[-1]]
        if untried:
            tried[-1].append(untried[0])
            tried.append([])
            attempt.make(untried[0])
        elif attempt.made:
            tried.pop()
            attempt.undo()
        else:
            claim(attempt)
        if attempt.is_over:
            return


def claim_first(attempt: Attempt, *, otherwise: Player) -> None:
    """Say first of everything that it has no proof, and play as another where it has one."""
    claim(attempt)
    if not attempt.is_over:
        otherwise(attempt)


ORDERS: Final = ("down", "up", "conclusion first")
ROTE: Final[dict[str, Player]] = {
    "the first of the list": partial(from_the_list, place=0),
    "the last of the list": partial(from_the_list, place=-1),
    "the list by lot, by the light": partial(by_the_light, listed=True),
    **{f"pointing, {order}": partial(point, order=order) for order in ORDERS},
}
NESTED_LAST: Final[dict[str, Player]] = {f"nested last, {order}": partial(nested_last, order=order) for order in ORDERS}
ALL: Final[dict[str, Player]] = {f"all, {order}": partial(one_by_one, order=order) for order in ORDERS}
STUBBORN: Final[dict[str, Player]] = {
    **{f"pointing, {order}, then no proof": partial(point, order=order, claims=True) for order in ORDERS},
    **ALL,
    **{name: NESTED_LAST[name] for name in ("nested last, down", "nested last, up")},
    "by lot, by the light": partial(by_the_light, listed=False),
    "never nested": partial(nested_last, order="down", never=True),
    **{
        f"no proof, or {name}": partial(claim_first, otherwise=otherwise)
        for name, otherwise in {**ROTE, **NESTED_LAST, **ALL}.items()
        if name in ("pointing, up", "nested last, down", "nested last, up", "all, conclusion first")
    },
}


def share(player: Player, played: Sequence[Exercise]) -> float:
    """How much of the points of some exercises a player gets."""
    points = 0
    for exercise in played:
        attempt = Attempt(exercise.formula, terms=exercise.terms)
        player(attempt)
        points += attempt.points
    return points / POINTS / len(played)


def test_who_thinks_gets_every_point() -> None:
    assert share(think, course_exercises()) == 1


@pytest.mark.parametrize("player", ROTE.values(), ids=ROTE)
def test_who_plays_by_rote_does_not_come_near_who_thinks(player: Player) -> None:
    assert 0 < share(player, FIRST) <= 1 / 2
    assert share(player, course_exercises()) <= 0.7
    assert all(share(player, exercises(world.name)) < 1 for world in course())


@pytest.mark.parametrize("player", STUBBORN.values(), ids=STUBBORN)
def test_who_tries_everything_or_gives_up_gets_little_more(player: Player) -> None:
    assert share(player, FIRST) <= 0.6
    assert share(player, course_exercises()) <= 0.85


@pytest.mark.parametrize("player", NESTED_LAST.values(), ids=NESTED_LAST)
@pytest.mark.parametrize("world", course()[1:], ids=lambda world: world.name)
def test_who_uses_nested_last_and_then_gives_up_loses_something_in_every_world(world: World, player: Player) -> None:
    assert share(player, exercises(world.name)) <= 0.85
