"""The adapter over coq_serapy, run over a STAND-IN for that library: nothing here was seen with the real one.

The stand-in has the parts of the published interface that the adapter uses, and passes sentences on to `coqidetop`.
"""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import ModuleType
from typing import NamedTuple

import pytest

from oasis.backends.base import BackendError, BackendMissing, Claim
from oasis.backends.coq.protocol import CoqProcess, CoqRefused
from oasis.backends.coq.serapy import CoqSerapy
from tactics.formula import atoms
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import parse_script
from tests.backends.mutations import compare_certificates, mutants
from tests.backends.walks import compare, walks
from tests.optional import missing

SWAP = parse("A /\\ B -> B /\\ A")
PROOF = parse_script("intro; destruct_and H; split; assumption; assumption")


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


class StandIn:
    """What SerapiContext gives, which is its own backend here."""

    newest_first = False

    def __init__(self, folder: str) -> None:
        self.process = CoqProcess(["coqidetop.opt"], Path(folder), 60)
        self.backend = self
        self.tips: list[int] = []
        self.broken = False

    def run_stmt(self, stmt: str, timeout: int | None = None) -> None:
        if self.broken:
            raise BrokenPipeError("sertop died")
        before = self.process.tip
        try:
            self.process.add(stmt)
            self.process.execute()
        except CoqRefused as error:
            self.process.edit_at(before)
            raise CoqExn(str(error)) from None
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
        found = [
            Obligation([line.replace(", ", ",") for line in goal.hypotheses], goal.conclusion) for goal in goals.focused
        ]
        if self.newest_first:
            for goal in found:
                goal.hypotheses[:] = [_backwards(line) for line in reversed(goal.hypotheses)]
        return ProofContext(found, [])


def _backwards(line: str) -> str:
    names, _, text = line.partition(" : ")
    return f"{','.join(reversed(names.split(',')))} : {text}"


@contextmanager
def serapi_context(command: list[str], module: str | None, prelude: str, set_env: bool = True) -> Iterator[StandIn]:
    assert Path(prelude, "_CoqProject").is_file()
    agent = StandIn(prelude)
    try:
        yield agent
    finally:
        agent.process.close()


@pytest.fixture
def prover(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[CoqSerapy]:
    if shutil.which("coqidetop.opt") is None:
        missing("Coq is not installed")
    library = ModuleType("coq_serapy")
    vars(library).update(SerapiContext=serapi_context, CoqExn=CoqExn)
    monkeypatch.setitem(sys.modules, "coq_serapy", library)
    which = shutil.which
    monkeypatch.setattr(
        shutil, "which", lambda name, path=None: "/usr/bin/sertop" if name == "sertop" else which(name, path=path)
    )
    with CoqSerapy() as made:
        yield made


@pytest.mark.parametrize("newest_first", [False, True])
def test_over_the_stand_in_random_walks_look_the_same(
    prover: CoqSerapy, monkeypatch: pytest.MonkeyPatch, newest_first: bool
) -> None:
    monkeypatch.setattr(StandIn, "newest_first", newest_first)
    rng = Random(5)
    counts: Counter[str] = Counter()
    # Without an atom nothing tells which end of the list is the oldest.
    lemmas = [walk for walk in walks(5, 25) if atoms(walk.formula)]
    assert [found for walk in lemmas for found in compare(prover, walk, rng, counts)] == []


def test_over_the_stand_in_certificates_are_the_calculus_s(prover: CoqSerapy) -> None:
    counts: Counter[str] = Counter()
    assert list(compare_certificates(prover, list(mutants(5, 40)), counts)) == []
    assert counts["accepted"] >= 5 and counts["rejected"] >= 15


def test_over_the_stand_in_a_fault_is_told_and_the_lemma_brought_back(prover: CoqSerapy) -> None:
    prover.start(SWAP)
    prover.apply(PROOF[0])
    before = prover.goals()
    prover._agent.broken = True
    with pytest.raises(BackendError, match="sertop died"):
        prover.apply(PROOF[1])
    assert prover.goals() == before
    assert prover.certify([Claim(SWAP, PROOF)])[0].accepted
    assert prover.goals() == before
    prover.close()
    prover.close()


def test_without_the_library_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "coq_serapy", None)
    with CoqSerapy() as prover:
        for action in (prover.version, lambda: prover.start(SWAP), lambda: prover.certify([Claim(SWAP, PROOF)])):
            with pytest.raises(BackendMissing, match="pip install git"):
                action()
        with pytest.raises(BackendError, match="start one first"):
            prover.apply(Move("intro"))


def test_without_sertop_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "coq_serapy", ModuleType("coq_serapy"))
    monkeypatch.setenv("PATH", "/nowhere")
    with CoqSerapy() as prover, pytest.raises(BackendMissing, match=r"sertop.*opam install coq-serapi"):
        prover.version()
