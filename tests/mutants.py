"""`python -m tests.mutants` plants small faults and says which the tests find.

The faults are drawn by a seed from all rooms by their size. Each is planted in a copy of the tree, never in the
checkout, and the tests of its room and of those above it (`ASKED`) run until one fails. Every outcome is written to a
file at once, so a run that was stopped goes on where it was. mutmut and cosmic-ray plant every fault that they know, or
none; neither draws a sample over rooms.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import gettempdir
from typing import Any, Final

import numpy as np
import psutil

from oasis.ground.statistics import SHARE, difference
from tests.faults import Fault, drawn, named

ROOT: Final = Path(__file__).resolve().parents[1]
ASKED: Final = {
    "tactics": "tactics state_spaces curricula teacher search student backends golden cli",
    "state_spaces": "state_spaces student lab golden cli",
    "curricula": "curricula lab golden cli",
    "oasis": ". golden cli",
    "oasis/api": "api golden cli book",
    "oasis/audit": "audit lab golden cli",
    "oasis/backends": "backends api golden cli",
    "oasis/classroom": "classroom tui server golden cli",
    "oasis/cli": "cli golden book api lab neural experience",
    "oasis/dagger": "dagger audit lab neural golden cli",
    "oasis/escalation": "escalation golden cli",
    "oasis/experience": "experience student lab golden cli",
    "oasis/ground": ". teacher student search escalation neural api golden cli",
    "oasis/lab": "lab golden cli",
    "oasis/neural": "neural api escalation golden cli",
    "oasis/play": "play teacher student search escalation neural api golden cli",
    "oasis/rewards": ". student api golden cli",
    "oasis/search": "search escalation lab golden cli",
    "oasis/server": "server cli",
    "oasis/store": "store student classroom lab golden cli",
    "oasis/student": "student experience escalation classroom lab golden cli",
    "oasis/teacher": "teacher audit search classroom lab golden cli",
    "tui": "tui server cli",
}
"""Folders of tests that are asked about a room, in order: its own first; `.` is the files beside this one.

Of the other folders those files are asked that name the room or stand for a command that imports it (`stages_of`).
"""
LIMIT: Final = 180
"""Seconds that one test, or collecting all of them, may take: ten times as long as the slowest."""
MEMORY: Final = 6 << 30
"""Bytes that pytest and what it started may hold; a limit of addresses would count what is reserved and never used."""
PASSED: Final = (0, 5)
"""The exit codes of pytest if no test failed, and if there was none."""
FAILED: Final = 1
PLUGIN: Final = f"""
import faulthandler, json, os, resource
from hypothesis import Phase, settings

faulthandler.dump_traceback_later({LIMIT}, exit=True)
resource.setrlimit(resource.RLIMIT_CPU, (3600, resource.getrlimit(resource.RLIMIT_CPU)[1]))

def tell(**told):
    with open(os.environ["MUTANTS_TOLD"], "w", encoding="utf-8") as file:
        json.dump(told, file)

def pytest_configure():  # shrinking an example would take longer than finding it
    settings.register_profile("mutants", settings.default, phases=(Phase.explicit, Phase.generate), database=None)
    settings.load_profile("mutants")

def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)

def pytest_runtest_logstart(nodeid):
    faulthandler.dump_traceback_later({LIMIT}, exit=True)
    tell(test=nodeid)

def pytest_runtest_logreport(report):
    if report.failed:
        errors = [line for line in report.longreprtext.splitlines() if line.startswith("E ")]
        tell(test=report.nodeid, said=errors[0] if errors else report.when)
