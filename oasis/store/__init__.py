"""Training runs, experiments with their trials, the work of a class, and what was found out or fitted, in one file.

Imports nothing of ours: rows come and go as plain values, and what they mean is known to the rooms above. Whatever
belongs together is written in one transaction, in WAL mode, so a process killed at any moment leaves the last
checkpoint whole.
"""

from oasis.store.classroom import (
    Change,
    ClassTables,
    Details,
    Erasing,
    KeptAttempt,
    KeptEvent,
    KeptNote,
    KeptTab,
    Secret,
    StoredAttempt,
    Student,
)
from oasis.store.database import APPLICATION_ID, NoRoom, Row, StoreError, StudentErased
from oasis.store.knowledge import (
    Certificates,
    Checkpoints,
    Experiments,
    FittedKnowledge,
    GoalRow,
    KnownGoals,
    MaximJournal,
)
from oasis.store.runs import Escalations, Runs

__all__ = [
    "APPLICATION_ID",
    "Change",
    "Details",
    "GoalRow",
    "KeptAttempt",
    "KeptEvent",
    "KeptNote",
    "KeptTab",
    "NoRoom",
    "Row",
    "Secret",
    "Store",
    "StoreError",
    "StoredAttempt",
    "Student",
    "StudentErased",
]


class Store(
    Runs,
    Experiments,
    Certificates,
    ClassTables,
    Erasing,
    KnownGoals,
    FittedKnowledge,
    Checkpoints,
    Escalations,
    MaximJournal,
):
    """One open database file with everything that is kept in it; a context manager that closes it."""
