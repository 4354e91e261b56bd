"""Training runs, experiments with their trials, and the work of a class, in one SQLite file.

Imports nothing of ours: rows come and go as plain values, and what they mean is known to the rooms above. Whatever
belongs together is written in one transaction, in WAL mode, so a process killed at any moment leaves the last
checkpoint whole.
"""

from oasis.store.classroom import Classroom, KeptAttempt, KeptEvent
from oasis.store.database import APPLICATION_ID, Row, StoreError
from oasis.store.experiments import Experiments
from oasis.store.runs import Runs

__all__ = ["APPLICATION_ID", "KeptAttempt", "KeptEvent", "Row", "Store", "StoreError"]


class Store(Runs, Experiments, Classroom):
    """One open database file with everything that is kept in it; a context manager that closes it."""
