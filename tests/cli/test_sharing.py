"""`oasis sharing`: JSON, CSV and a picture, and going on."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from oasis.lab.campaign import Campaign
from oasis.lab.engines import Serial
from oasis.store import Store
from tests.commands import Oasis, environment

pytestmark = pytest.mark.slow

FEW = ("--copies", "4", "--seeds", "2", "--engine", "serial")


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_json_in_every_process(oasis: Oasis) -> None:
    asked = ("sharing", "thesis/42", *FEW, "--certify", "native", "--json", "--quiet")
    answers = [
        oasis(*asked, "--seed", seed, "--db", f"{salt}-{seed}.db", env=environment(PYTHONHASHSEED=salt))
        for seed, salt in (("5", "1"), ("5", "2718"), ("6", "1"))
    ]
    assert all(answer.returncode == 0 and answer.stderr == "" for answer in answers)
    assert answers[0].stdout == answers[1].stdout != answers[2].stdout
    content = json.loads(answers[0].stdout)
    about = ["lemma", "formula", "copies", "students", "settings"]
    assert list(content) == ["experiment", "made_by", *about, "experiments", "merging", "proofs"]
    assert (content["lemma"], content["copies"], content["students"]) == ("thesis/42", 4, 2)
    assert content["settings"]["seed"] == 5
    assert content["settings"]["learner"] == "epsilon-soft"
    assert not {"state_space", "episodes"} & set(content["settings"])
    assert [each["name"] for each in content["experiments"]] == ["copies", "same", "letterings", "at-once", "levels"]
    copied, itself = content["experiments"][:2]
    for space in ("name", "match"):
        assert copied["spaces"][space]["states"] == itself["spaces"][space]["states"]
    assert copied["spaces"]["simple"]["states"]["value"] > itself["spaces"]["simple"]["states"]["value"]
    # Each student has the copies in letters of its own, and a proof is one of what its student had.
    said = [word["accepted"] for proof in content["proofs"] for word in proof["certificates"]]
    assert len({proof["formula"] for proof in content["proofs"]}) > 20
    assert said == [True] * len(content["proofs"])
    assert content["merging"]["unordered"] == content["merging"]["name"]


def test_every_episode_can_be_had_as_csv_and_all_of_it_as_a_picture(oasis: Oasis, tmp_path: Path) -> None:
    answer = oasis("sharing", "A \\/ B -> B \\/ A", *FEW, "--csv", "episodes.csv", "--plot", "picture.svg")
    assert answer.returncode == 0, answer.stderr
    with (tmp_path / "episodes.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    copied = [row for row in rows if row["experiment"] == "copies" and row["state_space"] == "match"]
    assert [(row["seed"], row["episode"]) for row in copied] == [(s, e) for s in "01" for e in "1234"]
    assert {row["proved"] for row in rows} == {"True", "False"}
    assert "<svg" in (tmp_path / "picture.svg").read_text()


def test_what_is_left_of_an_experiment_can_follow(oasis: Oasis, tmp_path: Path) -> None:
    as_in_the_thesis = ("--actions", "blind", "--forget-errors")
    undisturbed = oasis("sharing", "thesis/41", *FEW, *as_in_the_thesis, "--json", "--quiet")
    settings = json.loads(undisturbed.stdout)["settings"]
    assert (settings["actions"], settings["forget_errors"]) == ("blind", True)
    with Store(tmp_path / "oasis.db") as store:
        begun = Campaign.resume(store, command="sharing")
        again = Campaign.start(store, begun.plans, command="sharing", name=begun.name)
        next(again.run(Serial()))
        assert 0 < again.done < again.total
    resumed = oasis("sharing", "--resume", "--engine", "serial", "--json")
    assert resumed.stderr.endswith("see it again with: oasis sharing --resume --experiment 2\n")
    assert json.loads(resumed.stdout) == {**json.loads(undisturbed.stdout), "experiment": 2}
