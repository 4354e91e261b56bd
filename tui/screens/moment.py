"""The moment when a lemma is done: the whole proof as a tree, in boxes or in words, what was best, and what comes next.

It is shown in front of the place where the proof was made. What is chosen there is told to that place; nobody goes on
by pressing Enter.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, ScrollableContainer, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from oasis.backends.export import Proof
from oasis.backends.export.fitch import boxed, legend
from oasis.backends.export.prose import told
from oasis.classroom.desk.endings import best, world_end
from oasis.classroom.desk.progress import called, sayings
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.proving.tree import ProofTree
from oasis.classroom.proving.words import moves, proved
from oasis.teacher.countermodels.drawing import draw
from oasis.teacher.countermodels.explanation import explain
from tui.commands import COMMANDS, bindings
from tui.phrases import short
from tui.screens.dialogs import Box, Dialog
from tui.session import Session
from tui.widgets.words import clickable

FORMS: Final = {"as_tree": "Tree", "as_boxes": "Fitch", "as_words": "In words"}
"""The commands that give a proof a form, and what the forms are called."""
_SIDE_BY_SIDE: Final = 100
"""Columns without which two proofs stand one below the other."""
_LEAST: Final = 30
"""Columns that words are given at least."""
_PICTURE: Final = 70
"""Columns of the picture of a countermodel."""


class Shown(NamedTuple):
    """A proof, or a picture of why there is none, with what stands above it.

    Attributes:
        title: whose it is, and how long.
        proof: None for a picture.
        picture: what is shown of a lemma without proof.
        words: what stands below the picture.
    """

    title: str
    proof: Proof | None = None
    picture: str = ""
    words: Sequence[str] = ()


class Moment(Dialog):
    """A lemma that is done.

    Args:
        title: the lemma.
        brought: what is said of a world that is done with it; empty if none is.
        said: what came of it, a line each.
        shown: what there is to see, side by side or one below the other.
        ways: commands that lead on from here, each with what it is called.
        then: does such a command once this is closed.
        session: how things look, and where files are saved.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "as_tree", "as_boxes", "as_words", "another", "following", "save_proof", "leave"
    )

    def __init__(
        self,
        title: str,
        brought: str,
        said: Sequence[str],
        shown: Sequence[Shown],
        ways: Mapping[str, str],
        then: Callable[[str], object],
        session: Session,
    ) -> None:
        super().__init__()
        self._title, self._brought, self._told = title, brought, said
        self._shown, self._ways, self._then = shown, ways, then
        self._session, self._look = session, session.look
        self._form = next(iter(FORMS))

    def compose(self) -> ComposeResult:
        """What is said, the proof, and below it what can be done."""
        with Box(self._title, name="moment"):
            with VerticalScroll(id="moment-said", can_focus=False):
                yield Static(self._words(), markup=False)
            yield Static(id="forms", markup=False)
            with Horizontal(id="proofs"):
                for each in self._shown:
                    with ScrollableContainer(classes="proof") as frame:
                        frame.border_title = each.title
                        yield Static(markup=False)
            yield Static(id="ways", markup=False)

    def _words(self) -> Content:
        """What is said; what a world has brought stands out."""
        lines = [Content.styled(self._look.text(self._brought), "bold $text-success")] if self._brought else []
        return Content("\n").join([*lines, *map(Content, map(self._look.text, self._told))])

    def on_mount(self) -> None:
        """Let the arrows move what is shown."""
        self.query_one("#forms").display = self._is_proof
        self.query(".proof").first(ScrollableContainer).focus()

    def on_resize(self, _: events.Resize) -> None:
        """Fit what is shown to the room there is."""
        self.query_one("#proofs").set_class(self.size.width < _SIDE_BY_SIDE, "-one-below-the-other")
        self.call_after_refresh(self._show)

    @property
    def _is_proof(self) -> bool:
        return all(each.proof is not None for each in self._shown)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what there is a way to can be done, and only proofs have several forms and can be saved."""
        if action == "save_proof":
            return self._is_proof and not self._session.is_exam
        if action in FORMS:
            return self._is_proof
        return action in self._ways if action in ("another", "following") else True

    def _show(self) -> None:
        """Show the proofs in their present form, and what can be clicked."""
        for frame, each in zip(self.query(".proof").results(ScrollableContainer), self._shown, strict=True):
            frame.query_one(Static).update(self._text(each, frame.scrollable_content_region.width))
        self.query_one("#forms", Static).update(self._clickable(FORMS))
        self.query_one("#ways", Static).update(self._clickable(self._ways))

    def _clickable(self, commands: Mapping[str, str]) -> Content:
        """Commands with their keys, each of which a click does as well; the present form stands out."""
        active = {each.binding.id: each.binding for each in reversed(self.active_bindings.values())}
        words = []
        for name, label in commands.items():
            if name in active:
                key = self._look.key(active[name].key, self.app.get_key_display(active[name]))
                style = "reverse" if name == self._form else ""
                word = Content.assemble((key, "bold $accent"), (f" {label} ", style))
                words.append(clickable(word, f"screen.{active[name].action}"))
        return Content("  ").join(words)

    def _text(self, shown: Shown, width: int) -> str:
        """What is shown, in the present form and in so many columns."""
        proof, look, room = shown.proof, self._look, max(_LEAST, width - 2)
        if proof is None:
            return "\n".join([shown.picture, "", *(line for each in shown.words for line in textwrap.wrap(each, room))])
        if self._form == "as_boxes":
            how = "\n".join(textwrap.wrap(legend(ascii_only=look.ascii_only), room))
            return boxed(proof, ascii_only=look.ascii_only).strip("\n") + f"\n\n{how}"
        if self._form == "as_words":
            return told(proof, ascii_only=look.ascii_only, width=room).strip("\n")
        tree = ProofTree.of(proof.formula, proof.script)
        return tree.outline(look.notation, ascii_only=look.ascii_only, width=width)

    def action_as_tree(self) -> None:
        """The proof as a tree of goals."""
        self._turn_to("as_tree")

    def action_as_boxes(self) -> None:
        """The proof in boxes, after Fitch."""
        self._turn_to("as_boxes")

    def action_as_words(self) -> None:
        """The proof in words."""
        self._turn_to("as_words")

    def _turn_to(self, form: str) -> None:
        self._form = form
        self._show()

    def action_following(self) -> None:
        """Go on to what comes next."""
        self._leave_for("following")

    def action_another(self) -> None:
        """Begin the lemma once more."""
        self._leave_for("another")

    def _leave_for(self, command: str) -> None:
        self.dismiss()
        self._then(command)

    def action_save_proof(self) -> None:
        """Save the student's proof in some form; afterwards this is still here."""
        from tui.screens.dialogs import SaveProof

        proof = self._shown[0].proof
        if proof is not None:
            self.app.push_screen(SaveProof(proof, self._look, self._session.save))


