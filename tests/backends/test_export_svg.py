"""Derivations as pictures: well-formed, nothing overlaps or is cut off, and every inference stands as the rules say."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Final, NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from curricula.library import textbook_lemma, textbook_names
from curricula.resolve import resolve_lemma
from oasis.backends.export import EXPORTS, Proof
from oasis.teacher.exact.values import shortest_script
from tactics.formula import And, Atom, Formula, Or
from tactics.parser import parse
from tactics.printer import UNICODE, show
from tactics.script import parse_script, replay
from tests.backends.exported import AND_COMM, HUGE, RANDOM, identity

NAMESPACE: Final = "{http://www.w3.org/2000/svg}"
SIZES: Final = {"formula": 16, "title": 16, "rule": 12}


def shortest(name: str) -> Proof:
    formula = resolve_lemma(name).formula
    script = shortest_script(formula)
    assert script is not None
    return Proof(name, formula, script)


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float
    text: str
    kind: str

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


class Bar(NamedTuple):
    left: float
    right: float
    y: float


class Picture:
    """An SVG file read back: the room that each piece of text takes, and the lines."""

    def __init__(self, text: str) -> None:
        root = ElementTree.fromstring(text)
        self.width, self.height = float(root.attrib["width"]), float(root.attrib["height"])
        self.boxes, self.bars = list[Box](), list[Bar]()
        for each in root.iter(f"{NAMESPACE}text"):
            kind, x, y = each.attrib["class"], float(each.attrib["x"]), float(each.attrib["y"])
            width = float(each.attrib["textLength"])
            said = each.text or ""
            assert width == pytest.approx(0.6 * SIZES[kind] * cell_len(said), abs=0.1)
            # Above the baseline as much as letters and ∧ take, below it what brackets and p do.
            self.boxes.append(Box(x, y - 0.78 * SIZES[kind], x + width, y + 0.24 * SIZES[kind], said, kind))
        for each in root.iter(f"{NAMESPACE}line"):
            assert each.attrib["y1"] == each.attrib["y2"]
            self.bars.append(Bar(*(float(each.attrib[name]) for name in ("x1", "x2", "y1"))))

    def of(self, kind: str) -> list[Box]:
        return [box for box in self.boxes if box.kind == kind]


def picture(*given_proofs: Proof) -> Picture:
    return Picture(EXPORTS["svg"].write(given_proofs))


def check(found: Picture) -> None:
    """Nothing overlaps, nothing is crossed by a line, nothing lies outside."""
    for one, other in combinations(sorted(found.boxes), 2):
        assert not one.meets(other), (one, other)
    for bar in found.bars:
        crossed = [box for box in found.boxes if box.top < bar.y < box.bottom]
        assert not [box for box in crossed if box.left < bar.right and bar.left < box.right]
    for box in found.boxes:
        assert box.left >= 0 and box.top >= 0
        assert box.right <= found.width and box.bottom <= found.height


TEXTBOOK: Final = [f"textbook/{name}" for name in textbook_names() if textbook_lemma(name).shortest is not None]


@pytest.mark.parametrize("name", [*TEXTBOOK, "SYJ203.2", "SYJ203.4"])
def test_text_never_overlaps_and_there_is_a_line_with_its_rule_for_each_move(name: str) -> None:
    proof = shortest(name)
    found = picture(proof)
    check(found)
    assert len(found.bars) == len(proof.script)
    assert sorted(box.text for box in found.of("rule")) == sorted(move.rule for move in proof.script)
    rules = {(round(box.left), round((box.top + box.bottom) / 2)) for box in found.of("rule")}
    for bar in found.bars:
        assert any(abs(x - bar.right - 8) < 2 and abs(y - bar.y) < 3 for x, y in rules)


@given(st.sampled_from(RANDOM))
def test_text_never_overlaps_in_long_winded_proofs_either(proof: Proof) -> None:
    check(picture(proof))


def test_every_sequent_is_written_as_the_goal_that_it_is() -> None:
    proof = shortest("textbook/or_comm")
    goals = [state[0] for state in replay(proof.formula, proof.script)[:-1]]
    expected = [
        f"{', '.join(show(each, UNICODE, sugar=False) for _, each in goal.hypotheses)} ⊢ "
        f"{show(goal.conclusion, UNICODE, sugar=False)}".lstrip()
        for goal in goals
    ]
    assert sorted(box.text for box in picture(proof).of("formula")) == sorted(expected)


def test_premises_stand_above_their_line_and_what_follows_below_it() -> None:
    found = picture(AND_COMM)
    (split,) = [box for box in found.of("rule") if box.text == "split"]
    bar = min(found.bars, key=lambda bar: (abs(bar.right + 8 - split.left), abs(bar.y - split.top)))
    above = [box for box in found.of("formula") if bar.y - 24 < box.bottom < bar.y]
    below = [box for box in found.of("formula") if bar.y < box.top < bar.y + 24]
    assert [box.text for box in sorted(above)] == ["A, B ⊢ B", "A, B ⊢ A"]
    assert [box.text for box in below] == ["A, B ⊢ B ∧ A"]
    assert all(bar.left <= box.left + 0.1 and box.right <= bar.right + 0.1 for box in (*above, *below))


def test_several_proofs_are_stacked_each_below_its_name() -> None:
    found = picture(AND_COMM, shortest("textbook/or_comm"), shortest("SYJ203.2"))
    check(found)
    titles = found.of("title")
    assert [title.text for title in titles] == ["textbook/and_comm", "textbook/or_comm", "SYJ203.2"]
    counts = [5, 6, 10]
    edges = [*(title.top for title in titles), found.height]
    assert [sum(low < bar.y < high for bar in found.bars) for low, high in pairwise(edges)] == counts


def test_a_formula_that_would_explode_is_abbreviated_and_every_name_is_defined_before_it_is_used() -> None:
    found = picture(HUGE)
    check(found)
    assert found.width < 2000
    definitions = [box.text.split(" = ") for box in sorted(found.of("formula"), key=lambda box: box.top)][:-2]
    for place, (name, said) in enumerate(definitions, 1):
        assert name == f"φ{place}"
        used = {int(word.strip("()φ")) for word in said.split() if "φ" in word}
        assert all(number < place for number in used)


@pytest.mark.parametrize("connective", [And, Or])
def test_high_and_wide_trees_do_not_overlap(connective: type[And | Or]) -> None:
    formula: Formula = parse("True")
    for _ in range(40):
        formula = connective(formula, parse("True")) if connective is And else connective(Atom("A"), formula)
    moves = "split; " * 40 + "intro; assumption; " * 41 if connective is And else "right; " * 40 + "intro; assumption"
    check(picture(Proof("deep", formula, parse_script(moves))))


@pytest.mark.parametrize("name", ["A & B < C > \"D\" 'E'", "]]>", "<script>alert(1)</script>", "\x00\x1b[2J", "&amp;"])
def test_hostile_names_do_no_harm(name: str) -> None:
    text = EXPORTS["svg"].write([identity(Atom("A"), name)])
    assert not list(ElementTree.fromstring(text).iter(f"{NAMESPACE}script"))
    check(Picture(text))


def test_letters_of_double_width_get_the_room_they_need() -> None:
    found = picture(identity(Atom("命題")))
    check(found)
    assert [box.right - box.left for box in found.of("formula")] == pytest.approx([9.6 * 13, 9.6 * 11], abs=0.2)


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = EXPORTS["svg"].write([AND_COMM])
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "url(" not in text
    assert "@import" not in text
