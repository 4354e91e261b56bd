"""What Coq alone does otherwise: how it reads a lemma, and the tactics that are compiled for it."""

from __future__ import annotations

import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from oasis.backends.base import Claim
from oasis.backends.coq.driver import Coq
from oasis.backends.coq.setup import find, tactics_folder
from oasis.backends.coq.text import at_once, statement
from tactics.formula import Formula
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import parse_script
from tests.backends.claims import GOOD
from tests.backends.walks import compare, walks
from tests.thorough import examples


@pytest.mark.slow
def test_larger_lemmas_look_the_same_in_coq(coq: Coq) -> None:
    rng = Random(1)
    counts: Counter[str] = Counter()
    walked = walks(1, examples(60), (15, 40))
    assert [found for walk in walked for found in compare(coq, walk, rng, counts)] == []


def test_a_script_written_as_one_tactic_branches_as_its_goals_do() -> None:
    script = parse_script("intro; destruct_or H; right; assumption; left; assumption")
    assert at_once(script) == "d_intro; d_destruct_or H; [ d_right; d_assumption | d_left; d_assumption]"
    for changed in (script[:-1], (*script, Move("intro")), (Move("intro", "H"),), (), (Move("intro"),) * 400):
        assert at_once(changed) is None


@pytest.mark.slow
def test_a_lemma_that_coq_reads_otherwise_is_not_certified(coq: Coq, monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement that is proved is compared with the formula, whatever was sent."""

    def another(formula: Formula, names: dict[str, str]) -> str:
        return statement(parse("A /\\ B -> A /\\ B"), names)

    monkeypatch.setattr("oasis.backends.coq.driver.statement", another)
    (certificate,) = coq.certify([Claim(parse("A /\\ B -> B /\\ (B /\\ A)"), parse_script("intro; assumption"))])
    assert (certificate.accepted, certificate.reason) == (False, "Coq reads another formula than the lemma.")


@pytest.mark.slow
def test_the_tactics_use_no_axiom_and_no_library(coq: Coq) -> None:
    folder = tactics_folder(find(None, Coq.install, 60), 60)
    command = ["coqchk", "-silent", "-o", "-Q", str(folder), "Oasis", "Oasis.dyckhoff"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "* Axioms: <none>" in " ".join((checked.stdout + checked.stderr).split())


@pytest.mark.slow
def test_the_tactics_are_compiled_once_even_by_many_at_once(
    coq: Coq, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    installation = find(None, Coq.install, 60)
    with ThreadPoolExecutor(3) as pool:
        folders = set(pool.map(lambda _: tactics_folder(installation, 60), range(3)))
    assert len(folders) == 1
    assert [each.name for each in (tmp_path / "oasis").iterdir()] == [folders.pop().name]


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_done_without(
    coq: Coq, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "oasis").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with Coq() as prover:
        assert prover.certify([GOOD])[0].accepted
