"""What every place has where a student works on a proof: the goals, the moves on offer, and what can be done with them.

Beside these stands what makes the place: the steps and the teacher, or the agent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key
from textual.widgets import Static

from oasis.backends.export import Proof
from oasis.classroom.desk.record import Result, problem_key
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import POINTS
from oasis.classroom.proving.rules import Page, page
from oasis.classroom.proving.words import compared, moves, proved
from oasis.teacher.countermodels.countermodel import Countermodel
from oasis.teacher.countermodels.drawing import draw
from oasis.teacher.countermodels.explanation import explain
from oasis.teacher.hints import Hint, Loss
from tactics.errors import InputError
from tactics.goal import Move, State
from tactics.printer import show
from tui.commands import bindings, move_keys
from tui.screens.room import Room
from tui.seat import Seat
from tui.widgets.goals import Goals
from tui.widgets.light import Light
from tui.widgets.moves import Moves
from tui.widgets.said import Said

_IS_THERE_A_PROOF: Final = "Think first about whether there is a proof at all; x says that there is none."
_NO_PROOF: Final = "This lemma has no proof, whatever the moves; x says so."
_WORLDS: Final = (
    "Worlds are stages of what is known, the first one at the bottom; what is true at one stays true above it. An "
    "implication is true where from there on its left side never comes without its right side."
)


class ProofRoom(Room):
    """A place with a proof in it; `compose_beside` adds what stands beside the proof."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "undo", "redo", "restart", "hint", "claim", "why", "rule", "save_proof", "another", "following"
    )

    def compose_place(self) -> ComposeResult:
        """The lemma, the proof, and what stands beside it."""
        with Horizontal(id="lemma-line"):
            yield Static(id="lemma", markup=False)
            yield Light(self.classroom.look)
        with Horizontal(id="desk"):
            with Vertical(id="work"):
                yield Goals(self.classroom.look)
                yield Moves(self.classroom.look)
                yield Static(id="about-move", markup=False)
            with Vertical(id="beside"):
                yield from self.compose_beside()

    def compose_beside(self) -> ComposeResult:
        """What stands beside the proof; among it a `Said`."""
        raise NotImplementedError

    @property
    def seat(self) -> Seat:
        """Whose proof it is."""
        return self.classroom.seat

    @property
    def attempt(self) -> Attempt:
        """The attempt that is worked on."""
        assert self.seat.attempt is not None
        return self.seat.attempt

    @property
    def said(self) -> Said:
        """Where the teacher speaks."""
        return self.query_one(Said)

    def arrive(self) -> None:
        """Show the attempt as it stands."""
        exercise = self.seat.exercise
        assert exercise is not None
        text = self.classroom.look.formula(exercise.formula)
        is_named = exercise.name.replace(" ", "") != show(exercise.formula).replace(" ", "")
        self.query_one("#lemma", Static).update(f"{exercise.name}:  {text}" if is_named else text)
        self._sure = False
        self._before = self._result()
        self._helped_here = self.attempt.helped
        self.said.say(["Choose a move by its key, or with the arrows and Enter. ? explains everything."])
        self.show_attempt()
        self.query_one(Moves).focus()

    def show_attempt(self) -> None:
        """Show where the attempt stands; the rest comes when the teacher has thought about it."""
        attempt = self.attempt
        self.query_one(Goals).show(attempt.state)
        focused = None if attempt.is_over else attempt.state[0]
        offers = () if attempt.is_over else attempt.offers()
        if not (attempt.is_over or offers):
            self.said.say(["No move applies: u takes one back. If nothing helps, is there a proof at all? x says no."])
        self.query_one(Moves).show(focused, offers, move_keys(set(self.active_bindings)))
        if self.classroom.seat.desk.trouble:
            self.said.say([self.classroom.seat.desk.trouble], style="$error")
        self._show_worth()
        self.refresh_bindings()
        if attempt.is_over:
            self._finish()
        else:
            self._watch_over()

    # Moves.

    async def on_key(self, event: Key) -> None:
        """The key of a move; when all is done, Enter goes on."""
        if self.attempt.is_over and event.key == "enter":
            event.stop()
            await self.action_following()
        elif event.character and not self.attempt.is_over:
            # At once, so that the next key is read against what this one leaves.
            move = self.query_one(Moves).move_of(event.character)
            if move is not None:
                event.stop()
                self._make(move)

    @on(Moves.Chosen)
    def _choose(self, event: Moves.Chosen) -> None:
        if not self.attempt.is_over:
            self._make(event.move)

    def _make(self, move: Move) -> None:
        self._do(lambda: self.attempt.make(move))

    @on(Moves.OptionHighlighted)
    def _explain(self) -> None:
        """A word on the tactic under the cursor."""
        move = self.query_one(Moves).highlighted_move
        self.query_one("#about-move", Static).update("" if move is None else self._page(move).does)

    def _page(self, move: Move) -> Page:
        return page(move.rule, self.classroom.look.notation)

    def _do(self, what: Callable[[], object], then: str = "") -> None:
        self._sure = False
        try:
            what()
        except InputError as error:
            self.said.say([str(error)], style="$warning")
            return
        self.said.say([then] if then else [])
        self.show_attempt()

    def action_undo(self) -> None:
        """Take back the last move."""
        if not self.attempt.refuted:
            self._do(self.attempt.undo)

    def action_redo(self) -> None:
        """Make a move again."""
        self._do(self.attempt.redo)

    def action_restart(self) -> None:
        """Back to the beginning."""
        self.jump(0)

    def jump(self, step: int) -> None:
        """To the state after so many moves."""
        self._do(lambda: self.attempt.jump(step))

    def action_another(self) -> None:
        """Begin the same lemma once more."""
        with self.told():
            self.seat.begin_again()
            self.arrive()

    async def action_following(self) -> None:
        """Go on to the next lemma."""
        with self.told():
            following = self.seat.following()
            if following is None:
                await self.app.switch_mode("learn")
                return
            self.seat.take(following, self.seat.others)
            self.arrive()

    def action_rule(self) -> None:
        """Explain the tactic under the cursor."""
        move = self.query_one(Moves).highlighted_move
        if move is not None:
            self.said.say([move.rule, *self._page(move).lines])

    # What the teacher says.

    def _is_now(self, attempt: Attempt, state: State) -> bool:
        """Whether the student still stands where the teacher was asked."""
        return self.seat.attempt is attempt and attempt.state == state

    @work(exclusive=True, group="light")
    async def _watch_over(self) -> None:
        """Say whether a move has lost the proof."""
        attempt, light = self.attempt, self.query_one(Light)
        if not attempt.terms.light:
            light.off()
            return
        light.think()
        state = attempt.state
        hint, loss = await self.seat.ask(_what_was_lost)
        if not self._is_now(attempt, state):
            return
        light.shine(hint)
        if hint is not None and hint.step:
            self._tell(hint, loss)

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Ask for one thing more."""
        attempt = self.attempt
        if attempt.is_over:
            return
        try:
            level = attempt.take_hint()
        except InputError as error:
            self.said.say([str(error)], style="$warning")
            return
        self.said.say(["Let me think."])
        self._show_worth()
        state = attempt.state
        hint = await self.seat.ask(lambda adviser, copy: adviser.hint(copy, level))
        loss = None if hint is None else await self.seat.ask(lambda adviser, copy: adviser.loss(copy, hint))
        if not self._is_now(attempt, state):
            return
        if hint is None:
            self.said.say(["There is no hint in time; try a move, and ask again."])
        else:
            self._tell(hint, loss)

    def _tell(self, hint: Hint, loss: Loss | None) -> None:
        """Say a hint; where something is lost, with the reason."""
        sentences = hint.sentences(self.classroom.look.notation)
        if hint.step == 0 and not hint.has_other:
            told = hint.level == self.attempt.terms.hints
            sentences = [_NO_PROOF if told else _IS_THERE_A_PROOF]
        drawing = ""
        if loss is not None and loss.countermodel is None:
            sentences += loss.sentences(self.classroom.look.notation)
        elif loss is not None and loss.countermodel is not None:
            sentences.append("u takes a move back; c shows the countermodel at length:")
            drawing = self._drawn(loss.countermodel, self.said.content_size.width)
        self.said.say(sentences, drawing)

    def _drawn(self, countermodel: Countermodel, width: int) -> str:
        look = self.classroom.look
        return draw(countermodel, look.notation, ascii_only=look.ascii_only, width=max(20, width))

    @work(exclusive=True, group="why")
    async def action_why(self) -> None:
        """Show why the state cannot be proved, if the student is allowed to know that already."""
        from tui.screens.dialogs import Reading

        attempt = self.attempt
        is_told = attempt.terms.light or any(hint.state == attempt.state for hint in attempt.hints)
        if attempt.refuted:
            countermodel = await self.seat.ask(Adviser.refutation)
        elif is_told:
            _, loss = await self.seat.ask(_what_was_lost)
            countermodel = None if loss is None else loss.countermodel
        else:
            self.said.say(["A hint tells first whether anything is lost; h asks for one."])
            return
        if countermodel is None:
            self.said.say(["No move so far has lost a proof, so there is nothing to show."])
            return
        look = self.classroom.look
        picture = self._drawn(countermodel, self.size.width - 8)
        words = "\n".join(explain(countermodel, look.notation).sentences)
        title = f"No proof of {countermodel.sequent(look.notation)}"
        reading = look.text(_WORLDS)
        await self.app.push_screen(Reading(title, f"{reading}\n\n{picture}\n\n{words}"))

    @work(exclusive=True, group="claim")
    async def action_claim(self) -> None:
        """Say that the lemma has no proof; it is asked twice, because a wrong word costs."""
        attempt = self.attempt
        if attempt.is_over:
            return
        if not self._sure:
            self._sure = True
            self.said.say(["Press x again to say that this lemma has no proof, whatever the moves."])
            return
        self._sure = False
        self.said.say(["Let me think."])
        provable = await self.seat.ask(lambda adviser, copy: adviser.has_proof(copy))
        if self.seat.attempt is not attempt or attempt.is_over:
            return
        if provable is None:
            self.said.say(["Whether there is a proof was not found out in time, so nothing is counted."])
            return
        attempt.claim(right=not provable)
        if provable:
            self.said.say(["There is a proof of it. Go on; this costs as much as a hint."], style="$warning")
            self._show_worth()
        else:
            self.show_attempt()

    # When it is done.

    @work(exclusive=True, group="finish")
    async def _finish(self) -> None:
        attempt, light = self.attempt, self.query_one(Light)
        state = attempt.state
        if attempt.refuted:
            light.finish("rightly: no proof")
            said = [
                f"Right: this lemma has no proof. {self._points()}",
                "c shows why; Enter goes on.",
            ]
            countermodel = await self.seat.ask(Adviser.refutation)
            if countermodel is not None and self._is_now(attempt, state):
                self.said.say(said, self._drawn(countermodel, self.said.content_size.width))
            return
        made, keys = len(attempt.made), "Enter goes on; e saves the proof."
        light.finish(f"proved in {moves(made)}")
        said = [f"{proved(made)} {self._points()}"]
        self.said.say([*said, "Enter goes on."], style="$success")
        shortest = await self.seat.ask(lambda adviser, copy: adviser.shortest(copy))
        said += compared(made, shortest)
        if shortest is not None and shortest < made:
            keys = f"a begins anew; {keys}"
        if not self._is_now(attempt, state):
            return
        self.said.say([*said, keys], style="$success")
        certified = await self.classroom.certify(attempt.formula, attempt.script)
        if certified and self._is_now(attempt, state):
            self.said.say([*said, *certified, keys], style="$success")

    def _show_worth(self) -> None:
        """What the exercise would be worth if it were done now."""
        attempt, before = self.attempt, self._before
        helped = attempt.helped - self._helped_here + (before.helped if before is not None else 0)
        worth = max(attempt.terms.points(helped), before.points if before is not None else 0)
        self.said.border_subtitle = "" if attempt.is_over else f"worth {worth} of {POINTS} points"

    def _result(self) -> Result | None:
        """What came of this exercise so far, in all attempts."""
        exercise = self.seat.exercise
        assert exercise is not None
        return self.seat.desk.results().get(problem_key(exercise))

    def _points(self) -> str:
        """What the exercise is worth by now, help in earlier attempts counted."""
        result = self._result()
        reached = self.attempt if result is None else result
        points, helped = reached.points, reached.helped
        return f"{points} of {POINTS} points{f', for help taken {_times(helped)}' if helped else ''}."

    def action_save_proof(self) -> None:
        """Save the finished proof."""
        from tui.screens.dialogs import SaveProof

        exercise = self.seat.exercise
        assert exercise is not None
        if not self.attempt.proved:
            self.said.say(["A proof can be saved once it is finished."], style="$warning")
            return
        proof = Proof(exercise.name, self.attempt.formula, self.attempt.script)
        self.app.push_screen(SaveProof(proof, self.classroom.look, self.classroom.save))


def _what_was_lost(adviser: Adviser, attempt: Attempt) -> tuple[Hint | None, Loss | None]:
    """The first thing that a teacher says, and why if a move has lost the proof."""
    hint = adviser.hint(attempt, 1)
    return hint, adviser.loss(attempt, hint) if hint is not None and hint.step else None


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
