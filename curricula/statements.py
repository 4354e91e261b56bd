"""Statements in a text, and where each of them stands: what a Coq, Lean or Isabelle file states, and what it rests on.

Here a text is divided, and nothing more: what a formula means is `tactics.parser`'s concern, and which language a text
is in `curricula.sheet`'s. Proofs and comments are passed over. Every division is total and takes time in proportion to
the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple

MOST_PREMISES: Final = 200
"""Hypotheses that a statement may rest on."""
_TOO_MANY: Final = f"it has more than {MOST_PREMISES} premises"
_MOST_REMARKS: Final = 5
_OF_GAMES: Final = "Statement"
"""What states something in the levels of a game in Lean; a name and words of explanation may follow."""
_SILENT: Final = "it does not say what it states"


class Piece(NamedTuple):
    """A part of a text that is read as one formula or sequent.

    Attributes:
        text: as it stands there.
        start: where, counted from 0.
        bound: names in it that are declared as propositions, whatever else they mean.
    """

    text: str
    start: int
    bound: tuple[str, ...] = ()


class Statement(NamedTuple):
    """Something that a text states.

    Attributes:
        name: that it has there; None without one.
        start: where it begins, counted from 0.
        conclusion: what is to be proved.
        premises: the hypotheses before it.
        beyond: why it is not propositional; empty if nothing says so.
        fault: why it cannot be read at all; empty if nothing says so.
        remarks: what should be known of how it was read.
    """

    name: str | None
    start: int
    conclusion: Piece
    premises: tuple[Piece, ...] = ()
    beyond: str = ""
    fault: str = ""
    remarks: tuple[str, ...] = ()

    def moved(self, by: int) -> Statement:
        """The same statement in a longer text, in which it stands so much further behind."""
        conclusion, *premises = (piece._replace(start=piece.start + by) for piece in (self.conclusion, *self.premises))
        return self._replace(start=self.start + by, conclusion=conclusion, premises=tuple(premises))


def faulty(message: str, start: int) -> Statement:
    """What stands for a place that cannot be read."""
    return Statement(None, start, Piece("", start), fault=message)


# --- Comments -----------------------------------------------------------------------------------------------------


class Comments(NamedTuple):
    """What to look for outside comments and in them; nested are those whose opening mark is looked for inside."""

    outside: re.Pattern[str]
    inside: re.Pattern[str]
    opens: str
    closes: str


COQ: Final = Comments(re.compile(r'\(\*|"[^"]*"'), re.compile(r'\(\*|\*\)|"[^"]*"'), "(*", "*)")
ISABELLE: Final = Comments(re.compile(r'\(\*|"[^"]*"'), re.compile(r"\(\*|\*\)"), "(*", "*)")
_VERBATIM: Final = Comments(re.compile(r"\{\*"), re.compile(r"\*\}"), "{*", "*}")
LEAN: Final = Comments(re.compile(r'/-|--[^\n]*|"[^"\n]*"'), re.compile(r"/-|-/"), "/-", "-/")
HTML: Final = Comments(re.compile(r"<!--"), re.compile(r"-->"), "<!--", "-->")


def without_comments(text: str, comments: Comments) -> tuple[str, int | None]:
    """The text with blanks for comments, and where a comment begins that is never closed; strings stay."""
    parts: list[str] = []
    place, kept, depth = 0, 0, 0
    while mark := (comments.inside if depth else comments.outside).search(text, place):
        sign, place = mark.group(), mark.end()
        is_line = not depth and sign.startswith("--")
        if is_line or (not depth and sign == comments.opens):
            parts.append(text[kept : mark.start()])
            kept = mark.start()
        if sign == comments.opens:
            depth += 1
        elif sign == comments.closes:
            depth -= 1
        if is_line or (not depth and sign == comments.closes):
            parts.append(blank(text[kept:place]))
            kept = place
    parts.append(blank(text[kept:]) if depth else text[kept:])
    return "".join(parts), kept if depth else None


def blank(text: str) -> str:
    """As many blanks as a text has letters, in lines as long as its own."""
    return re.sub(r"[^\n]", " ", text)


# --- What a file of Coq or Lean declares --------------------------------------------------------------------------

NAME: Final = r"[^\W\d][\w']*(?:\.[^\W\d][\w']*)*"
_LABEL: Final = re.compile(r"\s*((?:[\w.+'/?!-]|«[^»\n]*»)+)")
"""What lemmas are called: in lists of lemmas names have signs that Coq and Lean would not take."""
_EXPLAINED: Final = re.compile(r'\s*"[^"]*"')
_UNIVERSES: Final = re.compile(r"\.\{[^{}\n]*\}")
_WORD: Final = re.compile(r"\s*([^\W\d][\w']*)")
_MARK: Final = re.compile(r"[()\[\]{}⦃⦄]|:=|:|,")
_OPENING: Final = {"(": ")", "[": "]", "{": "}", "⦃": "⦄"}
_QUANTIFIER: Final = re.compile(r"\s*(?:forall\b|∀)")
_CONNECTIVES: Final = r"<->|->|/\\|\\/|[→↔∧∨¬~⊥⊤]"
_CONNECTIVE: Final = re.compile(_CONNECTIVES)
_INSIDE: Final = re.compile(rf"{NAME}|{_CONNECTIVES}|[∀∃λ,:()\[\]{{}}⦃⦄]|[^\s\w,:()\[\]{{}}]+|\S")
_KNOWN: Final = frozenset({"True", "False", "true", "false", "not", "Not", "and", "And", "or", "Or", "iff", "Iff"})
"""Words in formulas that need not be declared; what they mean, and if anything, the grammar knows."""
_LETTER: Final = re.compile(r"[^\W\d_][\d₀-₉]*")
_TYPE_LETTERS: Final = frozenset("αβγδικστ")
"""Letters that stand for types in Lean if nobody has declared them."""
_FOREIGN: Final = frozenset({"∃", "λ", "exists", "fun"})
_ASSUMES: Final = re.compile(r"[∀∃¬~∧∨↔=]|/\\|\\/|<->|\b(?:forall|exists|not|False|True)\b")
"""What the type of a variable has that is rather a hypothesis than a number or function."""
_PREFIX: Final = frozenset({"not", "Not", "forall", "exists", "fun"})
_BESIDE_FORMULAS: Final = frozenset("()∀∃λ,")
_FUNCTIONS: Final = {"and": "∧", "And": "∧", "or": "∨", "Or": "∨", "iff": "↔", "Iff": "↔"}
"""Names of connectives that Coq and Lean write before both formulas."""
_TYPES: Final = frozenset(
    {"Type", "Set", "Sort", "nat", "bool", "list", "string", "Nat", "Bool", "List", "String", "ℕ", "ℤ"}
)
"""Words that are no propositions unless a file declares them."""


def _misplaced(word: str, last: str, connectives: re.Pattern[str], kinds: Mapping[str, str]) -> str:
    """Why a word or sign of a prover's file can't stand in a formula behind another one; empty if it can."""
    is_name = word[0].isalpha() or word[0] == "_"
    if word in _FUNCTIONS:
        return f"{word} stands before its formulas; write {_FUNCTIONS[word]} between them"
    if (is_name or word == "(") and (last == ")" or (last[:1].isalpha() and last not in _PREFIX)):
        return f"{'what is in brackets' if last == ')' else last} takes an argument"
    if is_name or word in _BESIDE_FORMULAS:
        return f"{word} is not declared as a proposition" if "." in word else ""
    if connectives.fullmatch(word):
        return kinds.get(word, "") and f"{word} is {kinds[word]}"
    return f"{word} is {'a number' if word[0].isdigit() else 'no connective of propositions'}"


def _declared_again(name: str) -> str:
    return f"{name} is declared again, and a hypothesis speaks of the first {name}"


class _Group(NamedTuple):
    """Names that are declared together, and what as: the place of their type in the text, None if nothing is said."""

    names: tuple[str, ...]
    type: tuple[int, int] | None


class _Premise(NamedTuple):
    """A hypothesis that is declared, its name, and the words in it."""

    name: str
    piece: Piece
    words: frozenset[str]


class Scope:
    """What has been declared where a file is read, section by section.

    A name or sign has a kind: empty for a proposition, and otherwise what it is, in words.
    """

    def __init__(self, text: str, *, declares: bool, is_file: bool = True, binds_letters: bool = False) -> None:
        self._text, self._declares, self._is_file, self._binds_letters = text, declares, is_file, binds_letters
        self._kinds: dict[str, str] = {}
        self._proposition: tuple[str, ...] = ()
        self._premises: list[_Premise] = []
        self._remarks: list[str] = []
        self._sections: list[tuple[str, list[tuple[str, str | None]], int, int]] = []
        self.open("")

    @cached_property
    def starts(self) -> list[int]:
        """Where the lines of the text begin."""
        return _starts(self._text)

    @property
    def section(self) -> str:
        """The name of the innermost section."""
        return self._sections[-1][0]

    def open(self, name: str) -> None:
        """Begin a section."""
        self._sections.append((name, [], len(self._premises), len(self._remarks)))

    def close(self) -> None:
        """End the innermost section, and forget what it declared; the file itself is never closed."""
        if len(self._sections) == 1:
            return
        _, before, premises, remarks = self._sections.pop()
        for name, kind in reversed(before):
            if kind is None:
                self._kinds.pop(name, None)
            else:
                self._kinds[name] = kind
        del self._premises[premises:], self._remarks[remarks:]

    def set(self, name: str, kind: str) -> None:
        """Declare a name."""
        if self._is_mentioned(name):
            self._sections[-1][1].append(("", self._kinds.get("")))
            self._kinds[""] = _declared_again(name)
        self._sections[-1][1].append((name, self._kinds.get(name)))
        self._kinds[name] = kind
        if not kind:
            self._proposition = (name,)

    def _is_mentioned(self, name: str) -> bool:
        """Whether a hypothesis speaks of a name, so that another one of this name must not be taken for it."""
        return any(name in premise.words for premise in self._premises)

    def piece(self, start: int, end: int) -> tuple[Piece, str]:
        """A part of the text as a formula, and why it is not propositional: empty unless a name in it says so."""
        while start < end and self._text[start].isspace():
            start += 1
        text = self._text[start:end].rstrip()
        bound: dict[str, None] = {}
        own: set[str] = set()
        beyond, in_binder, is_type, last = "", False, False, ""
        for token in _INSIDE.finditer(text):
            word = token.group()
            if self._is_file and not in_binder:
                beyond = beyond or _misplaced(word, last, _CONNECTIVE, self._kinds)
            last = word
            if word in ("forall", "∀"):
                in_binder, is_type = True, False
            elif word in _FOREIGN:
                beyond = beyond or f"{word} is beyond propositional logic"
            elif in_binder and word in (",", ":", ")"):
                in_binder, is_type = word != ",", word == ":"
            elif not (word[0].isalpha() or word[0] == "_"):
                continue
            elif in_binder and not is_type:
                own.add(word)
                beyond = beyond or (_declared_again(word) if self._is_mentioned(word) else "")
            elif in_binder and word == "Prop":
                continue
            elif word not in own:
                beyond = beyond or self._why_not(word)
                if self._kinds.get(word) == "" or (self._binds_letters and _LETTER.fullmatch(word)):
                    bound[word] = None
        # One that does not occur says, too, that all others have to be declared.
        return Piece(text, start, tuple(bound) or self._proposition), beyond

    def _why_not(self, word: str) -> str:
        """Why a name stands for no proposition; empty if it may."""
        if word in self._kinds:
            return self._kinds[word] and f"{word} is {self._kinds[word]}"
        if word in _TYPES:
            return f"{word} is no proposition"
        # A letter that nobody has declared is rather forgotten than something else, and Lean declares it by itself.
        is_free = not self._declares or word in _KNOWN or _LETTER.fullmatch(word)
        is_type = self._binds_letters and word[0] in _TYPE_LETTERS
        return "" if is_free and not is_type else f"{word} is not declared as a proposition"

    def declare(self, groups: list[_Group], *, is_hypothesis: bool = False) -> str:
        """Declare names, with hypotheses as premises; the answer says why one is beyond propositional logic, if so."""
        beyond = ""
        for group in groups:
            kind = "Prop" if group.type is None else self._text[slice(*group.type)].strip()
            if kind == "Prop":
                for name in group.names:
                    self.set(name, "")
                continue
            assert group.type is not None
            said = " ".join(kind.split())[:40]
            formula, why = self.piece(*group.type)
            is_premise = bool(group.names) and not why and not _QUANTIFIER.search(formula.text)
            has_room = len(self._premises) + len(group.names) <= MOST_PREMISES
            words = frozenset(re.findall(NAME, formula.text))
            for name in group.names:
                self.set(name, "a hypothesis" if is_premise else f"of type {said}")
            if is_premise and has_room:
                self._premises += [_Premise(name, formula, words) for name in group.names]
            elif is_premise:
                beyond = beyond or _TOO_MANY
                self.leave_out(group.names[0], f"as {_TOO_MANY}")
            else:
                beyond = beyond or (f"{group.names[0]} is of type {said}" if group.names else f"it rests on {said}")
                # Whatever has no name is an instance, such as `[Decidable p]`.
                speaks = _ASSUMES.search(formula.text) or any(self._kinds.get(word) == "" for word in words)
                if is_hypothesis or not group.names or speaks:
                    self.leave_out(group.names[0] if group.names else said)
        return beyond

    def leave_out(self, hypothesis: str, why: str = "which is beyond propositional logic") -> None:
        """Note for all statements in this section that they are read without a hypothesis."""
        self.remark(f"Read without the hypothesis {hypothesis}, {why}.")

    def remark(self, sentence: str) -> None:
        """Note something that should be known of all statements in this section; no more than a few are kept."""
        if len(self._remarks) < _MOST_REMARKS:
            self._remarks.append(sentence)

    def defines(self, name: str) -> bool:
        """Whether a name is declared as something else than a proposition."""
        return bool(self._kinds.get(name))

    def stated(
        self,
        name: str | None,
        start: int,
        binders: list[_Group],
        colon: int,
        end: int,
        mentioned: frozenset[str] | None = None,
    ) -> Statement:
        """The statement that stands between a colon and an end, behind its binders."""
        outside, remark = self._outside(mentioned)
        self.open("")
        inside = len(self._premises)
        beyond = self.declare(binders)
        while quantifier := _QUANTIFIER.match(self._text, colon, end):
            groups, bare, place = self.binders(quantifier.end(), end)
            comma = self.find(",", place, end)
            if comma is None or not (groups or bare):
                break
            if bare:
                typed = self._text[place:comma].lstrip()[:1] == ":"
                groups.append(_Group(bare, (self._text.index(":", place) + 1, comma) if typed else None))
            beyond = beyond or self.declare(groups)
            colon = comma + 1
        conclusion, why = self.piece(colon, end)
        why = why or ("" if conclusion.text or not self._is_file else _SILENT)
        statement = Statement(
            name,
            start,
            conclusion,
            tuple(premise.piece for premise in (*outside, *self._premises[inside:])),
            beyond or self._kinds.get("", "") or why,
            remarks=(*self._remarks, *remark),
        )
        self.close()
        return statement

    def include(self, names: Iterable[str], kind: str) -> None:
        """Note that statements rest on variables, or that they don't, where they do not mention them."""
        for name in names:
            self.set(f"include {name}", kind)

    def _outside(self, mentioned: frozenset[str] | None) -> tuple[list[_Premise], tuple[str, ...]]:
        """The hypotheses of a statement from outside it, and a remark on those that Lean might leave out.

        Lean takes a variable where it is mentioned; `mentioned` are the words of the statement and its proof.
        """
        if mentioned is None:
            return list(self._premises), ()
        silent = [premise.name for premise in self._premises if premise.name not in mentioned]
        kinds = {name: self._kinds.get(f"include {name}", "") for name in silent}
        taken = [premise for premise in self._premises if kinds.get(premise.name) != "omitted"]
        named = ", ".join([name for name in silent if not kinds[name]][:_MOST_REMARKS])
        return taken, (f"Read with {named}, which Lean takes only where it is mentioned.",) if named else ()

    def binders(self, place: int, end: int) -> tuple[list[_Group], tuple[str, ...], int]:
        """The groups in brackets and the names without any from a place on, and where they end.

        Names without brackets before the last group are propositions; those at the end are the caller's to judge.
        """
        groups: list[_Group] = []
        bare: list[str] = []
        while True:
            while place < end and (self._text[place].isspace() or self._text[place] == "`"):
                place += 1
            sign = self._text[place] if place < end else ""
            if sign in _OPENING:
                close = self.find(_OPENING[sign], place + 1, end)
                if close is None:
                    break
                if bare:
                    groups.append(_Group(tuple(bare), None))
                    bare = []
                groups.append(self._group(sign, place + 1, close))
                place = close + 1
            elif word := _WORD.match(self._text, place, end):
                bare.append(word[1])
                place = word.end()
            else:
                break
        return groups, tuple(bare), place

    def _group(self, sign: str, start: int, end: int) -> _Group:
        colon = self.find(":", start, end)
        names = tuple(self._text[start : end if colon is None else colon].split())
        if colon is not None:
            return _Group(names, (colon + 1, end))
        is_names = sign != "[" and all(map(str.isidentifier, names))
        return _Group(names, None) if is_names else _Group((), (start, end))

    def find(self, sign: str, place: int, end: int) -> int | None:
        """Where a sign stands first that is outside brackets; None if nowhere."""
        depth = 0
        for mark in _MARK.finditer(self._text, place, end):
            if not depth and mark.group() == sign:
                return mark.start()
            if mark.group() in _OPENING:
                depth += 1
            elif mark.group() in _OPENING.values():
                depth -= 1
                if depth < 0:
                    return None
        return None

    def statement(
        self, keyword: str, start: int, place: int, end: int, mentioned: frozenset[str] | None = None
    ) -> Statement:
        """What a command states, such as `Lemma name binders : formula`; it begins at `start`, its name at `place`."""
        name, colon = None, place
        is_goal, may_lack_name = keyword == "Goal", keyword in ("Goal", "example", _OF_GAMES)
        if keyword not in ("Goal", "example") and (label := _LABEL.match(self._text, place, end)):
            name, place = label[1], label.end()
            if universes := _UNIVERSES.match(self._text, place - 1, end):
                name, place = name[:-1], universes.end()
        if keyword == _OF_GAMES and (said := _EXPLAINED.match(self._text, place, end)):
            place = said.end()
        groups, bare, place = ([], (), place) if is_goal else self.binders(place, end)
        if not is_goal:
            while place < end and self._text[place].isspace():
                place += 1
            is_colon = place < end and self._text[place] == ":" and not self._text.startswith(":=", place)
            if self._is_file and self.find(":=", place, end) == place:
                return Statement(name, start, Piece("", start), beyond=_SILENT)
            if not is_colon or (name is None and not may_lack_name):
                return faulty(f"{keyword} needs a name and a colon: {keyword} name : formula.", start)
            colon = place + 1
        if bare:
            groups.append(_Group(bare, None))
        body = self.find(":=", colon, end)
        return self.stated(name, start, groups, colon, end if body is None else body, mentioned)


