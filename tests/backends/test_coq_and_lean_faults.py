"""A Coq or Lean that dies, hangs, talks nonsense or is not there: clear words, nothing lost, no process left behind."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from oasis.backends import processes
from oasis.backends.base import BackendError, BackendMissing
from oasis.backends.coq.driver import Coq
from oasis.backends.coq.protocol import CoqProcess
from oasis.backends.lean import process
from oasis.backends.lean.driver import Lean
from oasis.backends.processes import Allowance, Exceeded, resident
from tactics.claims import Claim
from tactics.parser import parse
from tactics.script import parse_script
from tests.backends.claims import AFTER_TWO, GOOD, PROOF, SWAP, swap
from tests.backends.conftest import required
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow

Kind = type[Coq] | type[Lean]
Stub = Callable[..., Coq | Lean]
KINDS: Final[dict[str, Kind]] = {"coq": Coq, "lean": Lean}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    """Coq and then Lean, unless a test has `only` one of them."""
    found = KINDS[request.param]
    with found() as prover:
        required(prover)
    return found


def only(name: str) -> pytest.MarkDecorator:
    """Run a test for Coq or for Lean alone."""
    return pytest.mark.parametrize("kind", [name], indirect=True)


@pytest.fixture
def real() -> str:
    """The command of the real Lean, quoted for a shell."""
    return shlex.join(Lean().command)


@pytest.fixture
def stub(kind: Kind, tmp_path: Path) -> Stub:
    """Make a prover whose program says the right version and otherwise runs a given shell script."""
    command = ["coqidetop.opt"] if kind is Coq else Lean().command
    said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout

    def make(body: str, **limits: Any) -> Coq | Lean:
        program = written(tmp_path / "stub", f'if [ "$1" = --version ]; then echo "{said}"; exit; fi\n{body}')
        return Coq(program, **limits) if kind is Coq else Lean([program], **limits)

    return make


def written(path: Path, body: str) -> str:
    """Write a program in shell, and return its path."""
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with which a program says that the time for its answer is over."""
    path, pause = tmp_path / "over", Allowance.pause

    def paused(allowance: Allowance) -> float:
        if path.exists():
            path.unlink()
            raise Exceeded("did not answer within 60 seconds")
        return min(pause(allowance), 0.05)

    monkeypatch.setattr(Allowance, "pause", paused)
    return path


def pid_of(prover: Coq | Lean) -> int:
    running = prover._process if isinstance(prover, Coq) else prover._worker
    assert running is not None
    return running.pid


def gone(pid: int) -> bool:
    """Return True if a process has ended and been reaped, within ten seconds."""
    for _ in range(500):
        if not psutil.pid_exists(pid):
            return True
        time.sleep(0.02)
    return False


def midway(prover: Coq | Lean) -> int:
    """Make two moves of the proof; return the number of the prover's process."""
    prover.start(SWAP)
    prover.apply(PROOF[0])
    prover.apply(PROOF[1])
    return pid_of(prover)


# Limits


def test_time_and_memory_of_an_answer_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(processes, "monotonic", lambda: now[0])
    patient, greedy = Allowance(os.getpid(), 9.0), Allowance(os.getpid(), 9.0, memory=1 << 20)
    assert 0 < patient.pause() <= 0.1
    now[0] = 8.95
    assert patient.pause() == pytest.approx(0.05)
    patient.renew()
    now[0] = 17.9
    patient.pause()
    now[0] = 17.95
    with pytest.raises(Exceeded, match="did not answer within 9 seconds"):
        patient.pause()
    if resident(os.getpid()):  # the system tells
        greedy.renew()
        with pytest.raises(Exceeded, match=r"took more than 0\.000976562 GiB of memory"):
            greedy.pause()
    assert resident(1 << 30) == 0


