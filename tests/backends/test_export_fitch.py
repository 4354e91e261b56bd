"""Fitch derivations: sound by a checker of their own, without repetitions, and of bounded size."""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.backends.export import EXPORTS, Proof
from oasis.backends.export.base import MAX_CHARACTERS
from tactics.formula import Atom, Formula
from tactics.parser import parse
from tactics.script import parse_script
from tests.backends.exported import NAMES, RANDOM, identity, large, proof
from tests.backends.fitch_reader import Derivation, Unsound, check, read

SVG: Final = "{http://www.w3.org/2000/svg}"


def derivation(given_proof: Proof) -> Derivation:
    (found,) = read(EXPORTS["fitch"].write([given_proof]))
    assert found.formula is given_proof.formula
    return found


def check_that_nothing_is_repeated_or_idle(found: Derivation) -> None:
    """No line says what one in scope says, but to open a box or to repeat at its end; nothing stands there unused."""
    known: list[tuple[int, Formula]] = []
    for line in found.lines:
        opens = line.rule == "assumption"
        known = [(depth, formula) for depth, formula in known if depth <= line.depth - opens]
        if line.rule != "R" and not opens:
            assert all(formula is not line.formula for _, formula in known), line
        known.append((line.depth, line.formula))
    used = {number for line in found.lines for cited in line.cited for number in cited}
    idle = [line for line in found.lines[:-1] if line.number not in used and line.rule != "assumption"]
    assert not idle


@pytest.mark.parametrize("name", NAMES)
def test_every_line_follows(name: str) -> None:
    found = derivation(proof(name))
    check(found)
    check_that_nothing_is_repeated_or_idle(found)


@given(st.sampled_from(RANDOM))
def test_every_line_follows_in_long_winded_proofs_too(given_proof: Proof) -> None:
    found = derivation(given_proof)
    check(found)
    check_that_nothing_is_repeated_or_idle(found)


@pytest.mark.parametrize(
    ("spoilt", "sound"),
    [
        ("∧I 2, 3", "∧I 3, 2"),
        ("∧E₂ 1", "∧E₁ 1"),
        ("∧E₂ 1", "R 1"),
        ("→I 1–4", "→I 1–3"),
        ("→I 1–4", "→I 2–4"),
        ("→I 1–4", "¬I 1–4"),
        ("∧I 2, 3", "∧I 2, 4"),
        ("│ q ∧ p ", "│ q ∨ p "),
        ("5 p ∧ q → q ∧ p", "5 p ∧ q → p ∧ q"),
        ("4 │ q ∧ p", "4 q ∧ p"),
        ("3 │ p", "4 │ p"),
        ("2 │ q", "2 │ │ q"),
    ],
)
def test_a_spoilt_derivation_is_found_out(spoilt: str, sound: str) -> None:
    """The checker can say no."""
    text = EXPORTS["fitch"].write([proof("textbook/and_comm")])
    assert text.count(spoilt) == 1
    (found,) = read(text.replace(spoilt, sound))
    with pytest.raises(Unsound):
        check(found)


def test_a_line_in_a_closed_box_cannot_be_used() -> None:
    text = EXPORTS["fitch"].write([proof("textbook/or_comm")]).replace("∨I₁ 4", "∨I₂ 2")
    (found,) = read(text)
    with pytest.raises(Unsound, match="not in scope"):
        check(found)


def test_what_is_known_outside_of_two_cases_is_derived_once_in_front_of_them() -> None:
    script = "intro; destruct_and H; destruct_or H0; left; split; assumption; assumption; right; split; assumption; "
    given_proof = Proof("cases", parse("A /\\ (B \\/ C) -> A /\\ B \\/ A /\\ C"), parse_script(f"{script}assumption"))
    lines = derivation(given_proof).lines
    assert [line.depth for line in lines if line.formula is Atom("A")] == [1]


def test_in_ascii_the_same_lines_stand() -> None:
    for each in (proof("SYJ203.3"), proof("textbook/de_morgan_not_or")):
        text = EXPORTS["fitch-ascii"].write([each])
        assert text.isascii()
        unicode_lines = [line for line in EXPORTS["fitch"].write([each]).splitlines() if line]
        ascii_lines = [line for line in text.splitlines() if line]
        assert len(unicode_lines) == len(ascii_lines)
        for one, other in zip(unicode_lines[3:], ascii_lines[3:], strict=True):
            assert one.count("│") + one.count("├") == other.replace("\\/", "").replace("||", "|").count("|")


def test_an_abbreviated_derivation_is_read_back() -> None:
    check(derivation(identity(large(12))))


def test_derivations_grow_no_faster_than_scripts() -> None:
    """Of SYJ203 the script has 3n + 4 moves; a term that shares nothing would double with each level."""
    lengths = []
    for level in (4, 6, 8, 12):
        found = proof(f"SYJ203.{level}")
        lines = derivation(found).lines
        lengths.append(len(lines))
        assert len(lines) <= 4 * len(found.script)
    assert lengths == sorted(lengths)
    assert len(EXPORTS["fitch"].write([proof("SYJ203.12")])) < MAX_CHARACTERS // 100


def test_the_picture_shows_the_same_lines_each_box_beside_its_bar() -> None:
    given_proof = proof("textbook/de_morgan_not_or")
    lines = derivation(given_proof).lines
    root = ElementTree.fromstring(EXPORTS["fitch-svg"].write([given_proof]))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    pieces = [(each.attrib["class"], each.text or "", float(each.attrib["x"])) for each in root.iter(f"{SVG}text")]
    assert pieces[0][:2] == ("title", given_proof.name)
    rows = list(zip(pieces[2::3], pieces[3::3], pieces[4::3], strict=True))
    assert [int(number[1]) for number, _, _ in rows] == [line.number for line in lines]
    assert [parse(said[1]) for _, said, _ in rows] == [line.formula for line in lines]
    assert [reason[1].split()[0] for _, _, reason in rows] == [line.rule for line in lines]
    lefts = {line.depth: said[2] for line, (_, said, _) in zip(lines, rows, strict=True)}
    assert [lefts[depth] for depth in sorted(lefts)] == sorted(lefts.values())
    strokes = [{name: float(value) for name, value in each.attrib.items()} for each in root.iter(f"{SVG}line")]
    bars = [stroke for stroke in strokes if stroke["x1"] == stroke["x2"]]
    boxes = [cited for line in lines for cited in line.cited if len(cited) == 2]
    assert len(bars) == len(boxes) == len(strokes) - len(bars)
    heights = sorted(round((bar["y2"] - bar["y1"]) / 24) for bar in bars)
    assert heights == sorted(last - first + 1 for first, last in boxes)
    ends = [float(each.attrib["x"]) + float(each.attrib["textLength"]) for each in root.iter(f"{SVG}text")]
    assert max(ends) <= width
    assert all(0 <= stroke[name] <= height for stroke in strokes for name in ("y1", "y2"))
