"""Sheets: texts that state lemmas, in whatever language people have written them, read as a whole.

A sheet holds every lemma that could be read, with the place it came from, and beside them what could not: statements
that can be read in two ways, statements beyond propositional logic, and text that is no formula. The languages
themselves are `curricula.statements`'s and `curricula.prose`'s.
"""

from __future__ import annotations

import re
import shlex
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from curricula.lemma import Lemma, chain, lemma_name
from curricula.place import SourceError, check_length
from curricula.prose import latex, line_of_list, list_of_lemmas, markdown
from curricula.statements import Piece, Statement, coq, isabelle, lean
from curricula.tptp import read_problem
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import AmbiguousFormula, FormulaSyntaxError, NotPropositional, Reading
from tactics.reading import read

MOST_LEMMAS: Final = 10**6
"""Lemmas that are read of one file, directory or stream."""

LANGUAGES: Final[Mapping[str, Callable[[str], Iterator[Statement]]]] = {
    ".v": coq,
    ".lean": lean,
    ".thy": isabelle,
    ".tex": latex,
    ".md": markdown,
}
"""How a text is divided into statements, by the ending of its file."""
_ONLY: Final = "only propositional logic is read, so leave it out"
_OTHER_QUANTIFIER: Final = "it has a quantifier over something else than propositions"
_ITEM: Final = "The - in front is read as the mark of an item; write ~ for not."
_BESIDE: Final = "a quantifier in or beside a hypothesis is not understood"
_QUANTIFIER: Final = re.compile(
    r"\\(?:forall|exists)|[∀∃]|\bforall\b|\bexists\b|\b(?:ALL|EX)\b|&forall;|&exist;|\\<(?:forall|exists|And)>|⋀"
)
_TPTP: Final = re.compile(r"^[ \t]*(?:fof|cnf|tff|tcf|thf|tpi|include)[ \t]*\(", re.MULTILINE)
_STATES: Final = r"(?:Lemma|Theorem|Example|Corollary|Proposition|Fact|Remark|Goal)\b"
_SIGN: Final = r"(?:->|<->|/\\|\\/|→|∧|∨|↔)"
_MODIFIED: Final = r"(?:@\[[^\]\n]*\][ \t]*)?(?:(?:private|protected)[ \t]+)?"
_LOOKS: Final = (
    (".md", r"^[ \t]*```"),
    (".thy", r'^[ \t]*(?:theory\s+\w+|(?:lemma|theorem|corollary|proposition)\b[^"\n‹]*(?:\n[ \t]+\w*[ \t]*)?["‹])'),
    (
        ".lean",
        rf"^[ \t]*(?:{_MODIFIED}(?:theorem|lemma)[ \t]+[^\W\d][^\n:]*:|variables?[ \t]*[({{\[]|variables[ \t]+\w)",
    ),
    (".lean", r"^[ \t]*(?:example\b[^\n]*:=|example[ \t]*[({\[]|namespace\b|import[ \t]+\w)"),
    (".v", r"^[ \t]*(?:Proof|Qed|Admitted|Abort|Defined)\b[^\n]*\.[ \t]*$"),
    (".v", r"^[ \t]*(?:(?:Section|End|Require|From|Module)[ \t]+\w|Context[ \t]*[({])"),
    (".v", r"^[ \t]*(?:Variables?|Parameters?|Hypothes[ie]s|Axioms?)[ \t]+[^\n:]*:"),
    (".v", rf"^[ \t]*{_STATES}[^\n]*\.[ \t]+(?:Proof|Qed|Admitted)\b"),
    (".v", rf"^[ \t]*{_STATES}[^\n]*(?:(?:[:,]|{_SIGN})[ \t]*$|\n[ \t]*(?::|{_SIGN}))"),
    (".tex", r"\\(?:begin|documentclass|section|chapter)[ \t]*\{|\\item\b"),
    (".md", r"^[ \t]*(?:~~~[ \t]*$|#{2,6}[ \t]|\|.*\|[ \t]*$)|`[^`\n]+`"),
    (".tex", r"\\\[|\\\(|\b[^\W\d_]{3,}[ \t]+[^$\n]{0,80}\$(?!true\b|false\b)[^$\n]+\$"),
)
"""What the languages look like, for a text without a name: the ending of the first that is found."""
_BEGINS: Final = {
    ".thy": r"\s*(?:\(\*|(?:theory|lemma|theorem|corollary|proposition|text|section|chapter)\b)",
    ".lean": r"\s*(?:--|/-|@\[|#|(?:theorem|lemma|example|variables?|import|open|section|namespace|universes?|def"
    r"|set_option|noncomputable|private|protected|axiom|constants?)\b)",
    ".v": rf"\s*(?:\(\*|#\[|[A-Z]\w+(?!\w|\s*(?::|{_SIGN})))",
}
"""How a text in a language begins: what stands before its first command would not be read."""


