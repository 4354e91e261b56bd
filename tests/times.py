"""A pytest plugin (`-p tests.times`) that says what tests cost, in seconds of processor time, by kind and one by one.

`scripts/test-times` runs it. The time of a test is that of its process and of all processes below it, from the end of
the test before to its own end, so that what a fixture of the session costs is told with the test that asked first. What
numba spends on compiling is counted apart.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import psutil
import pytest
from numba.core import event

KINDS: Final = {
    "snapshots": {"snap_compare"},
    "browsers": {"chromium"},
    "commands": {"oasis"},
}
"""The kinds that are known by the fixtures of a test, the first that fits."""
ROOMS: Final = {
    "book": ("tests/book",),
    "provers": ("tests/backends/test_coq", "tests/cli/test_provers"),
    "servers": (
        "tests/server",
        "tests/api/test_http",
        "tests/api/test_mcp",
        "tests/api/test_serve",
        "tests/api/test_openenv",
    ),
    "screens": ("tests/tui",),
    "networks": ("tests/neural", "tests/escalation"),
}
"""The kinds that are known by where a test stands."""
DEAREST: Final = 20


def seconds() -> float:
    """Return the processor time of this process and of every process below it, those that have ended among them."""
    total = 0.0
    this = psutil.Process()
    for process in (this, *this.children(recursive=True)):
        try:
            total += sum(process.cpu_times()[:4])
        except psutil.NoSuchProcess:  # its parent has counted it
            continue
    return total


def kind(item: pytest.Item) -> str:
    """Return the kind of a test, as the table names it."""
    fixtures = set(getattr(item, "fixturenames", ()))
    for name, places in ROOMS.items():
        if name == "book" and item.nodeid.startswith(places):
            return name
    for name, wanted in KINDS.items():
        if fixtures & wanted:
            return name
    for name, places in ROOMS.items():
        if item.nodeid.startswith(places):
            return name
    return "properties" if getattr(getattr(item, "obj", None), "is_hypothesis_test", False) else "others"


class Compiling(event.Listener):
    """Adds up how long numba compiles; a function that is compiled for another one counts once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth, self._since = 0, 0.0

    def on_start(self, event: event.Event) -> None:
        """Begin to count with the outermost function."""
        if self._depth == 0:
            self._since = psutil.Process().cpu_times().user
        self._depth += 1

    def on_end(self, event: event.Event) -> None:
        """End counting with the outermost function."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += psutil.Process().cpu_times().user - self._since


class Times:
    """What a process that runs tests has spent on each of them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._compiling = Compiling()
        event.register("numba:compile", self._compiling)  # type: ignore[no-untyped-call]
        self._last, self._compiled = 0.0, 0.0
        self.tests: dict[str, tuple[str, float]] = {}
        self.kinds: dict[str, float] = defaultdict(float)

    def _since(self) -> tuple[float, float]:
        now, compiled = seconds(), self._compiling.seconds
        spent = compiled - self._compiled
        rest = max(0.0, now - self._last - spent)
        self._last, self._compiled = now, compiled
        return rest, spent

    def pytest_collection_finish(self) -> None:
        """Count what was imported and collected."""
        rest, spent = self._since()
        self.kinds["collection"] += rest
        self.kinds["compilation"] += spent

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Count a test with its fixtures."""
        answer = yield
        rest, spent = self._since()
        self.tests[item.nodeid] = kind(item), rest
        self.kinds["compilation"] += spent
        return answer

    def pytest_sessionfinish(self) -> None:
        """Hand what was counted to the process that has distributed the tests."""
        if (handed := getattr(self._config, "workeroutput", None)) is not None:
            handed["times"] = {"tests": self.tests, "kinds": dict(self.kinds)}


class Table:
    """Prints what all processes have spent."""

    def __init__(self, own: Times | None) -> None:
        self._own = own
        self._tests: dict[str, tuple[str, float]] = {}
        self._kinds: dict[str, float] = defaultdict(float)

    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker counted."""
        told = getattr(node, "workeroutput", {}).get("times", {"tests": {}, "kinds": {}})
        self._tests |= told["tests"]
        for name, spent in told["kinds"].items():
            self._kinds[name] += spent

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        """Print the table of kinds and the dearest tests; write all of them to --times-to."""
        if self._own is not None:
            self._tests, self._kinds = self._own.tests, self._own.kinds
        number: dict[str, int] = defaultdict(int)
        for name, spent in self._tests.values():
            self._kinds[name] += spent
            number[name] += 1
        say = terminalreporter.write_line
        total = sum(self._kinds.values())
        terminalreporter.section("processor time")
        for name, spent in sorted(self._kinds.items(), key=lambda each: -each[1]):
            say(f"{name:12} {spent:8.1f} s {spent / total:6.1%} {number[name] or '':>7}")
        say(f"{'all':12} {total:8.1f} s {'':6} {sum(number.values()):7}")
        dearest = sorted(self._tests.items(), key=lambda each: -each[1][1])
        for test, (_, spent) in dearest[:DEAREST]:
            say(f"{spent:8.1f} s  {test}")
        if path := config.getoption("times_to"):
            path.write_text("".join(f"{spent:.3f}\t{name}\t{test}\n" for test, (name, spent) in dearest))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --times-to."""
    from pathlib import Path

    parser.addoption("--times-to", type=Path, help="write the time, kind and name of every test to this file")


def pytest_configure(config: pytest.Config) -> None:
    """Count in the processes that run tests, and print in the one that was started."""
    is_worker, distributes = hasattr(config, "workerinput"), bool(config.getoption("numprocesses", None))
    own = None if distributes and not is_worker else Times(config)
    if own is not None:
        config.pluginmanager.register(own)
    if not is_worker:
        config.pluginmanager.register(Table(own))
