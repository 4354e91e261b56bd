"""What is to be proved: the goal in focus as a table of hypotheses over its conclusion, and the goals that wait."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tactics.goal import Goal, State
from tui.look import Look
from tui.widgets.steady import Steady


class Goals(VerticalScroll):
    """A state."""

    def __init__(self, look: Look) -> None:
        super().__init__(Steady(id="goals-text"))
        self._look = look
        self.border_title = "To prove"

    def show(self, state: State) -> None:
        """Show a state; the first goal whole, the others in a line each."""
        if not state:
            self.border_title = "To prove"
            self.query_one(Static).update(Content.styled("Nothing is left to prove.", "bold $success"))
            return
        count = len(state)
        self.border_title = f"To prove: goal 1 of {count}" if count > 1 else "To prove"
        lines = [*self._whole(state[0]), *self._waiting(state[1:])]
        self.query_one(Static).update(Content("\n").join(lines))

    def say(self, sentence: str) -> None:
        """Show a sentence instead of a state."""
        self.query_one(Steady).update(Content.styled(sentence, "dim italic"))

    def _whole(self, goal: Goal) -> list[Content]:
        width = max([len(name) for name, _ in goal.hypotheses], default=1)
        lines = [
            Content.assemble((f"{name:>{width}}", "bold $text-accent"), " : ", self._look.formula(formula))
            for name, formula in goal.hypotheses
        ]
        if not lines:
            lines = [Content.styled("no hypotheses yet", "dim italic")]
        longest = max(line.cell_length for line in lines)
        rule = Content.styled(self._look.mark("line") * max(12, min(longest, 60, self.content_size.width)), "dim")
        conclusion = Content.assemble(
            (f"{self._look.notation.turnstile:>{width}}", "bold $primary"),
            "   ",
            (self._look.formula(goal.conclusion), "bold"),
        )
        return [*lines, rule, conclusion]

    def _waiting(self, goals: State) -> list[Content]:
        if not goals:
            return []
        lines = [Content(""), Content.styled("and then", "dim italic")]
        for number, goal in enumerate(goals, 2):
            text = f"{number}. {self._look.formula(goal.conclusion)}"
            lines.append(Content.styled(text, "dim"))
        return lines
