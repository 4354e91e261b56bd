"""The adapter over coq_serapy, run over a STAND-IN for that library.

The stand-in has the parts of the published interface that the adapter uses, and passes sentences on to `coqidetop`. It
answers as coq_serapy 0.1.6 over SerAPI 0.16.3 did: hypotheses as lines, the newest first, with the names in a line the
oldest first; refusals on several lines; some words no symbols; a process that is killed and not waited for.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Final, NamedTuple

import pytest

from oasis.backends.base import BackendError, BackendMissing, Claim, ShownGoal
from oasis.backends.coq.protocol import CoqProcess, CoqRefused
from oasis.backends.coq.serapy import CoqSerapy
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import IllegalMove
from tactics.script import parse_script
from tests.backends.claims import GOOD, PROOF, SWAP
from tests.backends.mutations import compare_certificates, mutants
from tests.backends.walks import compare, walks
from tests.optional import missing

pytestmark = pytest.mark.slow


class CoqExn(Exception):
    def __init__(self, msg: str) -> None:
        super().__init__(msg)
        self.msg = msg


class Obligation(NamedTuple):
    hypotheses: list[str]
    goal: str


class ProofContext(NamedTuple):
    fg_goals: list[Obligation]
    bg_goals: list[Obligation]


NO_SYMBOLS: Final = re.compile(r"\b(t|nil|(?i:inf|infinity|nan))\b")
"""What sexpdata 1.0.2 reads as True, an empty list or a number."""


class StandIn:
    """What SerapiContext gives, which is its own backend here."""

    def __init__(self, folder: str) -> None:
        print("Using dev version of sertop")
        self.process = CoqProcess(["coqidetop.opt"], Path(folder), 60)
        self._proc = subprocess.Popen(
            ["sleep", "1000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.backend = self
        self.tips: list[int] = []
        self.broken = False

    def run_stmt(self, stmt: str, timeout: int | None = None) -> None:
        if self.broken or "deadly" in stmt:
            raise BrokenPipeError("sertop\ndied")
        assert NO_SYMBOLS.search(stmt) is None, "expected a symbol"
        before = self.process.tip
        try:
            self.process.add(stmt)
            self.process.execute()
        except CoqRefused as error:
            self.process.edit_at(before)
            raise CoqExn(str(error).replace(" ", "\n  ")) from None
        self.tips.append(before)

    def cancel_last(self) -> None:
        self.process.edit_at(self.tips.pop())

    def queryVernac(self, vernac: str) -> list[str]:  # noqa: N802
        return self.process.query(vernac)

    @property
    def proof_context(self) -> ProofContext | None:
        goals = self.process.goals()
        if goals is None:
            return None
        return ProofContext(
            [
                Obligation([line.replace(", ", ",") for line in reversed(goal.hypotheses)], goal.conclusion)
                for goal in goals.focused
            ],
            [],
        )


@contextmanager
def serapi_context(command: list[str], module: str | None, prelude: str, set_env: bool = True) -> Iterator[StandIn]:
    assert Path(prelude, "_CoqProject").is_file()
    agent = StandIn(prelude)
    try:
        yield agent
    finally:
        agent.process.close()
        agent._proc.kill()


@pytest.fixture
def sertop(tmp_path: Path) -> Path:
    """A program that says something and goes on."""
    path = tmp_path / "sertop"
    path.write_text("#!/bin/sh\necho '(Feedback)'\nexec cat\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def prover(monkeypatch: pytest.MonkeyPatch, sertop: Path) -> Iterator[CoqSerapy]:
    if shutil.which("coqidetop.opt") is None:
        missing("Coq is not installed")
    library = ModuleType("coq_serapy")
    vars(library).update(SerapiContext=serapi_context, CoqExn=CoqExn)
    monkeypatch.setitem(sys.modules, "coq_serapy", library)
    monkeypatch.setenv("PATH", str(sertop.parent), prepend=os.pathsep)
    with CoqSerapy() as made:
        yield made


def test_over_the_stand_in_walks_and_certificates_are_the_calculus_s(prover: CoqSerapy) -> None:
    rng = Random(5)
    counts: Counter[str] = Counter()
    assert [found for walk in walks(5, 20) for found in compare(prover, walk, rng, counts)] == []
    assert list(compare_certificates(prover, list(mutants(5, 40)), counts)) == []
    assert counts["accepted"] >= 5 and counts["rejected"] >= 15


def test_hypotheses_that_say_the_same_stand_in_their_order(prover: CoqSerapy) -> None:
    prover.start(parse("A -> A -> B -> B -> A -> A"))
    for _ in range(5):
        prover.apply(Move("intro"))
    names = [name for name, _ in prover.goals()[0].hypotheses]
    assert names == ["H", "H0", "H1", "H2", "H3"]


def test_an_atom_that_the_library_reads_as_something_else_gets_another_name(prover: CoqSerapy) -> None:
    claims = []
    for name in ("t", "nil", "Inf", "INF", "inf", "infinity", "NaN", "nan", "T", "Nil"):
        claims.append(Claim(parse(f"{name} -> {name}"), parse_script("intro; assumption")))
        prover.start(claims[-1].formula)
        prover.apply(Move("intro"))
        assert prover.goals() == (ShownGoal((("H", name),), name),)
    for found in prover.certify(claims):
        assert found.accepted and [theirs for _, theirs in found.renamed] == ["p1"]


def test_a_refusal_stands_on_one_line(prover: CoqSerapy) -> None:
    prover.start(SWAP)
    with pytest.raises(IllegalMove) as caught:
        prover.apply(Move("split"))
    assert str(caught.value) == "split: the conclusion is not of the form A /\\ B."


def test_the_library_prints_to_stderr_and_closing_waits_for_its_process(
    prover: CoqSerapy, capsys: pytest.CaptureFixture[str]
) -> None:
    prover.start(SWAP)
    assert capsys.readouterr() == ("", "Using dev version of sertop\n")
    process = prover._agent.backend._proc
    prover.close()
    assert process.returncode is not None
    assert process.stdin.closed and process.stdout.closed and process.stderr.closed
    prover.close()


def test_a_sertop_that_dies_at_once_is_told_before_the_library_waits_for_it(prover: CoqSerapy, sertop: Path) -> None:
    sertop.write_text("#!/bin/sh\necho 'no standard\nlibrary' >&2\nexit 2\n")
    for action in (lambda: prover.start(SWAP), lambda: prover.certify([GOOD])):
        with pytest.raises(BackendError, match="sertop ended as soon as it was started: no standard library"):
            action()


def test_a_claim_at_which_the_library_fails_costs_no_other_its_verdict(prover: CoqSerapy) -> None:
    deadly = Claim(parse("deadly -> deadly"), parse_script("intro; assumption"))
    found = prover.certify([GOOD, deadly, GOOD])
    assert [certificate.accepted for certificate in found] == [True, False, True]
    assert "no verdict" in found[1].reason and "sertop died" in found[1].reason


def test_over_the_stand_in_a_fault_is_told_and_the_lemma_brought_back(prover: CoqSerapy) -> None:
    prover.start(SWAP)
    prover.apply(PROOF[0])
    before = prover.goals()
    prover._agent.broken = True
    with pytest.raises(BackendError, match="sertop died"):
        prover.apply(PROOF[1])
    assert prover.goals() == before
    assert prover.certify([GOOD])[0].accepted
    assert prover.goals() == before


def test_without_the_library_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "coq_serapy", None)
    with CoqSerapy() as prover:
        for action in (prover.version, lambda: prover.start(SWAP), lambda: prover.certify([GOOD])):
            with pytest.raises(BackendMissing, match="pip install git"):
                action()
        with pytest.raises(BackendError, match="start one first"):
            prover.apply(Move("intro"))


def test_without_sertop_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "coq_serapy", ModuleType("coq_serapy"))
    monkeypatch.setenv("PATH", "/nowhere")
    with CoqSerapy() as prover, pytest.raises(BackendMissing, match=r"sertop.*opam install coq-serapi"):
        prover.version()
