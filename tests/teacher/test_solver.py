from __future__ import annotations

import os
import signal
import subprocess
from itertools import combinations

import pytest

from oasis.teacher.solver import Solver


def test_propagation_tells_all_that_follows() -> None:
    solver = Solver(bootstrap_with=[[-1, 2], [-2, 3], [-3, -4]])
    assert solver.propagate([1]) == (True, [1, 2, 3, -4])
    assert solver.propagate([1, 4])[0] is False


def test_ctrl_c_in_the_midst_of_work_is_nothing_but_ctrl_c() -> None:
    """Eleven pigeons in ten holes are far too much for resolution, so that the solver never ends by itself."""
    solver = Solver(bootstrap_with=[[10 * pigeon + hole + 1 for hole in range(10)] for pigeon in range(11)])
    for hole in range(10):
        for one, other in combinations(range(11), 2):
            solver.add_clause([-(10 * one + hole + 1), -(10 * other + hole + 1)])
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    pressing = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -INT {os.getpid()}"])
    try:
        with pytest.raises(KeyboardInterrupt):
            _solve_without_end(solver)
    finally:
        pressing.wait()
        signal.signal(signal.SIGINT, before)


def _solve_without_end(solver: Solver) -> None:
    while True:
        solver.conf_budget(10_000)
        solver.solve_limited([])
