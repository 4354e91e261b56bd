"""Small faults that can be planted in the sources, drawn by a seed from all rooms by their size (`tests/mutants.py`).

A place is a node of the syntax tree and what replaces it; a fault is the change of lines that this makes, so it can be
shown, stored, and planted in another version of the file. Annotations, decorators, assertions and what is logged are no
places.
"""

from __future__ import annotations

import ast
import difflib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

SOURCES: Final = ("tactics", "state_spaces", "curricula", "oasis", "tui")
KINDS: Final = ("comparison", "constant", "branch", "call", "sign", "return")
AROUND: Final = 3
"""So many lines around the change are stored with it."""
_BOTH_WAYS: Final = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)),
    *((ast.And, ast.Or), (ast.BitAnd, ast.BitOr), (ast.Add, ast.Sub)),
)
TURNED: Final[dict[type[ast.AST], type[Any]]] = {
    **{one: other for pair in _BOTH_WAYS for one, other in (pair, pair[::-1])},
    **dict.fromkeys((ast.Div, ast.FloorDiv, ast.Mod, ast.Pow), ast.Mult),
    ast.Mult: ast.Add,
}
"""Which operator another one becomes."""


@dataclass(frozen=True)
class Fault:
    """One change of one file: the lines before and after it, with some around."""

    path: str
    line: int
    kind: str
    number: int
    before: str
    after: str

    @property
    def name(self) -> str:
        """Where the fault is, its kind, and its number among those of this kind on this line."""
        return f"{self.path}:{self.line}:{self.kind}:{self.number}"

    @property
    def room(self) -> str:
        """The room whose size and report the fault counts to."""
        return room(self.path)

    @property
    def diff(self) -> str:
        """The fault as a unified diff; its line numbers count from the first line that is shown."""
        lines = (self.before.splitlines(keepends=True), self.after.splitlines(keepends=True))
        return "".join(difflib.unified_diff(*lines, f"a/{self.path}", f"b/{self.path}"))

    @property
    def change(self) -> str:
        """The changed lines of the diff without the spaces around them: the same wherever the lines move to."""
        return "\n".join(f"{line[0]} {line[1:].strip()}" for line in self.diff.splitlines()[2:] if line[0] in "+-")

    def planted(self, source: str) -> str | None:
        """Return a version of the file with this fault, or None if its lines are no longer there.

        Lines that moved are found by those around them; of several places the nearest is taken.
        """
        before, after, lines = (text.splitlines(keepends=True) for text in (self.before, self.after, source))
        above, below = _alike(before, after)
        for around in range(AROUND, 0, -1):
            start, end = max(0, above - around), max(0, below - around)
            old, new = before[start : len(before) - end], after[start : len(after) - end]
            if at := [place for place in range(len(lines)) if lines[place : place + len(old)] == old]:
                nearest = min(at, key=lambda place: abs(place + above - start + 1 - self.line))
                return "".join([*lines[:nearest], *new, *lines[nearest + len(old) :]])
        return None


def room(path: str) -> str:
    """Return the folder that is a room; the files beside the rooms of `oasis` are one room together."""
    return "/".join(Path(path).parent.parts[: 2 if path.startswith("oasis/") else 1])


def _alike(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """Return how many lines are the same at the start, and of the others at the end."""
    above = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    ends = zip(reversed(one[above:]), reversed(other[above:]), strict=False)
    return above, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], ends))


class Place(NamedTuple):
    """Nodes of a file and the node that replaces them."""

    kind: str
    old: list[Any]
    new: ast.AST
    path: str = ""
    number: int = 0


def _places(node: ast.AST, function: ast.AST | None = None) -> Iterator[Place]:
    """Yield the places in a node and below it, in the order of the source."""
    match node:
        case ast.Assert() | ast.JoinedStr() | ast.Assign([ast.Name("__all__")]) | ast.If(ast.Name("TYPE_CHECKING")):
            return
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("_log" | "logger")))):
            return
        case ast.Subscript(ast.Name("Literal")) | ast.Call(ast.Name("TypeVar" | "NewType" | "cast" | "ParamSpec")):
            return
        case ast.Raise(ast.Call() as call):  # the class alone raises something else than was meant
            children: Iterable[ast.AST] = ast.iter_child_nodes(call)
        case ast.Expr(ast.Call() | ast.Await(ast.Call()) as call):
            yield Place("call", [node], ast.Pass())
            children = ast.iter_child_nodes(call)
        case _:
            yield from _changes(node, function)
            children = (
                child
                for name, value in ast.iter_fields(node)
                if name not in ("annotation", "returns", "decorator_list")
                for child in (value if isinstance(value, list) else [value])
                if isinstance(child, ast.AST)
            )
    inside = node if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else function
    for child in children:
        yield from _places(child, inside)


