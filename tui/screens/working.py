"""A place where an attempt is worked on: what is done in it is kept, and what costs is asked for twice.

What the goals and the moves look like, what a teacher says of them, and what comes when a lemma is done, are not here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import BindingType

from oasis.classroom.lessons.exams import HANDED_IN
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.effects import refusal
from oasis.classroom.proving.events import Event, Refused
from oasis.classroom.proving.exercise import SLIPS
from oasis.classroom.proving.words import cost, moves, slip, worth
from tactics.errors import InputError
from tactics.goal import State
from tactics.rules import spoken
from tui.commands import bindings
from tui.screens.room import Room
from tui.seat import Seat
from tui.widgets.said import Said
from tui.widgets.steady import Steady


class Working(Room):
    """A place with an attempt in it."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("undo", "redo", "restart")
    _asked_for = ""
    """What costs and was asked for once; it is done when it is asked for again."""
    _reported = ""
    """What the last deed was told to have done; it stays when the teacher has something to say, too."""

    @property
    def seat(self) -> Seat:
        """Whose proof it is."""
        return self.session.seat

    @property
    def attempt(self) -> Attempt:
        """The attempt that is worked on."""
        return self.seat.attempt

    @property
    def said(self) -> Said:
        """Where the teacher speaks."""
        return self.query_one(Said)

    def show_attempt(self) -> None:
        """Show where the attempt stands."""
        raise NotImplementedError

    def is_sure(self, deed: str, warning: str) -> bool:
        """Whether something that costs is asked for again; the first time it is said what it costs."""
        if self._asked_for == deed:
            self._asked_for = ""
            return True
        self.said.say([])
        self.warn(deed, warning)
        return False

    def warn(self, deed: str, warning: str) -> None:
        """Add to what is said that something costs; it is done when it is asked for the next time."""
        self._asked_for = deed
        self.said.add(warning)

    def is_now(self, attempt: Attempt, state: State) -> bool:
        """Whether the student still stands where the teacher was asked."""
        return self.seat.attempt is attempt and attempt.state == state

    def _do(self, deed: Callable[[Attempt], Event | None], then: str = "") -> bool:
        """Do something in the attempt, and show what has come of it; whether it could be done."""
        self._asked_for = ""
        self._reported = then
        slips, told = self.attempt.slips, self._of_a_slip()
        try:
            self.seat.desk.do(deed)
        except Refused as error:
            why = refusal(self.attempt.state[0], error, self.session.look.notation)
            is_counted = self.attempt.slips > slips
            self.said.say(filter(None, [why, told if is_counted else ""]), style="$warning")
            self.show_worth()
            return False
        except InputError as error:
            self.said.say([str(error)], style="$warning")
            return False
        self.said.say([then] if then else [])
        self.show_attempt()
        return True

    def action_undo(self) -> None:
        """Take back the last move."""
        if not self.attempt.refuted:
            self._do(Attempt.undo, self._taken_back(len(self.attempt.made) - 1))

    def action_redo(self) -> None:
        """Make a move again."""
        self._do(Attempt.redo)

    def action_restart(self) -> None:
        """Back to the beginning."""
        self.jump(0)

    def jump(self, step: int) -> None:
        """To the state after so many moves."""
        self._do(lambda attempt: attempt.jump(step), self._taken_back(step))

    def _taken_back(self, step: int) -> str:
        """What is said when the moves from a step on are taken back: which, and what that costs.

        It costs the same whether the proof was lost or not, so it tells nothing of that.
        """
        attempt = self.attempt
        taken = attempt.made[max(0, step) :]
        if not taken:
            return ""
        told = f"Took back {spoken(taken[0]) if len(taken) == 1 else moves(len(taken))}."
        after = attempt.copy()
        after.jump(max(0, step))
        if after.slips > attempt.slips:
            return f"{told} {self._of_a_slip()} {self.key_of('redo')} makes it again, and then it was no slip."
        if attempt.undone or attempt.terms.lists_moves:
            return told
        return f"{told} That is no slip, as you had asked for a hint."

    def _of_a_slip(self) -> str:
        """What is to be said of a slip that is made now."""
        desk = self.seat.desk
        return slip(desk.cost(slips=1), desk.cost(slips=SLIPS))

    def price(self, *, helped: int = 0, listed: bool = False) -> str:
        """What so much help or the list would cost now, in words."""
        desk = self.seat.desk
        return cost(desk.cost(helped=helped, listed=listed), is_done=bool(desk.result.outcome))

    def show_worth(self) -> None:
        """What the exercise would be worth if it were done now, and what points were lost for."""
        is_told = not self.attempt.is_over and self.seat.desk.result.is_shown
        text = f"worth {self.told_points(self.seat.desk.worth)}" if is_told else ""
        self.query_one("#worth", Steady).update(text)

    def told_points(self, points: int) -> str:
        """Points, what others were lost for, in earlier attempts as well, and that it is late if it is.

        As long as the teacher does not show the points, that it is handed in.
        """
        reached, due = self.seat.desk.result, self.seat.exercise.terms.due
        if not reached.is_shown:
            return HANDED_IN
        late = due if reached.is_late(due) else None
        return worth(points, self.attempt, reached.helped, reached.slips, listed=reached.listed, late=late)