# --- What a file makes of the signs -------------------------------------------------------------------------------

_STRING: Final = re.compile(r'"([^"]*)"|`([^`\n]*)`')
_KEYWORD: Final = re.compile(r"'([^\W\d]\w*)'")
"""A word in a notation of Coq; others are what stands beside it."""
_LEVEL: Final = re.compile(r"\b(?:\d+|max)\b")
_MODIFIERS: Final = re.compile(r"\((?:at level|only|right|left|no) .*|:\s*\w+\s*\Z", re.DOTALL)
_MEANT: Final = {
    **dict.fromkeys(("∧", "/\\"), (("a/\\b", "and a b", "and"), ("80", "35"))),
    **dict.fromkeys(("∨", "\\/"), (("a\\/b", "or a b", "or"), ("85", "30"))),
    **dict.fromkeys(("→", "->"), (("a->b",), ("99", "200"))),
    **dict.fromkeys(("↔", "<->"), (("a<->b", "iff a b", "iff"), ("95", "20"))),
    **dict.fromkeys(("¬", "~"), (("~a", "not a", "not", "a->false"), ("75", "40", "max"))),
    "⊥": (("false",), ("0", "max")),
    "⊤": (("true",), ("0", "max")),
}
"""What signs stand for in Coq and Lean, with a and b for what is beside them, and how strongly they bind there."""


