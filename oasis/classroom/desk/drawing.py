"""Which lemma of a pool each student has: drawn by lot, kept in the file of the class, and the same from then on.

The lot comes from the secret of the file, so nobody can work out what a classmate has. It is drawn for the whole list
at once, so that neighbours in it have different lemmas as far as the pool goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from oasis.classroom.desk.record import is_unvouched
from oasis.classroom.lessons.lesson import Entry, Lesson
from oasis.classroom.lessons.pools import different
from oasis.classroom.people.names import alphabetical
from oasis.store import Store, Student


def drawn(store: Store, lesson: Lesson, student: Student) -> dict[str, bytes]:
    """Return the key of the lemma that a student has of each pool of a lesson, by the name of its exercise.

    What is not drawn yet is drawn now, for everybody in the class. Raises StoreError.
    """
    pools = [entry for entry in lesson.exercises if entry.pool]
    if not pools:
        return {}
    known = store.draws(lesson.name)
    if any(not _is_drawn(entry, known.get((entry.exercise.name, student.id))) for entry in pools):
        with store.together():
            for entry in pools:
                _draw(store, lesson, entry)
            known = store.draws(lesson.name)
    keys = {entry.exercise.name: known.get((entry.exercise.name, student.id)) for entry in pools}
    return {name: key for name, key in keys.items() if key is not None}


def _is_drawn(entry: Entry, key: bytes | None) -> bool:
    """Whether a key is that of a lemma of the pool; what was taken out of the pool has to be drawn anew."""
    return any(variant.key == key for variant in entry.pool)


def _draw(store: Store, lesson: Lesson, entry: Entry) -> None:
    """Draw a lemma for each student who has none of a pool: the one that was begun, or else one by lot."""
    name, keys = entry.exercise.name, [variant.key for variant in different(entry.pool)]
    known = store.draws(lesson.name)
    has = {student: key for (exercise, student), key in known.items() if exercise == name and _is_drawn(entry, key)}
    new = {}
    for stored in store.attempts():
        kept, student = stored.kept, stored.student_id
        is_here = (kept.place, kept.name) == (lesson.name, name) and kept.key in keys and not is_unvouched(kept)
        if is_here and student not in has:
            has[student] = new[student] = kept.key
    present = [student for student in store.students() if student.left is None]
    seats = [student.id for student in sorted(present, key=lambda student: alphabetical(student.name))]
    for before, student, after in zip([None, *seats], seats, [*seats[1:], None], strict=False):
        if student not in has:
            beside = [has[other] for other in (before, after) if other in has]
            lot = f"{lesson.name}\0{name}\0{student}"
            has[student] = new[student] = _by_lot(store.secret(), lot, keys, beside, has.values())
    for student, key in new.items():
        store.set_draw(student, lesson.name, name, key)


def _by_lot(secret: bytes, lot: str, keys: Sequence[bytes], beside: Sequence[bytes], taken: Iterable[bytes]) -> bytes:
    """One of some keys: of those that fewest neighbours have the rarest, and of these one by lot."""
    times = Counter(taken)

    def order(key: bytes) -> tuple[int, int, bytes]:
        return beside.count(key), times[key], blake2b(lot.encode() + b"\0" + key, key=secret, digest_size=16).digest()

    return min(keys, key=order)
