"""Coq as a referee: `coqidetop` plays the twelve tactics of `tactics/dyckhoff.v`, and its kernel checks the proof.

Formulas reach Coq as our own printer writes them, with atoms renamed where Coq knows their names as something else; of
a move nothing is sent but the name of one of the twelve rules and an identifier.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final, TypeVar

from oasis.backends.base import PLAIN, Backend, BackendError, BackendMissing, ShownGoal, no_verdict
from oasis.backends.coq.protocol import CoqLost, CoqOverrun, CoqProcess, CoqRefused, Document, PrintedGoals
from oasis.backends.coq.setup import Installation, find, tactics_folder
from oasis.backends.coq.text import RESERVED, THEOREM, at_once, reason, sentence, shown, statement
from oasis.backends.names import safe_names
from oasis.backends.processes import MEMORY
from oasis.ground.plural import counted
from tactics.claims import Certificate, Claim
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move
from tactics.printer import PROVERS, show
from tactics.rules import IllegalMove
from tactics.script import Script

T = TypeVar("T")

_KNOWN_KEPT: Final = 10_000
_CHUNK: Final = 50
_ANSWERS_A_CLAIM: Final = 10
"""Time that a claim may take, in multiples of the time for an answer."""
_ASSUMPTIONS: Final = f"Print Assumptions {THEOREM}."
_NO_AXIOMS: Final = ["Closed under the global context"]


class Coq(Backend):
    """Coq (or Rocq) through the XML protocol of its `coqidetop`.

    A script is certified by running it to Qed from a document in which nothing but the tactics is loaded, by the answer
    that the theorem is closed under the global context, and by what Coq shows of its statement being the formula's text
    character for character.
    """

    name = "coq"
    install = "sudo apt-get install coq (or, with opam: opam install coq coqide-server)"

    def __init__(self, executable: str | None = None, timeout: float = 60.0, memory: int = MEMORY) -> None:
        """Without `executable` it is looked for on PATH when it is needed.

        Args:
            executable: a `coqidetop`.
            timeout: seconds in which Coq must answer; a claim may take ten times as long.
            memory: bytes that Coq may take (`oasis.backends.processes`).
        """
        self._given = executable
        self._timeout = timeout
        self._memory = memory
        self._installation: Installation | None = None
        self._process: CoqProcess | None = None
        self._base = 0
        self._formula: Formula | None = None
        self._names: dict[str, str] = {}
        self._moves: list[Move] = []
        # The document's states before the first move and after each one; empty while Coq does not hold the lemma.
        self._states: list[int] = []
        self._shown: PrintedGoals | None = None
        # What Coq was seen to read as it is meant.
        self._known: set[Formula] = set()

    def version(self) -> str:
        """`Coq` or `Rocq` and its number."""
        return self._found().version

    def start(self, formula: Formula) -> None:
        """Begin a proof. Raises InputError for a formula that is too long to be sent."""
        self._formula, self._names, self._moves, self._states = formula, safe_names(formula, RESERVED), [], []
        try:
            self._with_process(lambda _: None)
        except BaseException:
            self._formula = None
            raise

    def apply(self, move: Move) -> None:
        """Make a move. Raises IllegalMove with Coq's reason."""
        tactic = sentence(move)

        def step(process: CoqProcess) -> PrintedGoals:
            return _whole(process.step(f"{tactic}."))

        try:
            self._shown = self._with_process(step)
        except CoqRefused as error:
            self._with_process(lambda process: process.edit_at(self._states[-1]))
            raise IllegalMove(reason(move, str(error), self._names)) from None
        assert self._process is not None
        self._moves.append(move)
        self._states.append(self._process.tip)

    def goals(self) -> tuple[ShownGoal, ...]:
        """The open goals, each whole."""
        if self._shown is None or not self._states:
            self._shown = self._with_process(lambda process: _whole(process.goals()))
        assert self._formula is not None
        return shown(self._shown.focused, self._formula, self._names)

    def back_to(self, moves: int) -> None:
        """Take back all but the first `moves` moves."""
        self._with_process(lambda process: process.edit_at(self._states[moves]))
        del self._moves[moves:], self._states[moves + 1 :]
        self._shown = None

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
        self._process = None
        self._states = []

    # The process, and the lemma in it

    def _with_process(self, work: Callable[[CoqProcess], T]) -> T:
        """Do something where the lemma stands; once more, in another process, if this one dies of it."""
        if self._formula is None:
            raise BackendError("Coq has no lemma to work on; start one first.")
        return self._once_more(lambda: work(self._holding()))

    def _once_more(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except CoqLost:
            self.close()
        except CoqOverrun as error:
            raise self._gone(error) from None
        try:
            return work()
        except (CoqLost, CoqOverrun) as error:
            raise self._gone(error) from None

    def _gone(self, error: Exception) -> BackendError:
        self.close()
        what = str(error).rstrip(".")
        return BackendError(
            f"Coq ({self._found().executable}): {what}; it has been ended. If this happens with every lemma, see what "
            "oasis doctor says."
        )

    def _running(self) -> CoqProcess:
        """The process, with the tactics loaded."""
        if self._process is None or not self._process.running:
            self._states = []
            found = self._found()
            folder = tactics_folder(found, self._timeout)
            self._process = CoqProcess([found.executable, "-Q", ".", "Oasis"], folder, self._timeout, self._memory)
            try:
                self._process.add("From Oasis Require Import dyckhoff.")
                self._process.execute()
            except CoqRefused as error:
                self.close()
                raise BackendError(
                    f"{self.version()} cannot load the tactics: {error}. Remove {folder} and try again."
                ) from None
            self._base = self._process.tip
        return self._process

    def _holding(self) -> CoqProcess:
        """The process, with the lemma stated and its moves made."""
        process = self._running()
        if not self._states:
            assert self._formula is not None
            theorem = statement(self._formula, self._names)
            try:
                states = [self._state(process, theorem)]
                for move in self._moves:
                    process.add(f"{sentence(move)}.")
                    states.append(process.tip)
                self._shown = _whole(process.goals())
            except CoqRefused as error:
                self.close()
                raise BackendError(f"{self.version()} cannot take this lemma: {error}") from None
            self._states = states
        return process

    def _state(self, process: CoqProcess, theorem: str) -> int:
        """State a theorem in a document without any other, and introduce its atoms."""
        if process.tip != self._base:
            process.edit_at(self._base)
        process.add(theorem)
        process.add("d_start.")
        return process.tip

    def _found(self) -> Installation:
        if self._installation is None:
            self._installation = find(self._given, self.install, self._timeout)
        return self._installation

    # Certificates

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        """Run every script to Qed. Raises BackendError if Coq fails at the plainest claim, too."""
        version = self.version()
        self._once_more(self._running)
        self._states = []
        accepted: set[int] = set()
        for start in range(0, len(claims), _CHUNK):
            accepted |= {start + place for place in self._accepted_at_once(claims[start : start + _CHUNK])}
        certificates = []
        for place, claim in enumerate(claims):
            names = safe_names(claim.formula, RESERVED)
            step, why = (None, "") if place in accepted else self._stepwise(claim, names)
            certificates.append(Certificate(self.name, version, not why, why, step, tuple(names.items())))
        return certificates

    def _stepwise(self, claim: Claim, names: dict[str, str]) -> tuple[int | None, str]:
        """The step that was refused and the reason, by a Coq that is seen to work if it fails at this claim."""
        try:
            return self._once_more(lambda: self._verdict(claim, names))
        except BackendMissing:
            raise
        except BackendError as error:
            if not self._accepted_at_once([PLAIN]):
                raise
            return None, no_verdict(error)

    def _accepted_at_once(self, claims: Sequence[Claim]) -> set[int]:
        """The places of claims whose scripts end in Qed without axioms when each is sent as a single tactic.

        Of the others nothing is known: a script may be wrong or just too long, and Coq may have failed.
        """
        try:
            process = self._running()
            documents: dict[int, Document] = {}
            for place, claim in enumerate(claims):
                whole = at_once(claim.script)
                theorem = None if whole is None else self._read_back(process, claim.formula)
                if theorem is not None:
                    documents[place] = Document((theorem, f"d_start; {whole}.", "Qed."), _ASSUMPTIONS)
            if process.tip != self._base:
                process.edit_at(self._base)
            printed = process.try_all(list(documents.values()))
            return {place for place, said in zip(documents, printed, strict=True) if said == _NO_AXIOMS}
        except (CoqLost, CoqOverrun):
            return set()

    def _read_back(self, process: CoqProcess, formula: Formula) -> str | None:
        """The sentence that states a formula, if what Coq shows of it is the formula's text; asked once a formula."""
        names = safe_names(formula, RESERVED)
        try:
            theorem = statement(formula, names)
            if formula not in self._known:
                self._state(process, theorem)
                (goal,) = shown(_whole(process.goals()).focused, formula, names)
                if goal != ShownGoal((), show(formula, PROVERS, sugar=False)):
                    return None
                if len(self._known) == _KNOWN_KEPT:
                    self._known.clear()
                self._known.add(formula)
        except (InputError, CoqRefused):
            return None
        return theorem

    def _verdict(self, claim: Claim, names: dict[str, str]) -> tuple[int | None, str]:
        """The step that was refused, if one was, and the reason; no reason if the claim is true."""
        process = self._running()
        try:
            theorem = statement(claim.formula, names)
        except InputError as error:
            return None, f"Coq was not asked: {error}"
        try:
            self._state(process, theorem)
            if self._read_back(process, claim.formula) is None:
                return None, "Coq reads another formula than the lemma."
            self._state(process, theorem)
            return self._step_by_step(process, claim.script, names)
        except CoqRefused as error:
            return None, f"Coq does not take the lemma: {error}"
        finally:
            if process.running:
                process.edit_at(self._base)

    def _step_by_step(self, process: CoqProcess, script: Script, names: dict[str, str]) -> tuple[int | None, str]:
        seconds = _ANSWERS_A_CLAIM * self._timeout
        end = monotonic() + seconds
        for step, move in enumerate(script, 1):
            if monotonic() > end:
                raise CoqOverrun(
                    f"it was at step {step} of {len(script)} after {_ANSWERS_A_CLAIM * self._timeout:g} seconds"
                )
            try:
                process.add(f"{sentence(move)}.")
                process.execute()
            except CoqRefused as error:
                return step, f"Step {step}: {reason(move, str(error), names)}"
            except IllegalMove as error:
                return step, f"Step {step}: {error}"
        if left := len(_whole(process.goals()).focused):
            return None, f"The script ends with {counted(left, 'goal')} open."
        try:
            process.add("Qed.")
            process.execute()
            return None, "" if process.query(_ASSUMPTIONS) == _NO_AXIOMS else "The proof rests on axioms."
        except CoqRefused as error:
            return None, f"Coq does not take the finished proof: {error}"


def _whole(goals: PrintedGoals | None) -> PrintedGoals:
    if goals is None or goals.others:
        raise CoqLost("it has lost its place in the proof")
    return goals
