"""What every place has where a student works on a proof: the goal, how a move is made, and what can be done besides.

A move is made by pointing at a formula, by typing a tactic, or from a list of the moves that apply, which costs
something where the terms do not offer it. Beside the proof stands what makes the place.
"""

from __future__ import annotations

from collections.abc import Iterable
from string import digits
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Key
from textual.reactive import var
from textual.widgets import Input

from oasis.classroom.desk.progress import called
from oasis.classroom.lessons.lesson import own_words
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.effects import gloss, reason, would_leave
from oasis.classroom.proving.exercise import is_named
from oasis.classroom.proving.pointing import CONCLUSION, Place, moves_at
from oasis.classroom.proving.rules import Page, page
from oasis.classroom.proving.signs import brackets
from oasis.classroom.proving.telling import no_move_applies
from tactics.goal import Move, State
from tactics.rules import legal_moves, spoken
from tui.commands import bindings, move_keys
from tui.phrases import short
from tui.screens.typed import Typed
from tui.session import Session
from tui.widgets.bounce import Bounce
from tui.widgets.focused_goal import FocusedGoal
from tui.widgets.light import Light
from tui.widgets.moves import Moves
from tui.widgets.steady import Steady
from tui.widgets.tactic_line import TacticLine
from tui.widgets.words import clickable

_TYPED: Final = "type"
"""The terms on which moves are typed and nothing else makes one."""
_SHUFFLED: Final = "shuffled on purpose"
"""Above moves in an order that is no hint, so that nobody takes it for a fault."""