def _starts(text: str) -> list[int]:
    """Where the lines of a text begin."""
    return [0, *(end.end() for end in re.finditer("\n", text))]


def _given(starts: list[int], place: int) -> str:
    return f"given a meaning of its own in line {bisect_right(starts, place)}"


def _give_meaning(scope: Scope, text: str, place: int, stop: int, *, is_coq: bool = False) -> None:
    """Note that signs and words mean from here on what a notation says, if it is another thing than the prover's."""
    head, body, *_ = *re.split(r":=|=>", text[place:stop], maxsplit=1), ""
    strings = [string[1] or string[2] or "" for string in _STRING.finditer(text, place, stop)]
    parts = [part for string in strings for part in string.split()]
    levels = set(_LEVEL.findall(head + body))
    letters = iter("ab")
    called = {name: next(letters, name) for name in dict.fromkeys(re.findall(NAME, head)) if name != "max"}
    said = re.sub(NAME, lambda name: called.get(name[0], name[0].lower()), _MODIFIERS.sub("", body))
    said = re.sub(r"\s*([^\w\s])\s*", r"\1", re.sub(r"[()]", "", " ".join(said.split())))
    signs = {re.sub(r"[\w'()]", "", part) for part in parts}
    for sign in filter(_CONNECTIVE.fullmatch, signs):
        bodies, strengths = _MEANT[sign]
        if said.strip() not in bodies or not levels <= set(strengths):
            scope.set(sign, _given(scope.starts, place))
        elif own := [name for name in re.findall(NAME, body) if scope.defines(name)]:
            scope.remark(f"{sign} stands for {own[0]} of this file, which is taken for the usual one.")
    names = _KEYWORD.findall(" ".join(strings)) if is_coq else [part for part in parts if re.fullmatch(NAME, part)]
    alone = _WORD.match(text, place, stop) if is_coq else None
    for name in [*names, *([alone[1]] if alone else [])]:
        scope.set(name, _given(scope.starts, place))


