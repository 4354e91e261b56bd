"""What a partner says of a state: voices, each with a sentence and figures for the moves, and who of them would move.

Plain values that can be sent elsewhere; how they are worked out is the partner's own business.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from oasis.classroom.partner.beliefs import Beliefs
from oasis.play.solving import Cost
from tactics.formula import Formula
from tactics.goal import Move
from tactics.rules import spoken

if TYPE_CHECKING:
    from oasis.teacher.arguments import Checked


class Kind(Enum):
    """What a figure is: a value, a number of times, a share of 1, or moves in a proof, of which there may be none."""

    VALUE = "value"
    COUNT = "count"
    SHARE = "share"
    MOVES = "moves"


class Column(NamedTuple):
    """A figure for each move.

    Attributes:
        head: a word that stands over it.
        kind: what the figures are; of moves in a proof, infinity says that there is no proof.
        figures: for each move of the opinion, in its order; None where nothing is known.
    """

    head: str
    kind: Kind
    figures: tuple[float | None, ...]

    def rank(self, place: int) -> tuple[int, float]:
        """What is the less the better a move is; what is not known is better than that there is no proof."""
        figure = self.figures[place]
        if figure is None:
            return 1, 0.0
        return (2 if figure == inf else 0), (figure if self.kind is Kind.MOVES else -figure)


class Voice(NamedTuple):
    """What somebody says of a state.

    Attributes:
        name: whose voice it is, in a word.
        sentence: what is said of the state as a whole.
        columns: what is said of its moves.
        choice: the move that is taken to be best; None where there is none, or where lots would have to be drawn.
        is_sure: whether what is said is more than a guess about something new.
    """

    name: str
    sentence: str
    columns: tuple[Column, ...] = ()
    choice: Move | None = None
    is_sure: bool = True

    def worth(self, place: int) -> tuple[str, float | None]:
        """The first figure of a move, by its place among the moves, and what it is called."""
        head, _, figures = self.columns[0]
        return head, figures[place]


class Opinion(NamedTuple):
    """What a partner says of a state.

    Attributes:
        moves: what can be done there, in the order in which it is offered; none if the state is proved or stuck.
        voices: of everybody in the partner who has one.
        mover: the name of the voice that would move; empty where there is no move.
    """

    moves: tuple[Move, ...]
    voices: tuple[Voice, ...]
    mover: str

    @property
    def choice(self) -> Move | None:
        """What the voice that would move takes to be best."""
        return next((voice.choice for voice in self.voices if voice.name == self.mover), None)

    def ranked(self) -> list[int]:
        """The places of its moves, best first: by what the voice that would move says, then by what the others say.

        Moves of which all say the same stand in the order of their names, which says nothing.
        """
        voices = sorted(self.voices, key=lambda voice: voice.name != self.mover)
        columns = [column for voice in voices for column in voice.columns if column.kind is not Kind.COUNT]

        def rank(place: int) -> tuple[object, ...]:
            ranks = [column.rank(place) for column in columns]
            return (self.moves[place] != self.choice, *ranks, str(self.moves[place]))

        return sorted(range(len(self.moves)), key=rank)


class Reason(NamedTuple):
    """Why a partner would make a move.

    Attributes:
        voice: the name of the voice that would move; empty where there is no move.
        move: what it would do; None if it would draw lots, or has nothing to do.
        sentences: why, in words.
        parts: the formulas that it looked at, and how much, in [0, 1], the most first; empty if it does not tell.
        claims: about what can be proved, each checked by the calculus; empty if it makes none.
    """

    voice: str
    move: Move | None
    sentences: tuple[str, ...]
    parts: tuple[tuple[Formula, float], ...] = ()
    claims: tuple[Checked, ...] = ()


NOTHING_TO_CHOOSE: Final = Reason("", None, ("There is nothing to choose here.",))
"""Of a state without moves."""


class Share(NamedTuple):
    """What one voice did so far.

    Attributes:
        name: of the voice.
        moves: that it made.
        cost: of finding out what it said.
    """

    name: str
    moves: int
    cost: Cost


class Weights:
    """Formulas and how much each of them counts, added up."""

    def __init__(self) -> None:
        self._of: dict[Formula, float] = {}

    def add(self, formula: Formula, weight: float = 1.0) -> Self:
        """Let a formula count so much more."""
        self._of[formula] = self._of.get(formula, 0.0) + weight
        return self

    def parts(self, most: int) -> tuple[tuple[Formula, float], ...]:
        """As many formulas as wanted that count most, with their shares of all."""
        total = sum(self._of.values())
        first = sorted(self._of.items(), key=lambda each: -each[1])[:most]
        return tuple((formula, weight / total) for formula, weight in first if weight > 0)


def in_moves(number: int) -> str:
    """So many moves, in words."""
    return "one move" if number == 1 else f"{number:,} moves"


def column(head: str, kind: Kind, moves: tuple[Move, ...], figures: Mapping[Move, float | None]) -> Column:
    """The figures of some moves in their order; nothing is known of a move without one."""
    return Column(head, kind, tuple(figures.get(move) for move in moves))


def of_table(beliefs: Beliefs, name: str, *, brief: bool = False) -> Voice:
    """What a table says of a state that it has these beliefs about; in brief its values alone, and few words."""
    actions = beliefs.actions
    columns = [Column("Q", Kind.VALUE, tuple(each.value for each in actions))]
    if not brief:
        columns.append(Column("tried", Kind.COUNT, tuple(each.visits for each in actions)))
        columns.append(Column("takes", Kind.SHARE, tuple(each.share for each in actions)))
    ties = sum(each.is_greedy for each in actions)
    if not beliefs.met:
        sentence = "New here: draws lots." if brief else "It is new here: it draws lots."
    elif beliefs.choice is not None:
        best = spoken(beliefs.choice)
        sentence = f"Takes {best}." if brief else f"It takes {best} to be best."
    else:
        sentence = f"Draws lots between {ties}." if brief else f"It draws lots between {ties} of these."
    return Voice(name, sentence, tuple(columns), beliefs.choice, beliefs.met)


def why_by_table(beliefs: Beliefs, name: str) -> Reason:
    """Why a table would make its move: its values, and how often they were learned; it knows whole states only."""
    if not beliefs.actions:
        return NOTHING_TO_CHOOSE
    if not beliefs.met:
        return Reason(name, None, ("It has never been in this state, so all moves are the same to it.",))
    ranked = sorted(beliefs.actions, key=lambda each: -each.value)
    best = ranked[0]
    said = [f"Q of {spoken(best.move)} is {best.value:.3f}, learned in {best.visits:,} updates, and none is larger."]
    if len(ranked) > 1:
        said.append(f"Next comes {spoken(ranked[1].move)} with {ranked[1].value:.3f}, in {ranked[1].visits:,} updates.")
    said.append("It looks the state up as a whole and weighs no part of it.")
    return Reason(name, beliefs.choice, tuple(said))