async def moment(session: Session, points: str, then: Callable[[str], object]) -> Moment:
    """The moment of the attempt that is over, with what a teacher has to think about first.

    Args:
        session: whose attempt it is.
        points: what it is worth, in a sentence.
        then: does a command of the place, once this is closed.
    """
    seat, look = session.seat, session.look
    attempt, exercise = seat.attempt, seat.exercise
    following, name = seat.following(), short(exercise.name)
    ways = {"following": "To the worlds" if following is None else f"Next: {_called(following)}", "another": "Again"}
    shown, shortest = [], None
    if attempt.refuted:
        countermodel = await seat.ask(Adviser.refutation)
        done = "You said that it has no proof, and that is right."
        if countermodel is not None:
            picture = draw(countermodel, look.notation, ascii_only=look.ascii_only, width=_PICTURE)
            reasons = explain(countermodel, look.notation, called="stage").sentences
            shown.append(Shown("Why there is none", picture=picture, words=reasons))
    else:
        script = None if session.is_exam else await seat.ask(Adviser.short_proof)
        made = len(attempt.made)
        shortest = None if script is None else len(script)
        done = proved(made)
        shown.append(Shown(f"Your proof: {moves(made)}", Proof(exercise.name, attempt.formula, attempt.script)))
        if script is not None and len(script) < made:
            shown.append(Shown(f"A shorter one: {moves(len(script))}", Proof(exercise.name, attempt.formula, script)))
        ways["save_proof"] = COMMANDS["save_proof"].label
    brought = " ".join(world_end(seat.desk.results(), exercise, was_done=seat.was_done))
    said = [
        f"{done} {best(attempt, shortest) if seat.desk.result.is_shown else ''} {points}".replace("  ", " "),
        " ".join(sayings(exercise.place, exercise.name, look.notation)),
    ]
    text = look.formula(exercise.formula)
    title = text if " " in exercise.name else f"{name}: {text}"
    return Moment(title, brought, list(filter(None, said)), shown, ways, then, session)


def _called(exercise: Exercise) -> str:
    """What an exercise that is not done is called."""
    return short(called(exercise.place, exercise.name, is_done=False))
