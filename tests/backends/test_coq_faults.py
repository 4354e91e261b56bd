"""A Coq that dies, hangs, talks nonsense or is not there: clear words, nothing lost, no process left behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from oasis.backends.base import BackendError, BackendMissing, Claim, ShownGoal
from oasis.backends.coq.driver import Coq
from oasis.backends.coq.protocol import CoqProcess
from oasis.backends.processes import resident
from tactics.formula import Atom, Formula, negation
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import parse_script
from tests.optional import missing

pytestmark = pytest.mark.slow

SWAP = parse("A /\\ B -> B /\\ A")
PROOF = parse_script("intro; destruct_and H; split; assumption; assumption")
AFTER_TWO = (ShownGoal((("H", "A"), ("H0", "B")), "B /\\ A"),)

Stub = Callable[[str], str]


@pytest.fixture(autouse=True)
def _coq_is_there() -> None:
    if shutil.which("coqidetop.opt") is None:
        missing("Coq is not installed")


@pytest.fixture
def stub(tmp_path: Path) -> Stub:
    """Makes a program that gives Coq's version when asked, and otherwise does what it is told in shell."""
    version = subprocess.run(["coqidetop.opt", "--version"], capture_output=True, text=True, check=True).stdout

    def make(body: str) -> str:
        path = tmp_path / "stub"
        path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "{version}"; exit; fi\n{body}\n')
        path.chmod(0o755)
        return str(path)

    return make


def process_of(prover: Coq) -> CoqProcess:
    assert prover._process is not None
    return prover._process


