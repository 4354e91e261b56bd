"""What a notebook needs, a line each; `import oasis` offers all of it, and imports what a line needs when it is used.

A lemma is given by name (`SYJ203.3`, `thesis/43`), as text in any of the notations, or as a formula; a proof as text
such as `intro; assumption`, or as moves. What comes back shows itself: as text that a person reads, and in a notebook
as mathematics, a table or a picture. Bad input raises InputError, a ValueError whose text is one plain sentence. What
other people read otherwise is said in a warning.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from oasis import __all__ as __all__

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from curricula import Curriculum, Lemma
    from oasis.lab.experiment import Experiment
    from oasis.lab.report import Report
    from oasis.notebook.proof import File, Proof
    from oasis.notebook.run import Run
    from oasis.play.exam import Exam
    from oasis.play.policy import Policy
    from oasis.student.student import Student
    from oasis.teacher.countermodels.countermodel import Countermodel
    from oasis.teacher.deciding.decide import Decision
    from oasis.teacher.hints import Hint
    from tactics.claims import Certificate
    from tactics.formula import Formula
    from tactics.script import Script

_PORTIONS = 20
"""Of the practice of a lemma, after each of which a bar moves on."""


def parse(lemma: str | Formula) -> Formula:
    r"""The formula of a lemma: `parse("A /\ B -> B /\ A")`, `parse("SYJ203.3")`."""
    return _lemma(lemma).formula if isinstance(lemma, str) else lemma


def curriculum(name: str, levels: str | None = None) -> Curriculum:
    """The lemmas of a curriculum by name, or those of a file or a folder; of a family those of levels such as `1-3`."""
    from curricula import parse_levels, resolve

    found = resolve(name, levels=parse_levels(levels) if levels else None)
    _warn(found.reading)
    return found


def lemmas(name: str = "textbook", levels: str | None = None) -> tuple[Lemma, ...]:
    """The lemmas of a curriculum, as `curriculum` takes it."""
    return curriculum(name, levels).lemmas


def _lemma(lemma: str | Formula) -> Lemma:
    """A lemma with its name; a formula is called what it says."""
    from curricula import Lemma, resolve_lemma
    from curricula.lemma import lemma_name

    if not isinstance(lemma, str):
        return Lemma(lemma_name(repr(lemma)), lemma, None, "typed")
    found = resolve_lemma(lemma)
    _warn(found.placed_remarks)
    return found


def _script(proof: str | Script) -> Script:
    from tactics.script import parse_script

    return parse_script(proof) if isinstance(proof, str) else tuple(proof)


def _warn(remarks: Iterable[str]) -> None:
    """Say in warnings, at the line that called this module, how text was read that others read otherwise."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename == __file__:
        frame, level = frame.f_back, level + 1
    for remark in remarks:
        warnings.warn(remark, stacklevel=level)


