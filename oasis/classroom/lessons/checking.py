"""What is wrong with a lesson, before a class finds out: exercises that cannot be done, or that are no exercises.

Nothing is called impossible without a checked countermodel or an exhausted search; what takes too long is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cache
from math import inf
from typing import Any, Final, NamedTuple

from curricula import resolve_lemma
from curricula.course import course
from oasis.classroom.lessons.lesson import Entry, Lesson
from oasis.classroom.lessons.pools import Variant, different
from oasis.classroom.proving.exercise import Exercise
from oasis.ground.limits import Limit, LimitReached
from oasis.ground.plural import listed
from oasis.play.actions import ACTION_SPACES, INVERTIBLE, SIMPLIFY
from oasis.teacher.countermodels.countermodel import Countermodel
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.decide import MEMORY, SECONDS
from oasis.teacher.exact.difficulty import Difficulty, difficulty
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths
from oasis.teacher.proofs import prove
from state_spaces.name import formula_key
from tactics.formula import Formula, Implies
from tactics.goal import Move, State, initial
from tactics.printer import Notation, show
from tactics.rules import apply, legal_moves

TOO_LONG: Final = 30
"""Moves that an exercise may take unless told otherwise."""
_HARDER: Final = "fine as a first exercise, and `oasis curricula show choices` lists harder ones"
"""What to do about an exercise in which nobody has to think."""
_ARE: Final = ("is", "are")
_SMALLER: Final = "try a smaller lemma, or more time by oasis lesson check --seconds"
"""What to do about an exercise of which not enough was found out."""


class Verdict(StrEnum):
    """Whether an exercise can be proved."""

    PROVABLE = "provable"
    OUT_OF_REACH = "not with these tactics"
    NO_PROOF = "no proof"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Finding:
    """Something that a teacher should know.

    Attributes:
        text: a sentence about the exercise.
        is_error: whether the exercise cannot be given like that.
    """

    text: str
    is_error: bool = False


class Assessed(NamedTuple):
    """How hard a lemma of a pool is; None, and which limit was reached, if that was not found out."""

    variant: Variant
    difficulty: Difficulty | None
    reached: str = ""

    def to_json(self, notation: Notation) -> dict[str, Any]:
        """The lemma, and how hard it is."""
        return {
            "name": self.variant.name,
            "formula": show(self.variant.formula, notation, quantified=True),
            "difficulty": None if self.difficulty is None else self.difficulty._asdict(),
        }


@dataclass
class Checked:
    """What is known of an exercise.

    Attributes:
        exercise: which one.
        verdict: whether it can be proved by the tactics that are allowed.
        moves: in its shortest proof, or in the shortest that is known; None if none is.
        is_shortest: whether there is no shorter one.
        countermodel: why it has no proof, if it has none.
        pool: how hard the lemmas are of which each student has one; empty if all have the same.
        findings: what a teacher should know.
    """

    exercise: Exercise
    verdict: Verdict = Verdict.UNKNOWN
    moves: int | None = None
    is_shortest: bool = False
    countermodel: Countermodel | None = None
    pool: list[Assessed] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def optimum(self) -> str:
        """The number of moves in words; empty if none is known."""
        return "" if self.moves is None else f"{'' if self.is_shortest else 'at most '}{self.moves:,}"

    @property
    def has_error(self) -> bool:
        """Whether the exercise cannot be given like that."""
        return any(finding.is_error for finding in self.findings)

    def to_json(self, notation: Notation) -> dict[str, Any]:
        """What is known, with the countermodel as its worlds."""
        due = self.exercise.terms.due
        return {
            "name": self.exercise.name,
            "formula": show(self.exercise.formula, notation, quantified=True),
            "offered": self.exercise.terms.moves,
            "due": None if due is None else due.isoformat(),
            "verdict": self.verdict,
            "moves": self.moves,
            "shortest": self.is_shortest,
            "countermodel": self.countermodel and self.countermodel.worlds_to_json(),
            "pool": [assessed.to_json(notation) for assessed in self.pool],
            "findings": [{"error": each.is_error, "text": each.text} for each in self.findings],
        }

    def remark(self, text: str, *, is_error: bool = False) -> None:
        """Note a finding."""
        self.findings.append(Finding(text, is_error))


def check(
    lesson: Lesson,
    seconds: float = SECONDS,
    too_long: int = TOO_LONG,
    now: datetime | None = None,
    beside: Iterable[Lesson] = (),
) -> Iterator[Checked]:
    """What is known of each exercise of a lesson, one after the other.

    Args:
        lesson: which one.
        seconds: how long each exercise may take.
        too_long: the moves of which a shortest proof may have no more.
        now: a time with a zone; due dates before it are in the past.
        beside: lessons that the class has, too; what is in one of them is known in an exam, as the course is.
    """
    now = now or datetime.now().astimezone()
    overdue = Counter(entry.exercise.terms.due for entry in lesson.exercises)
    first: dict[bytes, str] = {}
    known = _known(lesson, beside) if lesson.is_exam else {}
    for entry in lesson.exercises:
        checked = _examined(entry, seconds, too_long)
        exercise = entry.exercise
        _assess(checked, entry.pool, seconds)
        own = Variant(exercise.name, exercise.formula, formula_key(exercise.formula))
        for variant in different(entry.pool) or (own,):
            which = "It" if variant.key == own.key else f"{variant.name} of its pool"
            same = first.setdefault(variant.key, exercise.name)
            if same != exercise.name:
                checked.remark(f"{which} is the same as {same}, up to letters; leave one of them out.")
            if variant.key in known:
                checked.remark(
                    f"{which} stands in {known[variant.key]}, too, up to letters, so who has met it there knows its "
                    "proof; an exam is better with another lemma."
                )
        due = exercise.terms.due
        if due is not None and due < now and (number := overdue.pop(due, 0)):
            others = f", like {number - 1} more" if number > 1 else ""
            checked.remark(f"It was due {due:%Y-%m-%d %H:%M}{others}; set another date.")
        yield checked


def said_of(found: Iterable[Checked]) -> list[tuple[str, str]]:
    """What is said of exercises, errors first and each thing once: how the sentence begins, and how it goes on."""
    named: dict[tuple[bool, str], list[str]] = {}
    for checked in found:
        for finding in checked.findings:
            named.setdefault((not finding.is_error, finding.text), []).append(checked.exercise.name)
    ordered = sorted(named.items(), key=lambda item: item[0][0])
    return [
        ("Remark on " if is_remark else "Error in ", f"{', '.join(names)}: {text}")
        for (is_remark, text), names in ordered
    ]


def _known(exam: Lesson, beside: Iterable[Lesson]) -> dict[bytes, str]:
    """Where else in the class students meet lemmas: in the course and in other lessons than an exam."""
    given = {
        key: f"the lesson {lesson.title}"
        for lesson in beside
        if lesson.name != exam.name
        for entry in lesson.exercises
        for key in [formula_key(entry.exercise.formula), *(variant.key for variant in entry.pool)]
    }
    return {**given, **_of_the_course()}


@cache
def _of_the_course() -> dict[bytes, str]:
    """The lemmas of the course, and where each stands there."""
    return {
        formula_key(resolve_lemma(name).formula): f"the course ({world.title} {number})"
        for world in course()
        for number, name in enumerate(world.lemmas, 1)
    }


def _examined(entry: Entry, seconds: float, too_long: int) -> Checked:
    """What is known of one exercise by itself."""
    checked = Checked(entry.exercise)
    try:
        _prove(checked, Limit(seconds, MEMORY))
    except LimitReached as reached:
        shorter = "Whether a proof is shorter" if checked.moves is not None else "Whether it can be proved"
        checked.remark(f"{shorter} was not found out: {reached}; {_SMALLER}.")
    match checked.verdict, entry.theorem:
        case Verdict.NO_PROOF, None | True:
            checked.remark(
                "It has no proof; take another lemma, or write theorem = false below this one in an [[exercise]] of "
                "its own, if students are to say so.",
                is_error=True,
            )
        case ((Verdict.PROVABLE | Verdict.OUT_OF_REACH), False):
            checked.remark("It has a proof; strike theorem = false, or take a lemma that has none.", is_error=True)
        case Verdict.OUT_OF_REACH, _:
            checked.remark(
                "It has a proof, but none with the tactics allowed; add to its line of tactics, or strike that line.",
                is_error=True,
            )
    if _is_given(entry.exercise.formula):
        checked.remark("What is to be proved is among its premises; take that premise out, if that is not meant.")
    if checked.moves is not None and checked.moves > too_long:
        which = "Its shortest proof" if checked.is_shortest else "The shortest proof known"
        checked.remark(
            f"{which} has {checked.moves:,} moves, and that is more than {too_long:,}; take a smaller lemma, or "
            f"allow so many by oasis lesson check --too-long {checked.moves}."
        )
    return checked


def _assess(checked: Checked, pool: Sequence[Variant], seconds: float) -> None:
    """Find out whether the lemmas of a pool are equally hard, by the tactics that are allowed."""
    for variant in different(pool):
        try:
            found = difficulty(variant.formula, Limit(seconds, MEMORY), checked.exercise.terms.rules)
            checked.pool.append(Assessed(variant, found))
        except LimitReached as reached:
            checked.pool.append(Assessed(variant, None, str(reached)))
            checked.remark(f"How hard {variant.name} of its pool is was not found out: {reached}; {_SMALLER}.")
    if doubles := [variant.name for variant in pool if variant not in different(pool)]:
        checked.remark(f"{listed(doubles)} of its pool {_ARE[len(doubles) > 1]} there already, up to letters.")
    times = Counter(each.difficulty for each in checked.pool if each.difficulty is not None)
    for common, _ in times.most_common(1):
        for each in checked.pool:
            if each.difficulty not in (None, common):
                checked.remark(
                    f"{each.variant.name} of its pool is not as hard as the others: it has "
                    f"{each.difficulty.sentence()}, and they have {common.sentence()}; take another lemma, as `oasis "
                    "lesson variants` finds them.",
                    is_error=True,
                )


def _prove(checked: Checked, limit: Limit) -> None:
    """Find out how an exercise can be proved, and whether one has to think about it. Raises LimitReached."""
    formula, rules = checked.exercise.formula, checked.exercise.terms.rules
    found = prove(formula, limit)
    if isinstance(found, Kripke):
        checked.verdict = Verdict.NO_PROOF
        checked.countermodel = Countermodel.shrunk(found, (), formula, limit)
        return
    if checked.exercise.terms.allows_all or (found.script and all(move.rule in rules for move in found.script)):
        checked.verdict, checked.moves = Verdict.PROVABLE, found.length
    start = initial(formula)
    lengths = Lengths(GoalGraph(start, limit, rules=rules))
    checked.moves, checked.is_shortest = lengths.shortest_proof(start), True
    checked.verdict = Verdict.OUT_OF_REACH if checked.moves is None else Verdict.PROVABLE
    _, _, longest_way_to_be_stuck = lengths.ends(start)
    if _proves_itself(start, rules):
        enough = ", ".join(rule for rule in INVERTIBLE if rule in rules)
        checked.remark(f"It proves itself: {enough} are enough; {_HARDER}.")
    elif longest_way_to_be_stuck == -inf:
        checked.remark(f"Nobody can go wrong in it, as every move leads to a proof; {_HARDER}.")


def _proves_itself(state: State, rules: Collection[str]) -> bool:
    """Whether the rules that need no choice are enough."""

    def attempt(state: State, move: Move) -> State | None:
        return apply(state, move) if move.rule in rules and move in legal_moves(state[0]) else None

    left, _ = ACTION_SPACES["simplify"].perform(state, SIMPLIFY, attempt)
    return not left


def _is_given(formula: Formula) -> bool:
    """Whether, once some premises are assumed, what is left to prove is one of them."""
    premises: set[Formula] = set()
    while isinstance(formula, Implies):
        premises.add(formula.left)
        formula = formula.right
        if formula in premises:
            return True
    return False