def gone(pid: int) -> bool:
    """Whether a process has ended and been reaped, within a moment."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def midway(prover: Coq) -> CoqProcess:
    """The process after two moves of the proof."""
    prover.start(SWAP)
    prover.apply(PROOF[0])
    prover.apply(PROOF[1])
    return process_of(prover)


# Killed


@pytest.mark.parametrize("then", ["apply", "goals", "back_to", "certify", "start"])
def test_a_process_killed_in_the_middle_is_replaced_unnoticed(then: str) -> None:
    with Coq() as prover:
        first = midway(prover)
        os.kill(first.pid, signal.SIGKILL)
        if then == "apply":
            prover.apply(PROOF[2])
            assert [goal.conclusion for goal in prover.goals()] == ["B", "A"]
            prover.back_to(2)
        elif then == "back_to":
            prover.back_to(1)
            prover.apply(PROOF[1])
        elif then == "certify":
            assert prover.certify([Claim(SWAP, PROOF)])[0].accepted
        elif then == "start":
            prover.start(SWAP)
            for move in PROOF[:2]:
                prover.apply(move)
        assert prover.goals() == AFTER_TWO
        assert then == "goals" or process_of(prover).pid != first.pid
        assert then == "goals" or gone(first.pid)


def test_a_process_killed_while_certifying_spoils_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    execute = CoqProcess.execute

    def dying(self: CoqProcess) -> None:
        nonlocal calls
        calls += 1
        if calls % 7 == 0:
            os.kill(self.pid, signal.SIGKILL)
        execute(self)

    monkeypatch.setattr(CoqProcess, "execute", dying)
    claims = [Claim(SWAP, PROOF), Claim(SWAP, PROOF[:-1])] * 10
    with Coq() as prover:
        assert [found.accepted for found in prover.certify(claims)] == [True, False] * 10
    assert calls > 14


def test_a_claim_that_kills_coq_every_time_is_not_accepted_and_stops_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add = CoqProcess.add

    def dying(self: CoqProcess, sentence: str) -> None:
        if "deadly" in sentence:
            os.kill(self.pid, signal.SIGKILL)
        add(self, sentence)

    monkeypatch.setattr(CoqProcess, "add", dying)
    with Coq() as prover:
        good, deadly, also_good = prover.certify(
            [
                Claim(SWAP, PROOF),
                Claim(parse("deadly -> deadly"), parse_script("intro; assumption")),
                Claim(SWAP, PROOF),
            ]
        )
    assert good.accepted and also_good.accepted and not deadly.accepted
    assert "no verdict" in deadly.reason


def test_many_claims_in_a_row_that_kill_coq_stop_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    add = CoqProcess.add

    def dying(self: CoqProcess, sentence: str) -> None:
        if "deadly" in sentence:
            os.kill(self.pid, signal.SIGKILL)
        add(self, sentence)

    monkeypatch.setattr(CoqProcess, "add", dying)
    deadly = [Claim(parse(f"deadly{number} -> A"), parse_script("intro; assumption")) for number in range(4)]
    with Coq() as prover:
        *found, good = prover.certify([*deadly, Claim(SWAP, PROOF)])
    assert good.accepted and all("no verdict" in certificate.reason for certificate in found)


def test_a_claim_that_needs_too_much_memory_is_ended_and_stops_no_other() -> None:
    if not resident(os.getpid()):
        missing("this system does not tell how much memory a process takes")
    formula: Formula = Atom("A")
    for _ in range(5_000):
        formula = negation(formula)
    huge = Claim(formula >> formula, parse_script("intro; assumption"))
    with Coq() as prover:
        prover.certify([Claim(SWAP, PROOF)])
        usual = resident(process_of(prover).pid)
    with Coq(memory=usual + (20 << 20)) as prover:
        found = prover.certify([Claim(SWAP, PROOF), huge, Claim(SWAP, PROOF[:1]), Claim(SWAP, PROOF)])
    assert [certificate.accepted for certificate in found] == [True, False, False, True]
    assert "GiB of memory" in found[1].reason and "1 goal open" in found[2].reason


def test_a_claim_that_takes_too_long_in_all_is_given_up_and_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.backends.coq.driver._ANSWERS_A_CLAIM", 1e-9)
    with Coq() as prover:
        good, slow = prover.certify([Claim(SWAP, PROOF), Claim(SWAP, PROOF[:-1])])
    assert good.accepted  # it was sent as one tactic
    assert "at step 1 of 4 after" in slow.reason and "no verdict" in slow.reason


def test_a_program_that_always_dies_is_reported(stub: Stub) -> None:
    with Coq(stub("exit 3")) as prover, pytest.raises(BackendError, match="ended unexpectedly"):
        prover.start(SWAP)
    with Coq(stub("exit 3")) as prover, pytest.raises(BackendError, match="ended unexpectedly"):
        prover.certify([Claim(SWAP, PROOF)])


# Silent


def test_a_program_that_hangs_is_ended_with_its_children(stub: Stub, tmp_path: Path) -> None:
    program = stub(f"sleep 1000 & echo $! $$ > {tmp_path}/pids\nwait")
    with Coq(program, timeout=1) as prover:
        with pytest.raises(BackendError, match="did not answer within 1 seconds"):
            prover.start(SWAP)
        assert all(gone(int(pid)) for pid in (tmp_path / "pids").read_text().split())


def test_a_process_that_stops_answering_is_ended_and_the_lemma_kept() -> None:
    with Coq(timeout=2) as prover:
        first = midway(prover)
        os.kill(first.pid, signal.SIGSTOP)
        with pytest.raises(BackendError, match="did not answer within 2 seconds"):
            prover.apply(PROOF[2])
        assert gone(first.pid)
        assert prover.goals() == AFTER_TWO


def test_a_program_that_hangs_when_asked_for_its_version_is_ended(tmp_path: Path) -> None:
    path = tmp_path / "stub"
    path.write_text("#!/bin/sh\nexec sleep 1000\n")
    path.chmod(0o755)
    with Coq(str(path), timeout=0.5) as prover, pytest.raises(BackendError, match=r"did not end within 0\.5 seconds"):
        prover.version()


def test_a_program_that_reads_nothing_cannot_block_a_long_lemma(stub: Stub) -> None:
    """Its pipe is full long before the lemma is sent."""
    formula = parse(" -> ".join(["A"] * 60_000))
    # It answers the three calls before the lemma as Coq would.
    answers = ['<state_id val="1"/>', '<pair><state_id val="2"/></pair>', "<unit/>"]
    program = stub(
        "".join(f"echo '<value val=\"good\">{answer}</value>'; sleep 0.3; " for answer in answers) + "sleep 9"
    )
    with Coq(program, timeout=1) as prover, pytest.raises(BackendError, match="did not answer"):
        prover.start(formula)


# Nonsense


@pytest.mark.parametrize(
    "body",
    [
        "yes",
        "echo garbage; sleep 1000",
        "cat /bin/sh; sleep 1000",
        "echo '<html><p>404</html>'; sleep 1000",
        "echo '<nonsense/>'; sleep 1000",
        "echo '<value/>'; sleep 1000",
        "echo '<value val=\"good\"/>'; sleep 1000",
        'echo \'<value val="good"><state_id val="one"/></value>\'; sleep 1000',
        'echo \'<value val="fail"><ppdoc val="string"/></value>\'; sleep 1000',
        'while :; do echo \'<value val="good"><state_id val="1"/></value>\'; done',
        "while :; do echo '<value val=\"good\"><unit/></value>'; done",
    ],
)
def test_nonsense_is_reported_and_the_program_ended(stub: Stub, tmp_path: Path, body: str) -> None:
    with Coq(stub(f"echo $$ > {tmp_path}/pids\n{body}"), timeout=5) as prover:
        with pytest.raises(BackendError, match=r"not its protocol|lost its place|cannot load"):
            prover.start(SWAP)
        with pytest.raises(BackendError):
            prover.certify([Claim(SWAP, PROOF)] * 5)
    assert gone(int((tmp_path / "pids").read_text()))


def test_nonsense_for_a_version_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "stub"
    path.write_text("#!/bin/sh\necho hello\n")
    path.chmod(0o755)
    with Coq(str(path)) as prover, pytest.raises(BackendError, match="which version"):
        prover.version()


# Missing


def test_a_coq_that_is_missing_is_reported_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    actions: list[Callable[[Coq], object]] = [
        Coq.version,
        lambda prover: prover.start(SWAP),
        lambda prover: prover.certify([Claim(SWAP, PROOF)]),
    ]
    for executable in ("no-such-program", None):
        monkeypatch.setenv("PATH", "/nowhere")
        for action in actions:
            with Coq(executable) as prover, pytest.raises(BackendMissing, match="apt-get install coq"):
                action(prover)


# Ended


def test_closing_ends_the_process_and_may_be_repeated() -> None:
    prover = Coq()
    pid = midway(prover).pid
    prover.close()
    assert gone(pid)
    prover.close()
    assert prover.goals() == AFTER_TWO  # it is started again
    prover.close()


def test_a_prover_that_is_forgotten_leaves_no_process() -> None:
    prover = Coq()
    pid = midway(prover).pid
    del prover
    assert gone(pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_is_interrupted_leaves_no_process(number: signal.Signals) -> None:
    code = (
        "import time; from oasis.backends.coq.driver import Coq; from tactics.parser import parse\n"
        "prover = Coq(); prover.start(parse('A -> A')); print(prover._process.pid, flush=True); time.sleep(1000)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as program:
        assert program.stdout is not None
        pid = int(program.stdout.readline())
        os.killpg(program.pid, number)
    assert gone(pid)


def test_an_interrupt_while_waiting_ends_the_process_and_keeps_the_lemma() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with Coq() as prover:
        first = midway(prover)
        os.kill(first.pid, signal.SIGSTOP)
        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            with pytest.raises(KeyboardInterrupt):
                prover.apply(Move("split"))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert gone(first.pid)
        assert prover.goals() == AFTER_TWO
