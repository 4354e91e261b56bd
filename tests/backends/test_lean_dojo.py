"""The adapter for LeanDojo against a stand-in for the library's interface: not the real thing, which needs a network.

The stand-in has the classes and methods that the adapter uses, and plays the tactics in the embedded calculus. It shows
that the adapter asks for what it means and reads what it is given; nothing here says that Lean would agree.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any

import pytest

from oasis.backends.base import BackendError, BackendMissing, Claim, ShownGoal
from oasis.backends.checkup import look
from oasis.backends.lean import dojo as lean_dojo
from oasis.backends.lean.dojo import NO_CERTIFICATE, LeanDojo, carrier, tactic
from oasis.backends.native import Native
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.printer import UNICODE, show
from tactics.rules import RULES, IllegalMove, apply
from tests.backends.claims import GOOD, PROOF, SWAP
from tests.backends.walks import walks


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


class ProofGivenUp:
    pass


@dataclass
class LeanError:
    error: str


class DojoCrashError(Exception):
    pass


class DojoTacticTimeoutError(Exception):
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
    for kind in (ProofFinished, ProofGivenUp, LeanError, DojoCrashError, DojoTacticTimeoutError, LeanGitRepo, Theorem):
        setattr(library, kind.__name__, kind)
    library.Dojo = Dojo  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lean_dojo", library)
    monkeypatch.setattr(lean_dojo, "find_spec", lambda _: True)
    monkeypatch.setattr(Dojo, "entered", 0)
    monkeypatch.setattr(Dojo, "left", 0)
    return LeanDojo("somewhere")


def test_the_stand_in_is_walked_as_the_embedded_calculus_is(dojo: LeanDojo) -> None:
    for walk in walks(7, 30):
        native = Native()
        native.start(walk.formula)
        with dojo:
            dojo.start(walk.formula)
            assert dojo.goals() == native.goals()
            for move in walk.script:
                native.apply(move)
                dojo.apply(move)
                assert dojo.goals() == native.goals()
            moves = Random(len(walk.script)).randint(0, len(walk.script))
            native.back_to(moves)
            dojo.back_to(moves)
            assert dojo.goals() == native.goals()


def test_a_refused_move_changes_nothing(dojo: LeanDojo) -> None:
    dojo.start(SWAP)
    with pytest.raises(IllegalMove, match="split: Lean does not take it: split: the conclusion is not"):
        dojo.apply(Move("split"))
    for move in (Move("sorry"), Move("intro", "H"), Move("destruct_and", "H; sorry"), Move("destruct_and", "H0")):
        with pytest.raises(IllegalMove):
            dojo.apply(move)
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


def test_a_claim_at_which_it_crashes_costs_no_other_its_verdict(dojo: LeanDojo) -> None:
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
    monkeypatch.setattr("sys.version_info", (3, 12))
    with pytest.raises(BackendMissing, match=r"^LeanDojo is not installed: pip install .*\[lean-dojo\]'?$"):
        dojo.version()
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
