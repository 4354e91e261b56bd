"""A proof in the making: moves made, taken back and made again, and the help that was taken on the way.

Everything a student does gives an event, and the events in their order make the same attempt again. The rules are known
here; how an attempt is shown and kept, and what would be good to do, are not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from oasis.classroom.proving.events import Event, HintTaken, NotAllowed, Refused
from oasis.classroom.proving.exercise import CLAIM_COST, Terms
from oasis.classroom.proving.pointing import SIDES, in_no_order
from oasis.teacher.hints import LEVELS
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, Hypothesis, Move, State
from tactics.rules import IllegalMove, Misnamed, apply, legal_moves, premises, spoken
from tactics.script import Script, parse_script, replay, show_script


class Offer(NamedTuple):
    """A move that applies, and the goals that it leaves of the one in focus."""

    move: Move
    leaves: tuple[Goal, ...]


def added(before: Goal, after: Goal) -> list[Hypothesis]:
    """The hypotheses that a goal left by a move has and the one before the move has not."""
    return [hypothesis for hypothesis in after.hypotheses if hypothesis not in before.hypotheses]


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
        listed: whether the list of moves was asked for.
        refused: the moves that did not apply, each with the state that it was tried in.
        turns: how often moves were taken back and others made instead, unless a hint had been help there or had told
            of those moves, the only ones that applied.
        is_advised: whether the moves taken back were taken back from where a hint had been help.
    """

    formula: Formula
    made: list[Move] = field(default_factory=list)
    undone: list[Move] = field(default_factory=list)
    hints: list[HintTaken] = field(default_factory=list)
    terms: Terms = field(default_factory=Terms)
    given: int = 0
    wrong_claims: int = 0
    refuted: bool = False
    listed: bool = False
    refused: set[tuple[State, str]] = field(default_factory=set)
    turns: int = 0
    is_advised: bool = False

    def __post_init__(self) -> None:
        self.states: list[State] = replay(self.formula, self.made)
        self._told = {(hint.state, hint.level) for hint in self.hints}
        self._help = {told for told in self._told if not self._is_free(told[0])}

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
        """How much help was taken: hints, moves of others, and wrong claims, which count as several hints."""
        return self.hints_counted + CLAIM_COST * self.wrong_claims + self.given

    @property
    def hints_counted(self) -> int:
        """How many hints were help: the same hint again is none, nor is one where only one move applies."""
        return len(self._help)

    @property
    def slips(self) -> int:
        """How many moves did not apply, and how often moves were taken back that were not made again.

        The same move that does not apply is one slip however often it is tried. None count where moves are listed.
        """
        return 0 if self.terms.lists_moves else len(self.refused) + self.turns + self._is_turning

    @property
    def points(self) -> int:
        """What the attempt is worth: 0 until it is over."""
        return self.terms.points(self.helped, self.slips, listed=self.listed) if self.is_over else 0

    @property
    def shows_list(self) -> bool:
        """Whether the moves that apply are to be seen, because the terms say so or the student has asked."""
        return self.listed or self.terms.lists_moves

    def copy(self) -> Attempt:
        """Another attempt that stands where this one does."""
        made, undone, hints = [*self.made], [*self.undone], [*self.hints]
        return replace(self, made=made, undone=undone, hints=hints, refused={*self.refused})

    def offers(self) -> tuple[Offer, ...]:
        """The moves that apply and are allowed, in an order that says nothing; none once the lemma is proved."""
        if self.proved:
            return ()
        focused = self.state[0]
        return tuple(Offer(move, premises(focused, move)) for move in in_no_order(focused, self._allowed(self.state)))

    @property
    def is_stuck(self) -> bool:
        """Whether a goal is left and no move applies that is allowed."""
        return not self.proved and not self._allowed(self.state)

    @property
    def side(self) -> tuple[int, str] | None:
        """The last side of a disjunction that was chosen on the way to the goal in focus: in which move, from 1."""
        fewest = len(self.state)
        for step in reversed(range(len(self.made))):
            # A goal is on the way to the one in focus if there were never fewer goals since then.
            fewest = min(fewest, len(self.states[step + 1]))
            if self.made[step].rule in SIDES and len(self.states[step]) <= fewest:
                return step + 1, self.made[step].rule
        return None

    @property
    def only_move(self) -> Move | None:
        """The move that applies if there is just one: a hint costs nothing then."""
        allowed = self._allowed(self.state)
        return allowed[0] if len(allowed) == 1 else None

    @property
    def has_help_here(self) -> bool:
        """Whether a hint was help in this state: to go back from here is no slip then, as it may be what it said."""
        return any(state == self.state for state, _ in self._help)

    @property
    def hint_level(self) -> int:
        """The level of the last hint that was taken in this state, 0 if none was."""
        return max((level for level in LEVELS if (self.state, level) in self._told), default=0)

    @property
    def has_another_hint(self) -> bool:
        """Whether the next hint in this state is another one than the last.

        Where no move applies, one of the second level says no more than to ask whether there is a proof at all. Who
        was told that there is one, after a wrong claim, has nothing to learn from it.
        """
        says_nothing = self.is_stuck and self.wrong_claims > 0 and self._next_hint == LEVELS[1]
        return self.hint_level != self.terms.hints and not says_nothing

    def make(self, move: Move) -> Event:
        """Make a move. Raises Refused or NotAllowed, and then nothing is changed but that it was tried.

        What was taken back can no longer be made again, unless it is this move that was. Where the hypothesis is
        missing, is not there, or is one too many, the fingers slipped: that raises InputError, and nothing was tried.
        """
        if move.rule not in self.terms.rules:
            allowed = ", ".join(spoken(Move(rule)) for rule in self.terms.rules)
            raise NotAllowed(f"{spoken(Move(move.rule))} is not allowed here; the tactics are {allowed}.")
        try:
            after = apply(self.state, move)
        except Misnamed as error:
            raise InputError(str(error).replace(move.rule, spoken(Move(move.rule)))) from None
        except IllegalMove as error:
            self._note_refusal(str(move))
            raise Refused(str(error), move) from None
        self._put(move, after)
        return Event("move", str(move))

    def undo(self) -> Event:
        """Take back the last move. Raises InputError if there is none."""
        self._take_back()
        return Event("undo")

    def redo(self) -> Event:
        """Make the move again that was taken back last. Raises InputError if there is none."""
        self._put_back()
        return Event("redo")

    def jump(self, step: int) -> Event | None:
        """Go to the state after so many moves, unless it stands there. Raises InputError where it never was."""
        if step == len(self.made):
            return None
        self._go_to(step)
        return Event("jump", str(step))

    def take_hint(self) -> Event | None:
        """Take the next hint in this state, one level more than the last. Raises NotAllowed.

        The last one may be had again and again, which is no event; so may one that says nothing.
        """
        if not self.terms.has_hints:
            raise NotAllowed("There are no hints in this exercise.")
        if not self.has_another_hint:
            return None
        level = self._next_hint
        self._note_hint(level)
        return Event("hint", str(level))

    def be_told(self) -> list[Event]:
        """Take all hints of this state that were not taken, because somebody is to tell what to do. Raises NotAllowed.

        Only where an exercise gives hints of every level may somebody tell as much, and only where there is a choice,
        because hints cost nothing where there is none.
        """
        if self.only_move is not None:
            raise NotAllowed("Only one move applies here: make it, and ask what to do when there is a choice.")
        if self.terms.hints < LEVELS[-1]:
            raise NotAllowed("In this exercise nobody says what to do: it gives no hints that tell as much.")
        return list(iter(self.take_hint, None))

    def claim(self, *, right: bool) -> Event:
        """It was said that the lemma has no proof; somebody who knows says whether that is right."""
        self._note_claim(right)
        return Event("claim", "right" if right else "wrong")

    def take_over(self, script: Script) -> Event:
        """Stand where somebody else's moves from the beginning lead; what was made in common stays one's own.

        Raises InputError if one does not apply or is not allowed, and then nothing is changed.
        """
        for move in script:
            if move.rule not in self.terms.rules:
                raise NotAllowed(f"{spoken(Move(move.rule))} is not allowed here, so these moves cannot be taken over.")
        self._take_over(script)
        return Event("given", show_script(script))

    def show_list(self) -> Event | None:
        """Have the moves that apply listed from now on, unless they are."""
        if self.shows_list:
            return None
        self.listed = True
        return Event("listed")

    def ask_agent(self) -> Event:
        """It was asked what the agent makes of this state; that costs nothing."""
        return Event("asked")

    def happen(self, events: Iterable[Event]) -> None:
        """Let events happen again. Raises InputError."""
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
                case "refused":
                    self._note_refusal(what)
                case "listed":
                    self.listed = True
                case "asked":
                    pass
                case _:
                    raise InputError(f"{kind!r} is nothing that happens in an attempt.")

    def _put(self, move: Move, after: State) -> None:
        if self.undone and self.undone[-1] == move:
            self.undone.pop()
        else:
            self._forget_undone()
        self.made.append(move)
        self.states.append(after)

    def _forget_undone(self) -> None:
        """Another way than the one that was taken back is gone."""
        self.turns += self._is_turning
        self.undone.clear()
        self.is_advised = False

    def _take_back(self) -> None:
        if not self.made:
            raise InputError("There is no move to take back; make one first.")
        if not self.undone:
            self.is_advised = self.has_help_here
        self.states.pop()
        self.undone.append(self.made.pop())

    def _put_back(self) -> None:
        if not self.undone:
            raise InputError("There is no move to make again; undo takes one back.")
        move = self.undone[-1]
        self._put(move, apply(self.state, move))

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
        self._told.add((self.state, level))
        if not self._is_free(self.state):
            self._help.add((self.state, level))

    def _note_refusal(self, move: str) -> None:
        if self.state:
            self.refused.add((self.state, move))

    def _note_claim(self, right: bool) -> None:
        self.refuted = self.refuted or right
        self.wrong_claims += not right

    def _take_over(self, script: Script) -> None:
        states = replay(self.formula, script)
        common = 0
        while common < min(len(script), len(self.made)) and script[common] == self.made[common]:
            common += 1
        self.given += len(script) - common
        self._forget_undone()
        self.made, self.states = list(script), states

    def _allowed(self, state: State) -> list[Move]:
        """The moves that apply in a state and may be used, as the calculus orders them."""
        return [move for move in legal_moves(state[0]) if move.rule in self.terms.rules] if state else []

    @property
    def _is_turning(self) -> bool:
        """Whether moves are taken back, which is a slip unless they are made again.

        It is none if a hint had told of each of them that it is the only one.
        """
        if self.is_advised:
            return False
        state = self.state
        for move in reversed(self.undone):
            if not (self._is_free(state) and self._was_told(state)):
                return True
            state = apply(state, move)
        return False

    def _was_told(self, state: State) -> bool:
        """Whether a hint was taken in a state."""
        return any(told == state for told, _ in self._told)

    @property
    def _next_hint(self) -> int:
        """The level of the next hint: what is plain, that no move of none has lost a proof, is none."""
        level = max(self.hint_level, self.terms.first_hint - 1) + 1
        if level == LEVELS[0] and not self.made:
            level = LEVELS[1]
        if level == LEVELS[1] and self.is_stuck:
            level = LEVELS[2]
        return min(level, self.terms.hints)

    def _is_free(self, state: State) -> bool:
        """Whether a hint in a state costs nothing, because there is no choice."""
        return len(self._allowed(state)) == 1
