"""The goals that plays of a theorem reach, and whether they are provable: what those who judge goals are examined on.

A play that never errs meets provable goals alone. So beside a policy's own plays there belong plays of random legal
moves, which lose theorems and go on with what is left. No torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from oasis.ground.limits import Limit, LimitReached
from oasis.neural.encoding.moves import formulas_of
from oasis.play.committed import Choosing, committed
from oasis.play.policy import Uniform
from oasis.teacher.deciding.sequents import Sequents
from tactics.formula import Formula
from tactics.goal import Goal
from tactics.script import Script, replay

SECONDS: Final = 10.0
"""For the oracle to decide some goals, such as those of a theorem, unless told otherwise."""


def random_plays(theorems: Iterable[Formula], seed: int, max_moves: int) -> Iterator[Script]:
    """A play of each theorem in which every legal move is as likely as any other, to its end or so many moves."""
    for play in committed(Uniform(), theorems, Choosing(invertible="free"), seed=seed, max_moves=max_moves):
        yield play.script


def reached(theorem: Formula, plays: Iterable[Script]) -> list[Goal]:
    """The goals that came into focus in some plays of a theorem, each once whatever its hypotheses are called."""
    found: dict[object, Goal] = {}
    for play in plays:
        for state in replay(theorem, play):
            if state:
                conclusion, *hypotheses = formulas_of(state[0])
                found.setdefault((conclusion, frozenset(hypotheses)), state[0])
    return list(found.values())


def labelled(goals: Sequence[Goal], seconds: float = SECONDS) -> list[tuple[Goal, bool]]:
    """Goals with whether they are provable; the last ones are missing if not all can be decided in so many seconds."""
    sequents = Sequents(Limit(seconds))
    known: list[tuple[Goal, bool]] = []
    try:
        for goal in goals:
            known.append((goal, sequents.decide([formula for _, formula in goal.hypotheses], goal.conclusion)))
    except LimitReached:
        pass
    return known