"""


class Asking:
    """Plants faults in copies of a tree and runs tests on them.

    The copies are always in the same places, because numba keeps what it compiles by place.
    """

    def __init__(self, args: argparse.Namespace, fits: dict[str, bool]) -> None:
        self._args, self._fits = args, fits
        digest = blake2b(str(args.outcomes.resolve()).encode(), digest_size=4).hexdigest()
        self._folder: Path = args.folder or Path(gettempdir()) / f"mutants-{digest}"  # paths of sockets must be short
        self._base, self._lock, self._stopped = self._folder / "base", threading.Lock(), False
        self._running: set[subprocess.Popen[bytes]] = set()

    def ask(self, faults: Sequence[Fault]) -> None:
        """Ask the tests about each fault, several side by side, and write every outcome."""
        self._prepare()
        free: SimpleQueue[int] = SimpleQueue()
        for worker in range(self._args.workers):
            free.put(worker)
        began, done = time.monotonic(), 0

        def ask(fault: Fault) -> None:
            nonlocal done
            worker = free.get()
            try:
                outcome = self._outcome(fault, self._folder / str(worker))
            finally:
                free.put(worker)
            with self._lock:
                self._write(outcome)
                done += 1
                left = (time.monotonic() - began) / done * (len(faults) - done) / 60
                told = {True: f"is found by {outcome['test']}", False: "survives", None: "is no longer there"}
                said = f"{fault.name} {told[outcome['found']]}"
                print(f"{done}/{len(faults)}, {left:.0f} minutes left: {said}", file=sys.stderr, flush=True)

        pool = ThreadPoolExecutor(self._args.workers)
        try:
            list(pool.map(ask, faults))
        except BaseException:
            self._stopped = True
            pool.shutdown(wait=False, cancel_futures=True)
            for process in [*self._running]:
                _end(process)
            raise
        shutil.rmtree(self._folder)

    def _prepare(self) -> None:
        """Copy the tree as it is now, and collect all tests once, so that every later copy has what Python compiled."""
        if (self._base / "collected").exists():
            return
        shutil.rmtree(self._folder, ignore_errors=True)
        for source, of_tests in ((self._args.tree, False), (self._args.tests or self._args.tree, True)):
            listed = ["git", "-C", str(source), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
            for path in subprocess.check_output(listed, text=True).split("\0"):
                is_of_tests = path.startswith("tests/") or path == "pyproject.toml"
                if is_of_tests == of_tests and (source / path).is_file():
                    (self._base / path).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(source / path, self._base / path)
        (self._folder / "mutants_plugin.py").write_text(PLUGIN, encoding="utf-8")
        if self._pytest(self._base, ["--collect-only", "tests"])[0] != 0:
            raise SystemExit(f"The tests cannot be collected; {self._base}.log says why.")
        (self._base / "collected").touch()

    def _outcome(self, fault: Fault, tree: Path) -> dict[str, Any]:
        """Run tests until one fails that passes without the fault."""
        began = time.monotonic()
        outcome: dict[str, Any] = {"fault": asdict(fault), "found": None, "test": None, "said": None}
        file = self._base / fault.path
        planted = fault.planted(file.read_text(encoding="utf-8")) if file.exists() else None
        if planted is None:
            return outcome
        outcome["found"] = False
        stages = list(stages_of(fault, self._base / "tests"))
        by_chance: set[str] = set()
        while stages and not outcome["found"]:
            self._plant(tree, fault.path, planted)
            left_out = by_chance.union(test for test, fits in self._fits.items() if not fits)
            code, told = self._pytest(tree, [*stages[0], *(f"--deselect={test}" for test in sorted(left_out))])
            test = told["test"]
            if code in PASSED or test in left_out:
                stages.pop(0)
            elif test is not None and self._pytest(tree, [test])[0] in PASSED:
                by_chance.add(test)
            elif test is None or self._passes_without(test, tree):
                said = "crashed or took too long" if test else "no test could be collected"
                outcome |= {"found": True, "said": said, **told}
        return outcome | {"by_chance": sorted(by_chance), "seconds": round(time.monotonic() - began)}

    def _passes_without(self, test: str, tree: Path) -> bool:
        """Return True if a test passes without any fault; one that does not is never run again."""
        if test not in self._fits:
            self._plant(tree)
            passes = self._pytest(tree, [test])[0] != FAILED
            with self._lock:
                self._fits[test] = passes
                self._write({"test": test, "fits": passes})
        return self._fits[test]

    def _plant(self, tree: Path, path: str = "", planted: str = "") -> None:
        """Make a fresh copy, with a planted version of one file or without."""
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(self._base, tree)
        if not Path(f"{tree}.numba").exists() and (tree / "tests/student/compile_all.py").exists():
            self._run(tree, ["-m", "tests.student.compile_all"])
        if path:
            (tree / path).write_text(planted, encoding="utf-8")

    def _pytest(self, tree: Path, arguments: Sequence[str]) -> tuple[int, dict[str, Any]]:
        """Run tests; return pytest's exit code and what is known of the last test that ran."""
        told = Path(f"{tree}.told")
        told.write_text('{"test": null}', encoding="utf-8")
        options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "mutants_plugin", "--hypothesis-seed=0"]
        code = self._run(tree, ["-m", "pytest", *options, *arguments])
        return code, json.loads(told.read_text(encoding="utf-8"))

    def _run(self, tree: Path, arguments: Sequence[str]) -> int:
        problems = os.environ.get("OASIS_TEST_ILTP") or str(self._args.tree.resolve().parent / "shared" / "iltp")
        ours = ("OASIS_", "PYTEST_", "PYTHON")
        own = {
            **{name: value for name, value in os.environ.items() if not name.startswith(ours)},
            "OASIS_TEST_ILTP": problems,
            "OASIS_TEST_THOROUGH": str(int(self._args.thorough)),
            "PYTHONPATH": f"{tree}:{self._folder}",
            "PYTHONHASHSEED": "0",
            "OMP_NUM_THREADS": "1",
            "MUTANTS_TOLD": f"{tree}.told",
            "NUMBA_CACHE_DIR": f"{tree}.numba",
            "TMPDIR": f"{tree}.tmp",
        }
        shutil.rmtree(f"{tree}.tmp", ignore_errors=True)
        Path(f"{tree}.tmp").mkdir()
        command = [*shlex.split(self._args.under), sys.executable, *arguments]
        with Path(f"{tree}.log").open("wb") as log:
            process = subprocess.Popen(
                command, cwd=tree, env=own, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self._running.add(process)
        while (code := process.poll()) is None:
            time.sleep(0.2)
            if held(process.pid) > MEMORY:
                _end(process)
        self._running.remove(process)
        _end(process)  # and the servers and provers that nobody has ended
        if self._stopped:
            raise KeyboardInterrupt
        return code

    def _write(self, line: dict[str, Any]) -> None:
        with self._args.outcomes.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())


