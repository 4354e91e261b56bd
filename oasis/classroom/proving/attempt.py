"""A proof in the making: moves made, taken back and made again, and the help that was taken on the way.

Everything a student does is an event, and the events in their order make the same attempt again. The rules are known
here; how an attempt is shown and kept, and what would be good to do, are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from oasis.classroom.proving.exercise import Terms
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, Hypothesis, Move, State
from tactics.rules import IllegalMove, apply, legal_moves, premises
from tactics.script import Script, parse_script, replay, show_script


class Event(NamedTuple):
    """Something that a student did.

    Attributes:
        kind: `move`, `undo`, `redo`, `jump`, `hint`, `refused` (a move that does not apply), `claim` (that there is no
            proof), `given` (moves taken over from somebody else) or `asked` (what the agent makes of the state).
        what: the move, the step to go to, the level of the hint, `right` or `wrong`, or the script; else empty.
    """

    kind: str
    what: str = ""


class Offer(NamedTuple):
    """A move that applies, and the goals that it leaves of the one in focus."""

    move: Move
    leaves: tuple[Goal, ...]


def added(before: Goal, after: Goal) -> list[Hypothesis]:
    """The hypotheses that a goal left by a move has and the one before the move has not."""
    return [hypothesis for hypothesis in after.hypotheses if hypothesis not in before.hypotheses]


class HintTaken(NamedTuple):
    """A hint that was asked for: in which state, after how many moves, and how much it said."""

    state: State
    step: int
    level: int


class NotAllowed(InputError):
    """A rule that the terms of the exercise leave out, or a hint that they do not give."""


@dataclass
class Attempt:
    """One attempt at a lemma.

    Attributes:
        formula: of the lemma.
        made: the moves that count.
        undone: moves taken back, the one to make again first last.
        hints: all that were taken, also before moves that were taken back.
        terms: how it is to be done.
        given: how many moves were taken over from somebody else, all in all.
        wrong_claims: how often it was said that there is no proof although there is.
        refuted: whether it was said, rightly, that there is no proof.
        record: told of every event when it has happened.
    """

    formula: Formula
    made: list[Move] = field(default_factory=list)
    undone: list[Move] = field(default_factory=list)
    hints: list[HintTaken] = field(default_factory=list)
    terms: Terms = field(default_factory=Terms)
    given: int = 0
    wrong_claims: int = 0
    refuted: bool = False
    record: Callable[[Event], None] = field(default=lambda _: None, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.states: list[State] = replay(self.formula, self.made)

    @property
    def state(self) -> State:
        """Where the attempt stands."""
        return self.states[-1]

    @property
    def script(self) -> Script:
        """The moves that count."""
        return tuple(self.made)

    @property
    def proved(self) -> bool:
        """Whether no goal is left."""
        return not self.state

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to do: the lemma is proved, or rightly said to have no proof."""
        return self.proved or self.refuted

    @property
    def helped(self) -> int:
        """How much help was taken: hints (the same one again is none), wrong claims and moves of others."""
        return len({(hint.state, hint.level) for hint in self.hints}) + self.wrong_claims + self.given

    @property
    def points(self) -> int:
        """What the attempt is worth: 0 until it is over."""
        return self.terms.points(self.helped) if self.is_over else 0

    def copy(self) -> Attempt:
        """The same attempt, of which nothing is recorded."""
        return Attempt(
            self.formula,
            list(self.made),
            list(self.undone),
            list(self.hints),
            self.terms,
            self.given,
            self.wrong_claims,
            self.refuted,
        )

    def offers(self) -> tuple[Offer, ...]:
        """The moves that apply and are allowed, as the calculus orders them; none once the lemma is proved."""
        if self.proved:
            return ()
        focused = self.state[0]
        allowed = [move for move in legal_moves(focused) if move.rule in self.terms.rules]
        return tuple(Offer(move, premises(focused, move)) for move in allowed)

    def make(self, move: Move) -> State:
        """Make a move. Raises IllegalMove or NotAllowed, and then nothing is changed but what is recorded.

        What was taken back can no longer be made again, unless it is this move that was.
        """
        if move.rule not in self.terms.rules:
            raise NotAllowed(f"{move.rule} is not allowed here; the tactics are {', '.join(self.terms.rules)}.")
        try:
            after = apply(self.state, move)
        except IllegalMove:
            self.record(Event("refused", str(move)))
            raise
        self._put(move, after)
        self.record(Event("move", str(move)))
        return after

    def undo(self) -> Move:
        """Take back the last move. Raises InputError if there is none."""
        move = self._take_back()
        self.record(Event("undo"))
        return move

    def redo(self) -> Move:
        """Make the move again that was taken back last. Raises InputError if there is none."""
        move = self._put_back()
        self.record(Event("redo"))
        return move

    def jump(self, step: int) -> None:
        """To the state after so many moves, back or forth. Raises InputError where the attempt never was."""
        if step != len(self.made):
            self._go_to(step)
            self.record(Event("jump", str(step)))

    def take_hint(self) -> int:
        """The level of the next hint in this state, one more than the last; it is written down. Raises NotAllowed.

        The last one may be had again and again, which is not written down.
        """
        if self.terms.hints < self.terms.first_hint:
            raise NotAllowed("There are no hints in this exercise.")
        taken = [hint.level for hint in self.hints if hint.state == self.state]
        if self.terms.hints in taken:
            return self.terms.hints
        level = max(taken, default=self.terms.first_hint - 1) + 1
        self._note_hint(level)
        self.record(Event("hint", str(level)))
        return level

    def claim(self, *, right: bool) -> None:
        """It was said that the lemma has no proof; somebody who knows says whether that is right."""
        self._note_claim(right)
        self.record(Event("claim", "right" if right else "wrong"))

    def take_over(self, script: Script) -> None:
        """Stand where somebody else's moves from the beginning lead; what was made in common stays one's own.

        Raises InputError if one does not apply or is not allowed, and then nothing is changed.
        """
        for move in script:
            if move.rule not in self.terms.rules:
                raise NotAllowed(f"{move.rule} is not allowed here, so these moves cannot be taken over.")
        self._take_over(script)
        self.record(Event("given", show_script(script)))

    def ask_agent(self) -> None:
        """It was asked what the agent makes of this state; that costs nothing, and is written down."""
        self.record(Event("asked"))

    def happen(self, events: Iterable[Event]) -> None:
        """Let events happen that were recorded before; they are not recorded again. Raises InputError."""
        for kind, what in events:
            match kind:
                case "move":
                    (move,) = parse_script(what)
                    self._put(move, apply(self.state, move))
                case "undo":
                    self._take_back()
                case "redo":
                    self._put_back()
                case "jump":
                    self._go_to(int(what))
                case "hint":
                    self._note_hint(int(what))
                case "claim":
                    self._note_claim(what == "right")
                case "given":
                    self._take_over(parse_script(what))
                case "refused" | "asked":
                    pass
                case _:
                    raise InputError(f"{kind!r} is nothing that happens in an attempt.")

    def _put(self, move: Move, after: State) -> None:
        if self.undone and self.undone[-1] == move:
            self.undone.pop()
        else:
            self.undone.clear()
        self.made.append(move)
        self.states.append(after)

    def _take_back(self) -> Move:
        if not self.made:
            raise InputError("There is no move to take back; make one first.")
        self.states.pop()
        self.undone.append(self.made.pop())
        return self.undone[-1]

    def _put_back(self) -> Move:
        if not self.undone:
            raise InputError("There is no move to make again; undo takes one back.")
        move = self.undone[-1]
        self._put(move, apply(self.state, move))
        return move

    def _go_to(self, step: int) -> None:
        last = len(self.made) + len(self.undone)
        if not 0 <= step <= last:
            raise InputError(f"There is no step {step}; choose one from 0, the beginning, to {last}.")
        while len(self.made) > step:
            self._take_back()
        while len(self.made) < step:
            self._put_back()

    def _note_hint(self, level: int) -> None:
        self.hints.append(HintTaken(self.state, len(self.made), level))

    def _note_claim(self, right: bool) -> None:
        self.refuted = self.refuted or right
        self.wrong_claims += not right

    def _take_over(self, script: Script) -> None:
        states = replay(self.formula, script)
        common = 0
        while common < min(len(script), len(self.made)) and script[common] == self.made[common]:
            common += 1
        self.given += len(script) - common
        self.made, self.states, self.undone = list(script), states, []