class Typed(NamedTuple):
    """A formula that somebody typed, the name that stood before it or None, and remarks on how it was read."""

    name: str | None
    formula: Formula
    remarks: tuple[str, ...] = ()

    def lemma(self, text: str) -> Lemma:
        """Return the lemma that was typed as a text, which is its name if it has no other."""
        return Lemma(lemma_name(self.name or text), self.formula, None, "typed", remarks=self.remarks)


class Refused(NamedTuple):
    """A statement that is no lemma.

    Attributes:
        name: that it would have had.
        message: why it is none, in a sentence without the place.
        position: where, counted from 0.
        line: from 1.
        column: from 1.
        readings: the two ways in which it can be read, with all brackets; empty if it is not ambiguous.
    """

    name: str
    message: str
    position: int
    line: int
    column: int
    readings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return what is told of it to programs: all but the position, and readings if there are two."""
        return {name: value for name, value in self._asdict().items() if name != "position" and value != ()}


@dataclass(frozen=True)
class Sheet:
    """What a text states.

    Attributes:
        source: what the text is called.
        text: the text itself.
        lemmas: what can be read, in order, no two of one name.
        ambiguous: what can be read in two ways.
        passed_over: what is not propositional.
        unreadable: what is no formula.
        is_list: whether it is a list of lemmas, in which every line is meant to be one.
    """

    source: str
    text: str
    lemmas: tuple[Lemma, ...]
    ambiguous: tuple[Refused, ...] = ()
    passed_over: tuple[Refused, ...] = ()
    unreadable: tuple[Refused, ...] = ()
    is_list: bool = False

    def error(self, refused: Refused) -> SourceError:
        """What to say of a statement that is no lemma, with its line and a caret below it."""
        return SourceError(refused.message, self.text, refused.position, self.source)

    def checked(self) -> Sheet:
        """The sheet itself. Raises SourceError for the first text in it that must be changed."""
        if wrong := (*self.ambiguous, *self.unreadable, *(self.passed_over if self.is_list else ())):
            first = min(wrong, key=lambda refused: refused.position)
            can_go_on = self.lemmas and not self.is_list
            file = "-" if self.source == "standard input" else shlex.quote(self.source)
            rest = f". To make a lesson of the rest: oasis lesson from {file}" if can_go_on else ""
            raise self.error(first._replace(message=first.message + rest))
        return self

    @property
    def remarks(self) -> tuple[str, ...]:
        """What should be known of a sheet whose lemmas are used: what was passed over in it, a sentence each."""
        if not self.passed_over:
            return ()
        first, *others = self.passed_over
        where = f"line {first.line} ({first.message})"
        if others:
            return (
                f"{self.source}: {len(self.passed_over):,} statements are no formulas of propositional logic and are "
                f"passed over; the first is in {where}.",
            )
        return (f"{self.source}: a statement is no formula of propositional logic and is passed over, in {where}.",)


def read_sheet(text: str, source: str, *, stem: str | None = None, ending: str = "") -> Sheet:
    """What a text states, in the language of a file's ending or else in that which it looks like.

    Args:
        text: the content of a file or of standard input, or what somebody pasted.
        source: what to call the text in errors and as the source of its lemmas.
        stem: what lemmas without a name are called after; `source` if not given.
        ending: the ending of the file; empty, or one that is not in `LANGUAGES`, for a text that has none.

    Raises:
        InputError: the text has too many statements or one that is too long, or is a TPTP problem that cannot be read.
    """
    stem = source if stem is None else stem
    # As many blanks, so that every place stays where it is.
    text = re.sub("^\ufeff|\r(?=\n)", " ", text)
    if ending == ".p" or (ending not in LANGUAGES and _TPTP.search(text)):
        return Sheet(source, text, (read_problem(text, source, stem).lemma(source),))
    divide = LANGUAGES.get(ending if ending in LANGUAGES else _looks_like(text), list_of_lemmas)
    return _read(text, source, stem, divide(text), is_list=divide is list_of_lemmas)


def read_typed(text: str) -> Typed:
    """Read `formula`, `name : formula`, a statement of Coq, Lean or Isabelle, or `fof(…)`; a final dot is optional.

    Raises FormulaSyntaxError, which points at the place in `text`, and SourceError for a TPTP problem.
    """
    if _TPTP.search(text):
        problem = read_problem(text, "the problem", "")
        return Typed(problem.name or None, problem.problem.formula)
    divide = LANGUAGES.get(_looks_like(text), list_of_lemmas)
    found = list(islice(divide(text), 2)) if divide in (coq, lean, isabelle) else []
    statement = found[0] if len(found) == 1 else line_of_list(text, 0, len(text))
    if statement.fault:
        raise FormulaSyntaxError(statement.fault, text, statement.start)
    if statement.beyond:
        raise NotPropositional(f"{statement.beyond}; {_ONLY}", text, statement.start)
    try:
        formula, remarks = _formula(statement, {})
        is_item = text.lstrip().startswith("- ") and statement.conclusion.start > 0
        return Typed(statement.name, formula, (*remarks, *([_ITEM] if is_item else [])))
    except FormulaSyntaxError as error:
        FormulaSyntaxError.__init__(error, error.message, text, error.position)
        raise


def _looks_like(text: str) -> str:
    """The ending of the files that look like a text; empty for a list of lemmas."""
    looks = (ending for ending, look in _LOOKS if re.search(look, text, re.MULTILINE))
    return next((ending for ending in looks if re.match(_BEGINS.get(ending, ""), text)), "")


def _read(text: str, source: str, stem: str, statements: Iterator[Statement], *, is_list: bool) -> Sheet:
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    lemmas: list[Lemma] = []
    ambiguous: list[Refused] = []
    passed_over: list[Refused] = []
    unreadable: list[Refused] = []
    line_of: dict[str, int] = {}
    known: dict[Piece, Reading | FormulaSyntaxError] = {}
    for number, statement in enumerate(statements):
        check_count(number + 1, source)
        line = bisect_right(starts, statement.start)
        name = lemma_name(statement.name or f"{stem}:{line}")
        if statement.name is None and name in line_of:
            name = f"{name}:{statement.start - starts[line - 1] + 1}"

        def refused(message: str, position: int, readings: tuple[str, ...] = (), name: str = name) -> Refused:
            line = bisect_right(starts, position)
            return Refused(name, message, position, line, position - starts[line - 1] + 1, readings)

        for piece in (*statement.premises, statement.conclusion):
            check_length(text, piece.start, len(piece.text), source)
        if statement.fault:
            unreadable.append(refused(statement.fault, statement.start))
        elif statement.beyond:
            passed_over.append(refused(statement.beyond, statement.start))
        elif name in line_of:
            message = f"the name {name} is in line {line_of[name]} and again in line {line}; rename one of them"
            unreadable.append(refused(message, statement.start))
        else:
            line_of[name] = line
            try:
                formula, remarks = _formula(statement, known)
            except AmbiguousFormula as error:
                ambiguous.append(refused(error.message, error.position, error.readings))
            except FormulaSyntaxError as error:
                is_other = not is_list and _QUANTIFIER.search(statement.conclusion.text)
                message = _OTHER_QUANTIFIER if is_other and "quantifi" not in error.message else error.message
                group = passed_over if is_other or isinstance(error, NotPropositional) else unreadable
                group.append(refused(message, error.position))
            else:
                lemmas.append(Lemma(name, formula, None, f"{source}, line {line}", remarks=remarks))
    return Sheet(source, text, tuple(lemmas), tuple(ambiguous), tuple(passed_over), tuple(unreadable), is_list)


def _formula(statement: Statement, known: dict[Piece, Reading | FormulaSyntaxError]) -> tuple[Formula, tuple[str, ...]]:
    """The formula of a statement and remarks on how it was read; `known` are premises of others before it.

    Raises FormulaSyntaxError, whose position is in the text from which the statement is.
    """
    conclusion = statement.conclusion
    # Of what is declared the names are known; elsewhere a quantifier might bind a name that a premise has, too.
    beside = bool(statement.premises) and not conclusion.bound
    premises = [_premise(piece, known) for piece in statement.premises]
    readings = [*premises, _piece(conclusion, has_quantifier=not beside)]
    remarks = (*statement.remarks, *(remark for reading in readings for remark in reading.remarks))
    return chain([premise.formula for premise in premises], readings[-1].formula), tuple(dict.fromkeys(remarks))


def _premise(piece: Piece, known: dict[Piece, Reading | FormulaSyntaxError]) -> Reading:
    """The reading of a hypothesis, which is read once for all statements that rest on it."""
    if piece not in known:
        try:
            known[piece] = _piece(piece, has_quantifier=False)
        except FormulaSyntaxError as error:
            known[piece] = error
    reading = known[piece]
    if isinstance(reading, FormulaSyntaxError):
        raise reading.with_traceback(None)
    return reading


def _piece(piece: Piece, *, has_quantifier: bool) -> Reading:
    if not has_quantifier and (quantifier := _QUANTIFIER.search(piece.text)):
        error = NotPropositional(_BESIDE, piece.text, quantifier.start())
        error.position += piece.start
        raise error
    # A quantifier says that these names are propositions, whatever else they might mean.
    prefix = f"forall {' '.join(piece.bound)} : Prop, " if piece.bound else ""
    try:
        return read(prefix + piece.text)
    except FormulaSyntaxError as error:
        error.position = piece.start + max(0, error.position - len(prefix))
        raise


def check_count(count: int, source: str) -> None:
    """Raises InputError for more lemmas than are read at once."""
    if count > MOST_LEMMAS:
        raise InputError(f"{source} has more than {MOST_LEMMAS:,} lemmas, the most that are read at once; split it.")
