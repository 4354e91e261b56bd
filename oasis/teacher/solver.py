"""The SAT solver MiniSat 2.2 (Eén and Sörensson 2003), as python-sat brings it, in a form that Ctrl-C can end.

By itself python-sat answers Ctrl-C in the midst of its work with an error of its own, as if something were wrong.
"""

from __future__ import annotations

import pysolvers
from pysat.solvers import Minisat22


class Solver(Minisat22):  # type: ignore[misc]
    """The solver; Ctrl-C is a KeyboardInterrupt, raised where Python goes on after a piece of work."""

    def solve_limited(self, assumptions: list[int]) -> bool | None:
        """Whether some literals can be true together with all clauses; None when the budget of conflicts is over."""
        answer: bool | None = super().solve_limited(assumptions=assumptions, expect_interrupt=True)
        return answer

    def propagate(self, assumptions: list[int]) -> tuple[bool, list[int]]:
        """Whether some literals agree with what follows from them by clauses with one literal left, and all of that."""
        # python-sat's own method takes Ctrl-C over and, once pressed, never gives it back; the last 0 says not to.
        agree, true = pysolvers.minisat22_propagate(self.minisat, assumptions, 0, 0)
        return bool(agree), true
