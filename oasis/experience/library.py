"""The library of a database: its maxims, and operations on them, each of which is a line in the journal.

Any number of processes may write at once: each operation looks at the journal and adds its line in one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from oasis.experience.maxims import OPERATIONS, Entry, Evidence, Maxim, check_there, content_of, fold
from oasis.experience.prior import Prior
from oasis.experience.scope import Scope
from oasis.store import Store
from tactics.errors import InputError


class Brought(NamedTuple):
    """What came of lines from elsewhere.

    Attributes:
        taken: how many are in the journal now that were not.
        known: how many were there already.
        left: how many are about maxims that have been deleted here.
    """

    taken: int
    known: int
    left: int


class Library:
    """The maxims that are kept in a store.

    Args:
        store: must stay open as long as the library is used.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def history(self) -> list[Entry]:
        """Every line of the journal, oldest first. Raises StoreError if somebody else wrote into it."""
        try:
            return [Entry.read(row) for row in self._store.maxim_entries()]
        except InputError as error:
            raise self._store.damaged(str(error).rstrip(".")) from None

    def maxims(self) -> dict[int, Maxim]:
        """The maxims by their numbers: the fold of the journal. Raises StoreError if somebody else wrote into it."""
        try:
            return fold(self.history())
        except InputError as error:
            raise self._store.damaged(str(error).rstrip(".")) from None

    def maxim(self, number: int) -> Maxim:
        """The maxim of a number. Raises InputError if there is none."""
        library = self.maxims()
        check_there(library, {entry.maxim for entry in self.history()}, number)
        return library[number]

    def prior(self) -> Prior:
        """What the maxims say of moves, as they are now. Raises InputError if there are none, and as `maxims` does."""
        maxims = self.maxims()
        if not maxims:
            raise InputError(
                f"There are no maxims in {self._store.path}; distil some, as in: oasis experience distill textbook"
            )
        return Prior.of(maxims.values())

    def add(
        self,
        scope: Scope,
        evidence: Evidence,
        *,
        source: str,
        by: str,
        reason: str,
        remark: str = "",
        **more: Any,
    ) -> int:
        """Add a maxim, and return its number; the line has what is given more. Raises InputError if it is none."""
        told = {"scope": scope.to_json(), "evidence": [*evidence], "source": source, "remark": remark}
        return self._do("add", None, by, reason, {**told, **more})

    def modify(self, number: int, content: Mapping[str, Any], *, by: str, reason: str) -> None:
        """Change what is given of a maxim: `scope`, `evidence` or `remark`, as in the journal.

        Raises InputError if there is no such maxim, or what it would become is none.
        """
        self._do("modify", number, by, reason, content)

    def delete(self, number: int, *, by: str, reason: str, **more: Any) -> None:
        """Delete a maxim; its number stays its own, the line has what is given. Raises InputError if there is none."""
        self._do("delete", number, by, reason, more)

    def together(self) -> AbstractContextManager[None]:
        """Operations inside are done all or none."""
        return self._store.together()

    def bring(self, entries: Sequence[Entry]) -> Brought:
        """Add lines from another journal, all or none, without those that are there already.

        Maxims get numbers of this library. One that was deleted here stays deleted.

        Raises InputError if the lines are no journal.
        """
        fold(entries)
        taken = known = left = 0
        with self._store.together():
            here, library = self.history(), self.maxims()
            unmatched = {operation: [each for each in here if each.operation == operation] for operation in OPERATIONS}
            numbers: dict[int, int] = {}
            for entry in entries:
                moved = entry._replace(maxim=numbers.get(entry.maxim, 0))
                match = next((each for each in unmatched[entry.operation] if _same(each, moved)), None)
                if match is not None:
                    unmatched[entry.operation].remove(match)
                    numbers[entry.maxim] = match.maxim
                    known += 1
                elif moved.operation == "add":
                    numbers[entry.maxim] = self._write(moved, moved.at)
                    taken += 1
                elif moved.maxim in library or moved.maxim not in {each.maxim for each in here}:
                    self._write(moved, moved.at)
                    library.pop(moved.maxim if moved.operation == "delete" else 0, None)
                    taken += 1
                else:
                    left += 1
        return Brought(taken, known, left)

    def _do(self, operation: str, number: int | None, by: str, reason: str, content: Mapping[str, Any]) -> int:
        with self._store.together():
            if number is not None:
                before = content_of(self.maxim(number))
                content = {**before, **content} if operation == "modify" else content
            history = self.history()
            next_number = 1 + max((each.maxim for each in history), default=0) if number is None else number
            entry = Entry.read(Entry(operation, next_number, "now", by, reason, content)._asdict())
            fold([*history, entry])
            return self._write(entry._replace(content=content), None)

    def _write(self, entry: Entry, at: str | None) -> int:
        operation, number, _, by, reason, content = entry
        return self._store.add_maxim_entry(
            operation, maxim=number or None, by=by, reason=reason, content=content, at=at
        )


def _same(one: Entry, other: Entry) -> bool:
    """Whether two lines say the same, of the same maxim, or of one without a number."""
    return one[2:] == other[2:] and other.maxim in (0, one.maxim)