def _changes(node: ast.AST, function: ast.AST | None) -> Iterator[Place]:
    """Yield the places that are this node or its branches."""
    match node:
        case ast.Compare(left, [op], right) if type(op) in TURNED:
            yield Place("comparison", [node], ast.Compare(left, [TURNED[type(op)]()], right))
        case ast.Constant(bool(value)):
            yield Place("constant", [node], ast.Constant(not value))
        case ast.Constant(int(value) | float(value)):
            yield Place("constant", [node], ast.Constant(value + 1))
        case ast.If(test, body, orelse):
            yield Place("branch", [test], _negated(test))
            yield Place("branch", body, ast.Pass())
            if orelse:
                yield Place("branch", orelse, ast.Pass())
        case ast.IfExp(test):
            yield Place("branch", [test], _negated(test))
        case ast.Call(ast.Name(), [only], []) if not isinstance(only, ast.Starred):
            yield Place("call", [node], only)
        case ast.BinOp(left, op, right) if type(op) in TURNED and not (_is_joined(left) or _is_joined(right)):
            yield Place("sign", [node], ast.BinOp(left, TURNED[type(op)](), right))
        case ast.AugAssign(target, op, value) if type(op) in TURNED and not _is_joined(value):
            yield Place("sign", [node], ast.AugAssign(target, TURNED[type(op)](), value))
        case ast.BoolOp(op, values):
            yield Place("sign", [node], ast.BoolOp(TURNED[type(op)](), values))
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield Place("sign", [node], operand)
        case ast.Return(ast.expr() as value):
            yield Place("return", [node], ast.Return(_another(value, function)))


def _negated(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            return operand
    return ast.UnaryOp(ast.Not(), test)


def _is_joined(node: ast.expr) -> bool:
    """Return True for text, lists and the `None` of a type: another sign beside them fails at once."""
    is_plain = isinstance(node, ast.Constant) and isinstance(node.value, str | None)
    return is_plain or isinstance(node, ast.JoinedStr | ast.List | ast.ListComp | ast.Tuple)


def _another(value: ast.expr, function: ast.AST | None) -> ast.expr:
    """Return what a function may return in place of a value, by its annotation."""
    match getattr(function, "returns", None):
        case ast.Name("bool"):
            return _negated(value)
        case ast.Name("int" | "float" | "str" as name):
            other: int | str = "" if name == "str" else 0
            is_equal = isinstance(value, ast.Constant) and value.value == other
            return ast.Constant(None if is_equal else other)
    return ast.Constant(None)


def places(tree: Path, path: str) -> Iterator[Place]:
    """Yield all places of a file, each with its number among those of its kind on its line."""
    numbers: Counter[tuple[str, int]] = Counter()
    for place in _places(ast.parse((tree / path).read_text(encoding="utf-8"))):
        at = place.kind, place.old[0].lineno
        numbers[at] += 1
        yield place._replace(path=path, number=numbers[at])


def fault_at(tree: Path, place: Place) -> Fault | None:
    """Return the fault at a place, or None if the change makes no difference or is not Python."""
    source = (tree / place.path).read_text(encoding="utf-8")
    changed = _changed(source, place)
    if changed is None:
        return None
    before, after = source.splitlines(keepends=True), changed.splitlines(keepends=True)
    above, below = (max(0, number - AROUND) for number in _alike(before, after))
    blocks = ("".join(lines[above : len(lines) - below]) for lines in (before, after))
    return Fault(place.path, place.old[0].lineno, place.kind, place.number, *blocks)


def _changed(source: str, place: Place) -> str | None:
    encoded = source.encode()  # columns count bytes
    starts = [0]
    for line in encoded.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    first, last, text = place.old[0], place.old[-1], ast.unparse(place.new)
    head = encoded[: starts[first.lineno - 1] + first.col_offset].decode()
    tail = encoded[starts[last.end_lineno - 1] + last.end_col_offset :].decode()
    plain = head + text + tail
    bracketed = f"{head}({text}){tail}" if isinstance(place.new, ast.expr) else plain
    meant = _dump(bracketed)
    if meant is None or meant == _dump(source):
        return None
    return plain if _dump(plain) == meant else bracketed


def _dump(source: str) -> str | None:
    try:
        compile(source, "<fault>", "exec", dont_inherit=True)
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError):
        return None


def drawn(tree: Path, number: int, seed: int, only: str = "") -> list[Fault]:
    """Draw faults by a seed: of each room as many as fit its size, each of a kind by lot, at most one on a line."""
    of_rooms: dict[str, list[str]] = defaultdict(list)
    for path in sorted(path.relative_to(tree).as_posix() for name in SOURCES for path in (tree / name).rglob("*.py")):
        of_rooms[room(path)].append(path)
    sizes = {name: sum(len((tree / path).read_bytes().splitlines()) for path in of_rooms[name]) for name in of_rooms}
    shares = {name: number * size / sum(sizes.values()) for name, size in sizes.items()}
    most_left_out = sorted(shares, key=lambda name: int(shares[name]) - shares[name])
    rounded_up = most_left_out[: number - sum(map(int, shares.values()))]
    found: list[Fault] = []
    for name in sorted(of_rooms):
        if only not in ("", name):
            continue
        random = Random(f"{seed} {name}")
        left: dict[str, list[Place]] = {kind: [] for kind in KINDS}
        for path in of_rooms[name]:
            for place in places(tree, path):
                left[place.kind].append(place)
        for group in left.values():
            random.shuffle(group)
        of_room: dict[tuple[str, int], Fault] = {}
        while len(of_room) < int(shares[name]) + (name in rounded_up) and any(left.values()):
            if (group := left[random.choice(KINDS)]) and (fault := fault_at(tree, group.pop())):
                of_room.setdefault((fault.path, fault.line), fault)
        found += of_room.values()
    return found


def named(tree: Path, name: str) -> Fault:
    """Return the fault of a name, drawn or not."""
    path, line = name.split(":")[:2]
    for place in places(tree, path):
        if str(place.old[0].lineno) == line and (fault := fault_at(tree, place)) and fault.name == name:
            return fault
    raise SystemExit(f"there is no fault {name}")
