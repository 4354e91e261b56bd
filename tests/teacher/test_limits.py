"""Limits: when they are reached, what restarting does, and that whoever works for long asks them."""

import subprocess
import sys
from collections.abc import Callable
from functools import reduce
from operator import and_
from pathlib import Path

import pytest

from oasis.ground import limits
from oasis.ground.limits import Limit, LimitReached, occupied
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.countermodels.smallest import smallest
from oasis.teacher.deciding.decide import ENGINES, Verdict
from oasis.teacher.deciding.intuit import Intuit
from oasis.teacher.deciding.pigeonhole import outnumbered
from oasis.teacher.exact.values import lengths
from tactics.formula import Atom, Formula, negation
from tactics.goal import initial
from tactics.parser import parse


def test_seconds_count_from_the_restart_on_and_a_limit_that_was_reached_stays_so() -> None:
    now = 0.0
    limit, free = Limit(0.25, clock=lambda: now), Limit(clock=lambda: now)
    for seconds in (0.25, 0.5, 0.75):
        now = seconds
        limit.check()
        limit.restart()
    now = 1.25
    for _ in range(2):
        with pytest.raises(LimitReached, match=r"0\.25 seconds were not enough"):
            limit.check()
        limit.restart()
    free.restart()
    free.check()


def test_memory_is_looked_at_again_and_again_but_not_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, taken, looks = 0.0, 100, 0

    def look() -> int:
        nonlocal looks
        looks += 1
        return taken

    monkeypatch.setattr(limits, "occupied", look)
    limit = Limit(memory=1000, clock=lambda: now)
    for _ in range(100):
        limit.check()
    assert looks == 1
    now, taken = 1.0, 2000
    with pytest.raises(LimitReached, match="MiB of memory were not enough"):
        limit.check()


class Counting(Limit):
    """A limit that is reached when it is asked for the last time allowed."""

    def __init__(self, allowed: int) -> None:
        super().__init__()
        self.allowed = allowed

    def check(self) -> None:
        self.allowed -= 1
        if self.allowed < 0:
            raise LimitReached("asked too often")


MANY = 5_000
ATOMS: list[Formula] = [Atom(f"a{number}") for number in range(MANY)]


def antecedents() -> Formula:
    """Return a0 → a1 → … → a0."""
    return reduce(lambda rest, atom: atom >> rest, reversed(ATOMS), ATOMS[0])


def steps() -> Formula:
    """Return a0 → (a0 → a1) → (a1 → a2) → … → the last atom."""
    pairs = zip(reversed(ATOMS[:-1]), reversed(ATOMS[1:]), strict=True)
    return ATOMS[0] >> reduce(lambda rest, pair: (pair[0] >> pair[1]) >> rest, pairs, ATOMS[-1])


def negations() -> Formula:
    """Return an atom under twice as many negations as there are atoms."""
    return reduce(lambda formula, _: negation(formula), range(2 * MANY), ATOMS[0])


def nested() -> Formula:
    """Return an atom that implies itself, implies it again, and so on: ((p → p) → p) → p."""
    return reduce(lambda formula, _: formula >> ATOMS[0], range(MANY + 1), ATOMS[0])


LARGE: dict[str, tuple[Callable[[], Formula], Verdict]] = {
    "antecedents": (antecedents, Verdict.THEOREM),
    "steps": (steps, Verdict.THEOREM),
    "negations": (negations, Verdict.NON_THEOREM),
    "implications nested on the left": (nested, Verdict.THEOREM),
    "a conjunction": (lambda: reduce(and_, ATOMS), Verdict.NON_THEOREM),
    "a conjunction of itself": (lambda: reduce(and_, ATOMS) >> reduce(and_, reversed(ATOMS)), Verdict.THEOREM),
    "excluded middles": (lambda: reduce(and_, (atom | ~atom for atom in ATOMS)), Verdict.NON_THEOREM),
}
"""Formulas that are large and simple, and what becomes of them."""


@pytest.mark.parametrize(("large", "verdict"), LARGE.values(), ids=LARGE)
def test_large_simple_formulas_are_decided_with_the_limit_asked(large: Callable[[], Formula], verdict: Verdict) -> None:
    formula = large()
    patient = Counting(10**9)
    assert ENGINES["intuit"](formula, patient)[0] is verdict
    asked = 10**9 - patient.allowed
    assert asked > MANY // 1024
    with pytest.raises(LimitReached):
        ENGINES["intuit"](formula, Counting(asked // 2))


NESTED = f"""
import tracemalloc
from oasis.ground.limits import Limit
from oasis.teacher.deciding.clauses import Clauses
from tactics.formula import Atom

formula = Atom("p")
for number in range({MANY}):
    atom = Atom(f"a{{number}}")
    formula = (formula >> atom) >> atom
tracemalloc.start()
clauses = Clauses(len, Limit())
clauses.goal(formula)
most = tracemalloc.get_traced_memory()[1]
print(most, len(clauses.relevant([], [formula])))
"""
"""In a process of its own, as what else happens in one is counted, too."""


@pytest.mark.slow
def test_definitions_of_nested_formulas_take_memory_that_grows_with_their_number() -> None:
    """Every definition needs all that are further inside, and does not keep a list of them."""
    done = subprocess.run([sys.executable, "-c", NESTED], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    most, relevant = map(int, done.stdout.split())
    assert relevant == MANY
    assert most < 2000 * MANY


def test_the_limit_is_asked_while_columns_are_counted() -> None:
    clauses = [[-one, -other] for one in range(1, 10) for other in range(20, 25)]
    with pytest.raises(LimitReached):
        outnumbered(clauses, [], Counting(5))


def test_the_limit_is_asked_while_a_smaller_countermodel_is_looked_for() -> None:
    formula = parse("(p -> q) \\/ (q -> p)")
    found = Intuit().decide((), formula)
    assert isinstance(found, Kripke)
    assert smallest(found, (), formula, Counting(3)) == (found, False)


def test_the_limit_is_asked_while_a_shortest_script_is_written() -> None:
    formula: Formula = Atom("p") | Atom("p")
    for _ in range(12):
        formula = formula & formula
    state = initial(Atom("p") >> formula)
    known = lengths(Atom("p") >> formula)
    script = known.shortest_script(state)
    assert script is not None and len(script) == 3 * 2**12
    with pytest.raises(LimitReached):
        known.shortest_script(state, Counting(20))


WITHOUT_RESOURCE = """
import sys
sys.modules["resource"] = None
from oasis.teacher.deciding.decide import decide
from oasis.ground import limits
from tactics.parser import parse
print(decide(parse("p | ~ p")).verdict, limits.occupied() is not None)
limits._STATM, limits.Limit._seen = "no such file", (0.0, 0)
print(decide(parse("p -> p"), memory=1).verdict, limits.occupied())
limits.Limit(60, 1).check()
"""


@pytest.mark.slow
def test_where_memory_is_not_told_it_is_not_limited_and_all_else_works() -> None:
    """As on Windows, which has neither the module `resource` nor files about processes."""
    done = subprocess.run([sys.executable, "-c", WITHOUT_RESOURCE], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    told = str(Path("/proc/self/statm").exists())
    assert done.stdout.splitlines() == [f"non-theorem {told}", "theorem None"]


def test_without_files_about_processes_the_most_so_far_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resource")
    now = occupied()
    monkeypatch.setattr(limits, "_STATM", "no such file")
    most = occupied()
    assert now is not None and most is not None
    assert 0.9 * now < most  # pages are counted a little later here than there
    with pytest.raises(LimitReached, match="MiB of memory"):
        Limit(memory=1).check()