# --- Coq --------------------------------------------------------------------------------------------------------------

COQ_STATEMENTS: Final = (
    *("Lemma", "Theorem", "Example", "Corollary", "Proposition", "Property", "Fact", "Remark", "Goal"),
)
_COQ_HYPOTHESES: Final = frozenset({"Hypothesis", "Hypotheses", "Axiom", "Axioms", "Conjecture"})
_COQ_DECLARED: Final = _COQ_HYPOTHESES | {"Variable", "Variables", "Parameter", "Parameters", "Context"}
_COQ_DEFINED: Final = frozenset(
    {"Definition", "Fixpoint", "CoFixpoint", "Inductive", "CoInductive", "Variant", "Record", "Structure", "Class"}
    | {"Let", "Function", "Ltac", "Instance"}
)
_COQ_END: Final = re.compile(r'"[^"]*"|(?P<end>(?<!\.)\.|\.\.\.)(?=\s|$)')
_COQ_COMMAND: Final = re.compile(
    r"[-+*{}\s]*(?:#\[[^\]]*\]\s*)?(?:(?:Local|Global|Program|Polymorphic|Monomorphic|Time)\s+)*([^\W\d_][\w']*)"
)


def coq(text: str) -> Iterator[Statement]:
    """The statements of a Coq file, each with the hypotheses of its sections before it."""
    text, unclosed = without_comments(text, COQ)
    scope = Scope(text, declares=_declares(text))
    start = 0
    for stop in (*(mark.start() for mark in _COQ_END.finditer(text) if mark["end"]), len(text)):
        if command := _COQ_COMMAND.match(text, start, stop):
            yield from _coq_command(scope, text, command, stop)
        start = stop + 1
    if unclosed is not None:
        yield faulty("this comment is never closed; add *)", unclosed)


