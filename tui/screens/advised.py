"""The teacher in a place with a proof: the light, hints, why a proof is lost, and whether there is none at all."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from textual import work
from textual.binding import BindingType

from oasis.classroom.proving import telling
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import NotAllowed
from oasis.classroom.proving.exercise import CLAIM_COST
from oasis.teacher.countermodels.countermodel import Countermodel
from oasis.teacher.countermodels.drawing import draw
from oasis.teacher.countermodels.explanation import case, explain
from tactics.errors import InputError
from tactics.rules import spoken
from tui.commands import bindings
from tui.screens.working import Working
from tui.widgets.light import Light

_STAGES: Final = (
    "The boxes are stages of what is known, the first one at the bottom; what is true at one stays true above it. An "
    "implication is true where from there on its left side never comes without its right side."
)


class Advised(Working):
    """A place with an attempt in it, and a teacher who can be asked."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("hint", "claim", "why")

    # The light.

    @work(exclusive=True, group="light")
    async def watch_over(self) -> None:
        """Say whether a move has lost the proof."""
        attempt, light = self.attempt, self.query_one(Light)
        if not attempt.terms.light:
            light.off()
            return
        if attempt.is_over:
            return  # several moves were made before this began
        light.think()
        state = attempt.state
        answer = await self.seat.ask(Adviser.judge)
        if self.is_now(attempt, state):
            light.shine(None if answer is None else answer.light)
            if answer is not None and answer.light is telling.Light.DARK:
                self._tell(answer, self._reported)

    # Hints.

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """Ask for one thing more, after it was said what that costs."""
        attempt = self.attempt
        if attempt.is_over or await self._is_told_all() or not self._may_be_told():
            return
        try:
            self.seat.desk.do(Attempt.take_hint)
        except InputError as error:
            self.said.say([str(error)], style="$warning")
            return
        self.said.say(["Let me think."])
        self.show_worth()
        state = attempt.state
        answer = await self.seat.ask(lambda adviser, copy: adviser.answer(copy, copy.hint_level))
        if not self.is_now(attempt, state):
            return
        if answer is None:
            self.said.say(["There is no hint in time; try a move, and ask again."])
            return
        self._tell(answer)
        if self._hint_costs and not answer.is_last:
            self.warn("hint", f"{self.key_of('hint')} again says more; it costs {self.price(helped=1)}.")

    async def _is_told_all(self) -> bool:
        """Whether nothing more can be told here; the last thing is told again then, for nothing."""
        attempt = self.attempt
        if self._asked_for == "hint" or not telling.TELLING <= attempt.hint_level < attempt.terms.hints:
            return False
        state = attempt.state
        answer = await self.seat.ask(lambda adviser, copy: adviser.answer(copy, copy.hint_level))
        if answer is None or not answer.is_last:
            return False
        if self.is_now(attempt, state):
            self._tell(answer)
        return True

    @property
    def _hint_costs(self) -> bool:
        """Whether the next hint costs something."""
        attempt = self.attempt
        is_charged = bool(attempt.terms.hint_cost and attempt.terms.hints)
        return is_charged and attempt.has_another_hint and attempt.only_move is None

    def _may_be_told(self) -> bool:
        """Whether it was said what the next hint costs, or it costs nothing."""
        if not self._hint_costs:
            return True
        cost, key = self.price(helped=1), self.key_of("hint")
        return self.is_sure("hint", f"A hint costs {cost}; {key} again asks for it.")

    def _tell(self, answer: telling.Answer, reported: str = "") -> None:
        """Say an answer, after what was reported; where there is no proof from here, with the reason."""
        notation = self.session.look.notation
        sentences, drawing = [*filter(None, [reported]), *answer.sentences(notation)], ""
        if answer.only_move is None and answer.countermodel is not None:
            sentences.append(
                f"{self.key_of('undo')} takes a move back; {self.key_of('why')} shows the countermodel at length:"
            )
            drawing = self.drawn(answer.countermodel, self.said.content_size.width)
        elif answer.only_move is None and answer.loss is not None:
            sentences += answer.loss.sentences(notation, spoken)
        self.said.say(sentences, drawing)

    def drawn(self, countermodel: Countermodel, width: int) -> str:
        """A countermodel in so many columns."""
        look = self.session.look
        return draw(countermodel, look.notation, ascii_only=look.ascii_only, width=max(20, width))

    @work(exclusive=True, group="why")
    async def action_why(self) -> None:
        """Show why the state cannot be proved, if the student is allowed to know that already."""
        attempt = self.attempt
        was_told = attempt.terms.has_hints and any(hint.state == attempt.state for hint in attempt.hints)
        has_asked = was_told and attempt.only_move is None
        if attempt.refuted:
            countermodel = await self.seat.ask(Adviser.refutation)
        elif has_asked or attempt.terms.light:
            answer = await self.seat.ask(Adviser.judge)
            countermodel = None if answer is None else answer.countermodel
        else:
            countermodel = None
        if self.seat.attempt is not attempt:
            return
        if countermodel is None:
            why, hint, claim = map(self.key_of, ("why", "hint", "claim"))
            lost = f"a hint ({hint}) has said that the proof is lost, or "
            asked = lost if self.attempt.terms.has_hints else ""
            self.said.say([f"{why} shows why only after {asked}{claim} has said rightly that there is no proof."])
            return
        look = self.session.look
        title = f"No proof of {countermodel.sequent(look.notation)}"
        if told := case(countermodel, look.notation):
            await self._read_why(title, told)
            return
        picture = self.drawn(countermodel, self.size.width - 8)
        words = "\n".join(explain(countermodel, look.notation, called="stage").sentences)
        reading = look.text(_STAGES)
        await self._read_why(title, f"{reading}\n\n{picture}\n\n{words}")

    async def _read_why(self, title: str, text: str) -> None:
        """Show why there is no proof; where the lemma is done by that, with the way to the next one."""
        from tui.screens.dialogs import Refutation

        then = partial(self.run_action, "following") if self.attempt.is_over else None
        await self.app.push_screen(Refutation(title, text, self.key_of("following"), then))

    # That there is no proof.

    @work(exclusive=True, group="claim")
    async def action_claim(self) -> None:
        """Say that the lemma has no proof; it is asked twice, because a wrong word costs."""
        attempt, key = self.attempt, self.key_of("claim")
        if attempt.wrong_claims:
            self.said.say([telling.CLAIMED_BEFORE])
            return
        cost = self.price(helped=CLAIM_COST)
        warning = f"{key} again says that this lemma has no proof; if there is one, it costs {cost}."
        if attempt.is_over or not self.is_sure("claim", warning):
            return
        self.said.say(["Let me think."])
        provable = await self.seat.ask(lambda adviser, copy: adviser.has_proof(copy))
        if self.seat.attempt is not attempt or attempt.is_over:
            return
        if provable is None:
            self.said.say(["Whether there is a proof was not found out in time, so nothing is counted."])
            return
        try:
            self.seat.desk.do(lambda attempt: attempt.claim(right=not provable))
        except NotAllowed as error:  # an exam has closed meanwhile
            self.said.say([str(error)], style="$warning")
            return
        if provable:
            self.said.say([f"{telling.has_a_proof(attempt)}; to say that it had none costs {cost}."], style="$warning")
            self.show_worth()
        else:
            self.show_attempt()
