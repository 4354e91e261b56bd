"""The states of a session: each a place in a proof, reached from its lemma by moves, and never changed.

A state's id says nothing of what it holds: it is the number of states before it. The same move from the same state
leads to the same state again, so who asks twice gets one answer and spends nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple, Self

from curricula import Lemma, named_lemma, named_level
from curricula.place import SourceError
from curricula.sheet import read_typed
from oasis.api.errors import Code, Refused
from oasis.api.kinds import brief
from oasis.api.limits import Limits
from oasis.api.room import Room
from tactics.errors import InputError
from tactics.formula import is_name
from tactics.goal import Goal, Move, State, initial
from tactics.json_form import move_from_json
from tactics.parser import FormulaSyntaxError
from tactics.rules import IllegalMove, premises
from tactics.script import Script, parse_script


@dataclass(frozen=True, eq=False)
class Position:
    """A state of a session.

    Attributes:
        id: its name in the session.
        lemma: where it comes from.
        goals: what is left to prove.
        parent: the state before, None at the lemma.
        move: that led here from there.
        length: moves from the lemma.
        proof_size: nodes of all goals of the proof so far together.
    """

    id: str
    lemma: Lemma
    goals: State
    parent: Position | None
    move: Move | None
    length: int
    proof_size: int

    @property
    def way(self) -> list[Position]:
        """The states from the lemma to this one."""
        return list(reversed(list(self._back())))

    @property
    def told(self) -> Way:
        """The way from the lemma to this state, for another process."""
        return Way(self.lemma, tuple((at.id, at.goals, at.move, at.length, at.proof_size) for at in self.way))

    @property
    def script(self) -> Script:
        """The moves from the lemma to this state."""
        return tuple(state.move for state in self.way if state.move is not None)

    def _back(self) -> Iterator[Position]:
        state: Position | None = self
        while state is not None:
            yield state
            state = state.parent


class Way(NamedTuple):
    """How a state was reached, without what else its session has, as another process may take it.

    Attributes:
        lemma: where it comes from.
        places: of each state on the way `id`, `goals`, `move`, `length` and `proof_size`.
    """

    lemma: Lemma
    places: tuple[tuple[str, State, Move | None, int, int], ...]


@dataclass(eq=False)
class States:
    """All states of a session.

    Attributes:
        limits: on their number and size.
        room: that a server's sessions share; None for as much as there is.
        by_id: every state.
        taken: bytes that they take, about.
        beyond: bytes of the room that this session may take besides its share.
    """

    limits: Limits
    room: Room | None = None
    by_id: dict[str, Position] = field(default_factory=dict)
    taken: int = 0
    beyond: int = 0
    _lemmas: dict[str, Position] = field(default_factory=dict)
    _after: dict[tuple[str, Move], Position] = field(default_factory=dict)

    @classmethod
    def on(cls, way: Way, limits: Limits) -> Self:
        """The states of a way alone."""
        states, parent = cls(limits), None
        for place, goals, move, length, proof_size in way.places:
            parent = Position(place, way.lemma, goals, parent, move, length, proof_size)
            states.by_id[place] = parent
        return states

    def get(self, state_id: str) -> Position:
        """The state of an id. Raises Refused."""
        if state_id not in self.by_id:
            there = "none yet; start with a lemma" if not self.by_id else f"s0 to s{len(self.by_id) - 1}"
            raise Refused(Code.UNKNOWN_STATE, f"There is no state {brief(state_id)} in this session; there is {there}.")
        return self.by_id[state_id]

    def start(self, text: str) -> Position:
        """The state in which the proof of a lemma begins that is told as text. Raises Refused."""
        return self.begin(read_lemma(text, self.limits.level))

    def begin(self, lemma: Lemma) -> Position:
        """The state in which the proof of a lemma begins. Raises Refused."""
        key = f"{lemma.name}\0{lemma.formula.digest.hex()}"
        if key not in self._lemmas:
            goals = initial(lemma.formula)
            size = self._checked(goals, 0, lemma)
            self._lemmas[key] = self._kept(Position(self._next(), lemma, goals, None, None, 0, size))
        return self._lemmas[key]

    def after(self, state: Position, move: Move) -> Position:
        """The state after a move. Raises Refused for one that does not apply."""
        key = state.id, move
        known = self._after.get(key)
        if known is None:
            goals, size = self._left(state, move)
            known = Position(self._next(), state.lemma, goals, state, move, state.length + 1, size)
            self._after[key] = self._kept(known)
        return known

    def tried(self, state: Position, move: Move) -> Position:
        """The state after a move, which the session does not keep, so that its id is empty unless it has it already."""
        known = self._after.get((state.id, move))
        if known is not None:
            return known
        goals, size = self._left(state, move)
        return Position("", state.lemma, goals, state, move, state.length + 1, size)

    def _left(self, state: Position, move: Move) -> tuple[State, int]:
        """The goals after a move, and the size of the proof then. Raises Refused for a move that does not apply."""
        if not state.goals:
            raise Refused(Code.ILLEGAL_MOVE, f"{move}: nothing is left to prove; leave this move out.")
        try:
            left = premises(state.goals[0], move)
        except IllegalMove as error:
            raise Refused(Code.ILLEGAL_MOVE, str(error)) from None
        return left + state.goals[1:], self._checked(left, state.proof_size, move)

    def _kept(self, kept: Position) -> Position:
        taken = self.taken + _bytes(kept)
        if self.room is not None:
            self.room.take(self, taken)
        self.taken = taken
        self.by_id[kept.id] = kept
        return kept

    def _next(self) -> str:
        if len(self.by_id) >= self.limits.states:
            raise Refused(
                Code.TOO_MANY_STATES,
                f"This session has {len(self.by_id):,} states and no room for more; go on in another session.",
            )
        return f"s{len(self.by_id)}"

    def _checked(self, goals: State, before: int, reason: Lemma | Move) -> int:
        """The size of a proof with some more goals. Raises Refused for goals or a proof that are too large."""
        size = sum(map(_size, goals))
        if size <= self.limits.size and before + size <= self.limits.proof_size:
            return before + size
        what = f"What {reason} leads to" if isinstance(reason, Move) else f"The lemma {brief(reason.name)}"
        if size > self.limits.size:
            message = f"{what} has more than {self.limits.size:,} nodes written out, too many to work with here."
        else:
            message = f"{what} makes the proof larger than {self.limits.proof_size:,} nodes; look for a shorter way."
        raise Refused(Code.TOO_LARGE, message)


def _bytes(state: Position) -> int:
    """About how many bytes a state takes besides the one before it: rather too many, of 540 to 1,800 measured."""
    if state.parent is None:
        return 1_000 + 400 * state.lemma.formula.size
    met = state.goals[: len(state.goals) - len(state.parent.goals) + 1]
    return 1_000 + 40 * sum(len(goal.hypotheses) for goal in met) + 8 * len(state.goals)


def _size(goal: Goal) -> int:
    """Nodes of a goal written out, and one for each hypothesis."""
    return goal.conclusion.size + sum(1 + formula.size for _, formula in goal.hypotheses)


def read_lemma(text: str, most: int) -> Lemma:
    """The lemma of a catalogue that has this name, or that a formula is; files are never read. Raises Refused.

    Args:
        text: a name, or a formula in any notation.
        most: the largest level of a family; those of some take minutes to be made at levels that they have.
    """
    level = named_level(text)
    if level is not None and level > most:
        raise Refused(Code.TOO_LARGE, f"{brief(text.strip())} is too large; choose a level from 1 to {most}.")
    try:
        named = named_lemma(text)
        if named is not None:
            return named
        if is_name(text.strip()) or not text.strip():
            raise Refused(
                Code.BAD_LEMMA,
                f"There is no lemma called {brief(text.strip())}; send a name such as textbook/and_comm or SYJ203.3, "
                "or a formula such as A -> A.",
            )
        return read_typed(text).lemma(text)
    except (FormulaSyntaxError, SourceError) as error:
        raise Refused(Code.BAD_LEMMA, f"{str(error).partition(chr(10))[0]}.") from None
    except InputError as error:
        raise Refused(Code.BAD_LEMMA, str(error)) from None


_read: Final = lru_cache(1_000)(parse_script)  # of which there are few


def read_tactic(tactic: Any) -> Move:
    """The move that a text such as `imply1 H`, or an object in the one JSON form, stands for. Raises Refused."""
    try:
        if not isinstance(tactic, str):
            return move_from_json(tactic)
        moves = _read(tactic)
    except InputError as error:
        raise Refused(Code.BAD_TACTIC, str(error).removeprefix("Step 1: ")) from None
    if len(moves) != 1:
        raise Refused(
            Code.BAD_TACTIC, f"A tactic is one move, and {brief(tactic)} has {len(moves)}; send each by itself."
        )
    return moves[0]
