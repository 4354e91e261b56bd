"""Pictures show exactly the order and the truths of a model, and the words about it are true."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings

from curricula import resolve
from curricula.lemma import Lemma, Status
from oasis.teacher.countermodels.countermodel import Countermodel, refute
from oasis.teacher.countermodels.drawing import draw
from oasis.teacher.countermodels.explanation import Claim, explain
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.countermodels.layout import crossings, layout
from oasis.teacher.countermodels.shrinking import edges, upwards
from oasis.teacher.countermodels.svg import svg
from oasis.teacher.deciding.intuit import Intuit
from tactics.formula import FALSE, And, Formula, Implies, Or
from tactics.parser import parse
from tactics.printer import UNICODE, brief
from tests.teacher.models import EXAMPLES, above, forces, kripke, models, refuted

ARMS = {
    "│": "ud", "─": "lr", "╯": "ul", "╰": "ur", "╮": "dl", "╭": "dr",
    "┤": "udl", "├": "udr", "┴": "ulr", "┬": "dlr", "┼": "udlr",
}  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"
STEPS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
BACK = {"u": "d", "d": "u", "l": "r", "r": "l"}


def _shown(text: str, hypotheses: tuple[str, ...] = ()) -> Countermodel:
    found = refute([parse(each) for each in hypotheses], parse(text), Intuit())
    assert found is not None
    return found


def _picture(model: Kripke, width: int = 200) -> list[str]:
    """Return the lines of a model's picture, without the table."""
    text = draw(Countermodel(model, (), FALSE), width=width).split("\n\n")[0]
    return text.splitlines()


def _traced(lines: list[str]) -> tuple[dict[int, str], set[tuple[int, int]]]:
    """Return the worlds of a picture with the atoms true there, and the edges, found by following its lines."""
    at = {(x, y): character for y, line in enumerate(lines) for x, character in enumerate(line)}
    box_of: dict[tuple[int, int], int] = {}
    truths: dict[int, str] = {}
    for y, line in enumerate(lines):
        for match in re.finditer(r"│ (\d+): ([^│]*)│", line):
            world, inside = int(match[1]), match[2].strip()
            below = y + 1
            while at[match.start(), below] == "│":
                inside += " " + lines[below][match.start() + 1 : match.end() - 1].strip()
                below += 1
            truths[world] = inside
            for x in range(match.start(), match.end()):
                box_of[x, y - 1] = box_of[x, below] = world
    found = set()
    for (x, y), world in box_of.items():
        if at[x, y] != "┴":
            continue
        pending, seen = [(x, y - 1, "u")], set()
        while pending:
            x, y, heading = pending.pop()
            if (x, y, heading) in seen:
                continue
            seen.add((x, y, heading))
            if (x, y) in box_of:
                assert heading == "u"
                assert at[x, y] == "┬"
                found.add((world, box_of[x, y]))
                continue
            arms = ARMS[at[x, y]]
            if BACK[heading] not in arms:
                assert at[x, y] == "│"  # the line passes behind an upright one
                arms = heading
            for arm in arms.replace(BACK[heading], ""):
                step_x, step_y = STEPS[arm]
                pending.append((x + step_x, y + step_y, arm))
    return truths, found


