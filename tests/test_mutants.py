"""Faults are drawn by a seed, planted one by one in a copy, and told apart by what tests say of them."""

import ast
import json
import subprocess
from pathlib import Path

import pytest

from tests.faults import SOURCES, Fault, drawn, named
from tests.mutants import main

ROOT = Path(__file__).resolve().parents[1]
SOURCE = """
def larger(one: int, other: int) -> int:
    if one > other:
        return one
    return other
"""
TEST = """
from tactics.toy import larger

def test_larger() -> None:
    assert [larger(1, 2), larger(2, 1), larger(3, 3)] == [2, 2, 3]
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    tree = tmp_path / "toy"
    for name in SOURCES:
        (tree / name).mkdir(parents=True)
    (tree / "tactics" / "toy.py").write_text(SOURCE)
    (tree / "tests" / "tactics").mkdir(parents=True)
    (tree / "tests" / "tactics" / "test_toy.py").write_text(TEST)
    (tree / "pyproject.toml").write_text("[tool.pytest.ini_options]\nmarkers = ['slow']\n")
    subprocess.run(["git", "init", "--quiet", tree], check=True)
    return tree


@pytest.mark.slow  # it reads all sources
def test_every_fault_compiles_and_changes_one_place_of_the_program() -> None:
    faults = drawn(ROOT, 40, 0)
    assert len({fault.name for fault in faults}) == 40
    for fault in faults:
        source = (ROOT / fault.path).read_text()
        planted = fault.planted(source)
        assert planted is not None
        assert ast.dump(ast.parse(planted)) != ast.dump(ast.parse(source))
        assert Fault.planted(fault, f"# one line more\n{source}") == f"# one line more\n{planted}"


def test_faults_are_drawn_by_a_seed_and_not_planted_if_their_lines_are_gone(toy: Path) -> None:
    assert drawn(toy, 2, 3) == drawn(toy, 2, 3, "tactics") != []
    assert len({tuple(drawn(toy, 2, seed)) for seed in range(9)}) > 1
    fault = named(toy, "tactics/toy.py:3:comparison:1")
    assert fault.change == "- if one > other:\n+ if one >= other:"
    assert fault.planted(SOURCE.replace("one > other", "other < one")) is None


@pytest.mark.slow
def test_what_no_test_finds_survives_and_both_are_told(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, harmless = "tactics/toy.py:3:branch:1", "tactics/toy.py:3:comparison:1"
    outcomes = toy.parent / "outcomes.jsonl"
    asked = ["--tree", str(toy), "--outcomes", str(outcomes), "--folder", str(toy.parent / "copies"), found, harmless]
    main(asked)
    said = capsys.readouterr()
    assert "found in all       1 of 2" in said.out and f"{harmless} survives" in said.out
    told = [json.loads(line) for line in outcomes.read_text().splitlines()]
    assert {each["test"] for each in told if each.get("found")} == {"tests/tactics/test_toy.py::test_larger"}
    assert (toy / "tactics" / "toy.py").read_text() == SOURCE
    main([*asked, "--against", str(outcomes)])  # nothing is asked again
    said = capsys.readouterr()
    assert not said.err and "1 here, 1 there: +0.0 points" in said.out