def stages_of(fault: Fault, tests: Path) -> Iterator[list[str]]:
    """Yield what is run at one go: the files nearest to a fault, then its room's folder, then the folders above."""
    folders = [tests / name for name in ASKED.get(fault.room, ".").split() if (tests / name).is_dir()]
    own, *above = [
        sorted(folder.glob("test_*.py") if folder == tests else folder.rglob("test_*.py")) for folder in folders
    ]
    texts = {file: file.read_text(encoding="utf-8") for file in (*own, *chain(*above))}
    module = Path(fault.path).with_suffix("")
    known_as = module if fault.room == "oasis" else Path(fault.room)  # each module there is a room of its own
    importing = re.compile(rf"^\s*(from|import) {'.'.join(known_as.parts)}\b", re.MULTILINE)
    commands = (tests.parent / "oasis" / "cli").glob("*.py")
    stems = {file.stem.split("_")[0] for file in commands if importing.search(file.read_text(encoding="utf-8"))}
    naming = re.compile(rf"\b{known_as.name}\b")

    def is_above(file: Path) -> bool:
        stands_for_command = file.parent.name == "cli" and file.stem.split("_")[1] in stems
        return file.parent.name == "golden" or stands_for_command or naming.search(texts[file]) is not None

    near = [file for file in texts if file.stem == f"test_{module.name.strip('_')}"]
    near += [file for file in own if file not in near and f"from {'.'.join(module.parts)} import" in texts[file]]
    asked: set[Path] = set()
    for stage in (near, own, filter(is_above, chain(*above))):
        if files := [file for file in stage if file not in asked]:
            asked.update(files)
            yield [file.relative_to(tests.parent).as_posix() for file in files]


