"""The adapters over coq_serapy and LeanDojo, run over STAND-INS for these libraries.

That of coq_serapy passes sentences on to `coqidetop`, and answers as version 0.1.6 over SerAPI 0.16.3 did: lines of
hypotheses, the newest first, with the names in a line the oldest first; refusals on several lines; some words no
symbols; a process that is not waited for. That of LeanDojo plays tactics in the embedded calculus.
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
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final, NamedTuple

import pytest

from oasis.backends.base import BackendError, BackendMissing, ShownGoal
from oasis.backends.checkup import look
from oasis.backends.coq.protocol import CoqProcess, CoqRefused
from oasis.backends.coq.serapy import CoqSerapy
from oasis.backends.lean import dojo as lean_dojo
from oasis.backends.lean.dojo import NO_CERTIFICATE, LeanDojo, carrier, tactic
from tactics.claims import Claim
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.printer import UNICODE, show
from tactics.rules import RULES, IllegalMove, apply
from tactics.script import parse_script
from tests.backends.claims import GOOD, PROOF, SWAP
from tests.backends.mutations import compare_certificates, mutants
from tests.backends.walks import compare, walks
from tests.optional import missing

# coq_serapy


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
    """Stands in for SerapiContext and for its backend."""

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
        if (goals := self.process.goals()) is None:
            return None
        shown = [
            ([line.replace(", ", ",") for line in goal.hypotheses[::-1]], goal.conclusion) for goal in goals.focused
        ]
        return ProofContext([Obligation(*goal) for goal in shown], [])


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
    """A program that prints something and keeps running."""
    path = tmp_path / "sertop"
    path.write_text("#!/bin/sh\necho '(Feedback)'\nexec cat\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def serapy(monkeypatch: pytest.MonkeyPatch, sertop: Path) -> Iterator[CoqSerapy]:
    if shutil.which("coqidetop.opt") is None:
        missing("Coq is not installed")
    library = ModuleType("coq_serapy")
    vars(library).update(SerapiContext=serapi_context, CoqExn=CoqExn)
    monkeypatch.setitem(sys.modules, "coq_serapy", library)
    monkeypatch.setenv("PATH", str(sertop.parent), prepend=os.pathsep)
    with CoqSerapy() as made:
        yield made


@pytest.mark.slow
def test_walks_and_certificates_of_coq_serapy_are_the_calculus_s(serapy: CoqSerapy) -> None:
    rng = Random(5)
    counts: Counter[str] = Counter()
    assert [found for walk in walks(5, 20) for found in compare(serapy, walk, rng, counts)] == []
    assert list(compare_certificates(serapy, list(mutants(5, 40)), counts)) == []
    assert counts["accepted"] >= 5 and counts["rejected"] >= 15


@pytest.mark.slow
def test_hypotheses_that_say_the_same_stand_in_their_order(serapy: CoqSerapy) -> None:
    serapy.start(parse("A -> A -> B -> B -> A -> A"))
    for _ in range(5):
        serapy.apply(Move("intro"))
    assert [name for name, _ in serapy.goals()[0].hypotheses] == ["H", "H0", "H1", "H2", "H3"]


@pytest.mark.slow
def test_an_atom_that_coq_serapy_reads_as_something_else_gets_another_name(serapy: CoqSerapy) -> None:
    claims = []
    for name in ("t", "nil", "Inf", "INF", "inf", "infinity", "NaN", "nan", "T", "Nil"):
        claims.append(Claim(parse(f"{name} -> {name}"), parse_script("intro; assumption")))
        serapy.start(claims[-1].formula)
        serapy.apply(Move("intro"))
        assert serapy.goals() == (ShownGoal((("H", name),), name),)
    for found in serapy.certify(claims):
        assert found.accepted and [theirs for _, theirs in found.renamed] == ["p1"]


@pytest.mark.slow
def test_a_refusal_is_one_line_and_closing_waits(serapy: CoqSerapy, capsys: pytest.CaptureFixture[str]) -> None:
    serapy.start(SWAP)
    with pytest.raises(IllegalMove) as caught:
        serapy.apply(Move("split"))
    assert str(caught.value) == "split: the conclusion is not of the form A /\\ B."
    assert capsys.readouterr() == ("", "Using dev version of sertop\n")
    process = serapy._agent.backend._proc
    serapy.close()
    assert process.returncode is not None
    assert process.stdin.closed and process.stdout.closed and process.stderr.closed
    serapy.close()


@pytest.mark.slow
def test_a_sertop_that_dies_at_once_is_told_before_the_library_waits_for_it(serapy: CoqSerapy, sertop: Path) -> None:
    sertop.write_text("#!/bin/sh\necho 'no standard\nlibrary' >&2\nexit 2\n")
    for action in (lambda: serapy.start(SWAP), lambda: serapy.certify([GOOD])):
        with pytest.raises(BackendError, match="sertop ended as soon as it was started: no standard library"):
            action()


@pytest.mark.slow
def test_a_claim_at_which_coq_serapy_fails_costs_no_other_its_verdict(serapy: CoqSerapy) -> None:
    deadly = Claim(parse("deadly -> deadly"), parse_script("intro; assumption"))
    found = serapy.certify([GOOD, deadly, GOOD])
    assert [certificate.accepted for certificate in found] == [True, False, True]
    assert "no verdict" in found[1].reason and "sertop died" in found[1].reason


@pytest.mark.slow
def test_a_fault_of_coq_serapy_is_told_and_the_lemma_brought_back(serapy: CoqSerapy) -> None:
    serapy.start(SWAP)
    serapy.apply(PROOF[0])
    before = serapy.goals()
    serapy._agent.broken = True
    with pytest.raises(BackendError, match="sertop died"):
        serapy.apply(PROOF[1])
    assert serapy.goals() == before
    assert serapy.certify([GOOD])[0].accepted
    assert serapy.goals() == before


@pytest.mark.slow
def test_without_coq_serapy_or_sertop_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "coq_serapy", None)
    with CoqSerapy() as serapy:
        for action in (serapy.version, lambda: serapy.start(SWAP), lambda: serapy.certify([GOOD])):
            with pytest.raises(BackendMissing, match="pip install git"):
                action()
        with pytest.raises(BackendError, match="start one first"):
            serapy.apply(Move("intro"))
    monkeypatch.setitem(sys.modules, "coq_serapy", ModuleType("coq_serapy"))
    monkeypatch.setenv("PATH", "/nowhere")
    with CoqSerapy() as serapy, pytest.raises(BackendMissing, match=r"sertop.*opam install coq-serapi"):
        serapy.version()


# LeanDojo


@dataclass
class TacticState:
    state: State
    variables: str = ""

    @property
    def pp(self) -> str:
        goals = []
        for number, goal in enumerate(self.state):
            lines = [f"case goal{number}"] * (len(self.state) > 1) + [f"{self.variables} : Prop"] * bool(self.variables)
            lines += [f"{name} : {_text(formula)}" for name, formula in goal.hypotheses]
            goals.append("\n".join([*lines, f"⊢ {_text(goal.conclusion)}"]))
        return "\n\n".join(goals)


def _text(formula: Any) -> str:
    return show(formula, UNICODE, sugar=False).replace("⊥", "False")


class ProofFinished:
    pass


@dataclass
class LeanError:
    error: str


class DojoCrashError(Exception):
    pass


class LeanGitRepo:
    @classmethod
    def from_path(cls, path: str) -> str:
        if path == "nowhere":
            raise RuntimeError("no such repository.\nwith more lines")
        return path


class Theorem(tuple[str, ...]):
    def __new__(cls, repository: str, file: str, name: str) -> Theorem:
        return super().__new__(cls, (repository, file, name))


class Dojo:
    entered = left = 0

    def __init__(self, theorem: Theorem, timeout: int) -> None:
        assert theorem == ("somewhere", "Oasis.lean", "oasis") and timeout > 0

    def __enter__(self) -> tuple[Dojo, str]:
        Dojo.entered += 1
        return self, "⊢ True"

    def __exit__(self, *_: object) -> None:
        Dojo.left += 1

    def run_tac(self, state: Any, text: str) -> TacticState | ProofFinished | LeanError:
        if stated := re.fullmatch(r"suffices goal : (.*) from trivial", text):
            assert state == "⊢ True"
            return TacticState(initial(parse(stated[1])))
        assert isinstance(state, TacticState)
        if (names := text.removeprefix("intro ")) != text:
            return TacticState(state.state, names)
        found = re.search(r"Dyckhoff\.(\w+)", text)
        assert found is not None
        principal = re.search(r"have η := (\w+); clear \1; ", text)
        move = Move(found[1], principal and principal[1])
        if move.hypothesis == "H7":
            raise DojoCrashError("out of memory")
        assert text == tactic(move, state.state[0].fresh_name())
        try:
            after = apply(state.state, move)
        except IllegalMove as error:
            return LeanError(f"{error}\nand a context")
        return TacticState(after, state.variables) if after else ProofFinished()


@pytest.fixture
def dojo(monkeypatch: pytest.MonkeyPatch) -> LeanDojo:
    library = ModuleType("lean_dojo")
    timeout, given_up = type("DojoTacticTimeoutError", (Exception,), {}), type("ProofGivenUp", (), {})
    for kind in (ProofFinished, given_up, LeanError, DojoCrashError, timeout, LeanGitRepo, Theorem):
        setattr(library, kind.__name__, kind)
    library.Dojo = Dojo  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lean_dojo", library)
    monkeypatch.setattr(lean_dojo, "find_spec", lambda _: True)
    monkeypatch.setattr(Dojo, "entered", 0)
    monkeypatch.setattr(Dojo, "left", 0)
    return LeanDojo("somewhere")


def test_lean_dojo_is_walked_as_the_embedded_calculus_is(dojo: LeanDojo) -> None:
    for walk in walks(7, 30):
        with dojo:
            assert list(compare(dojo, walk, Random(7), Counter())) == []


def test_a_move_that_lean_dojo_refuses_changes_nothing(dojo: LeanDojo) -> None:
    dojo.start(SWAP)
    with pytest.raises(IllegalMove, match="split: Lean does not take it: split: the conclusion is not"):
        dojo.apply(Move("split"))
    with pytest.raises(IllegalMove):
        dojo.apply(Move("destruct_and", "H; sorry"))
    assert dojo.goals() == (ShownGoal((), "A /\\ B -> B /\\ A"),)


def test_no_script_is_certified_and_what_is_wrong_with_one_is_said(dojo: LeanDojo) -> None:
    dojo.start(SWAP)
    dojo.apply(Move("intro"))
    before = dojo.goals()
    found = dojo.certify([Claim(SWAP, script) for script in (PROOF, PROOF[:-1], (*PROOF, PROOF[0]), PROOF[1:])])
    assert [(each.accepted, each.step) for each in found] == [(False, None), (False, None), (False, 6), (False, 1)]
    assert "does not look at axioms, so it certifies nothing; ask lean" in found[0].reason
    assert found[1].reason == "The script ends with 1 goal open."
    assert dojo.goals() == before


def test_an_atom_that_lean_reserves_is_renamed(dojo: LeanDojo) -> None:
    formula = parse("fun /\\ B -> B /\\ fun")
    dojo.start(formula)
    assert dojo._states[0].variables == "p1 B"
    assert dojo.goals() == (ShownGoal((), "fun /\\ B -> B /\\ fun"),)
    assert dojo.certify([Claim(formula, PROOF)])[0].renamed == (("fun", "p1"),)


def test_a_crash_is_reported_and_the_lemma_can_be_started_again(dojo: LeanDojo) -> None:
    formula = parse("A -> " * 9 + "A")
    dojo.start(formula)
    for _ in range(9):
        dojo.apply(Move("intro"))
    with pytest.raises(BackendError, match="out of memory; start the lemma again"):
        dojo.apply(Move("imply1", "H7"))
    with pytest.raises(BackendError, match="start the lemma again"):
        dojo.apply(Move("assumption"))
    dojo.start(formula)
    dojo.close()
    dojo.close()
    assert (Dojo.entered, Dojo.left) == (2, 1)  # one has crashed


def test_a_claim_at_which_lean_dojo_crashes_costs_no_other_its_verdict(dojo: LeanDojo) -> None:
    deadly = Claim(parse("fun -> " * 9 + "fun"), (*[Move("intro")] * 9, Move("imply1", "H7")))
    found = dojo.certify([GOOD, deadly, GOOD])
    assert [found[0].reason, found[2].reason] == [NO_CERTIFICATE] * 2
    assert "no verdict" in found[1].reason and "out of memory" in found[1].reason
    assert found[1].renamed == (("fun", "p1"),)


def test_what_is_missing_is_said(dojo: LeanDojo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OASIS_LEAN_DOJO", raising=False)
    with pytest.raises(BackendError, match="set OASIS_LEAN_DOJO"):
        LeanDojo().start(SWAP)
    with pytest.raises(BackendError, match=r"in nowhere: no such repository\.$"):
        LeanDojo("nowhere").start(SWAP)
    with pytest.raises(BackendError, match="start one first"):
        dojo.goals()
    monkeypatch.setattr(lean_dojo, "find_spec", lambda _: None)
    monkeypatch.setattr("sys.version_info", (3, 13))
    with pytest.raises(BackendMissing, match=r"^LeanDojo needs Python 3\.12 at most; ask lean instead\.$"):
        dojo.version()


def test_the_doctor_says_what_is_missing_and_what_went_through(dojo: LeanDojo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OASIS_LEAN_DOJO", raising=False)
    assert (look(dojo).outcome, look(dojo).remark) == ("only stepped", NO_CERTIFICATE)
    assert look(LeanDojo("nowhere")).outcome == "failed"
    unset = look(LeanDojo())
    assert unset.outcome == "not set up" and "set OASIS_LEAN_DOJO" in unset.remark
    monkeypatch.setattr(Dojo, "run_tac", lambda *_: LeanError("no"))
    assert look(LeanDojo("somewhere")).outcome == "failed"
    monkeypatch.setattr(lean_dojo, "find_spec", lambda _: None)
    monkeypatch.setattr("sys.version_info", (3, 12))
    missing = look(LeanDojo())
    assert missing.outcome == "not installed" and "LeanDojo is not installed: pip install " in missing.remark


def test_the_file_for_the_project_holds_the_rules_and_one_theorem() -> None:
    text = carrier()
    assert [rule for rule in RULES if f"\ntheorem {rule} " not in text] == []
    assert "prelude" not in text and "inductive" not in text and text.count("trivial") == 1
