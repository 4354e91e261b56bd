"""Reinforcement needs torch: where it is missing these tests are left out, as the others of networks are."""

from tests.neural.conftest import INSTALLED

collect_ignore_glob = [] if INSTALLED else ["test_*.py"]