@pytest.mark.parametrize("hangs", [False, True])
def test_a_program_that_hangs_or_takes_too_much_memory_is_ended_with_its_children(
    stub: Stub, over: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hangs: bool
) -> None:
    large = tmp_path / "large"

    def taken(_: int) -> int:
        """Much as soon as the program says so, so that it has said before which processes it began."""
        if not large.exists():
            return 0
        large.unlink()
        return 1 << 40

    monkeypatch.setattr(processes, "resident", taken)
    with stub(f"sleep 1000 &\necho $! $$ >> {tmp_path}/pids\ntouch {over if hangs else large}\nwait") as prover:
        for ask in (lambda: prover.start(SWAP), lambda: prover.certify([GOOD])):
            with pytest.raises(BackendError, match="did not answer within 60 seconds" if hangs else "GiB of memory"):
                ask()
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert len(pids) >= 4 and all(map(gone, pids))


@pytest.mark.parametrize("interrupted", [False, True])
def test_who_waits_no_longer_ends_the_process(kind: Kind, monkeypatch: pytest.MonkeyPatch, interrupted: bool) -> None:
    def paused(_: Allowance) -> float:
        raise KeyboardInterrupt if interrupted else Exceeded("did not answer within 60 seconds")

    with kind() as prover:
        first = midway(prover)
        with monkeypatch.context() as patched:
            patched.setattr(Allowance, "pause", paused)
            with pytest.raises(KeyboardInterrupt if interrupted else BackendError):
                prover.apply(PROOF[2])
        assert gone(first)
        assert prover.goals() == AFTER_TWO
        prover.apply(PROOF[2])
        assert len(prover.goals()) == 2


def test_a_program_that_reads_nothing_cannot_block_a_long_lemma(kind: Kind, stub: Stub, over: Path) -> None:
    """Its pipe is full long before the lemma is sent."""
    # To the three calls before the lemma it answers as Coq would.
    answers = ['<state_id val="1"/>', '<pair><state_id val="2"/></pair>', "<unit/>"] if kind is Coq else []
    read = "dd bs=4096 count=1 of=/dev/null 2> /dev/null"
    body = "".join(f"{read}; echo '<value val=\"good\">{answer}</value>'; " for answer in answers)
    with stub(f"{body}touch {over}; sleep 1000") as prover, pytest.raises(BackendError, match="did not answer"):
        prover.start(parse(" -> ".join(["A"] * 20_000)))


# Provers that are killed


def test_a_process_that_is_killed_is_replaced_unnoticed(kind: Kind) -> None:
    with kind() as prover:
        midway(prover)
        for ask in ("nothing", "begin again", "one move again", "certify"):
            killed = pid_of(prover)
            os.kill(killed, signal.SIGKILL)
            if ask == "begin again":
                midway(prover)
            elif ask == "one move again":
                prover.back_to(1)
                prover.apply(PROOF[1])
            elif ask == "certify":
                assert prover.certify([GOOD])[0].accepted
            assert prover.goals() == AFTER_TWO
            prover.apply(PROOF[2])
            assert [goal.conclusion for goal in prover.goals()] == ["B", "A"]
            assert gone(killed) and pid_of(prover) != killed
            prover.back_to(2)