def _coq_command(scope: Scope, text: str, command: re.Match[str], stop: int) -> Iterator[Statement]:
    keyword, place = command[1], command.end()
    word = _WORD.match(text, place, stop)
    if keyword in COQ_STATEMENTS:
        yield scope.statement(keyword, command.start(1), place, stop)
    elif keyword in ("Section", "Module"):
        # `Module M := N.` has no end.
        if scope.find(":=", place, stop) is None:
            scope.open(word[1] if word else "")
    elif keyword == "End":
        scope.close()
    elif keyword in _COQ_DECLARED:
        _declare(scope, text, place, stop, is_hypothesis=keyword in _COQ_HYPOTHESES)
    elif keyword in ("Notation", "Infix"):
        _give_meaning(scope, text, place, stop, is_coq=True)
    elif keyword in _COQ_DEFINED and word:
        if keyword == "Definition":
            statement = scope.statement(keyword, command.start(1), place, stop)
            if not statement.fault and not statement.beyond and _is_all_declared(statement):
                yield statement
        scope.set(word[1], "defined in this file")
        if re.search(r'\bwhere\s*"', text[place:stop]):
            _give_meaning(scope, text, place, stop, is_coq=True)


def _is_all_declared(statement: Statement) -> bool:
    """Whether a definition speaks of nothing that might be a type: every name in it is declared as a proposition."""
    pieces = (*statement.premises, statement.conclusion)
    return all({*re.findall(NAME, piece.text)} <= {*piece.bound, *_KNOWN, "forall", "Prop"} for piece in pieces)


