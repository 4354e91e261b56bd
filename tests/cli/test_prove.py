"""`oasis prove`: scripts that can be piped on, JSON, certificates, and a sentence where there is no script."""

from __future__ import annotations

import json
import re

import pytest

from oasis.backends.registry import installed
from tests.commands import Oasis, environment
from tests.optional import missing

pytestmark = pytest.mark.slow


def test_a_script_is_printed_that_replays(oasis: Oasis) -> None:
    answer = oasis("prove", "thesis/43")
    assert answer.returncode == 0
    replayed = oasis("replay", "thesis/43", "-", "--json", typed=answer.stdout)
    assert json.loads(replayed.stdout)["proved"] is True


def test_a_shortest_proof_is_found_when_asked_for(oasis: Oasis) -> None:
    content = oasis.json("prove", "SYJ203.3", "--shortest")
    assert (content["shortest"], content["length"], len(content["script"])) == (True, 16, 16)


def test_a_proof_that_may_not_be_shortest_says_so(oasis: Oasis) -> None:
    answer = oasis("prove", "SYJ201.4", "--shortest", "--seconds", "1")
    assert answer.returncode == 0
    about, remark = answer.stderr.splitlines()
    assert about.startswith("SYJ201.4: ")
    assert len(about) < 330
    assert remark.startswith("No shortest proof was found: 1 second was not enough; this one may be longer")
    least = re.search(r"every proof has at least (\d+)", remark)
    assert least is not None and 10 < int(least[1]) <= answer.stdout.count(";") + 1


def test_a_non_theorem_has_no_script(oasis: Oasis) -> None:
    content = oasis.json("prove", "textbook/peirce", "--certify")
    assert content["verdict"] == "non-theorem"
    assert content["length"] is content["script"] is None


def test_a_script_that_is_too_long_is_counted_instead(oasis: Oasis) -> None:
    answer = oasis("prove", "SYJ206.6", "--max-proof", "100")
    assert answer.returncode == 0
    assert answer.stdout == "The shortest known script of SYJ206.6 has 339 moves, more than --max-proof 100.\n"
    content = oasis.json("prove", "SYJ206.6", "--max-proof", "100")
    assert (content["length"], content["script"]) == (339, None)


def test_a_limit_is_told_and_is_no_failure(oasis: Oasis) -> None:
    for lemma, seconds, sentence in (
        ("SYJ202.9", "1", "SYJ202.9 is a theorem, but no proof was found: 1 second was not enough"),
        ("SYJ208.30", "0.1", "Whether SYJ208.30 is a theorem is unknown: 0.1 seconds were not enough"),
    ):
        answer = oasis("prove", lemma, "--seconds", seconds)
        assert (answer.returncode, answer.stdout) == (0, f"{sentence}; try a larger --seconds.\n")
    assert oasis.json("prove", "SYJ208.30", "--seconds", "0.1")["verdict"] == "unknown"


def test_provers_certify_the_script(oasis: Oasis) -> None:
    names = list(installed())
    if names != ["coq", "lean"]:
        missing(f"of Coq and Lean only {names} are installed")
    content = oasis.json("prove", "textbook/de_morgan_or_not", "--certify")
    assert [(each["prover"], each["accepted"]) for each in content["certificates"]] == [("coq", True), ("lean", True)]
    shown = oasis("prove", "A -> A", "--certify").stdout.splitlines()
    assert shown[0] == "intro; assumption"
    assert [line.split()[-1] for line in shown[1:]] == ["accepted", "accepted"]


def test_provers_that_are_missing_are_not_asked(oasis: Oasis) -> None:
    """Lean may come with the Python environment, so it need not be on the PATH."""
    answer = oasis("prove", "A -> A", "--certify", "--json", env=environment(PATH="/nowhere"))
    assert answer.returncode == 0
    (certificate,) = json.loads(answer.stdout)["certificates"]
    assert certificate["accepted"] is True
    assert certificate["prover"] in ("lean", "native")
    assert answer.stderr.startswith("Neither Coq nor Lean is here") is (certificate["prover"] == "native")