class ProofRoom(Typed):
    """A place with a proof in it; `compose_beside` adds what stands beside the proof."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("preview", "list", "rule")
    _known_keys = ""
    _is_choosing = False
    """Whether one of several moves that follow from a formula is to be chosen."""
    _only_tells = var(False, init=False)
    """Whether the next formula or move that is pointed at is to be told about, and not made."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._bounce = Bounce()

    def compose_place(self) -> ComposeResult:
        """The lemma, the proof, and what stands beside it."""
        with Horizontal(id="lemma-line"):
            yield Steady(id="lemma", markup=False)
            yield Light(self.session.look)
        with Horizontal(id="desk"):
            with Vertical(id="work"):
                yield FocusedGoal(self.session.look)
                yield Moves()
                yield Steady(id="about-move", markup=False)
                yield TacticLine(self.do_typed)
                yield Steady(id="worth", markup=False)
            with Vertical(id="beside"):
                yield from self.compose_beside()

    def compose_beside(self) -> ComposeResult:
        """What stands beside the proof; among it a `Said`."""
        raise NotImplementedError

    def about(self) -> str:
        """What it is for, and how formulas are read."""
        return f"{super().about()}\n{brackets(self.session.look.notation)}"

    @property
    def _goals(self) -> FocusedGoal:
        return self.query_one(FocusedGoal)

    @property
    def _moves(self) -> Moves:
        return self.query_one(Moves)

    def applies(self, command: str) -> bool:
        """Whether there is something to take back, to ask for, to save and so on."""
        attempt = self.attempt
        match command:
            case "undo" | "restart":
                return bool(attempt.made) and not attempt.refuted
            case "redo":
                return bool(attempt.undone)
            case "hint":
                return not attempt.is_over and attempt.terms.has_hints
            case "claim":
                return not (attempt.is_over or attempt.wrong_claims)
            case "preview" | "rule":
                points = attempt.terms.moves != _TYPED or attempt.shows_list
                return points and not attempt.is_over
            case "type":
                return not attempt.is_over
            case "list":
                return not (attempt.is_over or attempt.shows_list)
            case "whole":
                return attempt.is_over
            case "save_proof":
                return attempt.proved and not self.session.is_exam
            case "why":
                return attempt.refuted or attempt.is_stuck
            case _:
                return super().applies(command)

    def arrive(self) -> None:
        """Show the attempt as it stands."""
        self.seat.desk.begin()
        self._asked_for = ""
        self._reported = ""
        self.said.say([*self._what_is_different(), self._how()])
        self._goals.forget()
        self.line.close()
        self.show_attempt()
        if self.attempt.terms.moves == _TYPED:
            self.action_type()

    def _how(self) -> str:
        """How a move is made here, in a sentence or two."""
        attempt, more = self.attempt, f"{self.key_of('help')} explains everything."
        if attempt.shows_list:
            return f"Choose a move by its key, or with the arrows and Enter. {more}"
        if attempt.terms.moves == _TYPED:
            return f"Type a tactic; {self.key_of('type')} opens the line for it. {more}"
        return f"Point at a formula: its key, a click, or the arrows and Enter. {more}"

    def _what_is_different(self) -> list[str]:
        """On which other terms this exercise is done than the one before it, so that no help goes without a word."""
        before = self.seat.before()
        words = [] if before is None else own_words(self.seat.exercise.terms, before.terms)
        return ["Something is different from the lemma before.", *words] if words else []

    def show_attempt(self) -> None:
        """Show where the attempt stands; the rest comes when the teacher has thought about it."""
        attempt = self.attempt
        self._show_lemma()
        if attempt.is_stuck and not attempt.is_over:
            self.said.say([no_move_applies(attempt, self.key_of("undo"), self.key_of("claim"))])
        self._show_moves()
        self.show_trouble()
        self.show_worth()
        self.refresh_bindings()
        if attempt.is_over:
            if self.line.has_focus:
                self._goals.focus()
            self.line.close()
            self.finish()
        else:
            self.know_words()
            self.watch_over()

    def _show_lemma(self) -> None:
        """Show what the lemma is called, which of a lemma of the course is told when it is done, and what it says."""
        exercise, text = self.seat.exercise, self.session.look.formula(self.seat.exercise.formula)
        name = called(exercise.place, exercise.name, is_done=False)
        if self.seat.desk.result.outcome and name != exercise.name:
            name = f"{name} {self.session.look.mark('between')} {short(exercise.name)}"
        self.query_one("#lemma", Steady).update(
            f"{name}:  {text}" if name != exercise.name or is_named(exercise) else text
        )

    def _show_moves(self) -> None:
        """Show the goal, and the list where there is one."""
        attempt, keys = self.attempt, self._free_keys()
        self._is_choosing = self._only_tells = False
        lists = attempt.shows_list and not attempt.is_over
        points = not (lists or attempt.is_over or attempt.terms.moves == _TYPED)
        self._goals.show_next(attempt.state, keys if points else "")
        if lists:
            offered = [offer.move for offer in attempt.offers()]
            self._moves.show(offered, keys, f"Moves, {_SHUFFLED}" if offered else "No move applies")
        else:
            self._moves.put_away()
        self._about_move()
        if not self.line.has_focus and self.focused in (None, self._goals, self._moves):
            (self._moves if lists else self._goals).focus()

    def _free_keys(self) -> str:
        """The keys that do nothing else, looked up before somebody types: then all keys seem to be free."""
        if not isinstance(self.focused, Input):
            self._known_keys = move_keys(set(self.active_bindings))
        return self._known_keys

    def show_trouble(self) -> None:
        """Say at length what is not stored yet, and why."""
        super().show_trouble()
        if self.seat.desk.trouble:
            self.said.say([self.seat.desk.trouble], style="$error")

    # Moves.

    async def on_key(self, event: Key) -> None:
        """The key of a move or of a formula; Escape takes back what is not made yet.

        All is done at once, so that the next key is read against what this one leaves. What is typed faster than the
        line of tactics opens was meant for it, and still comes by here.
        """
        if event.key == "escape" and self._take_away():
            event.stop()
        elif self.focused is self.line and event.key == "enter":
            event.stop()
            self.do_typed()
        elif self.focused is self.line and event.is_printable:
            event.stop()
            self.line.insert_text_at_cursor(event.character or "")
        elif (known := self.active_bindings.get(event.key)) is not None and known.binding.id == "type":
            event.stop()
            self.action_type()
        elif event.character and not self.attempt.is_over:
            move = self._moves.move_of(event.character) if self._moves.display else None
            place = None if self._moves.display else self._goals.place_of(event.character)
            if move is not None or place is not None:
                event.stop()
            if self._bounces(event, move, place):
                if place == CONCLUSION:
                    self.said.say([f"{event.character} once too often: no move follows from the conclusion alone."])
                return
            if move is not None:
                self.make(move)
            elif place is not None:
                self._point_at(place)
            elif event.character in digits and not isinstance(self.focused, Input):
                self._say_there_is_none(event.character)

    def _bounces(self, event: Key, move: Move | None, place: Place | None) -> bool:
        """Whether the same key came twice in a moment, and would choose unread or make a move that does not apply.

        It costs nothing then. Players by rote are held to their limits without the price of refusals anyway.
        """
        goal = self.attempt.state[0]
        meant = (move,) if move is not None else () if place is None else moves_at(goal, place)
        applies = any(each in legal_moves(goal) for each in meant)
        means, runs = applies and not self._is_choosing, place == CONCLUSION
        return bool(meant) and self._bounce.is_one(event, does=applies, means=means, runs=runs)

    def _say_there_is_none(self, number: str) -> None:
        """Say that a number is that of no formula and no move, or that tactics are typed here."""
        if not self._moves.display and self.attempt.terms.moves == _TYPED:
            self.said.say([self._how()])
        else:
            self.said.say([f"There is no {'move' if self._moves.display else 'formula'} {number}."])

    def _take_away(self) -> bool:
        """Take away a choice, the line for a tactic, or the cursor; whether one of them was there."""
        if self._only_tells:
            self._only_tells = False
            self.said.say([])
        elif self._is_choosing:
            self._show_moves()
        elif self.line.display:
            self.line.close()
            self._goals.focus()
        elif self._goals.selected is not None:
            self._goals.deselect()
        else:
            return False
        return True

    @on(FocusedGoal.Pointed)
    def _point(self, event: FocusedGoal.Pointed) -> None:
        if event.place is None and self._take_away():
            return
        if self.attempt.is_over:
            self.said.say([f"This lemma is done; {self.key_of('following')} goes on to the next one."])
        elif event.place is None:
            self.said.say([f"{self._goals.nothing_selected} {self._how()}"])
        else:
            self._point_at(event.place)

    def _point_at(self, place: Place) -> None:
        attempt = self.attempt
        if attempt.terms.moves == _TYPED:
            self.said.say([f"Here tactics are typed; {self.key_of('type')} opens the line for them."])
            return
        found = moves_at(attempt.state[0], place, attempt.terms.rules)
        if self._only_tells:
            self._tell_what_is_left(found)
            return
        if len(found) == 1:
            self.make(found[0])
            return
        self._is_choosing = True
        glosses = [gloss(attempt.state[0], move, self.session.look.notation) for move in found]
        letters = "".join(key for key in self._free_keys() if key not in digits)  # digits are those of formulas
        self._moves.show(found, letters, f"Which? ({_SHUFFLED}) Esc: none", glosses)
        self._about_move()
        self._moves.focus()

    @on(Moves.Chosen)
    def _choose(self, event: Moves.Chosen) -> None:
        if not self.attempt.is_over:
            self.make(event.move)

    def make(self, move: Move) -> bool:
        """Make a move, or only tell about it; whether it was made."""
        if self._only_tells:
            self._tell_what_is_left([move])
            return False
        if self._is_choosing:
            self._take_away()
        before = self.attempt.state
        is_made = self._do(lambda attempt: attempt.make(move))
        if is_made and not self.attempt.is_over:
            self._tell_what_became(before, move)
        return is_made

    def _tell_what_became(self, before: State, move: Move) -> None:
        """Say that a goal is done or has become two; and of a first move with a light what the sign of change means."""
        attempt, look = self.attempt, self.session.look
        if len(attempt.state) < len(before):
            self.said.add("That goal is done; this is the next one.")
        elif len(attempt.state) > len(before):
            told = would_leave(before[0], move, look.notation), reason(before[0], move, look.notation)
            self.said.add(" ".join([*filter(None, told), "These are two goals; this is the first."]))
        elif len(attempt.made) == 1 and attempt.terms.light:
            self.said.add(f"{look.mark('new')} stands before what this move has changed.")

    def action_type(self) -> None:
        """Open the line for a tactic, in which nothing is previewed."""
        self._only_tells = False
        super().action_type()

    # The list, and what a move would leave.

    def action_list(self) -> None:
        """List the moves that apply, after it was said what that costs."""
        attempt, key = self.attempt, self.key_of("list")
        if attempt.is_over:
            return
        if attempt.shows_list:
            self.said.say(["The moves that apply are listed already."])
            return
        cost = self.price(listed=True)
        if self.is_sure(
            "list", f"{key} again lists the moves that apply, as long as this attempt lasts; it costs {cost}."
        ):
            self._do(Attempt.show_list, "These are the moves that apply.")

    def action_preview(self) -> None:
        """Say what the moves that are selected would leave, if they apply; or else those that are pointed at next."""
        moves = self._selected_moves()
        if moves:
            self._tell_what_is_left(moves)
        elif self._only_tells:
            self._take_away()
        elif self.attempt.terms.moves == _TYPED and not self._moves.display:
            self.said.say([self._how()])
        elif not self.attempt.is_over:
            self._only_tells = True
            self.said.say(["Point at what you are thinking of: it is told what that would leave, and nothing is made."])

    def watch__only_tells(self) -> None:
        """Say above the goal that what is pointed at is not made, as long as that is so."""
        self._goals.head(f"Preview of one move: not made; {self.key_of('preview')} ends it" * self._only_tells)

    def _tell_what_is_left(self, moves: Iterable[Move]) -> None:
        self._only_tells = False
        goal, notation = self.attempt.state[0], self.session.look.notation
        self.said.say([would_leave(goal, move, notation) for move in moves])

    def action_rule(self) -> None:
        """Explain the tactic under the cursor."""
        moves = self._selected_moves()
        if moves:
            self.said.say([line for move in moves for line in (spoken(move), *self._page(move).lines)])
        else:
            told = f"{self.key_of('rules')} explains the signs and all tactics."
            self.said.say([f"{self._goals.nothing_selected} {told}"])

    def _selected_moves(self) -> tuple[Move, ...]:
        """The move under the cursor, or those that follow from the formula under it."""
        attempt = self.attempt
        move, place = self._moves.highlighted_move, self._goals.selected
        if attempt.is_over:
            return ()
        if move is not None:
            return (move,)
        if place is None or self._moves.display or attempt.terms.moves == _TYPED:
            return ()
        return moves_at(attempt.state[0], place, attempt.terms.rules)

    @on(Moves.OptionHighlighted)
    def _about_move(self) -> None:
        """A word on the tactic under the cursor."""
        move, about = self._moves.highlighted_move, self.query_one("#about-move", Steady)
        about.display = move is not None
        about.update("" if move is None else self._page(move).does)

    def _page(self, move: Move) -> Page:
        return page(move.rule, self.session.look.notation)

    # When it is done.

    def show_worth(self) -> None:
        """What the exercise is worth; when it is done, the ways on for who has no keyboard at hand."""
        super().show_worth()
        if self.attempt.is_over:
            ways = [
                clickable(Content.styled(f" {self.key_of(command)}  {label} ", "bold reverse"), f"screen.{command}")
                for command, label in (("following", "Next lemma"), ("whole", self._label_of_whole()))
            ]
            self.query_one("#worth", Steady).update(Content("  ").join(ways))
