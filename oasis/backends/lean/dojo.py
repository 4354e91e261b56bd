"""Lean through the library LeanDojo (Yang et al. 2023), for people who work with it already.

Never run against the real library: it builds a project with Lake and asks GitHub for the toolchain before the first
proof, which cannot be done where this was written. The tests use a stand-in for its interface. The library opens
theorems of a project that is there, so the project must hold the file that `carrier()` gives; a lemma is stated inside
the proof of its one theorem. This backend steps and does not certify: it does not look at axioms. Unlike `lean` it
shows the hypotheses in the order in which Lean has them: what replaces a hypothesis comes last.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any, Final

from oasis.backends.base import PLAIN, Backend, BackendError, BackendMissing, ShownGoal, no_verdict
from oasis.backends.lean.process import header
from oasis.backends.lean.term import is_askable, shown_goal
from oasis.backends.lean.words import RESERVED
from oasis.backends.names import named_back, safe_names
from tactics.claims import Certificate, Claim
from tactics.errors import InputError, install_command
from tactics.formula import FALSE, Formula, atoms, renamed
from tactics.goal import Goal, Hypothesis, Move, initial
from tactics.parser import parse
from tactics.printer import PROVERS, UNICODE, show
from tactics.rules import RULES, IllegalMove
from tactics.tokens import CONSTANTS

FILE: Final = "Oasis.lean"
THEOREM: Final = "oasis"
VARIABLE: Final = "OASIS_LEAN_DOJO"
NO_CERTIFICATE: Final = (
    "Every step went through, but this adapter was never run against the real library and does not look at axioms, so "
    "it certifies nothing; ask lean."
)


def carrier() -> str:
    """The text of `Oasis.lean`: the twelve rules, and a theorem in whose proof lemmas are stated."""
    rules = header()[header().index("namespace Dyckhoff") :]
    return f"{rules}\ntheorem {THEOREM} : True := by\n  trivial\n"


class LeanDojo(Backend):
    """Lean as LeanDojo runs it.

    Attributes:
        project: folder of a Lean 4 project, a git repository with `Oasis.lean` committed; by default what the
            environment variable OASIS_LEAN_DOJO says.
        timeout: seconds that LeanDojo gives a tactic.
    """

    name = "lean-dojo"
    install = install_command("lean-dojo")
    remark = "This adapter was never run against the real library, only against a stand-in."
    certifies = False

    def __init__(self, project: str | None = None, timeout: int = 60) -> None:
        self.project = os.environ.get(VARIABLE) if project is None else project
        self.timeout = timeout
        self._dojo: Any = None
        self._opened: Any = None
        self._formula: Formula = FALSE
        self._names: dict[str, str] = {}
        self._states: list[Any] = []

    def version(self) -> str:
        """Such as `LeanDojo 4.20.0`. Raises BackendMissing."""
        self._library()
        try:
            return f"LeanDojo {metadata.version('lean-dojo')}"
        except metadata.PackageNotFoundError:
            return "LeanDojo"

    def start(self, formula: Formula) -> None:
        """Begin a proof. Raises BackendMissing without a project, and BackendError if LeanDojo does not open it."""
        self._formula, self._names = formula, safe_names(formula, RESERVED)
        self._states = []
        opened = self._open()
        inner = renamed(formula, self._names)
        variables = " ".join(atom.name for atom in atoms(inner))
        text = show(inner, replace(UNICODE, atom=str), sugar=False).replace("⊥", "False")
        state = self._run(opened, f"suffices goal : {f'∀ {variables} : Prop, ' * bool(variables)}{text} from trivial")
        if variables and not self._refuses(state):
            state = self._run(state, f"intro {variables}")
        if self._refuses(state):
            raise BackendError(f"Lean does not take the lemma: {_first_line(state)}.")
        self._states = [state]

    def apply(self, move: Move) -> None:
        """Make a move. Raises IllegalMove."""
        goals = self.goals()
        if not goals:
            raise IllegalMove(f"{move}: nothing is left to prove; leave this move out.")
        if not is_askable(move):
            raise IllegalMove(f"{move}: that is none of the twelve rules with the hypothesis that it takes.")
        if move.hypothesis is not None and move.hypothesis not in dict(goals[0].hypotheses):
            raise IllegalMove(f"{move.rule}: no hypothesis is called {move.hypothesis}.")
        state = self._run(self._states[-1], tactic(move, self._fresh_name(goals[0])))
        if self._refuses(state):
            raise IllegalMove(f"{move}: Lean does not take it: {_first_line(state)}.")
        self._states.append(state)

    def goals(self) -> tuple[ShownGoal, ...]:
        """The open goals as LeanDojo prints them, in Coq's notation."""
        if not self._states:
            raise BackendError("LeanDojo holds no lemma yet; start one first.")
        state = self._states[-1]
        if isinstance(state, self._library().ProofFinished):
            return ()
        return tuple(self._shown(text) for text in str(state.pp).strip().split("\n\n"))

    def back_to(self, moves: int) -> None:
        """Take back all but the first `moves` moves."""
        del self._states[moves + 1 :]

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        """Step through each script and say which step fails; none is accepted. The lemma in progress is kept."""
        kept = self._formula, self._names, self._states
        try:
            return [self._settled(claim) for claim in claims]
        finally:
            self._formula, self._names, self._states = kept

    def close(self) -> None:
        """Leave the proof; may be called twice. What was proved in it is shown no more."""
        dojo, self._dojo, self._opened = self._dojo, None, None
        if dojo is not None:
            dojo.__exit__(None, None, None)

    def _settled(self, claim: Claim) -> Certificate:
        """What is said of a claim, by a LeanDojo that is seen to work if it fails at this one."""
        try:
            return self._verdict(*self._fault(claim))
        except BackendMissing:
            raise
        except BackendError as error:
            if self._fault(PLAIN) != (NO_CERTIFICATE, None):
                raise
            self._names = safe_names(claim.formula, RESERVED)
            return self._verdict(no_verdict(error))

    def _fault(self, claim: Claim) -> tuple[str, int | None]:
        """Why a claim is not certified, and at which step it fails, if it does."""
        try:
            self.start(claim.formula)
        except InputError as error:
            return str(error), None
        for step, move in enumerate(claim.script, 1):
            try:
                self.apply(move)
            except IllegalMove as error:
                return f"Step {step}: {error}", step
        left = len(self.goals())
        return f"The script ends with {left} goal{'s' * (left > 1)} open." if left else NO_CERTIFICATE, None

    def _verdict(self, reason: str, step: int | None = None) -> Certificate:
        return Certificate(self.name, self.version(), False, reason, step, tuple(self._names.items()))

    def _library(self) -> Any:
        if find_spec("lean_dojo") is None:
            if sys.version_info >= (3, 13):
                raise BackendMissing("LeanDojo needs Python 3.12 at most; ask lean instead.")
            raise BackendMissing(f"LeanDojo is not installed: {self.install}")
        return import_module("lean_dojo")

    def _open(self) -> Any:
        """The state in which the proof of the carrying theorem begins."""
        library = self._library()
        if self.project is None:
            raise BackendMissing(f"LeanDojo needs a Lean project with {FILE} in it; set {VARIABLE} to its folder.")
        if self._dojo is None:
            try:
                repository = library.LeanGitRepo.from_path(self.project)
                self._dojo = library.Dojo(library.Theorem(repository, FILE, THEOREM), timeout=self.timeout)
                _, self._opened = self._dojo.__enter__()
            except Exception as error:
                self._dojo = None
                raise BackendError(f"LeanDojo does not open {FILE} in {self.project}: {_words(error)}.") from error
        return self._opened

    def _run(self, state: Any, text: str) -> Any:
        library = self._library()
        if self._dojo is None:
            raise BackendError("LeanDojo has left this proof; start the lemma again.")
        try:
            result = self._dojo.run_tac(state, text)
        except (library.DojoCrashError, library.DojoTacticTimeoutError) as error:
            self._dojo = None
            raise BackendError(f"LeanDojo broke off: {_words(error)}; start the lemma again.") from error
        if isinstance(result, library.ProofGivenUp):
            raise BackendError(
                "LeanDojo says that the proof was given up, which no rule does; please report this lemma."
            )
        return result

    def _refuses(self, state: Any) -> bool:
        return isinstance(state, self._library().LeanError)

    def _fresh_name(self, goal: ShownGoal) -> str:
        """The name that the calculus gives to a formula that is added."""
        hypotheses = tuple(Hypothesis(name, FALSE) for name, _ in goal.hypotheses)
        return Goal(hypotheses, FALSE, initial(self._formula)[0].avoid).fresh_name()

    def _shown(self, text: str) -> ShownGoal:
        hypotheses, conclusion = shown_goal(text)
        named = tuple((name, self._formula_text(said)) for name, said in hypotheses)
        return ShownGoal(named, self._formula_text(conclusion))

    def _formula_text(self, text: str) -> str:
        return show(parse(named_back(text, self._names), CONSTANTS), PROVERS, sugar=False)


def tactic(move: Move, fresh: str) -> str:
    """A move as Lean tactics: the hypothesis steps aside, the rule's theorem is applied, the old one is cleared."""
    rule = RULES[move.rule]
    given = " (by assumption)" if rule.given is not None else ""
    branches = ""
    for premise in rule.premises:
        names = [str(move.hypothesis)] if premise.replacement is not None else []
        names += [fresh] if premise.addition is not None else []
        branches += f" (fun {' '.join(names)} => ?_)" if names else " ?_"
    if move.hypothesis is None:
        return f"refine Dyckhoff.{move.rule}{given}{branches}"
    applied = f"refine Dyckhoff.{move.rule} η{given}{branches}"
    return f"(have η := {move.hypothesis}; clear {move.hypothesis}; {applied} <;> clear η)"


def _first_line(error: Any) -> str:
    return str(error.error).strip().partition("\n")[0].rstrip(".")


def _words(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
