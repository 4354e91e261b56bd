"""What an agent makes of a state: for each action its value, how often it was tried, and how likely it is."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.content import Content

from oasis.classroom.agent.beliefs import Belief, Beliefs
from tui.look import Look
from tui.widgets.steady import Steady


class BeliefTable(VerticalScroll):
    """A table, and a sentence under it."""

    def __init__(self, look: Look, title: str) -> None:
        super().__init__(Steady(markup=False), classes="panel")
        self._look = look
        self.border_title = title

    def say(self, sentence: str) -> None:
        """Show a sentence and no table."""
        self.query_one(Steady).update(Content.styled(sentence, "dim italic"))

    def show(self, beliefs: Beliefs) -> None:
        """Show beliefs, in the order in which the actions are offered."""
        if not beliefs.actions:
            self.say("There is nothing to choose here.")
            return
        width = max(len(str(belief.move)) for belief in beliefs.actions)
        header = Content.styled(f"  {'move':<{width}}      Q tried takes", "dim")
        rows = [self._row(belief, width, beliefs) for belief in beliefs.actions]
        self.query_one(Steady).update(Content("\n").join([self._sentence(beliefs), header, *rows]))

    def _row(self, belief: Belief, width: int, beliefs: Beliefs) -> Content:
        is_choice = belief.move == beliefs.choice
        mark = self._look.mark("best") if is_choice else " "
        style = "bold $success" if is_choice else "" if belief.visits else "dim"
        return Content.styled(
            f"{mark} {belief.move!s:<{width}}{number(belief.value):>7}{brief(belief.visits):>6}{belief.share:>6.0%}",
            style,
        )

    def _sentence(self, beliefs: Beliefs) -> Content:
        if not beliefs.met:
            return Content.styled("It is new here: it draws lots.", "$warning")
        if beliefs.choice is not None:
            return Content.assemble("It takes ", (str(beliefs.choice), "bold"), " to be best.")
        ties = sum(belief.is_greedy for belief in beliefs.actions)
        return Content(f"It draws lots between {ties} of these.")


def number(value: float) -> str:
    """A value in at most seven characters, as long as it lies between -1,000 and 10,000."""
    return f"{value:.3f}" if abs(value) < 9.9995 else f"{value:.1f}"


def brief(count: int) -> str:
    """A count in at most five characters."""
    if count < 10_000:
        return str(count)
    return f"{count // 1000}k" if count < 1_000_000 else f"{count / 1e6:.3g}M"
