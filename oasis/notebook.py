"""What a notebook needs, a line each; `import oasis` offers all of it, and imports what a line needs when it is used.

A lemma is given by name (`SYJ203.3`, `thesis/43`), as text in any of the notations, or as a formula. Bad input raises
InputError, a ValueError whose text is one plain sentence. What other people read otherwise is said in a warning.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from curricula import Curriculum
    from oasis.lab.experiment import Experiment
    from oasis.play.exam import Exam
    from oasis.play.policy import Policy
    from oasis.student.student import Student
    from oasis.teacher.countermodels.countermodel import Countermodel
    from oasis.teacher.deciding.decide import Decision
    from tactics.formula import Formula
    from tactics.script import Script

__all__ = ["countermodel", "curriculum", "decide", "examine", "experiment", "parse", "prove", "states", "train"]


def parse(lemma: str | Formula) -> Formula:
    r"""The formula of a lemma: `parse("A /\ B -> B /\ A")`, `parse("SYJ203.3")`."""
    from curricula import resolve_lemma

    if not isinstance(lemma, str):
        return lemma
    found = resolve_lemma(lemma)
    _warn(found.placed_remarks)
    return found.formula


def curriculum(name: str, levels: str | None = None) -> Curriculum:
    """The lemmas of a curriculum by name, or those of a file or a folder; of a family those of levels such as `1-3`."""
    from curricula import parse_levels, resolve

    found = resolve(name, levels=parse_levels(levels) if levels else None)
    _warn(found.reading)
    return found


def _warn(remarks: Iterable[str]) -> None:
    """Say in warnings how text was read that others read otherwise."""
    for remark in remarks:
        warnings.warn(remark, stacklevel=3)


def train(lemmas: str | Formula = "thesis", **settings: Any) -> Student:
    """A student that has practised a curriculum or a lemma, with the defaults of `oasis train`; nothing is stored.

    Args:
        lemmas: what `curriculum` or `parse` takes.
        settings: fields of `oasis.student.settings.Settings`, such as `learner="sarsa", episodes=500, seed=1`; a
            learner or a reward of your own is named as in `learner="mine:EXPECTED"`, or `"__main__:EXPECTED"` where it
            is typed in.

    Raises InputError for a setting that there is not, or that cannot be.
    """
    from oasis.student.settings import MAIN_JOB
    from oasis.student.student import School
    from tactics.errors import check_choice

    for name in settings:
        check_choice("a setting", name, vars(MAIN_JOB))
    chosen = replace(MAIN_JOB, **settings)
    student = School(chosen).student(chosen.seed)
    formulas = [lemma.formula for lemma in curriculum(lemmas).lemmas] if isinstance(lemmas, str) else [lemmas]
    for formula in formulas:
        student.practise(formula, chosen.episodes)
    return student


def examine(who: Student | Policy | str, lemma: str | Formula, plays: int = 100) -> Exam:
    """What a student or a policy proves in so many plays, ties by lot, from which nothing is learned.

    A policy may be named as `oasis policy eval` takes it: `tiny`, a file, `mine:POLICY`.
    """
    from oasis.play.exam import examine
    from oasis.student.student import Student
    from tactics.errors import InputError

    formula = parse(lemma)
    if isinstance(who, Student):
        return who.examine(formula, plays)
    if isinstance(who, str):
        from oasis.neural.policies import policy_named

        who = policy_named(who, None)
    if not hasattr(who, "probabilities"):
        raise InputError(f"examine takes a student, a policy or the name of one, not {who!r}.")
    return examine(who, formula, plays=plays)


def decide(lemma: str | Formula, seconds: float = 10.0) -> Decision:
    """Whether a lemma is a theorem: a verdict, and how it was found."""
    from oasis.teacher.deciding.decide import decide

    return decide(parse(lemma), seconds=seconds)


def prove(lemma: str | Formula, *, shortest: bool = False, seconds: float = 10.0) -> Script | None:
    """A proof of a lemma, or one that no other beats; None if it has none, or none was found in the time."""
    from oasis.escalation.proving import Teaching
    from oasis.play.solving import Budget, solve

    found = solve(parse(lemma), Teaching(shortest=shortest), Budget(seconds=seconds))
    return None if shortest and not found.is_shortest else found.script


def countermodel(lemma: str | Formula, seconds: float = 10.0) -> Countermodel | None:
    """A small Kripke model in which a lemma is not true; None if it is a theorem, or none was found in the time."""
    from oasis.ground.limits import Limit
    from oasis.teacher.countermodels.countermodel import Countermodel

    formula, limit = parse(lemma), Limit(seconds)
    return Countermodel.of(decide(formula, seconds), formula, limit)


def states(lemma: str | Formula, state_space: str = "name", limit: int = 1_000_000) -> int:
    """The number of states that a lemma leads to, as a state space tells them apart.

    Raises InputError if there are more than `limit`.
    """
    from state_spaces.reachable import Census
    from tactics.errors import InputError

    census = Census(parse(lemma), [state_space], limit)
    for _ in census.count_states():
        pass
    tally = census.states[state_space]
    if not tally.complete:
        raise InputError(f"There are more than {limit:,} states; give a larger limit, or an easier lemma.")
    return tally.value


def experiment(number: int | None = None, db: str | Path = "oasis.db") -> Experiment[Any]:
    """An experiment that a command such as `oasis compare` keeps: its plan, and the arrays of its trials by name.

    It may be unfinished; then it has the trials that are done. Looking at it changes nothing.

    Args:
        number: of the experiment; None for the newest.
        db: the file that it is kept in.
    """
    from oasis.lab.experiment import Experiment

    return Experiment.open(db, number)
