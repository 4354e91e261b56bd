"""`oasis compare --search`: JSON, files, stages, resuming."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Oasis

pytestmark = pytest.mark.slow

FEW = ("--search", "best-first,rmaxts", "--policy", "uniform,teacher", "--budget", "200", "--seeds", "3")


def content(answer: Any) -> dict[str, Any]:
    assert answer.returncode == 0, answer.stderr
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def test_json_and_csv_hold_every_search_and_a_finished_experiment_is_shown_again(oasis: Oasis, tmp_path: Path) -> None:
    answer = oasis(
        "compare", "SYJ203.2", *FEW, "--certify", "native", "--json", "--quiet", "--csv", "c.csv", "--plot", "p.svg",
        "--html", "r.html",
    )  # fmt: skip
    found = content(answer)
    assert [(each["search"], each["policy"]) for each in found["variants"]] == [
        (search, policy) for search in ("best-first", "rmaxts") for policy in ("uniform", "teacher")
    ]
    assert (found["lemmas"][0]["shortest"], found["budget"]["expansions"], found["tries"]) == (10, 200, [1, 2, 3])
    assert {(proof["length"], proof["certificates"][0]["accepted"]) for proof in found["proofs"][1::2]} == {(10, True)}
    with (tmp_path / "c.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["search"], row["policy"], row["seed"]) for row in rows] == [
        (search, policy, str(seed))
        for search in ("best-first", "rmaxts")
        for policy in ("uniform", "teacher")
        for seed in range(3)
    ]
    assert "<svg" in (tmp_path / "p.svg").read_text()
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    assert content(oasis("compare", "--resume", "--json", "--quiet")) == found
    (listed,) = oasis.json("runs", "list")["experiments"]
    assert (listed["trials"], listed["total"]) == (12, 12)


def test_stages_are_the_policy_alone_sampling_and_each_search(oasis: Oasis) -> None:
    answer = oasis(
        "compare", "thesis", "--levels", "1-2", "--search", "best-first", "--stages", "--budget",
        "expansions=100,seconds=0.2", "--seeds", "2", "--json", "--quiet",
    )  # fmt: skip
    found = content(answer)
    assert [stage["search"] for stage in found["stages"]] == ["alone", "sampling", "best-first"]
    assert list(found["parts"]) == ["at equal expansions", "at equal time"]
    assert found["stages"][2]["at equal expansions"]["value"] == 1
    assert found["stages"][0]["gain"] == {}
