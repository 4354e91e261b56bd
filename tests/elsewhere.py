"""Collects what a job of the workflow tests, with the libraries that it installs and no others.

`python -m tests.elsewhere JOB` ends as pytest does. For the job of Windows, what Windows lacks is lacking, too
(`tests.windows`). Nothing is run: whether the tests pass there, only the job can tell.
"""

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

from tests import windows

ROOT = Path(__file__).resolve().parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"
OURS = "oasis-student"


def steps(job: str) -> list[list[str]]:
    """Return the commands of a job, split into words."""
    text = WORKFLOW.read_text(encoding="utf-8")
    part = re.search(rf"^  {job}:\n((?:    .*\n|\n)+)", text, re.MULTILINE)
    assert part is not None, job
    return [shlex.split(line) for line in re.findall(r"^ *- run: (.+)$", part[1], re.MULTILINE)]


def installed(wanted: Sequence[str]) -> Iterator[Distribution]:
    """Yield each distribution that `pip install` of this brings, as far as it is installed here."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [Requirement(re.sub(r"^\.", OURS, each)) for each in wanted]
    while waiting:
        asked = waiting.pop()
        if (key := (_plain(asked.name), frozenset(asked.extras))) in seen:
            continue
        seen.add(key)
        try:
            found = distribution(asked.name)
        except PackageNotFoundError:
            continue
        yield found
        for needed in map(Requirement, found.requires or ()):
            extras = asked.extras or {""}
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(needed)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


class NotInstalled(MetaPathFinder):
    """Finds no module of other distributions than these."""

    def __init__(self, allowed: set[str]) -> None:
        self._allowed, self._owners = allowed, packages_distributions()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Refuse the module of a distribution that is not there; leave all others to who finds them."""
        owners = {_plain(owner) for owner in self._owners.get(fullname.partition(".")[0], ())}
        if owners and not owners & self._allowed:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


def collect(job: str) -> int:
    """Collect the tests of a job; return the exit code of pytest."""
    commands = steps(job)
    wanted = next(each[2:] for each in commands if each[:2] == ["pip", "install"])
    (testing,) = (each[3:] for each in commands if each[:3] == ["python", "-m", "pytest"])
    there = {_plain(each.name): each for each in installed(wanted)}
    plugins = [found.value for each in there.values() for found in each.entry_points if found.group == "pytest11"]
    sys.meta_path.insert(0, NotInstalled({*there, "pip", "setuptools"}))
    if job == "windows":
        windows.pretend((*windows.OURS, "tests"))
    named = [word for plugin in plugins for word in ("-p", plugin)]
    collecting = ["-W", "ignore", "-p", "no:cacheprovider", "--collect-only", "-qq"]
    return pytest.main(["--disable-plugin-autoload", *named, *collecting, *testing])


if __name__ == "__main__":
    sys.exit(collect(sys.argv[1]))