def _declare(scope: Scope, text: str, place: int, stop: int, *, is_hypothesis: bool = False) -> None:
    groups, bare, place = scope.binders(place, stop)
    if bare and (colon := scope.find(":", place, stop)) is not None:
        groups.append(_Group(bare, (colon + 1, stop)))
    scope.declare(groups, is_hypothesis=is_hypothesis)


def _declares(text: str) -> bool:
    """Whether a file says of names that they are propositions, so that others are something else."""
    return re.search(r"\bforall\b|∀|\bProp\b", text) is not None


def declaration(text: str, start: int, keyword: str, place: int, end: int) -> Statement:
    """The statement of a line such as `Lemma name (A B : Prop) : formula.`, whose keyword ends at a place."""
    return Scope(text, declares=False, is_file=False).statement(keyword, start, place, end)


# --- Lean ---------------------------------------------------------------------------------------------------------

LEAN_STATEMENTS: Final = ("theorem", "lemma", "example")
_LEAN_STATES: Final = (*LEAN_STATEMENTS, _OF_GAMES)
_LEAN_DECLARED: Final = ("variables", "variable", "parameters", "parameter")
_LEAN_AXIOMS: Final = ("axiom", "constant")
_LEAN_DEFINED: Final = ("def", "abbrev", "instance", "inductive", "structure", "class")
_LEAN_NOTATIONS: Final = ("notation", "infix", "infixl", "infixr", "prefix", "postfix", "macro", "syntax")
_LEAN_COMMAND: Final = re.compile(
    r"^[ \t]*(?:@\[[^\]\n]*\]\s*)?"
    r"(?:(?:private|protected|noncomputable|nonrec|local|scoped|unsafe|partial|public)[ \t]+)*"
    rf"({'|'.join((*_LEAN_STATES, *_LEAN_DECLARED, *_LEAN_AXIOMS, *_LEAN_DEFINED))}|constants|section|namespace|end"
    rf"|open|import|universes?|set_option|attribute|mutual|{'|'.join(_LEAN_NOTATIONS)}|reserve|include|omit|#\w+)\b"
    r"(?![ \t]*[=∧∨→↔,)])",
    re.MULTILINE,
)
_LEAN_BLOCK: Final = re.compile(r"\b(?:begin|end)\b")
_LEAN_IN: Final = re.compile(r"[)\]}\w]\s+in\s+\Z")
"""How `variable … in` ends, which holds for the next command alone."""
_LEAN_PROOF: Final = re.compile(r"[()\[\]{}⦃⦄⟨⟩]|:=|(?<!\|)\|(?!\|)|\b(?:begin|where)\b")