@given(models(max_worlds=8))
@settings(max_examples=EXAMPLES // 2)
def test_following_the_lines_of_a_picture_gives_the_order(model: Kripke) -> None:
    model = upwards(model)
    lines = _picture(model)
    assume("above it:" not in lines[0])
    truths, found = _traced(lines)
    assert found == set(edges(model))
    shown = Countermodel(model, (), FALSE)
    assert truths == {world: ", ".join(shown.true_at(world)) or "–" for world in range(len(model.true))}


def test_nearly_all_small_models_are_drawn_and_not_listed() -> None:
    cube = [(one, one | bit) for one in range(8) for bit in (1, 2, 4) if not one & bit]
    between = [(lower, upper) for lower in (1, 2, 3) for upper in (4, 5, 6)]
    for shape in (cube, between, [(0, 1), (1, 2), (2, 3)], [(0, 1), (1, 2), (0, 3), (3, 2), (0, 4)]):
        model = kripke(shape, *[""] * (1 + max(max(edge) for edge in shape)))
        lines = _picture(model)
        assert "above it:" not in lines[0]
        assert _traced(lines)[1] == set(edges(model))


def test_many_atoms_take_several_lines() -> None:
    names = [f"a{number}" for number in range(12)]
    assert _traced(_picture(kripke([(0, 1)], "", " ".join(names))))[0][1].split(", ") == sorted(names)


def test_what_is_too_wide_is_listed() -> None:
    model = kripke([(0, world) for world in range(1, 8)], "", *"pqrpqrp")
    lines = draw(Countermodel(model, (), FALSE), width=40).splitlines()
    assert lines[0] == "0: –; above it: 1, 2, 3, 4, 5, 6, 7"
    assert lines[3] == "3: r; above it: –"


def test_the_table_shows_hypotheses_the_conclusion_and_their_parts() -> None:
    shown = _shown("q", ("(p /\\ r) -> q",))
    assert [brief(formula) for formula in shown.main_formulas(10)] == ["p /\\ r -> q"]
    shown = _shown("(a -> b) -> c \\/ d \\/ ~ e")
    assert [brief(formula) for formula in shown.main_formulas(4)] == [
        "(a -> b) -> c \\/ d \\/ ~ e",
        "a -> b",
        "c \\/ d \\/ ~ e",
        "~ e",
    ]


def test_edges_that_need_not_cross_do_not() -> None:
    model = kripke([(1, 5), (2, 4), (3, 6)], *[""] * 7)
    found = layout(model)
    assert crossings(found.rows, found.links) == 0
    assert crossings([[0, 1], [2, 3]], [(0, 3), (1, 2)]) == 1


def _follows(model: Kripke, claim: Claim, reasons: tuple[Claim, ...]) -> bool:
    """Return True if a claim follows by Kripke's clauses, and by truths staying true, from the reasons alone."""
    true = {(world, formula) for below, formula, holds in reasons if holds for world in above(model, below)}
    false = {
        (world, formula)
        for higher, formula, holds in reasons
        if not holds
        for world in range(len(model.true))
        if higher in above(model, world)
    }
    false |= {(world, FALSE) for world in range(len(model.true))}

    def holds(world: int, formula: Formula) -> bool | None:
        if (world, formula) in true or (world, formula) in false:
            return (world, formula) in true
        match formula:
            case And(left, right):
                sides = holds(world, left), holds(world, right)
                return False if False in sides else (None if None in sides else True)
            case Or(left, right):
                sides = holds(world, left), holds(world, right)
                return True if True in sides else (None if None in sides else False)
            case Implies(left, right):
                sides_above = [(holds(other, left), holds(other, right)) for other in above(model, world)]
                if any(one is True and other is False for one, other in sides_above):
                    return False
                return True if all(one is False or other is True for one, other in sides_above) else None
            case _:
                return None

    return holds(claim.world, claim.formula) is claim.true


def test_every_sentence_is_true_and_its_reasons_suffice() -> None:
    for model, formula in refuted(EXAMPLES):
        explanation = explain(Countermodel(model, (), formula), max_steps=1000)
        assert explanation.left_out == 0
        explained = {step.claim for step in explanation.steps}
        assert len(explained) == len(explanation.steps)
        for claim, reasons, _ in explanation.steps:
            assert forces(model, claim.world, claim.formula) == claim.true
            assert _follows(model, claim, reasons)
            assert all(reason.is_plain or reason in explained for reason in reasons)
        assert Claim(0, formula, False) in explained or Claim(0, formula, False).is_plain


FACT = re.compile(r"At world (\d+), (.+) is (not )?true, because (.+)\.")


def test_what_the_words_say_of_worlds_is_true() -> None:
    seen: set[str] = set()
    for model, formula in refuted(max(1_000, EXAMPLES)):  # of fewer not all sentences are said
        for claim, reasons, sentence in explain(Countermodel(model, (), formula), max_steps=1000).steps:
            fact = FACT.fullmatch(sentence)
            assert fact is not None
            because = fact[4]
            if "…" not in fact[2]:
                assert (int(fact[1]), parse(fact[2]), fact[3] is None) == (claim.world, claim.formula, claim.true)
            assert all(brief(reason.formula) in because for reason in reasons[:2])
            higher = [other for other in above(model, claim.world) if other != claim.world]
            if "no world lies above" in because:
                seen.add("no world lies above")
                assert not higher
            if "stays so above" in because:
                seen.add("stays so above")
                assert higher
            if found := re.fullmatch(r"(.+) is not, nor at any world above", because):
                seen.add("nor at any world above")
                assert higher
                assert not any(forces(model, world, parse(found[1])) for world in (claim.world, *higher))
            if found := re.search(r"at world (\d+), which lies above", because):
                seen.add("which lies above")
                assert int(found[1]) in higher
            if found := re.fullmatch(r"(.+) becomes true only at worlds? ([\d, and]+?)( and above)?, and .+", because):
                seen.add(f"only at{found[3]}")
                named = {int(number) for number in re.findall(r"\d+", found[2])}
                onwards = {other for world in named for other in above(model, world)}
                assert {world for world in higher if forces(model, world, parse(found[1]))} == onwards
                assert (found[3] is not None) == (onwards != named)
    assert len(seen) == 6


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("p \\/ ~ p", ["~ p is not true, because at world 1, which lies above, p is true."]),
        ("~ ~ p -> p", ["~ ~ p is true, because ~ p is not, nor at any world above."]),
        ("p \\/ q \\/ r", ["At world 0, p \\/ q \\/ r is not true, because none of p, q and r is."]),
        ("p \\/ p", ["At world 0, p \\/ p is not true, because p is not."]),
        ("p /\\ q -> q /\\ r", ["because p and q are and q /\\ r is not.", "q /\\ r is not true, because r is not."]),
        ("~ (p /\\ q)", ["At world 0, ~ (p /\\ q) is not true, because p and q are."]),
        ("~ ~ (p /\\ q)", ["~ (p /\\ q) is true, because p /\\ q is not, and no world lies above."]),
        ("(p -> q) -> p", ["At world 0, p -> q is true, because p is not, and no world lies above."]),
        (
            "(~ p -> q \\/ r) -> (~ p -> q) \\/ (~ p -> r)",
            ["because ~ p becomes true only at worlds 2 and 3, and q \\/ r is true there too."],
        ),
    ],
)
def test_the_words_for_each_connective(formula: str, words: list[str]) -> None:
    told = "\n".join(explain(_shown(formula)).sentences)
    for sentence in words:
        assert sentence in told


