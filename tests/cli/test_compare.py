"""`oasis compare`: tables, sentences and files; grids; Ctrl-C and going on; bad input before any work."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from oasis.lab.campaign import Campaign
from oasis.lab.engines import engine
from oasis.store import Store
from tests.commands import Oasis, environment, interrupted

pytestmark = pytest.mark.slow

FEW = ("--episodes", "12", "--seeds", "3", "--engine", "serial")


def test_lists_and_sweeps_make_the_variants_and_the_same_seeds_the_same_numbers(oasis: Oasis) -> None:
    arguments = ("SYJ203.2", "--learner", "sarsa,dyna-q", "--sweep", "epsilon=0.1:0.3:0.2", *FEW, "--quiet", "--json")
    one, other, elsewhere = (
        oasis("compare", *arguments, "--db", f"{name}.db", *more, env=env)
        for name, env, more in (
            ("a", None, ()),
            ("b", environment(PYTHONHASHSEED="2718"), ()),
            ("c", None, ("--seed", "50")),
        )
    )
    assert one.stderr == ""
    assert one.stdout == other.stdout
    names = ["sarsa, ε 0.1", "sarsa, ε 0.3", "dyna-q, ε 0.1", "dyna-q, ε 0.3"]
    found = json.loads(one.stdout)
    assert [variant["name"] for variant in found["variants"]] == names
    assert [variant["settings"]["epsilon"] for variant in found["variants"]] == [0.1, 0.3, 0.1, 0.3]
    assert found["seeds"] == [0, 1, 2]
    assert json.loads(elsewhere.stdout)["variants"][0]["proved"] != found["variants"][0]["proved"]


def test_orders_are_compared_student_by_student(oasis: Oasis) -> None:
    orders = ("--learner", "q-learning", "--order", "fixed,shuffled,afresh")
    found = oasis.json("compare", "thesis", "--levels", "1-2", *orders, *FEW)
    assert found["episodes"] == 24
    assert [(order["one"], order["other"]) for order in found["orders"]] == [
        ("fixed", "afresh"),
        ("shuffled", "fixed"),
        ("shuffled", "afresh"),
    ]
    assert any("student by student" in sentence for sentence in found["sentences"])


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
    first = oasis.json("compare", "thesis", "--levels", "1", *FEW, "--certify", "native", "--quiet")
    assert [proof["variant"] for proof in first["proofs"]] == ["epsilon-soft", "sarsa", "q-learning"]
    for proof in first["proofs"]:
        assert proof["length"] == len(proof["script"]) >= 4
        assert [(word["prover"], word["accepted"]) for word in proof["certificates"]] == [("native", True)]
    assert "certified by" in oasis("compare", "--resume", "--quiet").stdout
    assert oasis.json("compare", "--resume", "--quiet")["proofs"] == first["proofs"]


def test_a_finished_experiment_is_shown_again(oasis: Oasis) -> None:
    first = oasis.json("compare", "thesis/41", *FEW, "--quiet")
    oasis("compare", "thesis/42", *FEW, "--quiet")
    assert oasis.json("compare", "--resume", "--experiment", "1", "--quiet") == first


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
    whole = oasis.json("compare", "SYJ203.2", *FEW, "--quiet")
    with Store(tmp_path / "oasis.db") as store:
        begun = Campaign.start(store, Campaign.resume(store).plans, name="again")
        for done in begun.run(engine("serial")):
            if done.done == begun.total - 1:
                break
    shown = oasis("compare", "--so-far", "--json", "--csv", "so_far.csv", "--certify", "none")
    assert re.match(
        r"Experiment 2 so far, SYJ203\.2: \d+ of \d+ kinds of students, \d+ of \d+ of each; go on", shown.stderr
    )
    told = json.loads(shown.stdout)
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
    undisturbed = oasis.json("compare", "SYJ203.2", *FEW, "--quiet")
    with Store(tmp_path / "oasis.db") as store:
        plans = Campaign.resume(store).plans
        begun = Campaign.start(store, plans, name="again")
        next(begun.run(engine("serial")))
        assert 0 < begun.done < begun.total
    assert oasis.json("compare", "--resume", "--quiet") == {**undisturbed, "experiment": 2}


@pytest.mark.parametrize(
    ("command", "looked_for"),
    [
        ("compare thesis/41 --plot p.png", "oasis.lab.plots.style"),
        ("compare thesis/41 --html r.html", "oasis.lab.report.page"),
        ("sharing thesis/41 --plot p.png", "oasis.lab.plots.style"),
    ],
)
def test_a_file_that_needs_a_missing_library_is_refused_with_the_command_that_installs_it(
    oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, looked_for: str
) -> None:
    monkeypatch.setattr(f"{looked_for}.find_spec", lambda name: None)
    answer = oasis(*command.split())
    assert (answer.returncode, answer.stdout) == (3, "")
    assert "which is not installed: pip install '" in answer.stderr and answer.stderr.endswith("[plots]'\n")
    assert not list(tmp_path.iterdir())
