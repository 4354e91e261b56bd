"""What all exports share: proofs that are replayed and complete, names that a prover takes, text of bounded length."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from oasis.backends.names import safe_names
from tactics.errors import InputError
from tactics.formula import Formula, Implies, atoms, renamed
from tactics.goal import Goal, Hypothesis, Move, principal
from tactics.printer import Notation, show
from tactics.script import Script, replay

MAX_CHARACTERS: Final = 5_000_000
"""The longest file that is written; a lemma that would make it longer is refused."""
_LONGEST_NAME: Final = 60
_LETTERS_A_NODE: Final = 2
"""That a formula has at least for each of its nodes when it is written out, roughly."""


class Proof(NamedTuple):
    """A lemma by its name, any text, and a script that proves it."""

    name: str
    formula: Formula
    script: Script


@dataclass(frozen=True)
class Export:
    """A kind of file that proofs are handed out as.

    Attributes:
        suffix: of the file's name, with its dot.
        write: the text of a file that holds these proofs and stands alone. Raises InputError, with the lemma's name in
            front: a script does not replay or leaves goals open, or the text would be too long.
    """

    suffix: str
    write: Callable[[Sequence[Proof]], str]


@dataclass(frozen=True, eq=False, repr=False)
class Step:
    """One move of a proof and where in the tree of the proof it stands.

    Attributes:
        goal: what the move is made on.
        move: the move.
        premises: what it leaves to prove.
        rank: which premise of `parent` the goal is, from 0.
        parent: the step that left this goal; None for the first.
        finishes: after a move that closes its goal the goals, innermost first, that are proved by it, each as the step
            that was made on it.
    """

    goal: Goal
    move: Move
    premises: tuple[Goal, ...]
    rank: int
    parent: Step | None
    finishes: tuple[Step, ...] = ()

    @property
    def is_last(self) -> bool:
        """Whether no further premise of its parent comes after this goal."""
        return self.parent is None or self.rank == len(self.parent.premises) - 1

    @property
    def antecedent(self) -> Formula:
        """That of the implication that the move is applied to."""
        implication = principal(self.goal, self.move)
        assert isinstance(implication, Implies)
        return implication.left

    def given(self, formula: Formula) -> str:
        """The name of the youngest hypothesis that says `formula`."""
        return next(name for name, said in reversed(self.goal.hypotheses) if said is formula)

    def changed(self, premise: int = 0) -> list[Hypothesis]:
        """The hypotheses in a premise that are not in the goal, the oldest first."""
        known = set(self.goal.hypotheses)
        return [each for each in self.premises[premise].hypotheses if each not in known]


def steps(formula: Formula, script: Script) -> list[Step]:
    """The steps of a complete proof. Raises ScriptError, or InputError if it ends with goals open."""
    states = replay(formula, script)
    if states[-1]:
        raise InputError(f"the script ends with {len(states[-1])} open goals; only a complete proof can be exported.")
    found: list[Step] = []
    places: list[tuple[int, Step | None]] = [(0, None)]
    for move, before, after in zip(script, states, states[1:], strict=False):
        premises = after[: len(after) - len(before) + 1]
        rank, parent = places.pop()
        step = Step(before[0], move, premises, rank, parent)
        if not premises:
            finished = [step]
            while finished[-1].is_last and (above := finished[-1].parent) is not None:
                finished.append(above)
            step = Step(before[0], move, premises, rank, parent, tuple(finished))
        found.append(step)
        places += [(number, step) for number in reversed(range(len(premises)))]
    return found


@dataclass(frozen=True)
class Entry:
    """A proof made ready for a prover.

    Attributes:
        title: the lemma's name as a comment can hold it: one line, nothing that ends or opens a comment.
        identifier: its name as the prover takes it.
        formula: with its atoms renamed.
        steps: of the script, for that formula.
        renamings: atoms that had to get other names, as pairs of ours and the file's.
    """

    title: str
    identifier: str
    formula: Formula
    steps: list[Step]
    renamings: tuple[tuple[str, str], ...]

    @property
    def atoms(self) -> list[str]:
        """The names of the atoms, in the order of their first occurrence."""
        return [atom.name for atom in atoms(self.formula)]

    def remarks(self) -> Iterator[str]:
        """Lines for a comment in front of the lemma: its name and what was renamed."""
        yield self.title
        for ours, theirs in self.renamings:
            yield f"The atom {one_line(ours)} is called {theirs} here."


def entries(proofs: Sequence[Proof], reserved: Collection[str] = ()) -> Iterator[Entry]:
    """Each proof made ready, for a prover that reserves these names. Raises InputError, the lemma's name in front."""
    used = set(reserved)
    for proof in proofs:
        names = safe_names(proof.formula, reserved)
        formula = renamed(proof.formula, names) if names else proof.formula
        identifier = _identifier(proof.name, used)
        used.add(identifier)
        with named(proof.name):
            ready = steps(formula, proof.script)
        yield Entry(one_line(proof.name), identifier, formula, ready, tuple(names.items()))


@contextmanager
def named(name: str) -> Iterator[None]:
    """Puts the name of a lemma in front of what an InputError says."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{one_line(name)}: {error}") from None


def _identifier(name: str, used: Collection[str]) -> str:
    """ASCII letters, digits and _, starting with a letter, and none of those used."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name)[:_LONGEST_NAME].strip("_")
    # A lemma called H would be in the way of hypotheses.
    if not plain or not plain[0].isalpha() or re.fullmatch(r"H\d*", plain):
        plain = f"lemma_{plain}".strip("_")
    number, candidate = 1, plain
    while candidate in used:
        number += 1
        candidate = f"{plain}_{number}"
    return candidate


def one_line(text: str) -> str:
    """Text that is safe inside any comment: printable, on one line, without `*`, quotes or `{-` and its like."""
    plain = "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))
    plain = re.sub(r"""[*"`{}]""", "'", plain)
    return plain if len(plain) <= 100 else f"{plain[:97]} …"


class Text:
    """A file under way: pieces of text, counted, so that what is too long is refused before it is written out."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.left = MAX_CHARACTERS
        """Characters that there is still room for."""
        self._shown: dict[tuple[Formula, str], str] = {}
        self.subject = ""
        """The lemma under way, for an error message."""

    def add(self, *pieces: str) -> None:
        """Append. Raises InputError when the file becomes too long."""
        self._pieces += pieces
        self.left -= sum(map(len, pieces))
        if self.left < 0:
            raise self.too_long()

    def line(self, text: str = "", indent: int = 0) -> None:
        """Append a line."""
        self.add(" " * indent, text, "\n")

    def formula(self, formula: Formula, notation: Notation) -> str:
        """The text of a formula without `~` and `<->`, not appended. Raises InputError when it is too long."""
        key = formula, notation.name
        if key not in self._shown:
            if formula.size > self.left // _LETTERS_A_NODE:
                raise self.too_long()
            try:
                self._shown[key] = show(formula, replace(notation, atom=str), sugar=False, limit=self.left)
            except InputError:
                raise self.too_long() from None
        return self._shown[key]

    def too_long(self) -> InputError:
        """What to say of a proof that there is no room for."""
        return InputError(
            f"{self.subject}: this proof would make a file of more than {MAX_CHARACTERS:,} characters; "
            "take a smaller lemma or a shorter proof."
        )

    def __str__(self) -> str:
        return "".join(self._pieces)
