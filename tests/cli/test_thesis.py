"""`oasis thesis`: JSON, files, what is kept."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.commands import Oasis

pytestmark = pytest.mark.slow

FEW = ("--share", "0.004", "--episodes", "12", "--workers", "1")


def test_the_json_is_the_same_with_any_number_of_workers(oasis: Oasis) -> None:
    one, two = (
        oasis("thesis", "--figure", "7.2", *FEW[:4], "--workers", workers, "--json", "--quiet", "--db", f"{workers}.db")
        for workers in "12"
    )
    assert one.returncode == two.returncode == 0, one.stderr + two.stderr
    assert one.stderr == two.stderr == ""
    assert one.stdout == two.stdout
    content = json.loads(one.stdout)
    (figure,) = content["figures"]
    assert {(proof["lemma"], tuple(proof["certificates"])) for proof in content["proofs"]} == {("thesis/42", ())}
    assert (figure["figure"], list(figure["parts"])) == ("7.2", ["short", "beside", "long"])
    assert [variant["name"] for variant in figure["parts"]["short"]["variants"]][:2] == ["ε 0.1", "ε 0.2"]
    assert 0 <= figure["parts"]["long"]["variants"][0]["proofs"]["value"] <= 1


def test_pictures_a_page_and_curves_can_be_had(oasis: Oasis, tmp_path: Path) -> None:
    files = ("--plot", "pictures", "--html", "report.html", "--csv", "curves.csv")
    answer = oasis("thesis", "--figure", "7.2", *FEW, *files, "--quiet")
    assert answer.returncode == 0, answer.stderr
    assert (tmp_path / "pictures" / "figure-7.2.png").stat().st_size > 10_000
    text = (tmp_path / "report.html").read_text()
    assert "The thesis saw:" in text
    assert "oasis thesis --figure 7.2" in text
    with (tmp_path / "curves.csv").open(newline="") as stream:
        lines = list(csv.DictReader(stream))
    assert {line["part"] for line in lines} == {"short", "beside", "long"}
    assert len([line for line in lines if line["part"] == "short"]) == 3 * 5 * 10


def test_what_is_done_is_kept_and_shown_again_with_its_own_figures(oasis: Oasis) -> None:
    first = oasis("thesis", "--figure", "7.5", *FEW, "--json", "--quiet", "--db", "kept here.db")
    again = oasis("thesis", "--resume", "--json", "--db", "kept here.db")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout) == json.loads(first.stdout)
    assert again.stderr.endswith("see it again with: oasis thesis --resume --experiment 1 --db 'kept here.db'\n")
    assert "goes on with an experiment as it was begun; leave --share out." in oasis.refused(
        "thesis", "--resume", "--share", "0.5", "--db", "kept here.db"
    )
