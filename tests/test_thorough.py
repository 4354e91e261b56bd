"""What an everyday run leaves out is little enough to trust the rest, and known beforehand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thorough import DAYS, has_its_turn, some

ROOT = Path(__file__).resolve().parents[1]
FILE = """
import pytest
from tests.thorough import examples

@pytest.mark.some_variants(3)
@pytest.mark.parametrize(("one", "its_twin"), [(number, number) for number in range(9)])
def test_variants(one, its_twin): ...

@pytest.mark.some_variants(3)
@pytest.mark.parametrize("learner", ["sarsa", "q", "new"])
@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_learners(learner, level): ...

@pytest.mark.thorough
def test_long(): ...

@pytest.mark.some_days
@pytest.mark.parametrize("number", range(40))
def test_costly(number): ...

@pytest.mark.some_days("built once")
@pytest.mark.parametrize("number", range(9))
def test_built(number): ...

@pytest.mark.parametrize("number", [examples(100)])
def test_examples(number): ...
"""


@pytest.mark.slow
@pytest.mark.parametrize(("thorough", "variants", "long", "number"), [("0", 3, 0, 16), ("1", 9, 1, 100)])
def test_an_everyday_run_takes_a_part_and_a_thorough_one_all(
    tmp_path: Path, thorough: str, variants: int, long: int, number: int
) -> None:
    (tmp_path / "test_it.py").write_text(FILE)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OASIS_", "PYTEST_"))}
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "tests.conftest", str(tmp_path)]
    options = ["--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider"]
    told = subprocess.run(
        [*command, *options],
        cwd=ROOT,
        env={**environment, "OASIS_TEST_THOROUGH": thorough, "OASIS_TEST_DAY": "20784"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    lines = [line.partition("::")[2] for line in told.splitlines() if "::" in line]
    assert sum(line.startswith("test_variants[") for line in lines) == variants
    learners = re.findall(r"^test_learners\[(\d)-(\w+)\]$", "\n".join(lines), re.MULTILINE)
    assert {level for level, _ in learners} == {*"1234"} and {who for _, who in learners} == {"sarsa", "q", "new"}
    assert len(learners) < 8 if thorough == "0" else len(learners) == 12
    assert lines.count("test_long") == long
    costly = sum(line.startswith("test_costly[") for line in lines)
    assert 3 < costly < 20 if thorough == "0" else costly == 40
    built = sum(line.startswith("test_built[") for line in lines)
    assert built in (0, 9) if thorough == "0" else built == 9
    assert f"test_examples[{number}]" in lines


def test_some_are_in_their_order_and_another_name_has_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.thorough.THOROUGH", False)
    found = some(range(100), 10, "one")
    assert len({*found}) == 10 and found == sorted(found) == some(range(100), 10, "one")
    assert found != some(range(100), 10, "another")
    assert some(range(3), 10, "one") == [0, 1, 2]


def test_what_takes_long_has_its_turn_on_one_of_some_days_in_a_row() -> None:
    names = [f"tests/test_it.py::test_{number}" for number in range(400)]
    turns = [[has_its_turn(name, day) for name in names] for day in range(20_784, 20_784 + 2 * DAYS)]
    assert all(60 < sum(of_day) < 140 for of_day in turns)
    assert turns[:DAYS] == turns[DAYS:]
    assert all(sum(of_name) == 1 for of_name in zip(*turns[:DAYS], strict=True))
