"""Notes of the teacher: a sentence or a lemma that is sent to some students, or a word at an attempt.

A note is for one student, who is told of it until it is read. A lemma that was sent is an exercise of theirs from then
on. Who may write notes is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from oasis.classroom.clock import now
from oasis.classroom.desk.progress import called
from oasis.classroom.desk.record import formula_text
from oasis.classroom.proving.exercise import SENT, Exercise
from oasis.store import KeptAttempt, KeptNote
from tactics.errors import InputError
from tactics.parser import parse
from tactics.printer import COQ, Notation, brief

FROM_TEACHER: Final = "From the teacher"
"""What the place of lemmas is called that were sent."""
LONGEST: Final = 300
"""Characters of a note."""


def written(text: str, lemma: str = "", *, is_exam: bool = False) -> KeptNote:
    """Return a note with a sentence, a lemma by name or as text, or both, for no student yet.

    Raises InputError if it has neither, is too long, or sends a lemma in an exam, which students have alone.
    """
    text, lemma = " ".join(text.split()), lemma.strip()
    if not text and not lemma:
        raise InputError("Nothing is written yet; write something first.")
    if len(text) > LONGEST or not text.isprintable():
        raise InputError(f"A note is a line of at most {LONGEST} characters that can be printed; make it shorter.")
    note = KeptNote(0, now(), text, exam=int(is_exam))
    if not lemma:
        return note
    if is_exam:
        raise InputError("Students have the exam alone; send a sentence now, and the lemma when the exam is over.")
    from curricula.resolve import named_lemma
    from curricula.sheet import read_typed

    found = named_lemma(lemma) or read_typed(lemma).lemma(lemma)
    return note._replace(lemma=found.name, formula=formula_text(found.formula))


def sent(notes: Iterable[KeptNote]) -> tuple[Exercise, ...]:
    """Return the lemmas that notes send as exercises, each once, in their order."""
    exercises = (Exercise(note.lemma, parse(note.formula), SENT) for note in notes if note.lemma)
    return tuple({(each.name, each.formula): each for each in exercises}.values())


def sentence(note: KeptNote, attempt: KeptAttempt | None, notation: Notation = COQ) -> str:
    """Return what a note says to its student.

    Args:
        note: of the teacher.
        attempt: the one at which it was left, None for none.
        notation: of the formula of a lemma that is sent.
    """
    said = [note.text] if note.text else []
    if note.lemma:
        said.append(f"Prove {brief(parse(note.formula), notation)}: see {FROM_TEACHER} in Learn.")
    if attempt is not None:
        lemma = called(attempt.place, attempt.name, is_done=bool(attempt.outcome))
        said.insert(0, f"On your attempt at {lemma}:")
    return " ".join(said)
