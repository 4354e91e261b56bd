"""Rewards put to the test: which moves R† makes the best, which of its terms help a student, and which weights do."""
