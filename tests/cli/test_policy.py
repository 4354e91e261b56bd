"""`oasis policy eval`, and `oasis prove --policy`: what a policy proves by itself, as a person sees it."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from tests.commands import Oasis

pytestmark = pytest.mark.slow


def test_two_policies_are_compared_theorem_by_theorem(oasis: Oasis) -> None:
    shown = oasis.ran("policy", "eval", "first", "uniform", "--benchmark", "textbook", "--certify", "native")
    assert "accepts 10 of 10 proofs drawn by lot" in shown.stdout
    assert "first against uniform, theorem by theorem:" in shown.stdout and "McNemar" in shown.stdout
    found = oasis.json("policy", "eval", "first", "uniform", "--benchmark", "textbook", "--certify", "none")
    pair, one, other = (each["sets"]["textbook"] for each in (found["pairs"], found, found["against"]))
    assert pair["both"] + pair["only_one"] == one["proved"]
    assert pair["both"] + pair["only_other"] == other["proved"]


@pytest.mark.thorough
def test_propl_stands_beside_what_was_published(oasis: Oasis) -> None:
    table = oasis.ran("policy", "eval", "first", "--quiet", "--max-proof", "3")
    assert table.stderr == ""
    for text in ("ordinary", "hard", "TrialMaster, single path", "59.3", "88.7", "≈ 18", "the longest fifth"):
        assert text in table.stdout
    assert all(any(line.split()[:1] == [size] for line in table.stdout.splitlines()) for size in ("16", "64", "256"))
    found = oasis.json("policy", "eval", "first")
    assert (found["policy"], found["mode"], found["invertible"]) == ("first", "policy", "eager")
    assert found["sets"]["hard"]["theorems"] == 1000
    assert 0 < found["sets"]["hard"]["proved"] < found["sets"]["ordinary"]["proved"] < 1000
    assert list(found["sizes"]) == ["16", "32", "64", "128", "256"]


def test_iltp_is_shown_by_family_and_level(oasis: Oasis) -> None:
    shown = oasis("policy", "eval", "uniform", "--benchmark", "iltp", "--levels", "1-3", "--max-proof", "300")
    assert "levels proved" in shown.stdout
    assert any("SYJ204" in line and "1, 2, 3" in line for line in shown.stdout.splitlines())


def test_the_json_of_a_play_is_that_of_a_search(oasis: Oasis) -> None:
    searched = oasis.json("prove", "SYJ203.2", "--search", "best-first")
    played = oasis.json("prove", "SYJ203.2", "--policy", "teacher", "--judge")
    assert set(searched) - {"cache"} <= set(played)
    about = {"solver": "committed", "mode": "judge", "status": "proved", "length": 10}
    assert played.items() >= about.items() and played["trials"] > 0
    lost = oasis.json("prove", "p -> p \\/ q", "--policy", "last")
    assert (lost["status"], lost["script"], lost["reason"]) == ("open", None, "no move applies after 2 moves")


def test_a_curriculum_is_played_lemma_by_lemma(oasis: Oasis) -> None:
    table = oasis.ran("prove", "thesis", "--levels", "1-3", "--policy", "first")
    assert table.stdout.rstrip().endswith("3 proved")


def test_what_a_run_knows_of_whole_states_is_said_to_be_of_little_use_goal_by_goal(oasis: Oasis) -> None:
    for learner in ("sarsa", "and-or-q"):
        oasis("train", "SYJ203.1", "--learner", learner, "--episodes", "20", "--certify", "none", "-q")
    said = [oasis("prove", "SYJ203.1", "--policy", run).stderr for run in ("1", "2")]
    assert ["The student of run" in each for each in said] == [True, False]
    assert "The student of run 1" in oasis("prove", "SYJ203.1", "--policy", "1", "--search", "best-first").stderr


def test_values_are_held_against_the_oracle(oasis: Oasis) -> None:
    asked = ("policy", "eval", "teacher", "--benchmark", "propl:kind=hard,count=8", "--calibration", "--certify=none")
    shown = oasis.ran(*asked)
    assert "Reliability" in shown.stdout and "0.9, 1.0" in shown.stdout and "Brier score" in shown.stdout
    found = oasis.json(*asked)["calibration"]
    assert found["sets"]["propl:kind=hard,count=8"]["ece"] == 0 and found["undecided"] == 0


def test_a_network_is_calibrated(oasis: Oasis, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    network = (resources.files("oasis.neural") / "data/tiny.safetensors").read_bytes()
    (tmp_path / "policy.safetensors").write_bytes(network)
    shown = oasis("policy", "calibrate", "policy.safetensors", "--theorems", "60", "--quiet")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "the most likely one for" in shown.stdout


def test_drawn_plays_tell_pass_at_k(oasis: Oasis) -> None:
    asked = ("policy", "eval", "uniform", "--benchmark", "textbook", "--samples", "4")
    shown = oasis.ran(*asked, "--k", "1,4")
    assert "pass@1, %" in shown.stdout and "pass@4, %" in shown.stdout
    found = oasis.json(*asked)["pass"]
    assert (found["samples"], found["temperature"]) == (4, 1)
    assert found["sets"]["textbook"]["1"]["value"] <= found["sets"]["textbook"]["4"]["value"]