def lean(text: str) -> Iterator[Statement]:
    """The statements of a Lean file, of version 3 or 4, each with the hypotheses that are variables before it."""
    text, unclosed = without_comments(text, LEAN)
    scope = Scope(text, declares=_declares(text), binds_letters=True)
    commands = list(_LEAN_COMMAND.finditer(text))
    ends = [*(command.start() for command in commands[1:]), len(text)]
    blocks = 0
    is_for_one = False
    for command, stop in zip(commands, ends, strict=False):
        keyword, place = command[1], command.end()
        line = text.find("\n", place, stop)
        word = _WORD.match(text, place, stop if line < 0 else line)
        name = word[1] if word else ""
        if keyword in _LEAN_STATES:
            mentioned = frozenset(re.findall(NAME, text[place:stop]))
            yield scope.statement(keyword, command.start(1), place, _lean_end(text, place, stop), mentioned)
            if is_for_one:
                scope.close()
                is_for_one = False
        elif keyword in ("section", "namespace"):
            scope.open(name)
        elif keyword == "end" and blocks > 0 and not name:
            blocks -= 1
        elif keyword == "end":
            if name == scope.section:
                scope.close()
        elif keyword in (*_LEAN_DECLARED, "constants", "include", "omit"):
            if not is_for_one and _LEAN_IN.search(text, place, stop):
                scope.open("in")
                is_for_one = True
            if keyword in ("include", "omit"):
                scope.include(re.findall(NAME, text[place:stop]), "included" if keyword == "include" else "omitted")
            else:
                _declare(scope, text, place, stop)
        elif keyword in _LEAN_NOTATIONS:
            _give_meaning(scope, text, place, stop)
        elif keyword in _LEAN_AXIOMS and word:
            _assume(scope, text, name, word.end(), stop)
        elif keyword in _LEAN_DEFINED and word:
            scope.set(name, "defined in this file")
        blocks += sum(1 if block[0] == "begin" else -1 for block in _LEAN_BLOCK.finditer(text, place, stop))
    if unclosed is not None:
        yield faulty("this comment is never closed; add -/", unclosed)


def _assume(scope: Scope, text: str, name: str, place: int, stop: int) -> None:
    """Declare an axiom, which is no premise if it speaks of all propositions."""
    groups, bare, place = scope.binders(place, stop)
    colon = scope.find(":", place, stop)
    if colon is None or groups or bare:
        scope.set(name, "an axiom of its own")
        scope.leave_out(name)
    else:
        scope.declare([_Group((name,), (colon + 1, stop))], is_hypothesis=True)


def _lean_end(text: str, place: int, stop: int) -> int:
    """Where a statement ends: before its proof, or before the next command."""
    depth = 0
    for mark in _LEAN_PROOF.finditer(text, place, stop):
        sign = mark.group()
        if sign in "([{⦃⟨":
            depth += 1
        elif sign in ")]}⦄⟩":
            depth -= 1
        elif depth <= 0:
            return mark.start()
    return stop


# --- Isabelle -----------------------------------------------------------------------------------------------------

_ISABELLE_STATEMENTS: Final = frozenset({"lemma", "theorem", "corollary", "proposition", "schematic_goal"})
_ISABELLE_PARTS: Final = frozenset(
    {"if", "for", "fixes", "assumes", "shows", "obtains", "defines", "includes", "notes"}
)
_ISABELLE_OPENS: Final = frozenset({"theory", "locale", "class", "context", "instantiation", "experiment", "bundle"})
_ASSUMING: Final = frozenset({"locale", "class", "context", "experiment"})
_WITHOUT_LOCALE: Final = "Read without what its locale or context assumes, if anything."
_ISABELLE_TOKEN: Final = re.compile(
    r'"(?P<string>[^"]*)"|(?P<open>‹|\\<open>)|\(\s*in\s+[\w.]+\s*\)'
    r"|(?P<word>[^\W\d][\w.']*)(?P<label>\s*(?:\[[^\]\[\n]{0,200}\]\s*)?:(?!:))?|(?P<sign>\S)"
)
_ISABELLE_SIGN: Final = re.compile(
    r"-->|<->|==>|\[\||\|\]|/\\|\\/|[⟶⟹⟷∧∨¬~&|⟦⟧⊥;]"
    r"|\\<(?:not|and|or|longrightarrow|Longrightarrow|longleftrightarrow|lbrakk|rbrakk|bottom)>"
)
_ISABELLE_INSIDE: Final = re.compile(rf"{NAME}|{_ISABELLE_SIGN.pattern}|[()]|\\<\w+>|[^\s\w()⟶⟹⟷∧∨¬~&|⟦⟧⊥;\\]+|\S")
_ISABELLE_QUANTIFIER: Final = re.compile(r"[∀∃⋀]|\b(?:ALL|EX)\b|\\<(?:forall|exists|And)>")
_ISABELLE_DEFINED: Final = re.compile(
    r"^[ \t]*(?:definition|abbreviation|consts|axiomatization|fun|function|primrec|inductive)\s+(?:\([^()]*\)\s*)?"
    rf"(?:[\w.']+\s*:(?!:)\s*)?[\"‹]?\s*({NAME})",
    re.MULTILINE,
)
_CARTOUCHE: Final = re.compile(r"(‹|\\<open>)|›|\\<close>")


