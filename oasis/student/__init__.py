"""The artificial student: what it perceives, how it acts, how it learns, and how a run of its training is kept."""
