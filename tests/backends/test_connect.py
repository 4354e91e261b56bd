"""Lemmas in TPTP's format, and Connect++ over a stand-in that speaks its format: not the real program.

The stand-in reads the problem with our reader, decides its double negation, which has a proof just if the problem is
valid classically (Glivenko 1929), and answers in the words of Connect++ 0.4.0; the real program may say otherwise.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve
from curricula.tptp import read_problem
from oasis.backends.base import BackendError, BackendMissing
from oasis.backends.checkup import look_at_refuter
from oasis.backends.connect import ConnectPlusPlus, Opinion
from oasis.backends.export.tptp import problem
from oasis.cli.exits import EXIT_MISSING
from tactics.errors import InputError
from tactics.formula import Atom, Formula, equivalence
from tactics.parser import parse
from tests.commands import Oasis
from tests.strategies import formulas

STAND_IN = f"""#!{sys.executable}
# A stand-in for Connect++: its options and its words.
import sys
sys.path[:0] = {[str(Path(__file__).parents[2]), *filter(None, sys.path)]!r}
if sys.argv[1:] == ["--version"]:
    print("Connect++ Version V0.4.0.")
    sys.exit()
from curricula.tptp import read_problem
from oasis.teacher.proofs import Proof, prove
from tactics.formula import negation
formula = read_problem(open(sys.argv[-1]).read(), "it", "lemma").problem.formula
assert "--all-backtrack" in sys.argv and "--all-start" in sys.argv
if not isinstance(prove(negation(negation(formula))), Proof):
    print("% SZS status CounterSatisfiable for lemma")
    sys.exit()
print("% SZS status Theorem for lemma : Verified")
print("% SZS output start Proof for lemma")
print("cnf(proof-stack, plain, \\nproof_stack(\\nstart(0)\\n)).")
print("% SZS output end Proof for lemma")
"""


@given(
    formulas(), st.sampled_from(["SYJ203.3", "textbook/and_comm", "x'", "two words", "", "line\nend", "% File", "a*/"])
)
def test_what_is_written_is_read_back_to_the_same_formula(formula: Formula, name: str) -> None:
    read = read_problem(problem(formula, name, "Theorem"), "a file", "else")
    assert read.problem.formula is formula and not read.problem.axioms
    assert read.name == (name if name and not set(name) & set(" \n") else "else")
    assert read.status is not None and read.status.value == "theorem"
    assert read_problem(problem(formula), "a file", "else").status is None


def test_a_lemma_that_is_too_long_for_readers_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.backends.export.tptp._LONGEST", 10_000)
    formula: Formula = Atom("p")
    for number in range(60):
        formula = equivalence(formula, equivalence(Atom(f"q{number}"), formula))
    with pytest.raises(InputError, match=r"^huge: written out for TPTP it has more than 10,000 characters"):
        problem(formula, "huge")


Program = Callable[[str], None]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Put a program called connect++ on the PATH, and nothing else."""

    def make(text: str) -> None:
        file = tmp_path / "bin" / "connect++"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)
        monkeypatch.setenv("PATH", str(file.parent) + os.pathsep + "/usr/bin:/bin")

    return make


def judged(text: str) -> Opinion:
    return ConnectPlusPlus().judge(parse(text))


@pytest.mark.slow
def test_what_is_not_valid_classically_is_refuted_and_nothing_else_is(program: Program) -> None:
    program(STAND_IN)
    opinion = judged("A -> Ж")
    assert (opinion.refuted, opinion.status, opinion.version) == (True, "CounterSatisfiable", "Connect++ 0.4.0")
    assert "not valid intuitionistically" in opinion.reason and opinion.renamed == (("Ж", "p1"),)
    peirce = judged("((A -> B) -> A) -> A")  # which has no proof here, and which it cannot refute
    assert not peirce.refuted and peirce.status == "Theorem"
    assert "says nothing of intuitionistic logic" in peirce.reason and peirce.certificate.startswith("cnf(proof-stack")
    checkup = look_at_refuter(ConnectPlusPlus())
    assert checkup.outcome == "only refutes" and not checkup.accepted