def test_long_explanations_are_cut_and_say_so() -> None:
    formula = resolve("SYJ211.3").lemmas[0].formula
    shown = refute((), formula, Intuit())
    assert shown is not None
    whole, cut = explain(shown, max_steps=1000), explain(shown, max_steps=5)
    assert len(cut.steps) == 5
    assert set(cut.steps) < set(whole.steps)
    named = {claim for step in cut.steps for claim in step.reasons if not claim.is_plain}
    assert cut.left_out == len(named - {step.claim for step in cut.steps}) > 1
    assert cut.sentences[-1] == f"{cut.left_out} of these claims are not taken apart further, to keep this short."


@pytest.mark.parametrize("lemma", [each for each in resolve("textbook").lemmas if each.status == Status.NON_THEOREM])
def test_an_svg_picture_has_every_world_once_and_loads_nothing(lemma: Lemma) -> None:
    shown = refute((), lemma.formula, Intuit())
    assert shown is not None
    text = svg(shown)
    root = ET.fromstring(text)
    written = [element.text for element in root.iter(f"{SVG}text")]
    assert [each for each in written if each == f"Not provable: {brief(lemma.formula, UNICODE)}"]
    worlds = len(shown.model.true)
    assert len(root.findall(f"{SVG}rect")) == 1 + worlds
    assert len(root.findall(f"{SVG}line")) == len(edges(shown.model))
    rows = len(shown.main_formulas(8))
    assert len(root.findall(f"{SVG}circle")) == rows * worlds
    filled = [circle for circle in root.iter(f"{SVG}circle") if circle.get("class") == "true"]
    formulas = shown.main_formulas(8)
    assert len(filled) == sum(forces(shown.model, world, each) for world in range(worlds) for each in formulas)
    assert "href" not in text
    assert "url(" not in text


@given(models(max_worlds=8))
@settings(max_examples=EXAMPLES // 10)
def test_nothing_in_an_svg_picture_is_cut_off_or_overlaps_and_lines_join_boxes_of_linked_worlds(model: Kripke) -> None:
    model = upwards(model)
    root = ET.fromstring(svg(Countermodel(model, (), FALSE)))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    boxes: list[list[float]] = []
    top_of: dict[tuple[int, int], int] = {}
    bottom_of: dict[tuple[int, int], int] = {}
    for box, after in pairwise(root):
        if box.tag == f"{SVG}rect" and after.tag == f"{SVG}text":
            x, y, w, h = (float(box.attrib[name]) for name in ("x", "y", "width", "height"))
            top_of[round(x + w / 2), round(y)] = bottom_of[round(x + w / 2), round(y + h)] = int(after.text or "")
            boxes.append([x, y, w, h])
    lines = [[round(float(line.attrib[name])) for name in ("x1", "y1", "x2", "y2")] for line in root.iter(f"{SVG}line")]
    if len(lines) == len(edges(model)):  # otherwise some lines have bends
        assert {(top_of[x1, y1], bottom_of[x2, y2]) for x1, y1, x2, y2 in lines} == set(edges(model))
    for number, (x, y, w, h) in enumerate(boxes):
        assert x >= 0
        assert y >= 0
        assert x + w <= width
        assert y + h <= height
        for other_x, other_y, other_w, other_h in boxes[:number]:
            assert x + w <= other_x or other_x + other_w <= x or y + h <= other_y or other_y + other_h <= y
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.attrib["x"]) <= width
        assert 0 <= float(text.attrib["y"]) <= height


def test_names_that_mean_something_in_xml_are_escaped() -> None:
    assert ET.fromstring(svg(_shown("p -> q /\\ p'"))).findtext(f"{SVG}title") == ("Not provable: p → q ∧ p'")