def train(lemmas: str | Formula = "thesis", *, progress: bool | None = None, **settings: Any) -> Student:
    """A student that has practised a curriculum or a lemma, with the defaults of `oasis train`; nothing is stored.

    Args:
        lemmas: what `curriculum` or `parse` takes.
        progress: whether it is shown how far it is; None for in a notebook and at Python's prompt alone.
        settings: fields of `oasis.student.settings.Settings`, such as `learner="sarsa", episodes=500, seed=1`; a
            learner or a reward of your own is named as in `learner="mine:EXPECTED"`, or `"__main__:EXPECTED"` where it
            is typed in.

    Raises InputError for a setting that there is not, or that cannot be.
    """
    from oasis.notebook.progress import progress_of
    from oasis.student.settings import MAIN_JOB
    from oasis.student.student import School, on_compiling
    from tactics.errors import check_choice

    for name in settings:
        check_choice("a setting", name, vars(MAIN_JOB))
    chosen = replace(MAIN_JOB, **settings)
    student = School(chosen).student(chosen.seed)
    formulas = [lemma.formula for lemma in curriculum(lemmas).lemmas] if isinstance(lemmas, str) else [lemmas]
    for sentence in on_compiling([chosen]):
        print(sentence, file=sys.stderr)
    size = -(-chosen.episodes // _PORTIONS)
    with progress_of("episodes", len(formulas) * chosen.episodes, progress) as show:
        for place, formula in enumerate(formulas):
            for begun in range(0, chosen.episodes, size):
                portion = min(size, chosen.episodes - begun)
                student.practise(formula, portion)
                show(place * chosen.episodes + begun + portion)
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


def prove(lemma: str | Formula, *, shortest: bool = False, seconds: float = 10.0) -> Proof | None:
    """A proof of a lemma, or one that no other beats; None if it has none, or none was found in the time."""
    return _proof(_lemma(lemma), shortest, seconds)


def _proof(wanted: Lemma, shortest: bool = False, seconds: float = 10.0) -> Proof | None:
    from oasis.escalation.proving import Teaching
    from oasis.notebook.proof import Proof
    from oasis.play.solving import Budget, solve

    found = solve(wanted.formula, Teaching(shortest=shortest), Budget(seconds=seconds))
    if found.script is None or (shortest and not found.is_shortest):
        return None
    return Proof(wanted.name, wanted.formula, found.script)


def check(lemma: str | Formula, proof: str | Script, prover: str = "native") -> Certificate:
    """What a prover says of a proof: `native` replays it, `coq` and `lean` know nothing of this program.

    The answer is true if the proof was accepted, and says why if not.

    Raises InputError for a prover that there is not, BackendError for one that is missing or fails.
    """
    from oasis.backends.certifying import ask
    from tactics.claims import Claim

    (certificate,) = ask(prover, [Claim(parse(lemma), _script(proof))])
    return certificate


def export(lemma: str | Formula, to: str = "coq", proof: str | Script | None = None) -> File:
    """A proof as a file for a prover, for LaTeX, in words or as a picture (`oasis export --to`).

    Args:
        lemma: that is proved.
        to: the kind of file, such as `coq`, `lean`, `latex`, `fitch`, `svg` or `prose`.
        proof: its proof; None for one that the teacher finds.

    Raises InputError if there is no such kind, or no proof.
    """
    from oasis.notebook.proof import Proof
    from tactics.errors import InputError

    wanted = _lemma(lemma)
    found = _proof(wanted) if proof is None else Proof(wanted.name, wanted.formula, _script(proof))
    if found is None:
        raise InputError(f"No proof of {wanted.name} was found; oasis.decide says whether it has one.")
    return found.export(to)


def hint(lemma: str | Formula, proof: str | Script = (), level: int = 4, seconds: float = 10.0) -> Hint:
    """A hint after the first moves of a proof: 1 still provable? 2 and where to look, 3 and which rule, 4 and the move.

    Raises ScriptError, an InputError, for a move that does not apply, and LimitReached.
    """
    from oasis.ground.limits import Limit
    from oasis.teacher.hints import LEVELS, Teacher
    from tactics.errors import check_choice
    from tactics.script import replay

    check_choice("level", level, LEVELS)
    script = _script(proof)
    return Teacher(Limit(seconds)).hint(replay(parse(lemma), script), script, level)


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


def study(
    lemmas: str,
    *,
    seeds: int = 10,
    seed: int = 0,
    workers: int | None = None,
    progress: bool | None = None,
    **settings: Any,
) -> Report:
    """What kinds of students come to on the same lemmas with the same seeds, as `oasis compare`; nothing is stored.

    Args:
        lemmas: what `curriculum` takes.
        seeds: students of each kind, at least 2.
        seed: of the first student; the others count on from it.
        workers: processes that work at once; None for one for each core.
        progress: as for `train`.
        settings: as for `train`; each combination of the values of lists, as in `learner=["sarsa", "q-learning"]`, is a
            kind.

    Raises InputError for a setting that there is not, or that cannot be.
    """
    from oasis.lab.engines import engine, every_outcome
    from oasis.lab.students.grid import VARIED, Grid
    from oasis.notebook.progress import progress_of
    from oasis.student.settings import Settings
    from tactics.errors import InputError, check_choice

    if seeds < 2:
        raise InputError(f"seeds must be at least 2, not {seeds}: one student alone has no interval.")
    lists = {name: value if isinstance(value, list | tuple) else [value] for name, value in settings.items()}
    episodes = lists.pop("episodes", [500])
    for name, values in lists.items():
        check_choice("a setting", name, VARIED)
        for value in values:
            VARIED[name].check(value)
    if len(episodes) > 1:
        raise InputError("All kinds have the same number of episodes; give one number.")
    found = curriculum(lemmas)
    base = Settings(episodes=episodes[0], seed=seed)
    grid = Grid(found.name, found.lemmas, base, lists, tuple(range(seed, seed + seeds)))
    plans = grid.plans(grid.variants())
    with progress_of("trials", sum(len(plan.variants) * seeds for plan in plans.values()), progress) as show:
        trials = every_outcome(plans, engine("processes", workers=workers), show)
    return plans[found.name].report(trials[found.name])


def load(number: int | None = None, db: str | Path = "oasis.db") -> Run:
    """A run that `oasis train` keeps: what came of it, every episode as arrays, and its student.

    Args:
        number: of the run; None for the newest.
        db: the file that it is kept in.

    Raises StoreError if there is none.
    """
    from oasis.notebook.run import Run

    return Run.open(db, number)