def isabelle(text: str) -> Iterator[Statement]:
    """The statements of an Isabelle theory; each conclusion of a lemma is one."""
    text, unclosed = without_comments(without_comments(text, _VERBATIM)[0], ISABELLE)
    place, name, start, part = 0, None, 0, ""
    premises: list[Piece] = []
    goals: list[Piece] = []
    inside = awaits = rests = False
    opener, blocks, before = "", list[bool](), ""
    meanings = dict.fromkeys(_ISABELLE_DEFINED.findall(text), "defined in this file")
    starts = _starts(text)

    def stated() -> Iterator[Statement]:
        too_many = _TOO_MANY if len(premises) > MOST_PREMISES else ""
        no_premise = too_many or _first(_no_formula(premise.text, meanings) for premise in premises)
        for number, goal in enumerate(goals, 1):
            called = name and len(goals) > 1 and f"{name}_{number}"
            beyond = no_premise or _no_formula(goal.text, meanings)
            remarks = (_WITHOUT_LOCALE,) if rests else ()
            yield Statement(called or name, start, goal, () if too_many else tuple(premises), beyond, remarks=remarks)
        if part == "obtains":
            yield Statement(name, start, Piece("", start), beyond="it obtains something")

    while token := _ISABELLE_TOKEN.search(text, place):
        place, piece = token.end(), None
        if token["open"]:
            place, close = _cartouche_end(text, place)
            piece = Piece(text[token.end() : close], token.end())
        elif token["string"] is not None:
            piece = Piece(token["string"], token.start("string"))
        word = token["word"]
        awaited, awaits = awaits, word in ("if", "and") or bool(token["label"])
        is_notation, before = before in ("(", "infix", "infixl", "infixr"), word or token.group()
        if piece is not None and is_notation:
            meanings.update(dict.fromkeys(_ISABELLE_SIGN.findall(piece.text), _given(starts, piece.start)))
            continue
        if word in _ISABELLE_OPENS:
            opener = word
        elif word == "begin":
            blocks.append(opener in _ASSUMING)
        elif word == "end" and blocks:
            blocks.pop()
        if word in _ISABELLE_STATEMENTS:
            if inside:
                yield from stated()
            rests = any(blocks)
            name, start, part, inside, premises, goals = None, token.start(), "", True, [], []
        elif not inside or token["sign"] or word == "and":
            continue
        elif token.lastgroup is None:
            rests = True
        elif piece is not None:
            if part in ("", "shows"):
                goals.append(piece)
            elif part in ("assumes", "if"):
                premises.append(piece)
        elif word in _ISABELLE_PARTS:
            part = word
        elif word and token["label"]:
            name = word if name is None and part == "" and not goals else name
        elif word and goals and (part in ("", "shows", "for") or (part == "if" and not awaited)):
            yield from stated()
            inside = False
        elif word and part in ("", "shows", "assumes", "if"):
            # An atom may stand without quotes.
            (premises if part in ("assumes", "if") else goals).append(Piece(word, token.start("word")))
    if inside:
        yield from stated()
    if unclosed is not None:
        yield faulty("this comment is never closed; add *)", unclosed)


def _no_formula(text: str, meanings: Mapping[str, str]) -> str:
    """Why a text of a theory is no formula of propositional logic; empty if nothing says so, or a quantifier does."""
    words = _ISABELLE_INSIDE.findall(text)
    if defined := _first(word for word in words if word[0].isalpha() and word in meanings):
        return f"{defined} is {meanings[defined]}"
    if _ISABELLE_QUANTIFIER.search(text):
        signs = (word for word in words if not (_ISABELLE_QUANTIFIER.match(word) or word in (".", ",", ":", "::")))
        return _first(_misplaced(word, "", _ISABELLE_SIGN, meanings) for word in signs)
    pairs = zip(words, ["", *words], strict=False)
    return _first(_misplaced(word, last, _ISABELLE_SIGN, meanings) for word, last in pairs)


def _first(reasons: Iterable[str]) -> str:
    """The first that says something; empty if none does."""
    return next(filter(None, reasons), "")


def _cartouche_end(text: str, place: int) -> tuple[int, int]:
    """Behind the sign that closes a cartouche, and where that sign is."""
    depth = 1
    for mark in _CARTOUCHE.finditer(text, place):
        depth += 1 if mark[1] else -1
        if not depth:
            return mark.end(), mark.start()
    return len(text), len(text)
