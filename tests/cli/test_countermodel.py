"""`oasis countermodel`: models drawn, told and as JSON, pictures in files, and words where there is none."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from oasis.teacher.countermodels.forcing import check
from oasis.teacher.countermodels.kripke import Kripke
from tactics.formula import Atom
from tactics.parser import parse
from tests.commands import Oasis

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("lemma", ["((A -> B) -> A) -> A", "SYJ211.3", "textbook/scott", "A \\/ ~ A \\/ B"])
def test_the_model_in_the_json_object_is_a_countermodel(oasis: Oasis, lemma: str) -> None:
    content = oasis.json("countermodel", lemma)
    assert list(content) == ["lemma", "verdict", "worlds", "is_smallest", "words"]
    assert content["is_smallest"] is True
    assert content["lemma"] == lemma
    assert content["verdict"] == "non-theorem"
    true = tuple(frozenset(map(Atom, world["true"])) for world in content["worlds"])
    above = tuple(
        sum(1 << other for other in {number, *world["above"]}) for number, world in enumerate(content["worlds"])
    )
    shown = oasis.json("states", lemma, "--list", "--limit", "1")["states"][0]
    check(Kripke(true, above), (), parse(shown.removeprefix("|- ")))
    assert all(sentence.endswith(".") for sentence in content["words"])


def test_a_theorem_has_none(oasis: Oasis) -> None:
    answer = oasis("countermodel", "thesis/43", "--svg", "picture.svg", "--json")
    assert answer.stderr == "picture.svg was not written, for there is nothing to draw.\n"
    found = json.loads(answer.stdout)
    assert found == {"lemma": "thesis/43", "verdict": "theorem", "worlds": None, "is_smallest": None, "words": None}


def test_where_nobody_knows_whether_a_smaller_model_would_do_that_is_said(oasis: Oasis) -> None:
    """That no single world refutes it is a pigeonhole principle."""
    doubt = "Whether a model with fewer worlds would do as well is not known."
    assert oasis("countermodel", "SYJ208.12").stdout.splitlines()[-1] == doubt
    assert doubt not in oasis("countermodel", "textbook/scott").stdout


def test_what_is_not_known_in_time_is_called_unknown(oasis: Oasis) -> None:
    answer = oasis("countermodel", "SYJ202.40", "--seconds", "0.01")
    assert (answer.returncode, answer.stdout) == (
        0,
        "Whether SYJ202.40 is a theorem is unknown: 0.01 seconds were not enough; try a larger --seconds.\n",
    )


def test_a_picture_is_written(oasis: Oasis, tmp_path: Path) -> None:
    answer = oasis("countermodel", "p \\/ ~ p", "--svg", "picture.svg", "--json")
    assert json.loads(answer.stdout)["worlds"] == [{"true": [], "above": [1]}, {"true": ["p"], "above": []}]
    root = ET.parse(tmp_path / "picture.svg").getroot()
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Not provable: p ∨ ¬p"


def test_ascii_output_is_ascii_even_where_formulas_are_shortened(oasis: Oasis) -> None:
    answer = oasis("countermodel", "SYJ208.4", "--ascii")
    assert answer.returncode == 0
    assert answer.stdout.isascii()
    assert " ... " in answer.stdout
    assert not oasis("countermodel", "SYJ208.4").stdout.isascii()


def test_formulas_come_in_another_notation(oasis: Oasis) -> None:
    answer = oasis("countermodel", "-", "--format", "unicode", typed="p | ~ p\n")
    assert "At world 0, ¬p is not true" in answer.stdout