@only("coq")
def test_a_process_killed_while_certifying_spoils_no_certificate(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, execute = 0, CoqProcess.execute

    def dying(self: CoqProcess) -> None:
        nonlocal calls
        calls += 1
        if calls % 7 == 0:
            os.kill(self.pid, signal.SIGKILL)
        execute(self)

    monkeypatch.setattr(CoqProcess, "execute", dying)
    with kind() as prover:
        found = prover.certify([GOOD, GOOD._replace(script=PROOF[:-1])] * 5)
    assert [certificate.accepted for certificate in found] == [True, False] * 5
    assert calls > 14


@only("coq")
def test_claims_that_kill_coq_are_not_accepted_and_stop_no_other(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    add = CoqProcess.add

    def dying(self: CoqProcess, sentence: str) -> None:
        if "deadly" in sentence:
            os.kill(self.pid, signal.SIGKILL)
        add(self, sentence)

    monkeypatch.setattr(CoqProcess, "add", dying)
    deadly = [Claim(parse(f"deadly{number} -> A"), parse_script("intro; assumption")) for number in range(2)]
    with kind() as prover:
        first, *found, last = prover.certify([GOOD, *deadly, GOOD])
    assert first.accepted and last.accepted
    assert all("no verdict" in certificate.reason and not certificate.accepted for certificate in found)


@only("coq")
def test_a_claim_that_takes_too_long_is_left_and_stops_no_other(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.backends.coq.driver._ANSWERS_A_CLAIM", 1e-9)
    with kind() as prover:
        good, slow = prover.certify([GOOD, GOOD._replace(script=PROOF[:-1])])
    assert good.accepted  # it was sent as one tactic
    assert "at step 1 of 4 after" in slow.reason and "no verdict" in slow.reason


@only("lean")
@pytest.mark.parametrize(
    ("then", "reason"),
    [
        ("kill -9 $$", "ended with status"),
        ("sed -i '/poison/,$d' $0.in", "no verdict"),  # Lean may end a file early with the status of one with errors
        ("touch {over}; exec sleep 1000", "Lean did not answer within 60 seconds and was ended."),
    ],
)
def test_a_claim_that_fails_lean_costs_no_verdict(stub: Stub, real: str, over: Path, then: str, reason: str) -> None:
    poison = Claim(parse("poison -> poison"), parse_script("intro; assumption"))
    body = f'cat > $0.in\nif grep -q poison $0.in; then {then.format(over=over)}; fi\n{real} "$@" < $0.in'
    with stub(body) as prover:
        found = prover.certify([GOOD, poison, swap("C")._replace(script=PROOF[:3]), swap("D")])
    assert [certificate.accepted for certificate in found] == [True, False, False, True]
    assert reason in found[1].reason and "2 goals" in found[2].reason


def test_a_program_that_always_dies_is_reported(kind: Kind, stub: Stub) -> None:
    told = ["ended unexpectedly"] * 2 if kind is Coq else ["started again and ended again", "ended with status 3"]
    with stub("exit 3") as prover:
        with pytest.raises(BackendError, match=told[0]):
            prover.start(SWAP)
        with pytest.raises(BackendError, match=told[1]):
            prover.certify([GOOD])


# Nonsense instead of answers

FRAME = r"printf 'Content-Length: {}\r\n\r\n{}'; sleep 1000"
NO_SUCH = '{"id": 2, "error": {"message": "no such method"}}'
NONSENSE: Final = {
    "coq": [
        "yes",
        "cat /bin/sh; sleep 1000",
        "echo '<nonsense/>'; sleep 1000",
        "echo '<value/>'; sleep 1000",
        "echo '<value val=\"good\"/>'; sleep 1000",
        'echo \'<value val="good"><state_id val="one"/></value>\'; sleep 1000',
        'echo \'<value val="fail"><ppdoc val="string"/></value>\'; sleep 1000',
        'while :; do echo \'<value val="good"><state_id val="1"/></value>\'; done',
        "while :; do echo '<value val=\"good\"><unit/></value>'; done",
    ],
    "lean": [
        "echo hello; sleep 1000",
        "head -c 10000 /dev/zero; sleep 1000",
        r"printf 'Content-Type: x\r\n\r\n'; sleep 1000",
        r"printf 'Content-Length: -5\r\n\r\n'; sleep 1000",
        FRAME.format(5, "hello"),
        FRAME.format(2, "[]"),
        FRAME.format(len(NO_SUCH), NO_SUCH),
    ],
}


@pytest.mark.parametrize(
    ("kind", "body"), [(name, body) for name in NONSENSE for body in NONSENSE[name]], indirect=["kind"]
)
def test_nonsense_is_reported_and_the_program_ended(stub: Stub, tmp_path: Path, body: str) -> None:
    with stub(f"echo $$ > {tmp_path}/pid\n{body}") as prover, pytest.raises(BackendError) as caught:
        prover.start(SWAP)
    said = str(caught.value)
    assert any(word in said for word in ("not its protocol", "lost its place", "cannot load", "answered", "refused"))
    assert "\n" not in said and len(said) < 300
    assert gone(int((tmp_path / "pid").read_text()))


@only("lean")
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("cat > /dev/null", "to the end"),
        ('{real} "$@" | grep -v Dyckhoff.split', "to the end"),  # all but the answer to the last line is there
        *(
            (f"cat > /dev/null; printf '{line}\\n'", "no message")
            for line in ("hello", "[]", "{{}}", '{{"pos": 3, "severity": "error", "data": ""}}', "é\\001")
        ),
    ],
)
def test_a_file_that_lean_does_not_say_it_read_certifies_nothing(stub: Stub, real: str, body: str, told: str) -> None:
    with stub(body.format(real=real)) as prover, pytest.raises(BackendError, match=told):
        prover.certify([GOOD])


def test_a_program_that_does_not_say_its_version_is_reported(kind: Kind, tmp_path: Path) -> None:
    for body, told in (("echo hello", "which version|is not Lean 4"), ("exec sleep 1000", "within 0.1 seconds")):
        program = written(tmp_path / "program", body)
        made = Coq(program, timeout=0.1) if kind is Coq else Lean([program], timeout=0.1)
        with made as prover, pytest.raises(BackendError, match=told):
            prover.version()


# Provers that are missing


def test_a_missing_prover_is_told_with_its_advice(kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(process, "find_spec", lambda _: None)
    nowhere = str(tmp_path / "no-such-program")
    for made in (kind(), Coq(nowhere) if kind is Coq else Lean([nowhere])):
        for use in (made.version, partial(made.start, SWAP), partial(made.certify, [GOOD])):
            with made, pytest.raises(BackendMissing, match=r"apt-get install coq|pip install .*\[lean\]'$"):
                use()


def test_lean_on_the_path_comes_first_then_its_own_installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Linux")
    for machine, told in (("arm64", "elan, from https://lean-lang.org/install"), ("x86_64", "[lean]'")):
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        assert process.install().endswith(told)
    program = written(tmp_path / "lean", "echo 'Lean (version 4.0.0, x)'")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with Lean() as prover:
        assert (prover.command, prover.version()) == ((program,), "Lean 4.0.0")


# What is left of a prover that ended


def test_a_prover_that_is_closed_or_forgotten_leaves_no_process(kind: Kind) -> None:
    prover = kind()
    with pytest.raises(BackendError, match="start one first"):
        prover.apply(PROOF[0])
    pid = midway(prover)
    prover.close()
    assert gone(pid)
    prover.close()
    assert prover.goals() == AFTER_TWO  # it is started again
    prover.apply(PROOF[2])
    pid = pid_of(prover)
    del prover
    assert gone(pid)


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("coq", signal.SIGINT),
        ("lean", signal.SIGTERM),
        *thoroughly(("coq", signal.SIGTERM), ("lean", signal.SIGINT), ("coq", signal.SIGKILL)),
    ],
    indirect=["kind"],
)
def test_a_program_that_is_interrupted_leaves_no_process(kind: Kind, number: signal.Signals) -> None:
    running = "_process" if kind is Coq else "_worker"
    code = (
        f"import time; from {kind.__module__} import {kind.__name__}; from tactics.parser import parse\n"
        f"prover = {kind.__name__}(); prover.start(parse('A -> A')); print(prover.{running}.pid, flush=True)\n"
        "time.sleep(1000)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as program:
        assert program.stdout is not None
        pid = int(program.stdout.readline())
        os.killpg(program.pid, number)
    assert gone(pid)


def test_a_program_that_ends_while_lean_still_works_in_a_thread_leaves_no_lean_behind(tmp_path: Path) -> None:
    slow = written(tmp_path / "slow", "exec sleep 1000")
    code = f"""
import threading
from oasis.backends.lean.process import MEMORY, check_file
from oasis.backends.processes import Allowance

def waited_for(allowance, pause=Allowance.pause):
    print(allowance._pid, flush=True)
    waiting.set()
    return pause(allowance)

waiting, Allowance.pause = threading.Event(), waited_for
threading.Thread(target=check_file, args=(({slow!r},), "", 600.0, MEMORY), daemon=True).start()
waiting.wait()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert gone(int(done.stdout.split()[0]))
