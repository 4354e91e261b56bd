"""What a partner would do from the lemma on, and where two of them part."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from tactics.goal import Move
from tactics.script import Script

LONGEST: Final = 40
"""Steps in a plan."""
DIGITS: Final = 3
"""Of a figure after its point; what differs by less looks the same."""


class Planned(NamedTuple):
    """A step of a plan.

    Attributes:
        action: what is taken to be best: a move of the calculus, or `simplify`.
        moves: what the action comes to.
        worth: what the figure is called that speaks for it, and the figure; None where nothing is known.
    """

    action: Move
    moves: Script
    worth: tuple[str, float | None]

    @property
    def figure(self) -> tuple[str, float | None]:
        """What it is worth, as it is shown."""
        head, figure = self.worth
        return head, None if figure is None else round(figure, DIGITS)


class Difference(NamedTuple):
    """The first place where two plans part.

    Attributes:
        script: the moves that lead there, which both would make.
        of_choice: whether from there one would do something else than the other, or does not know what to do.
        of_value: whether both do the same and take it to be worth something else.
    """

    script: Script
    of_choice: bool
    of_value: bool


def difference(one: Sequence[Planned], other: Sequence[Planned]) -> Difference:
    """The first place where two plans go on differently, else the first where their figures differ, else their end."""
    made: Script = ()
    values_part: Script | None = None
    for here, there in zip_longest(one, other):
        if here is None or there is None or here.action != there.action:
            return Difference(made, of_choice=True, of_value=False)
        if values_part is None and here.figure != there.figure:
            values_part = made
        made += here.moves
    return Difference(made if values_part is None else values_part, False, values_part is not None)