def held(pid: int) -> int:
    """Return the bytes that a process and those below it hold."""
    total = 0
    with suppress(psutil.NoSuchProcess):
        for process in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                total += process.memory_info().rss
    return total


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def outcomes_in(file: Path) -> tuple[dict[Fault, dict[str, Any]], dict[str, bool]]:
    """Return what a file of outcomes says of faults, and which tests pass without any."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
    told = [json.loads(line) for line in lines if line.endswith("\n")]  # the last may have been cut off
    found = {Fault(**each["fault"]): each for each in told if "fault" in each}
    return found, {each["test"]: each["fits"] for each in told if "fits" in each}


def harmless_in(file: Path) -> dict[tuple[str, str], str]:
    """Return the reasons why faults are harmless, by path and change."""
    listed = tomllib.loads(file.read_text(encoding="utf-8"))["harmless"] if file.exists() else []
    return {(each["path"], each["change"].strip()): each["reason"] for each in listed}


def _share(found: int, number: int) -> str:
    low, high = (100 * float(bound) for bound in SHARE.of((np.arange(number) < found).astype(float), 0, 1)[1:])
    return f"{found} of {number}, {found / number:.0%} [{low:.0f}, {high:.0f}]"


def report(outcomes: dict[Fault, dict[str, Any]], harmless: dict[tuple[str, str], str]) -> Iterator[str]:
    """Say the share found by room and in all, and show the survivors."""
    asked = {fault: bool(told["found"]) for fault, told in outcomes.items() if told["found"] is not None}
    if not asked:
        yield "No fault was tried."
        return
    for name in sorted({fault.room for fault in asked}):
        of_room = [found for fault, found in asked.items() if fault.room == name]
        yield f"{name:18} {_share(sum(of_room), len(of_room))}"
    yield f"{'found in all':18} {_share(sum(asked.values()), len(asked))} (95 %)"
    rest = [found for fault, found in asked.items() if found or (fault.path, fault.change) not in harmless]
    if len(rest) < len(asked):
        yield f"{'harmless aside':18} {_share(sum(rest), len(rest))}"
    if gone := len(outcomes) - len(asked):
        yield f"{gone} are no longer in the sources."
    for fault, found in asked.items():
        if not found:
            reason = harmless.get((fault.path, fault.change))
            yield f"\n{fault.name} survives" + (f", and is harmless: {reason}" if reason else "") + f"\n{fault.diff}"


def compared(ours: dict[Fault, dict[str, Any]], theirs: dict[Fault, dict[str, Any]]) -> Iterator[str]:
    """Compare two runs on the faults that both tried fault by fault."""
    pairs = {
        fault: (bool(told["found"]), bool(theirs[fault]["found"]))
        for fault, told in ours.items()
        if fault in theirs and None not in (told["found"], theirs[fault]["found"])
    }
    if len(pairs) < 2:
        yield "Not two faults were tried in both."
        return
    here, there = np.array([*pairs.values()], np.float64).T
    gain, low, high = (f"{100 * float(value):+.1f}" for value in difference(here, there, span=1))
    number, ours_found, theirs_found = len(pairs), int(here.sum()), int(there.sum())
    yield f"\nOf {number} faults {ours_found} here, {theirs_found} there: {gain} points [{low}, {high}] (95 %, paired)"
    for pair, said in (((True, False), "here"), ((False, True), "there")):
        for fault in (fault for fault in pairs if pairs[fault] == pair):
            test = (ours if said == "here" else theirs)[fault]["test"]
            yield f"found only {said}: {fault.name} by {test}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw faults, ask the tests about those that have no outcome yet, and report."""
    parser = argparse.ArgumentParser(prog="scripts/mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="only these faults, each as --list names it")
    parser.add_argument("--list", action="store_true", help="show the faults and run nothing")
    parser.add_argument("--report", action="store_true", help="report the outcomes that there are and run nothing")
    parser.add_argument("--number", type=int, default=120, help="how many faults are drawn (default: 120)")
    parser.add_argument("--seed", type=int, default=0, help="what draws them (default: 0)")
    parser.add_argument("--only", default="", metavar="ROOM", help="of those drawn, these of one room: oasis/lab")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout that is tested (default: this one)")
    parser.add_argument("--tests", type=Path, help="another checkout, whose tests and pyproject.toml are taken")
    parser.add_argument("--thorough", action="store_true", help="run the tests marked thorough, too")
    parser.add_argument("--workers", "--jobs", type=int, default=1, help="how many faults side by side (default: 1)")
    parser.add_argument("--under", default="", metavar="COMMAND", help="what starts each pytest: 'nice -n 10'")
    parser.add_argument("--outcomes", type=Path, default=ROOT / "build" / "mutants.jsonl", help="the file of outcomes")
    parser.add_argument("--folder", type=Path, help="where the copies are (default: in the folder for temporary files)")
    parser.add_argument("--against", type=Path, help="outcomes of another run: try its faults, and compare")
    args = parser.parse_args(arguments)
    theirs = outcomes_in(args.against)[0] if args.against else {}
    if args.names:
        by_name = {fault.name: fault for fault in theirs}
        faults = [by_name.get(name) or named(args.tree, name) for name in args.names]
    elif args.against:
        faults = [fault for fault in theirs if args.only in ("", fault.room)]
    else:
        faults = drawn(args.tree, args.number, args.seed, args.only)
    if args.list:
        for fault in faults:
            print(f"{fault.name}\n{fault.diff}")
        return
    args.outcomes.parent.mkdir(parents=True, exist_ok=True)
    known, fits = outcomes_in(args.outcomes)
    if missing := [fault for fault in faults if fault not in known and not args.report]:
        random = Random(args.seed)  # so that what is done of a run is a sample of all
        Asking(args, fits).ask(random.sample(missing, len(missing)))
        known, _ = outcomes_in(args.outcomes)
    ours = {fault: known[fault] for fault in faults if fault in known}
    print(*report(ours, harmless_in(ROOT / "tests" / "mutants.toml")), sep="\n")
    if theirs:
        print(*compared(ours, theirs), sep="\n")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # or what was started would go on
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
