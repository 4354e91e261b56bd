"""Coq through the library coq_serapy and SerAPI's `sertop`, as the thesis did it.

The library is not on PyPI, and wants a SerAPI that was built with its Coq. This adapter was run with Coq 8.16.1, SerAPI
0.16.3 and coq_serapy 0.1.6; the tests run it over a stand-in, which answers as these did.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any, Final

from oasis.backends.base import PLAIN, Backend, BackendError, BackendMissing, ShownGoal, no_verdict
from oasis.backends.coq.protocol import PrintedGoal
from oasis.backends.coq.setup import Installation, compiler, tactics_folder, version_of
from oasis.backends.coq.text import RESERVED, THEOREM, reason, sentence, shown, statement
from oasis.backends.names import safe_names
from oasis.ground.plural import counted
from tactics.claims import Certificate, Claim
from tactics.errors import InputError
from tactics.formula import Formula, atoms
from tactics.goal import Move
from tactics.printer import PROVERS, show
from tactics.rules import IllegalMove

_REFUSALS: Final = ("CoqExn", "NoSuchGoalError", "ParseError", "LexError")
"""The library's exceptions that say no to a sentence; whatever else it raises is a fault."""
_NO_SYMBOL: Final = re.compile("t|nil|inf|infinity|nan", re.IGNORECASE)
"""Words that sexpdata, with which the library reads answers, takes for a truth value, a list or a number."""
_GREETING: Final = 2.0
"""Seconds after which a sertop that says nothing but runs is taken for a good one."""
_LONGEST_FAULT: Final = 300


class _Refused(Exception):
    """Coq's reason for refusing a sentence."""


