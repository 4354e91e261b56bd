"""`oasis compare`: tables, sentences and files; grids; Ctrl-C and going on; bad input before any work."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from oasis.lab.campaign import Campaign
from oasis.lab.engines import engine
from oasis.store import Store
from tests.cli.conftest import Oasis, environment, interrupted

pytestmark = pytest.mark.slow

FEW = ("--episodes", "12", "--seeds", "3", "--engine", "serial")


def content(answer: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert answer.returncode == 0, answer.stderr
    found = json.loads(answer.stdout)
    assert isinstance(found, dict)
    return found


def test_people_get_tables_and_sentences(oasis: Oasis) -> None:
    answer = oasis("compare", "SYJ203.2", "--learner", "uniform,q-learning", *FEW)
    assert answer.returncode == 0, answer.stderr
    for words in (
        "Averages of 3 students of each kind",
        "SYJ203.2, 12 episodes",
        "reliable from",
        "V* 0.387",
        "P(more): proofs",
        "proves the largest share of its episodes",
        "The uniform player learns nothing",
    ):
        assert words in answer.stdout
    assert "Experiment 1: SYJ203.2, 2 kinds of students, 3 of each, 72 episodes in all" in answer.stderr
    assert "6 of 6 students" in answer.stderr
    assert answer.stderr.endswith("see it again with: oasis compare --resume --experiment 1\n")


@pytest.mark.some_days
def test_lists_and_sweeps_make_the_variants_and_the_same_seeds_the_same_numbers(oasis: Oasis) -> None:
    arguments = ("SYJ203.2", "--learner", "sarsa,dyna-q", "--sweep", "epsilon=0.1:0.3:0.2", *FEW, "--quiet", "--json")
    one, other, elsewhere = (
        oasis("compare", *arguments, "--db", f"{name}.db", *more, env=environment(PYTHONHASHSEED=salt))
        for name, salt, more in (("a", "1", ()), ("b", "2718", ()), ("c", "1", ("--seed", "50")))
    )
    assert one.stderr == ""
    assert one.stdout == other.stdout
    names = ["sarsa, ε 0.1", "sarsa, ε 0.3", "dyna-q, ε 0.1", "dyna-q, ε 0.3"]
    found = content(one)
    assert [variant["name"] for variant in found["variants"]] == names
    assert [variant["settings"]["epsilon"] for variant in found["variants"]] == [0.1, 0.3, 0.1, 0.3]
    assert found["seeds"] == [0, 1, 2]
    assert content(elsewhere)["variants"][0]["proved"] != found["variants"][0]["proved"]


def test_orders_are_compared_student_by_student(oasis: Oasis) -> None:
    answer = oasis(
        "compare", "thesis", "--levels", "1-2", "--learner", "q-learning", "--order", "fixed,shuffled,afresh", *FEW,
        "--json",
    )  # fmt: skip
    found = content(answer)
    assert found["episodes"] == 24
    assert [(order["one"], order["other"]) for order in found["orders"]] == [
        ("fixed", "afresh"),
        ("shuffled", "fixed"),
        ("shuffled", "afresh"),
    ]
    assert any("student by student" in sentence for sentence in found["sentences"])


@pytest.mark.some_days
def test_everything_can_be_had_as_files(oasis: Oasis, tmp_path: Path) -> None:
    answer = oasis(
        "compare", "A \\/ B -> B \\/ A", *FEW, "--csv", "e.csv", "--csv-checkpoints", "c.csv", "--plot", "p.svg",
        "--html", "r.html",
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    with (tmp_path / "e.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    learners = ("epsilon-soft", "sarsa", "q-learning")
    assert [(row["variant"], row["seed"], row["episode"]) for row in rows] == [
        (learner, str(seed), str(episode)) for learner in learners for seed in range(3) for episode in range(1, 13)
    ]
    with (tmp_path / "c.csv").open(newline="") as stream:
        assert {row["greedy"] for row in csv.DictReader(stream)} <= {"0", "6"}
    assert "<svg" in (tmp_path / "p.svg").read_text()
    page = (tmp_path / "r.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "compare &#39;A \\/ B -&gt; B \\/ A&#39;" in page


def test_the_shortest_proofs_are_certified_and_what_was_said_is_kept(oasis: Oasis) -> None:
    first = oasis("compare", "thesis", "--levels", "1", *FEW, "--certify", "native", "--json", "--quiet")
    proofs = content(first)["proofs"]
    assert [proof["variant"] for proof in proofs] == ["epsilon-soft", "sarsa", "q-learning"]
    for proof in proofs:
        assert proof["length"] == len(proof["script"]) >= 4
        assert [(word["prover"], word["accepted"]) for word in proof["certificates"]] == [("native", True)]
    again = oasis("compare", "--resume", "--quiet")
    assert "certified by" in again.stdout
    assert content(oasis("compare", "--resume", "--json", "--quiet"))["proofs"] == proofs
    refused = oasis("compare", "thesis/41", "--certify", "me")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("oasis: 'me' is no prover")


def test_a_finished_experiment_is_shown_again(oasis: Oasis) -> None:
    first = oasis("compare", "thesis/41", *FEW, "--json", "--quiet")
    oasis("compare", "thesis/42", *FEW, "--quiet")
    again = oasis("compare", "--resume", "--experiment", "1", "--json", "--quiet")
    assert content(again) == content(first)


def test_experiments_are_listed_with_the_runs(oasis: Oasis) -> None:
    oasis("compare", "thesis/41", *FEW, "--quiet")
    (listed,) = json.loads(oasis("runs", "list", "--json").stdout)["experiments"]
    assert (listed["id"], listed["name"]) == (1, "thesis/41")
    assert listed["trials"] == len(listed["variants"]) * len(listed["seeds"])
    assert listed["finished"]
    table = oasis("runs", "list").stdout
    assert "experiment" in table
    assert "curriculum" not in table  # there are no runs


@pytest.mark.some_days
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path) -> None:
    command = ["compare", "SYJ203.3", "--learner", "dyna-q", "--seeds", "100000", "--engine", "serial"]
    command += ["--plot", "my curves.png", "--csv=all.csv"]
    stopped = interrupted(command, tmp_path, " of 100,000 students")
    assert stopped.returncode == 130, stopped.stderr
    with Store(tmp_path / "oasis.db") as store:
        done = Campaign.resume(store).done
    assert done > 0
    assert stopped.stderr.endswith(
        f"oasis: Stopped; {done} of 100000 students are done and kept, and it goes on with: "
        "oasis compare --resume --experiment 1 --plot 'my curves.png' --csv all.csv\n"
        "  What came of them so far is shown by: oasis compare --so-far --experiment 1\n"
    )


def test_what_is_done_of_an_experiment_is_shown_without_going_on(oasis: Oasis, tmp_path: Path) -> None:
    whole = content(oasis("compare", "SYJ203.2", *FEW, "--json", "--quiet"))
    with Store(tmp_path / "oasis.db") as store:
        begun = Campaign.start(store, Campaign.resume(store).plans, name="again")
        for done in begun.run(engine("serial")):
            if done.done == begun.total - 1:
                break
    shown = oasis("compare", "--so-far", "--json", "--csv", "so_far.csv", "--certify", "none")
    assert re.match(
        r"Experiment 2 so far, SYJ203\.2: \d+ of \d+ kinds of students, \d+ of \d+ of each; go on", shown.stderr
    )
    told = content(shown)
    trials = len(told["variants"]) * len(told["seeds"])
    assert 0 < trials < len(whole["variants"]) * len(whole["seeds"])
    assert len((tmp_path / "so_far.csv").read_text().splitlines()) == 1 + trials * told["episodes"]
    with Store(tmp_path / "oasis.db") as store:
        assert not Campaign.resume(store).finished


def test_who_is_left_out_of_what_is_shown_so_far_is_said(oasis: Oasis, tmp_path: Path) -> None:
    oasis("compare", "SYJ203.2", *FEW, "--quiet")
    with Store(tmp_path / "oasis.db") as store:
        begun = Campaign.start(store, Campaign.resume(store).plans, name="again")
        for name, seeds in {"epsilon-soft": 3, "sarsa": 3, "q-learning": 1}.items():
            done = [(name, seed, trial) for seed, trial in store.trials(1, name) if seed < seeds]
            store.add_trials(begun.number, done, version="1", commit=None)
    shown = oasis("compare", "--so-far", "--certify", "none")
    assert "Experiment 2 so far, SYJ203.2: 2 of 3 kinds of students, 3 of 3 of each" in shown.stderr
    assert "q-learning is left out, of which 1 of 3 are done: kinds are compared by students of the" in shown.stderr
    assert "q-learning" not in shown.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device here that is always full")
def test_an_experiment_whose_numbers_cannot_be_written_is_kept_and_it_is_said(oasis: Oasis) -> None:
    answer = oasis("compare", "SYJ203.2", *FEW, "--csv", "/dev/full")
    assert answer.returncode == 2
    assert "Kept as experiment 1 in oasis.db; see it again with: oasis compare --resume" in answer.stderr
    assert "/dev/full cannot be written (No space left on device); name another file." in answer.stderr


def test_an_experiment_goes_on_to_the_numbers_that_it_would_have_had_undisturbed(oasis: Oasis, tmp_path: Path) -> None:
    undisturbed = oasis("compare", "SYJ203.2", *FEW, "--json", "--quiet")
    with Store(tmp_path / "oasis.db") as store:
        plans = Campaign.resume(store).plans
        begun = Campaign.start(store, plans, name="again")
        next(begun.run(engine("serial")))
        assert 0 < begun.done < begun.total
    resumed = oasis("compare", "--resume", "--json", "--quiet")
    assert content(resumed) == {**content(undisturbed), "experiment": 2}


@pytest.mark.some_days
@pytest.mark.some_variants(1)
@pytest.mark.parametrize(
    ("library", "option", "extra"), [("matplotlib", "--plot p.png", "plots"), ("jinja2", "--html r.html", "plots")]
)
def test_a_file_that_needs_a_missing_library_is_refused_with_the_command_that_installs_it(
    oasis: Oasis, tmp_path: Path, library: str, option: str, extra: str
) -> None:
    # A finder that hides it, as if it had never been installed.
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util, sys\n"
        "find = importlib.util.find_spec\n"
        f"importlib.util.find_spec = lambda name, *more: None if name == '{library}' else find(name, *more)\n"
    )
    ours = environment()
    ours["PYTHONPATH"] = os.pathsep.join([str(tmp_path), ours["PYTHONPATH"]])
    answer = oasis("compare", "thesis/41", *FEW, *option.split(), env=ours)
    assert answer.returncode == 3
    assert answer.stdout == ""
    assert answer.stderr.endswith(f"[{extra}]'\n")
    assert "which is not installed: pip install '" in answer.stderr
    assert oasis("compare", "thesis/41", *FEW, env=ours).returncode == 0
