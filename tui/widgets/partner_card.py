"""Who a partner is and what it has come to: its settings, its episodes, its proofs, and what it said last."""

from __future__ import annotations

from math import inf
from typing import Final

from textual.content import Content

from oasis.classroom.partner.messages import Report
from oasis.classroom.partner.partners import PARTNERS
from oasis.ground.plural import counted
from tui.look import Look
from tui.widgets.beliefs import brief
from tui.widgets.words import Paragraph, Words, clickable, paragraph

_MARKED: Final = ("epsilon", "alpha", "gamma", "initial_value")
_LABELS: Final = {"learner": "", "reward": "reward", "state_space": "states", "actions": "moves"}
LATER: Final = "What came of them is shown when the lemma is done."


class PartnerCard(Words):
    """A card with a partner's name on it; a click on one of its settings switches that.

    Args:
        look: how things look.
        place: of the partner among those of the room.
        letter: by which it is called where there are several.
    """

    def __init__(self, look: Look, place: int = 0, letter: str = "") -> None:
        super().__init__()
        self._look, self._place, self._letter = look, place, letter

    def say(self, sentence: str, style: str = "dim") -> None:
        """Show a sentence and nothing else."""
        self.border_title = self._letter
        self.show_words(paragraph(sentence, style))

    def show(self, kind: str, report: Report | None) -> None:
        """Show what a partner of a kind reports; None while it is starting."""
        title = ": ".join(filter(None, (self._letter, PARTNERS[kind].title)))
        if report is None:
            self.say("It is coming.")
        else:
            self.show_words(*self._settings(kind, report), *self._lines(kind, report))
        self.border_title = title

    def _settings(self, kind: str, report: Report) -> list[Paragraph]:
        words = []
        for name in PARTNERS[kind].switches:
            value = getattr(report.settings, name)
            shown = f"{value:g}" if isinstance(value, float) else str(value)
            label = self._look.mark(name) if name in _MARKED else _LABELS[name]
            word = Content.assemble((f"{label} " if label else "", "dim"), (shown, "bold"))
            words.append(clickable(word, f"screen.switch('{name}', {self._place})"))
        return [Paragraph(tuple(words))] if words else []

    def _lines(self, kind: str, report: Report) -> list[Paragraph]:
        """What has come of it; where there is little room, what it said stands instead."""
        knows = report.knows
        said = [paragraph(self._look.text(report.said), "$text-accent")] if report.said else []
        is_low = self.screen.has_class("-low")
        if said and is_low:
            return said
        told = [pace_in_words(report), counted(knows.episodes, "episode")]
        if report.hides_tries:
            return [Paragraph(tuple(map(Content, told))), paragraph(LATER, "dim"), *said]
        if not knows.is_something:
            about = [] if is_low and report.opinion is not None else [paragraph(PARTNERS[kind].about, "dim")]
            return [Paragraph(tuple(map(Content, told))), *about, *said]
        told.append(f"{knows.proved / knows.episodes:.0%} proved" if knows.episodes else "none proved")
        told += [] if knows.best is None else [f"best {len(knows.best)}"]
        if knows.exam is not None and not (is_low and report.shares):
            best = "" if knows.exam.best is None else f" best {knows.exam.best}"
            told += [f"exam {knows.exam.share:.0%}{best}", counted(knows.states, "state")]
        return [Paragraph(tuple(map(Content, told))), *self._voices(report), *said]

    def _voices(self, report: Report) -> list[Paragraph]:
        """What each voice did and cost, in a line each; where there is little room what they did alone."""
        if self.screen.has_class("-low"):
            did = ", ".join(f"{share.name} {brief(share.moves)}" for share in report.shares)
            return [paragraph(f"moves: {did}")] if did else []
        lines = []
        for name, made, cost in report.shares:
            worked = max(cost.episodes, cost.expansions, cost.forwards)
            what = "episodes" if cost.episodes else "goals"
            did = f"{brief(made):>5} moves{_seconds(cost.seconds):>5} s"
            who = Content.assemble((f"{name:<7}", "bold"), did)
            lines.append(Paragraph((who, Content(f"{brief(worked):>4} {what}"))))
        return lines


def pace_in_words(report: Report) -> str:
    """Whether it plays, and how fast it does or would."""
    speed = "full speed" if report.speed == inf else f"{report.speed:g} a second"
    return f"playing, {speed}" if report.playing else f"resting, {speed}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f}" if seconds < 1000 else brief(int(seconds))