class CoqSerapy(Backend):
    """Coq through coq_serapy: some four times slower than `coq` in a move with its goals, nine times in certifying."""

    name = "coq-serapy"
    install = "opam install coq-serapi && pip install git+https://github.com/HazardousPeach/coq_serapy"
    remark = "It was run with Coq 8.16.1, SerAPI 0.16.3 and coq_serapy 0.1.6, and is several times slower than coq."

    def __init__(self, timeout: float = 60.0) -> None:
        """Nothing is imported or started yet; `timeout` is for one sentence, in seconds."""
        self._timeout = timeout
        self._open = ExitStack()
        self._library: ModuleType | None = None
        self._agent: Any = None
        self._formula: Formula | None = None
        self._names: dict[str, str] = {}
        self._moves: list[Move] = []
        self._sentences = 0

    def version(self) -> str:
        """The version of Coq, and that it is spoken to through coq_serapy."""
        return f"{self._installation().version} through coq_serapy"

    def start(self, formula: Formula) -> None:
        """Begin a proof."""
        names = _names(formula)
        theorem = statement(formula, names)
        self._running()
        self._cancel(self._sentences)
        self._formula, self._names, self._moves = formula, names, []
        try:
            self._run(theorem)
            self._run("d_start.")
        except _Refused as error:
            raise BackendError(f"{self.name} cannot take this lemma: {error}") from None

    def apply(self, move: Move) -> None:
        """Make a move. Raises IllegalMove with Coq's reason."""
        tactic = sentence(move)
        self._restored()
        try:
            self._run(f"{tactic}.")
        except _Refused as error:
            raise IllegalMove(reason(move, str(error), self._names)) from None
        self._moves.append(move)

    def goals(self) -> tuple[ShownGoal, ...]:
        """The open goals."""
        self._restored()
        assert self._formula is not None
        with self._faults():
            context = self._agent.proof_context
        if context is None:
            raise BackendError(f"{self.name} has lost its place in the proof; start the lemma again.")
        goals = [
            PrintedGoal(tuple(map(_line, reversed(goal.hypotheses))), _on_one_line(goal.goal))
            for goal in (*context.fg_goals, *context.bg_goals)
        ]
        return shown(goals, self._formula, self._names)

    def back_to(self, moves: int) -> None:
        """Take back all but the first `moves` moves."""
        self._restored()
        self._cancel(len(self._moves) - moves)
        del self._moves[moves:]

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        """Step through every script to Qed and ask for its assumptions."""
        version = self.version()
        formula, moves = self._formula, self._moves
        certificates = []
        for claim in claims:
            try:
                step, why = self._verdict(claim)
            except BackendMissing:
                raise
            except BackendError as error:
                if self._verdict(PLAIN)[1]:
                    raise
                step, why = None, no_verdict(error)
            renamed = tuple(_names(claim.formula).items())
            certificates.append(Certificate(self.name, version, not why, why, step, renamed))
        if formula is not None:
            self.start(formula)
            for move in moves:
                self.apply(move)
        return certificates

    def close(self) -> None:
        """End the process; may be called twice."""
        agent, self._agent, self._sentences = self._agent, None, 0
        self._open.close()
        # The library kills its process without waiting for it, and leaves the pipes open.
        process = getattr(getattr(agent, "backend", None), "_proc", None)
        if isinstance(process, subprocess.Popen):
            process.kill()
            process.wait()
            if isinstance(agent.backend, Thread):
                agent.backend.join(_GREETING)  # it reads from a pipe until that ends
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()

    def _verdict(self, claim: Claim) -> tuple[int | None, str]:
        try:
            self.start(claim.formula)
        except InputError as error:
            return None, f"Coq was not asked: {error}"
        if self.goals() != (ShownGoal((), show(claim.formula, PROVERS, sugar=False)),):
            return None, "Coq reads another formula than the lemma."
        for step, move in enumerate(claim.script, 1):
            try:
                self.apply(move)
            except IllegalMove as error:
                return step, f"Step {step}: {error}"
        if left := len(self.goals()):
            return None, f"The script ends with {counted(left, 'goal')} open."
        try:
            self._run("Qed.")
        except _Refused as error:
            return None, f"Coq does not take the finished proof: {error}"
        with self._faults():
            said = self._agent.backend.queryVernac(f"Print Assumptions {THEOREM}.")
        return None, "" if [each.strip() for each in said] == ["Closed under the global context"] else "It uses axioms."

    def _installation(self) -> Installation:
        """Imports the library; its `sertop` and the `coqc` beside that."""
        if self._library is None:
            try:
                self._library = import_module("coq_serapy")
            except ImportError:
                raise BackendMissing(f"The library coq_serapy is not installed. Install it: {self.install}") from None
        sertop = shutil.which("sertop")
        if sertop is None:
            raise BackendMissing(f"sertop, a part of SerAPI, is not on PATH. Install it: {self.install}")
        command = compiler(sertop, self.install)
        return Installation(sertop, command, version_of(command[0], self.install, self._timeout))

    def _running(self) -> None:
        if self._agent is not None:
            return
        found = self._installation()
        folder = tactics_folder(found, self._timeout)
        _check_that_it_runs(found.executable)
        # The library looks for a project file where it starts, and complains if there is none.
        place = self._open.enter_context(tempfile.TemporaryDirectory())
        Path(place, "_CoqProject").touch()
        assert self._library is not None
        with self._faults():
            context = self._library.SerapiContext([found.executable, "--implicit"], None, place, set_env=False)
            with redirect_stdout(sys.stderr):  # it prints a remark about a sertop that does not know its version
                self._agent = self._open.enter_context(context)
        try:
            self._run(f'Add LoadPath "{folder}" as Oasis.')
            self._run("From Oasis Require Import dyckhoff.")
            # It turns notations off when it starts.
            self._run("Set Printing Notations.")
            self._run("Set Printing Depth 1000000.")
        except _Refused as error:
            raise BackendError(f"{self.name} cannot load the tactics: {error}") from None
        self._sentences = 0

    def _restored(self) -> None:
        """After a fault: the library started again, and the lemma brought back to where it was."""
        if self._formula is None:
            raise BackendError(f"{self.name} has no lemma to work on; start one first.")
        if self._agent is None:
            moves = self._moves
            self.start(self._formula)
            for move in moves:
                self.apply(move)

    def _run(self, text: str) -> None:
        assert self._library is not None
        refusals = tuple(getattr(self._library, name) for name in _REFUSALS if hasattr(self._library, name))
        with self._faults():
            try:
                self._agent.run_stmt(text, timeout=max(1, round(self._timeout)))
            except refusals as error:
                raise _Refused(_on_one_line(str(getattr(error, "msg", error)))) from None
        self._sentences += 1

    def _cancel(self, sentences: int) -> None:
        with self._faults():
            for _ in range(sentences):
                self._agent.cancel_last()
                self._sentences -= 1

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Whatever the library raises is told as a fault of it, and ends it."""
        try:
            yield
        except _Refused:
            raise
        except Exception as error:
            self.close()
            said = _on_one_line(f"{type(error).__name__}: {error}")
            said = said if len(said) <= _LONGEST_FAULT else f"{said[:_LONGEST_FAULT]} …"
            raise BackendError(f"coq_serapy failed ({said}); it has been ended. Try the backend coq instead.") from None


def _names(formula: Formula) -> dict[str, str]:
    """The atoms that need another name, with it."""
    return safe_names(formula, RESERVED.union(atom.name for atom in atoms(formula) if _NO_SYMBOL.fullmatch(atom.name)))


def _check_that_it_runs(sertop: str) -> None:
    """Raises BackendError for a `sertop` that ends as soon as it is started; the library would wait minutes for it."""
    try:
        process = subprocess.Popen(
            [sertop, "--implicit"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    except OSError as error:
        raise BackendError(f"{sertop} cannot be run: {error.strerror}; install SerAPI again.") from None
    with process:
        assert process.stdout is not None
        greeted, _, _ = select.select([process.stdout], [], [], _GREETING)
        if greeted and not os.read(process.stdout.fileno(), 1):
            _, complaint = process.communicate()
            said = _on_one_line(complaint.decode(errors="replace"))[:_LONGEST_FAULT] or "it does not say why"
            raise BackendError(f"{sertop} ended as soon as it was started: {said}. Install SerAPI again.")
        process.kill()


def _line(hypotheses: str) -> str:
    """A line such as `A, B : Prop`; the library lists lines newest first, and the names in a line oldest first."""
    names, _, text = hypotheses.partition(":")
    return f"{', '.join(name.strip() for name in names.split(','))} : {_on_one_line(text)}"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
