"""Deleting for good: a student with all that is theirs, and every trace of it in the file and in the log beside it.

SQLite leaves what is deleted in free pages, in the rest of pages and in its write-ahead log; here they are overwritten,
and the file is rewritten without them. What a file system or a backup keeps of an older file is beyond its reach.
"""

from __future__ import annotations

from oasis.store.database import DatabaseFile, StoreError


class Erasing(DatabaseFile):
    """The part of the store that deletes."""

    def erase_student(self, student_id: int, *people: str) -> None:
        """Delete a student, their attempts, and what is counted under these names for people; `sweep` is to follow.

        The number of the student is kept, so that nobody gets it and their work could come back by nobody's hand.
        """
        self._overwrite_deleted()
        with self._transaction() as connection:
            connection.execute(
                "DELETE FROM events WHERE attempt IN (SELECT id FROM attempts WHERE student = ?)", (student_id,)
            )
            connection.execute("DELETE FROM attempts WHERE student = ?", (student_id,))
            for person in people:
                connection.execute("DELETE FROM refusals WHERE [key] = ?1 OR [key] GLOB ?1 || ' *'", (person,))
                connection.execute("DELETE FROM browsers WHERE person = ?", (person,))
            connection.execute("DELETE FROM students WHERE id = ?", (student_id,))
            connection.execute("INSERT OR IGNORE INTO erased VALUES (?)", (student_id,))

    def sweep(self) -> None:
        """Rewrite the file without anything that was deleted, and empty the log beside it.

        It needs as much room on the disk again for a moment. Raises StoreError if others are reading all the time.
        """
        self._overwrite_deleted()
        with self._plain_errors():
            self._connection.execute("VACUUM")
            # Waits as long as any lock is waited for.
            busy, *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreError(f"{self.path} is being read by another process; close the classroom, and try again.")

    def _overwrite_deleted(self) -> None:
        with self._plain_errors():
            self._connection.execute("PRAGMA secure_delete = ON")
