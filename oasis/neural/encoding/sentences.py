"""A goal as a sentence, in Polish notation, and its moves as words that go on with it; for language models.

Polish notation has no brackets: a connective stands before its two sides (Łukasiewicz 1929). The conclusion comes
first, then each distinct hypothesis, then the question what to do; a move is the word of its rule and, if that takes a
hypothesis, its slot: `a5 ⊢ → a2 a5 h9 a2 h4 ? imply1 h9`. What a formula is in the goal, the conclusion or the
hypothesis in a slot, is said after it, where a network that reads from left to right has seen all of it.

Neither names nor order count: hypotheses stand in the order of a canonical labelling (`state_spaces.canonical`), and
atoms are numbered as they occur. So goals that are the same up to names are the same sentence. Hypotheses that a
symmetry of the goal exchanges are a tie, which falls either way: the sentence is the same then too, but a slot may
stand for the one here and for the other there. (A repeated hypothesis counts once, so it may be in a tie with one that
is not repeated.) A goal too symmetric to be labelled keeps the order it came in.

Atoms and slots are written with labels out of a fixed number, in an order that the digest of the sentence shuffles. So
each label is met as often as any other, and a goal with more atoms or hypotheses than any in training has no label that
was never met (after the randomized positions of Ruoss et al. 2023, arXiv 2305.16843). Who has more atoms or hypotheses
than there are labels uses some twice, and these look alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from string import ascii_letters
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.neural.encoding.moves import Formulas, Option
from state_spaces.canonical import TooSymmetric, Unnamed, label_unnamed
from tactics import rules
from tactics.formula import TRUTH, And, Atom, Binary, Formula, Implies, Or

LABELS: Final = blake2b.MAX_DIGEST_SIZE
"""Atoms that can be told apart, and hypotheses; 64."""
WORDS: Final = (
    *("_", "⊢", "?", "…", "False", "True", "∧", "∨", "→"),
    *rules.RULES,
    *(f"a{label}" for label in range(LABELS)),
    *(f"h{label}" for label in range(LABELS)),
)
"""What tokens stand for: nothing; that this is the conclusion; the question; a part that was left out; leaves and
connectives; rules; atoms; and the slots of hypotheses."""
_LABELLED: Final = ascii_letters + "=+*/<>&@#%$~"
SPOKEN: Final = (
    *(" _", " :", "?", " ...", " false", " true", " and", " or", " ->"),
    *(" intro", " exact", " absurd", " split", " left", " right", " both", " cases"),
    *(" apply", " curry", " fork", " nested"),
    *(f" {label}" for label in _LABELLED),
    *(label for label in _LABELLED),
)
"""The same for language models, in the same order: each is one token of theirs, and has a blank before it or none."""
TOKENS: Final = len(WORDS)
NOTHING, CONCLUSION, QUESTION, LEFT_OUT, FALSE_WORD, TRUE_WORD = range(6)
RULE_WORDS: Final = {name: WORDS.index(name) for name in rules.RULES}
"""The token of each rule."""
LONGEST: Final = 4096
"""Tokens of a sentence: of a longer goal the deepest parts are left out, as far as that makes it short enough."""
REMEMBERED: Final = 2**15
"""Formulas whose notation is kept."""
CONNECTIVES: Final[dict[type[Formula], int]] = {And: WORDS.index("∧"), Or: WORDS.index("∨"), Implies: WORDS.index("→")}
"""The token of each connective."""
_ATOMS, _SLOTS = WORDS.index("a0"), WORDS.index("h0")
Notation = tuple[int | Atom, ...]
"""A formula as tokens, and atoms that have no label yet."""


class Sentence(NamedTuple):
    """A goal as tokens, and the moves that are asked about.

    Attributes:
        tokens: from the conclusion to the question; shape (tokens,).
        moves: of each the token of its rule, and that of its slot or `NOTHING`; shape (moves, 2).
    """

    tokens: NDArray[np.uint8]
    moves: NDArray[np.uint8]


class Spelled(NamedTuple):
    """A goal as tokens, and the slot of each of its hypotheses."""

    tokens: NDArray[np.uint8]
    slots: dict[Formula, int]

    def asking(self, moves: Iterable[Option]) -> Sentence:
        """The goal with some of its moves."""
        asked = [
            (RULE_WORDS[move.rule], self.slots[move.principal] if takes_hypothesis(move.rule) else NOTHING)
            for move in moves
        ]
        return Sentence(self.tokens, np.array(asked, np.uint8).reshape(-1, 2))

    @property
    def words(self) -> tuple[list[int], list[int]]:
        """The tokens with which a tactic may begin, and those that may be second: rules, and slots of hypotheses.

        Without hypotheses no rule that takes one may be written, and what is second does not count.
        """
        rules_here = [word for rule, word in RULE_WORDS.items() if self.slots or not takes_hypothesis(rule)]
        return rules_here, list(self.slots.values()) or [NOTHING]

    def move(self, first: int, second: int) -> tuple[str, Formula | None] | None:
        """The rule and, if it takes one, the hypothesis that two tokens stand for, legal or not; None if for no move.

        The second token counts only where a hypothesis has to be named. One that is the slot of no hypothesis is none.
        """
        rule = WORDS[first]
        if rule not in RULE_WORDS:
            return None
        if not takes_hypothesis(rule):
            return rule, None
        return next(((rule, formula) for formula, slot in self.slots.items() if slot == second), None)

    def signs(self, conclusion: Formula) -> list[Formula | None]:
        """Of each token the subformula whose sign it is, None for the others; no list where parts are left out."""
        if LEFT_OUT in self.tokens:
            return []
        found: list[Formula | None] = []
        for formula in (conclusion, *self.slots):
            found += (*_signs(formula), None)
        return [*found, None]


def takes_hypothesis(rule: str) -> bool:
    """Whether a move of a rule has a second word."""
    return rules.RULES[rule].takes_hypothesis


def sentence(formulas: Formulas, moves: Iterable[Option] = (), *, shuffled: bool = True) -> Sentence:
    """A goal as tokens, with those of its moves that are asked about; see `spelled`."""
    return spelled(formulas, shuffled=shuffled).asking(moves)


def spelled(formulas: Formulas, *, shuffled: bool = True) -> Spelled:
    """A goal as tokens, and the slots of its hypotheses.

    Args:
        formulas: the goal.
        shuffled: whether labels come in an order that depends on the goal; else in their own.
    """
    hypotheses = in_order(formulas)
    numbers: dict[Atom, int] = {}
    lines = [
        [part if isinstance(part, int) else TOKENS + numbers.setdefault(part, len(numbers)) for part in notation]
        for notation in notations((formulas[0], *hypotheses), LONGEST - len(formulas) - 1)
    ]
    labels: Sequence[int] = range(LABELS)
    slots = labels
    if shuffled:
        digested = np.array([token for line in lines for token in line], np.uint32).tobytes()
        labels, slots = _shuffled(digested, b"atoms"), _shuffled(digested, b"slots")
    slot_of = {formula: _SLOTS + slots[place % LABELS] for place, formula in enumerate(hypotheses)}
    tokens = [*lines[0], CONCLUSION]
    for formula, line in zip(hypotheses, lines[1:], strict=True):
        tokens += (*line, slot_of[formula])
    tokens.append(QUESTION)
    named = [token if token < TOKENS else _ATOMS + labels[(token - TOKENS) % LABELS] for token in tokens]
    return Spelled(np.array(named, np.uint8), slot_of)


def in_order(formulas: Formulas) -> Sequence[Formula]:
    """The hypotheses of a goal in canonical order."""
    conclusion, *hypotheses = formulas
    if len(hypotheses) < 2:
        return hypotheses
    try:
        canonical = label_unnamed([Unnamed(hypotheses, conclusion)]).formulas
    except TooSymmetric:
        return hypotheses
    given = frozenset(hypotheses)
    return [formula for formula in canonical if formula in given]


def _shuffled(digested: bytes, what: bytes) -> list[int]:
    """The labels in an order that depends on some bytes."""
    order: list[int] = np.argsort(
        np.frombuffer(blake2b(digested, person=what).digest(), np.uint8), kind="stable"
    ).tolist()
    return order


def notations(formulas: Sequence[Formula], room: int) -> list[Notation]:
    """Return formulas in Polish notation, as deep as there is room for: so many tokens, atoms among them, in all."""
    if sum(formula.size for formula in formulas) <= room:
        return [_notation(formula, LONGEST) for formula in formulas]
    depth = LONGEST.bit_length()
    while sum(map(len, found := [_notation(formula, depth) for formula in formulas])) > room and depth:
        depth -= 1
    return found


@lru_cache(REMEMBERED)
def _notation(formula: Formula, depth: int) -> Notation:
    """A formula in Polish notation; what is deeper than some connectives is left out, and truth has no sides."""
    found: list[int | Atom] = []
    pending = [(formula, depth)]
    while pending:
        part, room = pending.pop()
        if isinstance(part, Atom):
            found.append(part)
        elif not isinstance(part, Binary) or part is TRUTH:
            found.append(TRUE_WORD if part is TRUTH else FALSE_WORD)
        elif room:
            found.append(CONNECTIVES[type(part)])
            pending += [(part.right, room - 1), (part.left, room - 1)]
        else:
            found.append(LEFT_OUT)
    return tuple(found)


def _signs(formula: Formula) -> Iterator[Formula]:
    """The subformulas of a formula as often as they occur, each before its sides; truth is taken as one without any."""
    pending = [formula]
    while pending:
        part = pending.pop()
        yield part
        if isinstance(part, Binary) and part is not TRUTH:
            pending += [part.right, part.left]
