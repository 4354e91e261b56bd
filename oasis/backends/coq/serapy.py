"""Coq through the library coq_serapy and SerAPI's `sertop`, as the thesis did it.

This adapter was never run against the real library, which is not on PyPI and wants a SerAPI that its Coq was built
with: it follows the library's published interface, and its tests run it over a stand-in for that.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from oasis.backends.base import Backend, BackendError, BackendMissing, Certificate, Claim, ShownGoal
from oasis.backends.coq.protocol import PrintedGoal
from oasis.backends.coq.setup import Installation, compiler, tactics_folder, version_of
from oasis.backends.coq.text import RESERVED, THEOREM, reason, sentence, shown, statement
from oasis.backends.names import safe_names
from tactics.errors import InputError
from tactics.formula import Formula, atoms
from tactics.goal import Move
from tactics.printer import show
from tactics.rules import IllegalMove

_REFUSALS: Final = ("CoqExn", "NoSuchGoalError", "ParseError", "LexError")
"""The library's exceptions that say no to a sentence; whatever else it raises is a fault."""


class _Refused(Exception):
    """Coq's reason for refusing a sentence."""


class CoqSerapy(Backend):
    """Coq through coq_serapy: ten times slower than the `coq` backend, and one sentence at a time."""

    name = "coq-serapy"
    install = "opam install coq-serapi && pip install git+https://github.com/HazardousPeach/coq_serapy"
    remark = "This adapter was never run against the real library."

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
        names = safe_names(formula, RESERVED)
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
        own = {self._names.get(atom.name, atom.name) for atom in atoms(self._formula)}
        goals = [
            PrintedGoal(tuple(_oldest_first(goal.hypotheses, own)), " ".join(goal.goal.split()))
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
            step, why = self._verdict(claim)
            certificates.append(
                Certificate(self.name, version, not why, why, step, tuple(safe_names(claim.formula, RESERVED).items()))
            )
        if formula is not None:
            self.start(formula)
            for move in moves:
                self.apply(move)
        return certificates

    def close(self) -> None:
        """End the process."""
        self._open.close()
        self._agent, self._sentences = None, 0

    def _verdict(self, claim: Claim) -> tuple[int | None, str]:
        try:
            self.start(claim.formula)
        except InputError as error:
            return None, f"Coq was not asked: {error}"
        if self.goals() != (ShownGoal((), show(claim.formula, sugar=False)),):
            return None, "Coq reads another formula than the lemma."
        for step, move in enumerate(claim.script, 1):
            try:
                self.apply(move)
            except IllegalMove as error:
                return step, f"Step {step}: {error}"
        if left := len(self.goals()):
            return None, f"The script ends with {left} {'goal' if left == 1 else 'goals'} open."
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
        # The library looks for a project file where it starts, and complains if there is none.
        place = self._open.enter_context(tempfile.TemporaryDirectory())
        Path(place, "_CoqProject").touch()
        assert self._library is not None
        with self._faults():
            context = self._library.SerapiContext([found.executable, "--implicit"], None, place, set_env=False)
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
                raise _Refused(str(getattr(error, "msg", error))) from None
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
            raise BackendError(
                f"coq_serapy failed ({type(error).__name__}: {error}); it has been ended. Try the backend coq instead."
            ) from None


def _oldest_first(lines: Sequence[str], own: set[str]) -> Iterator[str]:
    """Hypotheses such as `A, B : Prop`, the atoms first, whichever way the library lists them."""
    pairs = [
        ([name.strip() for name in names.split(",")], text) for names, _, text in (x.partition(":") for x in lines)
    ]
    if pairs and own.issuperset(pairs[-1][0]) and not own.issuperset(pairs[0][0]):
        pairs = [(names[::-1], text) for names, text in reversed(pairs)]
    for names, text in pairs:
        yield f"{', '.join(names)} : {' '.join(text.split())}"
