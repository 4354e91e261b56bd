"""What a partner says of a state: a sentence of each voice, and for each move the figures of all of them."""

from __future__ import annotations

from math import isinf
from typing import Final

from textual.containers import VerticalScroll
from textual.content import Content

from oasis.classroom.partner.opinions import Column, Kind, Opinion, Voice
from tactics.goal import Move
from tactics.rules import spoken
from tui.look import Look
from tui.widgets.steady import Steady

WIDTHS: Final = {Kind.VALUE: 7, Kind.COUNT: 6, Kind.SHARE: 6, Kind.MOVES: 6}
"""Characters of a figure, the space before it among them."""


class BeliefTable(VerticalScroll):
    """Sentences, and a table under them; of its columns as many as there is room for."""

    def __init__(self, look: Look, title: str) -> None:
        super().__init__(Steady(markup=False), Steady(markup=False, classes="figures"), classes="panel")
        self._look = look
        self._shown: Opinion | None = None
        self.border_title = title

    def say(self, sentence: str) -> None:
        """Show a sentence and no table."""
        self._shown = None
        self._update(Content.styled(sentence, "dim italic"), Content(""))

    def show(self, opinion: Opinion) -> None:
        """Show an opinion, the moves best first."""
        if not opinion.moves:
            self.say("There is nothing to choose here.")
            return
        self._shown = opinion
        self.set_class(len(opinion.voices) > 1, "-voices")
        width = max(len(spoken(move)) for move in opinion.moves)
        columns = self._fitting(opinion, width)
        heads = "".join(f"{each.head:>{WIDTHS[each.kind]}}" for each in columns)
        rows = [self._row(opinion, place, opinion.moves[place], columns, width) for place in opinion.ranked()]
        voices = opinion.voices
        is_told_by_mark = len(voices) == 1 and voices[0].columns[0].kind is Kind.VALUE and voices[0].is_sure
        if is_told_by_mark and opinion.choice is not None and self.screen.has_class("-low"):
            voices = ()  # there is no room for what the mark at the best move says as well
        said = [self._sentence(voice, opinion) for voice in voices]
        header = Content.styled(f"  {'move':<{width}}{heads}", "dim")
        self._update(Content("\n").join(said), Content("\n").join([header, *rows]))

    def on_resize(self) -> None:
        """Show as many columns as there is room for now."""
        if self._shown is not None:
            self.show(self._shown)

    def _update(self, sentences: Content, figures: Content) -> None:
        above, below = self.query(Steady)
        above.display = bool(sentences)
        above.update(sentences)
        below.update(figures)

    def _fitting(self, opinion: Opinion, width: int) -> list[Column]:
        """The columns that there is room for, the first ones first."""
        columns = [column for voice in opinion.voices for column in voice.columns]
        room = self.scrollable_content_region.width - 2 - width
        while len(columns) > 1 and sum(WIDTHS[each.kind] for each in columns) > room > 0:
            columns.pop()
        return columns

    def _row(self, opinion: Opinion, place: int, move: Move, columns: list[Column], width: int) -> Content:
        is_choice = move == opinion.choice
        mark = self._look.mark("best") if is_choice else " "
        figures = [(each.kind, each.figures[place]) for each in columns]
        is_known = any(figure for kind, figure in figures if kind is not Kind.VALUE and kind is not Kind.SHARE)
        is_dim = not is_known and any(kind is Kind.COUNT for kind, _ in figures)
        cells = "".join(f"{self._cell(*figure):>{WIDTHS[figure[0]]}}" for figure in figures)
        return Content.styled(
            f"{mark} {spoken(move):<{width}}{cells}", "bold $success" if is_choice else "dim" if is_dim else ""
        )

    def _cell(self, kind: Kind, figure: float | None) -> str:
        if figure is None:
            return "?"
        match kind:
            case Kind.VALUE:
                return number(figure)
            case Kind.SHARE:
                return f"{figure:.0%}"
            case _:
                return "none" if isinf(figure) else brief(int(figure))

    def _sentence(self, voice: Voice, opinion: Opinion) -> Content:
        sentence = Content.styled(voice.sentence, "" if voice.is_sure else "$warning")
        if len(opinion.voices) == 1:
            return sentence
        is_mover = voice.name == opinion.mover
        mark = self._look.mark("best") if is_mover else " "
        name = Content.styled(f"{mark} {voice.name}: ", "bold $success" if is_mover else "bold")
        return Content.assemble(name, sentence)


def number(value: float) -> str:
    """A value in at most seven characters, as long as it lies between -1,000 and 10,000."""
    return f"{value:.3f}" if abs(value) < 9.9995 else f"{value:.1f}"


def brief(count: int) -> str:
    """A count in at most five characters."""
    if count < 10_000:
        return str(count)
    return f"{count // 1000}k" if count < 1_000_000 else f"{count / 1e6:.3g}M"
