"""An attempt moment by moment: what was done and when, where that led, and which move lost the proof.

For a teacher who wants to see how somebody worked, and for that student. What many attempts have in common is found by
`oasis.classroom.register.mistakes`; how a history is shown is not known here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from oasis.classroom.desk.record import PAUSE, PROVED, REFUTED, terms_from_json
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.exercise import POINTS
from oasis.classroom.proving.words import clock, moves
from oasis.store import KeptAttempt, KeptEvent, KeptNote
from tactics.errors import printable
from tactics.goal import State
from tactics.json_form import state_to_json
from tactics.parser import parse
from tactics.printer import Notation
from tactics.rules import SPEAKING, spoken
from tactics.script import Script, show_script

SECONDS: Final = 1.0
"""How long it may take to find out whether the lemma can still be proved after one moment."""
HINTS: Final = {
    "1": "whether a move has lost the proof",
    "2": "where to look",
    "3": "which rule to use",
    "4": "which move to make",
}
"""What a hint of each level says."""


class Moment(NamedTuple):
    """Something that happened in an attempt.

    Attributes:
        number: 0 for the beginning, then that of the event.
        at: when, as ISO 8601 has it.
        seconds: since the moment before; 0 if the clock was put back meanwhile.
        event: what happened; None at the beginning.
        sentence: the same in words, without a capital and a full stop.
        state: after it.
        script: after it.
    """

    number: int
    at: str
    seconds: float
    event: Event | None
    sentence: str
    state: State
    script: Script

    @property
    def is_after_break(self) -> bool:
        """Whether so long a time had passed that not all of it counts as work."""
        return self.seconds > PAUSE

    def told(self, verdict: Verdict | None) -> str:
        """What follows after the time: how much later than the moment before, what happened, and what that did."""
        later = f", {clock(self.seconds)} later" if self.number else ""
        if self.is_after_break:
            later = f", after a break of {clock(self.seconds)}"
        said = f"{later}: {self.sentence}."
        if verdict is not None and (verdict.lost or verdict.provable is None):
            said += " This loses the proof." if verdict.lost else f" {verdict.sentence}"
        return said

    def to_json(self, verdict: Verdict | None, goals_in: Notation | None) -> dict[str, Any]:
        """What happened, with what was to be proved then if a notation is given, and what a teacher says of it."""
        return {
            "number": self.number,
            "at": self.at,
            "seconds": self.seconds,
            "kind": "" if self.event is None else self.event.kind,
            "what": "" if self.event is None else self.event.what,
            "sentence": self.sentence,
            "script": show_script(self.script),
            **({} if goals_in is None else state_to_json(self.state, goals_in, sugar=True)),
            **({} if verdict is None else {"provable": verdict.provable, "lost": verdict.lost}),
        }

    @property
    def is_end(self) -> bool:
        """Whether nothing was left to do: the lemma was proved, or had just been rightly said to have no proof."""
        return not self.state or self.event == Event("claim", "right")


class Verdict(NamedTuple):
    """What a teacher says of where a moment has led.

    Attributes:
        provable: whether the lemma can still be proved by the tactics that may be used; None if not known in time.
        lost: whether it could before this moment and can no longer.
        sentence: the same in words, with the moment that lost the proof.
    """

    provable: bool | None
    lost: bool
    sentence: str


@dataclass(frozen=True)
class History:
    """An attempt moment by moment.

    Attributes:
        kept: what has come of it.
        moments: the beginning, and one for each event.
        notes: that the teacher left at it, oldest first; each says at which moment.
        damage: one sentence where the attempt cannot be made again from some event on, else empty.
    """

    kept: KeptAttempt
    moments: tuple[Moment, ...]
    damage: str = ""
    notes: tuple[KeptNote, ...] = ()

    @classmethod
    def of(cls, kept: KeptAttempt, events: Sequence[KeptEvent], notes: Iterable[KeptNote] = ()) -> History:
        """The history of an attempt with these events, as far as they can be made to happen again.

        Of the notes those are taken that were left at this attempt.
        """
        left = tuple(note for note in notes if note.attempt == kept.uuid)
        found: list[Moment] = []
        try:
            for moment in _moments(kept, events):
                found.append(moment)
        except ValueError as error:
            reason = str(error).splitlines()[0].rstrip(".")
            what = f"{events[len(found) - 1].kind} {events[len(found) - 1].what}".rstrip() if found else "the beginning"
            said = printable(f"Here it stops: {what} cannot be made again ({reason}).")
            return cls(kept, tuple(found), said, left)
        return cls(kept, tuple(found), notes=left)

    def notes_at(self, number: int) -> list[str]:
        """What the teacher has written at a moment, by its number."""
        return [note.text for note in self.notes if note.moment == number]

    def row(self) -> dict[str, Any]:
        """What has come of the attempt, for programs."""
        return {name: value for name, value in self.kept._asdict().items() if name not in ("key", "terms")}

    def to_json(self, verdicts: Iterator[Verdict], goals_in: Notation | None) -> dict[str, Any]:
        """The same with its moments; goals if they are to be written."""
        moments = [moment.to_json(next(verdicts, None), goals_in) for moment in self.moments]
        notes = [{"at": note.at, "moment": note.moment, "text": note.text} for note in self.notes]
        return {**self.row(), "moments": moments, "damage": self.damage, "notes": notes}

    def verdicts(self, seconds: float = SECONDS) -> Iterator[Verdict]:
        """What a teacher says of each moment, one after the other, who may think so long about each.

        A proof that is lost was lost by the latest moment before which the lemma could still be proved. Where that was
        not found out in time no moment is said to have lost it.
        """
        if not self.moments:
            return
        formula, terms = parse(self.kept.formula), terms_from_json(json.loads(self.kept.terms))
        adviser = Adviser(seconds, terms.only)
        within = "" if terms.allows_all else " with these tactics"
        before: bool | None = None
        since: Moment | None = None
        for moment in self.moments:
            provable = adviser.on_track(Attempt(formula, list(moment.script)))
            lost = before is True and provable is False
            if provable is not False:
                since = None
            elif lost or not moment.number:
                since = moment
            yield Verdict(provable, lost, _judgement(moment, provable, since, within))
            before = provable


def can_be_told(attempts: Iterable[History]) -> bool:
    """Whether a student may know which of their moves at a lemma lost the proof: once it is done.

    Before that it would be a hint that costs nothing.
    """
    return any(attempt.kept.outcome for attempt in attempts)


def come_to(kept: KeptAttempt) -> str:
    """What has come of an attempt, in a few words: outcome, points, time, and whether it has come from a file."""
    outcome = {PROVED: f"proved in {moves(kept.moves)}", REFUTED: "rightly said to have no proof"}
    said = [outcome.get(kept.outcome, "not done")]
    if kept.outcome:
        said.append(f"{kept.points} of {POINTS} points for this attempt alone")
    said.append(clock(kept.seconds))
    if kept.imported:
        said.append("from a file for which the teacher answers" if kept.vouched else "from a file")
    return ", ".join(said)


def _moments(kept: KeptAttempt, events: Iterable[KeptEvent]) -> Iterator[Moment]:
    """The beginning, and what each event makes of it. Raises ValueError at the first that cannot be made again."""
    attempt = Attempt(parse(kept.formula), terms=terms_from_json(json.loads(kept.terms)))
    last = datetime.fromisoformat(kept.started)
    yield Moment(0, kept.started, 0.0, None, "began", attempt.state, ())
    for number, (at, kind, what) in enumerate(events, 1):
        event, time, before = Event(kind, what), datetime.fromisoformat(at), attempt.copy()
        attempt.happen([event])
        seconds = max(0.0, (time - last).total_seconds())
        yield Moment(number, at, seconds, event, _sentence(event, before, attempt), attempt.state, attempt.script)
        last = time


def _sentence(event: Event, before: Attempt, after: Attempt) -> str:
    """What happened, in words."""
    said = printable(_words(event, before, after))
    return f"{said}, which proves it" if after.proved and not before.proved else said


def _words(event: Event, before: Attempt, after: Attempt) -> str:
    match event:
        case Event("move"):
            return f"made {spoken(after.made[-1])}"
        case Event("undo"):
            return f"took back {spoken(before.made[-1])}"
        case Event("redo"):
            return f"made {spoken(after.made[-1])} again"
        case Event("jump", "0"):
            return "went back to the beginning"
        case Event("jump", step):
            return f"went {'back' if len(after.made) < len(before.made) else 'on'} to step {step}"
        case Event("hint") if before.only_move is not None:
            return "asked for a hint where only one move applied"
        case Event("hint", level):
            return f"asked for hint {level}: {HINTS.get(level, 'something')}"
        case Event("refused", move):
            rule, *where = move.split(" ")
            return f"tried {' '.join([SPEAKING.get(rule, rule), *where])}, which does not apply"
        case Event("listed"):
            return "asked for the list of moves"
        case Event("claim", verdict):
            return f"said that there is no proof; that is {verdict}"
        case Event("given"):
            number = after.given - before.given
            return f"took over {moves(number)} of the agent" if number else "went to where the agent stands"
    return "asked the agent"


def _judgement(moment: Moment, provable: bool | None, since: Moment | None, within: str) -> str:
    if not moment.state:
        return "Nothing is left to prove."
    if provable is None:
        return "Whether this can still be proved was not found out in time."
    if provable:
        return f"This can still be proved{within}."
    if since is None:
        return f"There is no proof from here{within}."
    if not since.number:
        return f"This lemma has no proof{within}."
    return f"The proof is lost{within} since {since.number}: {since.sentence}."
