"""What there is to learn from a lemma: its goals with a losing move, labelled, or why there is nothing. No torch.

Labelled goals are lines of JSON as well, for whoever trains something else: a goal with its moves, and of each move
whether it keeps the goal provable, and the goals that it leaves with whether they are provable.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple, TextIO

from curricula import Lemma, propl
from oasis.ground.limits import Limit, LimitReached
from oasis.neural.labels import Labelled, Oracle
from oasis.neural.training.data import losing, oracle_plays, theorems
from oasis.neural.training.reserved import key, reserved_keys, split_of
from oasis.neural.training.settings import DataSettings
from oasis.neural.training.stream import streamed
from state_spaces.name import lemma_key
from tactics.errors import InputError
from tactics.formula import Formula, atoms
from tactics.goal import Goal, Hypothesis, fresh_name, names_to_avoid
from tactics.json_form import goal_to_json, move_to_json
from tactics.printer import show
from tactics.rules import legal_moves, premises

PIECE: Final = 20
"""Lemmas that a process looks at at a time."""
SECONDS: Final = 10.0
"""How long looking at a lemma may take."""


class Looked(NamedTuple):
    """What was found in a lemma.

    Attributes:
        lemma: its name.
        key: what it is up to renaming; empty where it is too symmetric for that to be told.
        split: the part of all theorems that it is in.
        goals: its labelled goals, a line of JSON each.
        moves: of these goals.
        reason: why there are none; empty if there are some.
    """

    lemma: str
    key: bytes
    split: str
    goals: tuple[str, ...]
    moves: int
    reason: str


def of_propl(settings: DataSettings, workers: int) -> Iterator[Looked]:
    """What there is in theorems of PropL, without end, each looked at once up to renaming."""
    seen: set[bytes] = set()
    for piece in streamed(partial(_piece_of_propl, replace(settings, theorems=PIECE)), 0, workers):
        for looked in piece:
            if looked.key not in seen:
                seen.add(looked.key)
                yield looked


def to_learn(lemmas: tuple[Lemma, ...], settings: DataSettings, workers: int) -> Iterator[Looked]:
    """What there is in the lemmas of a curriculum, nothing in those that are reserved for tests."""
    for looked in of_curriculum(lemmas, settings, workers):
        is_reserved = looked.key in reserved_keys()
        yield looked._replace(goals=(), moves=0, reason="reserved for tests") if is_reserved else looked


def of_curriculum(lemmas: tuple[Lemma, ...], settings: DataSettings, workers: int) -> Iterator[Looked]:
    """What there is in the lemmas of a curriculum, in their order, each looked at once up to renaming."""
    first: dict[bytes, str] = {}
    look = partial(_piece_of_curriculum, tuple((lemma.name, lemma.formula) for lemma in lemmas), settings)
    for piece in streamed(look, 0, workers, -(-len(lemmas) // PIECE)):
        for looked in piece:
            named = first.setdefault(looked.key, looked.lemma) if looked.key else looked.lemma
            if named != looked.lemma:
                looked = looked._replace(goals=(), moves=0, reason="the same as another one, up to renaming")
            yield looked


def _piece_of_propl(settings: DataSettings, number: int) -> list[Looked]:
    n = settings.connectives[number % len(settings.connectives)]
    return [
        _with_goals(f"propl/{n}/{propl.number(met.theorem, n)}", met.theorem, key(met.theorem), met.labelled)
        for met in theorems(settings, number)
    ]


def _piece_of_curriculum(lemmas: tuple[tuple[str, Formula], ...], settings: DataSettings, number: int) -> list[Looked]:
    return [look(*lemma, settings) for lemma in lemmas[number * PIECE : (number + 1) * PIECE]]


def look(name: str, theorem: Formula, settings: DataSettings) -> Looked:
    """Let the oracle play a lemma that may be no theorem."""
    known = lemma_key(theorem) or b""
    nothing = Looked(name, known, split_of(known), (), 0, "")
    oracle, draw = Oracle(Limit(SECONDS)), random.Random(f"{settings.seed} {name}").random
    try:
        if not oracle.provable((theorem,)):
            return nothing._replace(reason="no theorem")
        labelled = losing(oracle_plays(theorem, oracle, draw, settings))
        if not labelled:
            return nothing._replace(reason=f"no wrong move in {settings.plays} plays")
        return _with_goals(name, theorem, known, labelled)
    except LimitReached:
        return nothing._replace(reason=f"not played within {SECONDS:g} seconds")
    except InputError:  # what is too long to be written out
        return nothing._replace(reason="too large")


class Lines:
    """Labelled goals of one split, a line each: how many have been written, and which lemmas are left out, and why."""

    def __init__(self, split: str) -> None:
        self.split = split
        self.lines = self.theorems = self.moves = 0
        self.left_out: dict[str, list[str]] = {}
        self.is_stopped = False

    def stop(self) -> None:
        """End after the lemma that is being written: what is broken off in a compressed file cannot be read."""
        self.is_stopped = True

    def write(self, found: Iterator[Looked], stream: TextIO, total: int, *, endless: bool) -> Iterator[int]:
        """Write the lines of the split; gives how many lemmas are done, of an endless source those written."""
        for done, looked in enumerate(found, 1):
            reason = looked.reason or (f"in the split {looked.split}" if looked.split != self.split else "")
            if not reason:
                self.theorems += 1
                for line in looked.goals:
                    stream.write(line + "\n")
                    self.lines += 1
                self.moves += looked.moves
            elif not endless:
                self.left_out.setdefault(reason, []).append(looked.lemma)
            yield self.theorems if endless else done
            if self.is_stopped or (endless and self.theorems == total):
                return


def _with_goals(name: str, theorem: Formula, known: bytes, labelled: Mapping[Any, Labelled]) -> Looked:
    split = split_of(known)
    about = {"lemma": name, "formula": show(theorem, quantified=True), "split": split}
    goals = tuple(json.dumps({**about, **_to_json(each)}, ensure_ascii=False) for each in labelled.values())
    return Looked(name, known, split, goals, sum(len(each.options) for each in labelled.values()), "")


def _to_json(labelled: Labelled) -> dict[str, Any]:
    """A provable goal and its moves, its hypotheses named as a prover would."""
    goal = _named(labelled)
    formulas = dict(goal.hypotheses)
    keeps = {
        (option.rule, option.principal): keeps for option, keeps in zip(labelled.options, labelled.keeps, strict=True)
    }
    moves = []
    for move in legal_moves(goal):
        kept = keeps[move.rule, goal.conclusion if move.hypothesis is None else formulas[move.hypothesis]]
        left = [
            {**goal_to_json(premise), "provable": kept or number > 0}
            for number, premise in enumerate(premises(goal, move))
        ]
        moves.append({**move_to_json(move), "keeps": kept, "premises": left})
    return {"goal": goal_to_json(goal), "provable": True, "moves": moves}


def _named(labelled: Labelled) -> Goal:
    """A goal with names for its hypotheses."""
    conclusion, *formulas = labelled.formulas
    avoid = names_to_avoid({atom.name for formula in labelled.formulas for atom in atoms(formula)})
    taken, hypotheses = set(avoid), []
    for formula in formulas:
        hypotheses.append(Hypothesis(fresh_name(taken), formula))
        taken.add(hypotheses[-1].name)
    return Goal(tuple(hypotheses), conclusion, avoid)
