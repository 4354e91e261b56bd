"""When a lemma is done: what is said then, the proof as a file, and the way on, which nobody goes by accident."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import work
from textual.binding import BindingType

from oasis.backends.export import Proof
from oasis.classroom.desk import progress
from oasis.classroom.desk.endings import world_end
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.words import compared, moves, proved
from tui.commands import COMMANDS, bindings
from tui.screens.advised import Advised
from tui.widgets.key_bar import Key
from tui.widgets.light import Light


class Finishing(Advised):
    """A place where proofs come to an end."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("whole", "save_proof", "another", "following")

    def arrive(self) -> None:
        """Show the attempt as it stands."""
        raise NotImplementedError

    @work(exclusive=True, group="finish")
    async def finish(self) -> None:
        """Say what was done and what it is worth; why there is no proof, or how long the shortest is."""
        attempt, light = self.attempt, self.query_one(Light)
        state, points = attempt.state, f"{self.told_points(self.seat.desk.result.points)}."
        look, exercise = self.session.look, self.seat.exercise
        sayings = map(look.text, progress.sayings(exercise.place, exercise.name, look.notation))
        if attempt.refuted:
            light.finish("no proof, as you said")
            said = [f"Yes: this lemma has no proof. {points}", *sayings, f"{self.key_of('why')} shows why."]
            self.said.say(said)
            self._mark_the_end_of_a_world()
            countermodel = await self.seat.ask(Adviser.refutation)
            if countermodel is not None and self.is_now(attempt, state):
                self.said.say(said, self.drawn(countermodel, self.said.content_size.width))
            return
        made = len(attempt.made)
        keys = f"{self.key_of('whole')} shows the whole proof, {self.key_of('save_proof')} saves it."
        light.finish(f"proved in {moves(made)}")
        said = [f"{proved(made)} {points}", *sayings]
        self.said.say(said, style="$success")
        self._mark_the_end_of_a_world()
        shortest = None
        if not self.session.is_exam:
            shortest = await self.seat.ask(lambda adviser, copy: adviser.shortest(copy))
        said += compared(made, shortest)
        if shortest is not None and shortest < made:
            keys = f"{self.key_of('another')} begins anew; {keys}"
        if not self.is_now(attempt, state):
            return
        self.said.say([*said, keys], style="$success")
        certified = await self.session.certify(attempt.formula, attempt.script)
        if certified and self.is_now(attempt, state):
            self.said.say([*said, *certified, keys], style="$success")

    def keys_now(self) -> Iterator[Key]:
        """What can be done now; where there is no proof, the key of the whole one shows a countermodel."""
        whole = COMMANDS["whole"]
        for key in super().keys_now():
            yield key._replace(label=self._label_of_whole()) if key.about == whole.about else key

    def _label_of_whole(self) -> str:
        """What is seen of a lemma that is done."""
        return "Countermodel" if self.attempt.refuted else COMMANDS["whole"].label

    def _mark_the_end_of_a_world(self) -> None:
        """Have the moment come at once with which a world is done, or the next one opens; each comes but once."""
        results, exercise = self.seat.desk.results(), self.seat.exercise
        if world_end(results, exercise, was_done=self.seat.was_done):
            self._see()

    def action_whole(self) -> None:
        """See all of what was done."""
        if self.attempt.is_over:
            self._see()
        else:
            self.said.say(["The whole proof can be seen once it is finished."], style="$warning")

    @work(exclusive=True, group="moment")
    async def _see(self) -> None:
        """Show the moment, and then do what was chosen there."""
        from tui.screens.moment import moment

        attempt, points = self.attempt, f"{self.told_points(self.seat.desk.result.points)}."
        shown = await moment(self.session, points, lambda command: self.app.call_later(self.run_action, command))
        if self.attempt is attempt and attempt.is_over and self.is_current:
            self.seat.was_done = True
            self.app.push_screen(shown)

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

    def action_save_proof(self) -> None:
        """Save the finished proof."""
        from tui.screens.dialogs import SaveProof

        exercise = self.seat.exercise
        if not self.attempt.proved:
            self.said.say(["A proof can be saved once it is finished."], style="$warning")
            return
        if self.session.is_exam:
            self.said.say(["In an exam proofs are not saved as files; after it this one can be."], style="$warning")
            return
        proof = Proof(exercise.name, self.attempt.formula, self.attempt.script)
        self.app.push_screen(SaveProof(proof, self.session.look, self.session.save))
