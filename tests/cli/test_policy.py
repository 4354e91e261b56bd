"""`oasis policy eval`, and `oasis prove --policy`: what a policy proves by itself, as a person sees it."""

import re
from importlib import resources
from pathlib import Path

import pytest

from tests.commands import Oasis

pytestmark = pytest.mark.slow


def test_two_policies_are_compared_theorem_by_theorem_and_written_for_a_paper(oasis: Oasis, tmp_path: Path) -> None:
    asked = ("policy", "eval", "first", "uniform", "--benchmark", "textbook")
    shown = oasis.ran(*asked, "--certify", "native", "--csv", "plays.csv")
    rows = [row for row in (tmp_path / "plays.csv").read_text().splitlines() if "plays, sets, textbook" in row]
    assert len(rows) == 3 * 42  # shape stands beside them
    oasis.ran("policy", "eval", "uniform", "--benchmark", "textbook/or_comm", "--certify", "none", "--paper", "paper")
    assert (tmp_path / "paper/plays-sets-textbook-or_comm.tex").exists()
    assert "accepts 10 of 10 proofs of first drawn by lot" in shown.stdout
    assert "first – uniform" in shown.stdout and "Proved: nobody is ahead" in shown.stdout
    found = oasis.json(*asked, "--certify", "none")["plays"]["sets"]["textbook"]
    one, other, _ = (found["numbers"]["proved"][name]["value"] for name in found["kinds"])
    assert [each["value"] for each in found["pairs"]] == [pytest.approx(one - other)]


@pytest.mark.thorough
def test_propl_stands_beside_what_was_published(oasis: Oasis) -> None:
    table = oasis.ran("policy", "eval", "first", "--quiet", "--max-proof", "3")
    assert table.stderr == ""
    for text in ("ordinary", "hard", "TrialMaster on a single path", "59.3", "88.7", "≈ 18", "the longest fifth"):
        assert text in table.stdout
    assert all(
        any(line.startswith(f" {size} (200)") for line in table.stdout.splitlines()) for size in ("16", "64", "256")
    )
    found = oasis.json("policy", "eval", "first")
    assert (found["policies"], found["mode"], found["invertible"]) == (["first"], "policy", "eager")
    hard, ordinary = (found["plays"]["sets"][name] for name in ("hard", "ordinary"))
    assert hard["units"] == 1000
    assert 0 < hard["numbers"]["proved"]["first"]["value"] < ordinary["numbers"]["proved"]["first"]["value"] < 1
    assert list(found["plays"]["sizes"]) == ["16", "32", "64", "128", "256"]


def test_iltp_is_shown_by_family_and_level(oasis: Oasis) -> None:
    shown = oasis("policy", "eval", "uniform", "--benchmark", "iltp", "--levels", "1-3", "--max-proof", "300")
    assert "Levels proved" in shown.stdout
    assert any("SYJ204" in line and "1, 2, 3" in line for line in shown.stdout.splitlines())


def test_the_json_of_a_play_is_that_of_a_search(oasis: Oasis) -> None:
    searched = oasis.json("prove", "SYJ203.2", "--search", "best-first")
    played = oasis.json("prove", "SYJ203.2", "--policy", "teacher", "--judge")
    assert set(searched) - {"cache"} <= set(played)
    about = {"solver": "committed", "mode": "judge", "status": "proved", "length": 10}
    assert played.items() >= about.items() and played["trials"] > 0
    lost = oasis.json("prove", "p -> p \\/ q", "--policy", "last")
    assert (lost["status"], lost["script"], lost["reason"]) == ("open", None, "no move applies after 2 moves")


def test_a_policy_that_judges_has_look_for_a_control_and_one_that_chooses_the_others(oasis: Oasis) -> None:
    asked = ("policy", "eval", "teacher", "--benchmark", "textbook", "--certify", "none")
    for how, controls in ((), ["uniform", "first", "shape"]), (("--judge",), ["look"]):
        found = oasis.json(*asked, *how, "--calibration")
        report, judgements = (found[noun]["sets"]["textbook"] for noun in ("plays", "judgements"))
        assert (report["kinds"], judgements["kinds"]) == (["teacher", *controls], ["teacher", "look"])
        assert [pair["other"] for pair in report["pairs"]] == controls[-1:]
        assert judgements["numbers"]["goals"]["teacher"] == judgements["numbers"]["goals"]["look"]
    assert "Controls, which have learned nothing: look (tries each move" in oasis.ran(*asked, "--judge").stdout


def test_what_a_run_knows_of_whole_states_is_said_to_be_of_little_use_goal_by_goal(oasis: Oasis) -> None:
    for learner in ("sarsa", "and-or-q"):
        oasis("train", "SYJ203.1", "--learner", learner, "--episodes", "20", "--certify", "none", "-q")
    said = [oasis("prove", "SYJ203.1", "--policy", run).stderr for run in ("1", "2")]
    assert ["The student of run" in each for each in said] == [True, False]
    assert "The student of run 1" in oasis("prove", "SYJ203.1", "--policy", "1", "--search", "best-first").stderr


def test_values_are_held_against_the_oracle(oasis: Oasis) -> None:
    asked = ("policy", "eval", "teacher", "--benchmark", "propl:kind=hard,count=8", "--calibration", "--certify=none")
    shown = oasis.ran(*asked)
    assert "reliability, by belief" in shown.stdout and "0.95" in shown.stdout and "Brier score" in shown.stdout
    numbers = oasis.json(*asked)["judgements"]["sets"]["propl:kind=hard,count=8"]["numbers"]
    assert numbers["ECE"]["teacher"]["value"] == numbers["undecided"]["teacher"]["value"] == 0


def test_a_network_is_calibrated(oasis: Oasis, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    network = (resources.files("oasis.neural") / "data/tiny.safetensors").read_bytes()
    (tmp_path / "policy.safetensors").write_bytes(network)
    shown = oasis("policy", "calibrate", "policy.safetensors", "--theorems", "60", "--quiet")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "the most likely one for" in shown.stdout


def test_drawn_plays_tell_pass_at_k_of_two_policies(oasis: Oasis) -> None:
    asked = ("policy", "eval", "uniform", "first", "--benchmark", "textbook", "--samples", "4", "--certify", "none")
    assert "pass@k, by k" in oasis.ran(*asked, "--k", "1,4").stdout
    found = oasis.json(*asked)
    assert found["drawn"] == {"samples": 4, "temperature": 1}
    curve = found["drawn plays"]["sets"]["textbook"]["curves"]["pass@k"]["uniform"]
    assert curve["x"] == [1, 2, 4] and sorted(curve["value"]) == curve["value"]


def test_written_proofs_stand_beside_those_of_controls(oasis: Oasis) -> None:
    asked = ("policy", "eval", "first", "--benchmark", "SYJ203.1", "--written", "8", "--certify", "none")
    assert re.search(r"uniform +8\.0 ", oasis.ran(*asked).stdout)
    found = oasis.json(*asked, "--resumes", "2", "--k", "1,4")
    assert found["written"] == {"proofs": 8, "temperature": 1, "top_p": 0.95, "resumes": 2, "tokens": 2048}
    (of_set,) = found["written proofs"]["sets"].values()
    curves = of_set["curves"]["pass@k"]
    assert [*curves] == ["first", "uniform", "shape"] and all(each["x"] == [1, 4] for each in curves.values())