@pytest.mark.parametrize(
    ("said", "status", "reason"),
    [
        ("% SZS status Timeout for lemma : terminated by SIGALRM.", "Timeout", "terminated by SIGALRM"),
        ("% SZS status GaveUp for lemma", "GaveUp", "found out nothing; it is classical"),
        ("% SZS status Error for lemma : no\x1b[2J problem", "Error", "no?[2J problem"),
    ],
)
def test_a_search_without_an_answer_refutes_nothing(program: Program, said: str, status: str, reason: str) -> None:
    program(f'#!/bin/sh\n[ "$1" = --version ] && echo "Connect++ Version V0.6.1." || printf "%s\\n" "{said}"\n')
    opinion = judged("A -> B")
    assert not opinion.refuted and opinion.status == status and reason in opinion.reason


def test_a_program_that_is_nonsense_or_not_there_is_told(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program('#!/bin/sh\n[ "$1" = --version ] && echo "Connect++ Version V0.4.0." || echo hello\n')
    with pytest.raises(BackendError, match="gave no SZS status"):
        judged("A")
    program("#!/bin/sh\necho hello\n")
    with pytest.raises(BackendError, match="does not say which version"):
        judged("A")
    assert look_at_refuter(ConnectPlusPlus()).outcome == "failed"
    program("#!/nowhere/python\n")
    with pytest.raises(BackendMissing, match="cannot be run"):
        judged("A")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BackendMissing, match="no connect\\+\\+ on the PATH; build it from"):
        judged("A")
    assert look_at_refuter(ConnectPlusPlus()).outcome == "not installed"


@pytest.mark.slow
def test_an_endless_search_ends_completely(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.backends.connect._LEAST_SECONDS", 0.2)
    monkeypatch.setattr("oasis.backends.connect._GRACE", 0.0)
    program(
        '#!/bin/sh\n[ "$1" = --version ] && echo "Connect++ Version V0.4.0." && exit\n'
        f"sleep 1000 &\necho $! > {tmp_path}/child\nwait\n"
    )
    monkeypatch.setattr(ConnectPlusPlus, "version", lambda _: "Connect++ 0.4.0")
    opinion = ConnectPlusPlus(seconds=2).judge(parse("A"))
    assert opinion.status == "Timeout" and "did not answer within" in opinion.reason
    child = Path("/proc", (tmp_path / "child").read_text().strip(), "stat")
    for _ in range(500):  # it is killed, and may still be ending
        if not child.exists() or child.read_text().split()[2] == "Z":
            return
        sleep(0.02)
    pytest.fail("what the program started goes on")


@pytest.mark.slow
def test_it_is_asked_alone_or_beside_others(oasis: Oasis, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program(STAND_IN)
    done = oasis.ran("check", "p -> q", "--with", "connect++", code=1)
    assert "Connect++ 0.4.0 refutes it (CounterSatisfiable)" in done.stdout
    (opinion,) = oasis.json("check", "p \\/ ~p", "--with", "connect++")["opinions"]
    assert (opinion["refuted"], opinion["status"]) == (False, "Theorem")
    done = oasis.ran("check", "p -> p", "intro; assumption", "--with", "native,connect++")
    assert "accepted" in done.stdout and "does not refute it" in done.stdout
    assert oasis("check", "p -> p", "intro", "--with", "native,connect++").returncode == 1
    assert "leave the script out" in oasis.refused("check", "p -> p", "intro", "--with", "connect++")
    assert "A script is needed" in oasis.refused("check", "p -> p", "--with", "native,connect++")
    assert "instead of --run" in oasis.refused("check", "--run", "1", "--with", "connect++")
    monkeypatch.setenv("PATH", "/nowhere")
    said = oasis.refused("check", "p -> p", "--with", "connect++", code=EXIT_MISSING)
    assert said.startswith("Connect++ is not installed")


def test_a_lemma_is_exported_without_a_proof(oasis: Oasis, tmp_path: Path) -> None:
    file = tmp_path / "lemma.p"
    oasis.ran("export", "SYJ203.2", "--to", "tptp", "-o", "lemma.p")
    assert resolve(str(file)).lemmas[0].formula is resolve("SYJ203.2").lemmas[0].formula
