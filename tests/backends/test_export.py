"""Files to hand out: each stands alone, is accepted by the program that it is for, and holds nothing else."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import combinations, pairwise
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from oasis.backends.export import EXPORTS, Proof
from oasis.backends.export.abbreviations import Abbreviations, Signs
from oasis.backends.export.base import MAX_CHARACTERS
from oasis.backends.export.fitch import ASCII_SIGNS, UNICODE_SIGNS
from oasis.backends.names import LONGEST, named_back, safe_names
from tactics.errors import InputError
from tactics.formula import TRUTH, And, Atom, Formula, Implies, Or, atoms, renamed
from tactics.goal import Move
from tactics.parser import parse
from tactics.printer import UNICODE, show
from tactics.script import parse_script
from tests.backends.exported import AND_COMM, HOSTILE, HUGE, NAMES, RANDOM, awkward, identity, large, proof
from tests.backends.fitch_reader import Derivation, Unsound, check, read
from tests.backends.readers import coqc, lean, lean_steps, pdflatex
from tests.strategies import ALL_NAMES, formulas
from tests.thorough import examples, paired, thoroughly
from tui.look import Look

ALL: Final = [*(proof(name) for name in NAMES), *RANDOM]
LATEX: Final = [name for name in EXPORTS if name.endswith("latex")]
SVG: Final = "{http://www.w3.org/2000/svg}"


def deep(connective: type[And | Or | Implies], size: int) -> Proof:
    formula: Formula = TRUTH
    for _ in range(size):
        formula = connective(Atom("A"), formula) if connective is not And else And(formula, TRUTH)
    if connective is Or:
        moves = [*[Move("right")] * size, Move("intro"), Move("assumption")]
    elif connective is And:
        moves = [*[Move("split")] * size, *[Move("intro"), Move("assumption")] * (size + 1)]
    else:
        moves = [*[Move("intro")] * (size + 1), Move("assumption")]
    return Proof(f"deep {connective.__name__}", formula, tuple(moves))


DEEP: Final = [deep(connective, 60) for connective in (And, Or, Implies)]

# Every form


@pytest.fixture(scope="module")
def every() -> list[Proof]:
    """Every proof, also those over hostile and awkward names."""
    return [*ALL, *DEEP, *HOSTILE, *awkward(1, examples(360))]


def statements(text: str, keyword: str) -> list[str]:
    return re.findall(rf"^{keyword} (\S+) :", text, flags=re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["coq", "coq-standard"])
def test_coq_accepts_every_proof(name: str, every: list[Proof], tmp_path: Path) -> None:
    text = EXPORTS[name].write(every)
    said = coqc(text, tmp_path)
    assert len(set(statements(text, "Theorem"))) == len(every) == len(re.findall(r"^Qed\.$", text, re.MULTILINE))
    assert said.count("Closed under the global context") == (len(every) if name == "coq" else 0)
    assert not re.search(r"^\s*Axiom", text, flags=re.MULTILINE)


@pytest.mark.slow
def test_lean_accepts_every_proof(every: list[Proof], tmp_path: Path) -> None:
    text = EXPORTS["lean"].write(every)
    assert lean(text, tmp_path).count("does not depend on any axioms") == len(every)
    assert len(set(statements(text, "theorem"))) >= len(every)
    assert not re.search(r"^\s*(axiom|#eval)", text, flags=re.MULTILINE)


@pytest.mark.slow
def test_lean_accepts_the_steps_of_the_files_for_a_class(every: list[Proof], tmp_path: Path) -> None:
    """Not the very file: without its library Lean has no ∧ and ∨, and not all notation of tactics."""
    assert lean(lean_steps(every), tmp_path).count("does not depend on any axioms") == len(every)


@pytest.mark.slow
@pytest.mark.parametrize("name", LATEX)
def test_latex_sets_every_proof(name: str, tmp_path: Path) -> None:
    assert "Overfull" not in pdflatex(EXPORTS[name].write([*ALL, *DEEP]), tmp_path)
    text = EXPORTS[name].write([*HOSTILE, HUGE])
    assert text.count(r"\end{document}") == 1 and text.isascii()
    pdflatex(text, tmp_path)


@pytest.mark.parametrize("name", EXPORTS)
def test_a_wrong_script_or_a_formula_that_would_explode_is_refused_with_the_name_of_the_lemma(name: str) -> None:
    write = EXPORTS[name].write
    with pytest.raises(InputError, match=r"^textbook/and_comm: .*open goals"):
        write([AND_COMM._replace(script=AND_COMM.script[:-1])])
    with pytest.raises(InputError, match=r"^textbook/and_comm: Step 1: split"):
        write([AND_COMM._replace(script=AND_COMM.script[2:])])
    if name.startswith(("coq", "lean")):
        with pytest.raises(InputError, match=r"^huge: [^.\n]*\.$"):
            write([HUGE])
    else:  # it is abbreviated
        assert len(write([identity(large(40, twice=False)) if name == "term" else HUGE])) < 30_000


@pytest.mark.slow
@pytest.mark.parametrize("size", [300, *thoroughly(1500)])
@pytest.mark.parametrize(("name", "connective"), paired(EXPORTS, [And, Or, Implies], 3))
def test_long_proofs_are_written_or_refused(name: str, connective: type[And | Or | Implies], size: int) -> None:
    with suppress(InputError):
        assert len(EXPORTS[name].write([deep(connective, size)])) <= MAX_CHARACTERS


# Names and formulas


@pytest.mark.parametrize(
    ("name", "atom"), [("coq", "d_intro"), ("coq-standard", "conj"), ("lean", "And"), ("latex", "λ")]
)
def test_a_renamed_atom_is_named_in_a_comment(name: str, atom: str) -> None:
    said = atom if name != "latex" else ".*"
    assert re.search(f"(--|%|\\(\\*) The atom {said} is called p1 here", EXPORTS[name].write([identity(Atom(atom))]))


def test_only_names_that_a_prover_cannot_take_are_replaced_and_by_new_ones() -> None:
    reserved, long = {"fun", "Type", "p1"}, "a" * (LONGEST + 1)
    formula = parse("fun /\\ Type /\\ p2 /\\ x' /\\ λ /\\ _ -> A")
    assert safe_names(formula, reserved) == {"fun": "p3", "Type": "p4", "λ": "p5", "_": "p6"}
    assert safe_names(parse("p1 -> p2 -> p3"), reserved) == {"p1": "p4"}
    assert safe_names(parse(f"{long} -> {long[1:]}"), ()) == {long: "p1"}


@given(formulas())
def test_renaming_keeps_the_shape_and_is_undone_in_text(formula: Formula) -> None:
    names = safe_names(formula, {"fun", "p1"} | {atom.name for atom in atoms(formula)[::2]})
    safe = renamed(formula, names)
    assert not {atom.name for atom in atoms(safe)} & set(names)
    assert (len(atoms(safe)), safe.size) == (len(atoms(formula)), formula.size)
    assert parse(named_back(show(safe), names)) is formula


@settings(max_examples=examples(200))
@given(formulas((*ALL_NAMES, "false", "TRUE")), st.sampled_from([(UNICODE_SIGNS, Look()), (ASCII_SIGNS, Look.ascii())]))
def test_a_formula_is_written_as_on_the_screens_and_read_back(formula: Formula, look: tuple[Signs, Look]) -> None:
    signs, screen = look
    text = Abbreviations(signs, 10**6)[formula].text
    assert text == show(formula, screen.notation)
    assert parse(text) is formula


# Trees and terms


def test_latex_proves_each_lemma_by_one_tree_and_its_parts() -> None:
    """Replays each tree as bussproofs does: a stack from which an inference takes its premises."""
    for each in ALL:
        text = EXPORTS["latex"].write([each])
        sizes = []
        for tree in re.findall(r"^\\derive\{%\n(.*?)^\}", text, flags=re.MULTILINE | re.DOTALL):
            stack = 0
            for command in re.findall(r"\\([AUB])IC?C?\{|\\(A)XC\{", tree):
                kind = command[0] or command[1]
                stack += {"A": 1, "U": 0, "B": -1}[kind]
                assert stack >= 1
            assert stack == 1
            sizes.append(tree.count(r"\rulename"))
        assert sum(sizes) == len(each.script)


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float
    text: str
    kind: str

    def meets(self, other: Box) -> bool:
        beside = self.right <= other.left or other.right <= self.left
        return not beside and self.top < other.bottom and other.top < self.bottom


class Bar(NamedTuple):
    left: float
    right: float
    y: float


class Picture:
    """An SVG file read back: the room that each piece of text takes, and the lines."""

    def __init__(self, *proofs: Proof) -> None:
        self.root = ElementTree.fromstring(EXPORTS["svg"].write(proofs))
        self.width, self.height = float(self.root.attrib["width"]), float(self.root.attrib["height"])
        self.boxes, self.bars = list[Box](), list[Bar]()
        for each in self.root.iter(f"{SVG}text"):
            kind, x, y = each.attrib["class"], float(each.attrib["x"]), float(each.attrib["y"])
            width, said, size = float(each.attrib["textLength"]), each.text or "", 12 if kind == "rule" else 16
            assert width == pytest.approx(0.6 * size * cell_len(said), abs=0.1)
            # Above the baseline as much as letters and ∧ take, below it what brackets and p do.
            self.boxes.append(Box(x, y - 0.78 * size, x + width, y + 0.24 * size, said, kind))
        for each in self.root.iter(f"{SVG}line"):
            assert each.attrib["y1"] == each.attrib["y2"]
            self.bars.append(Bar(*(float(each.attrib[name]) for name in ("x1", "x2", "y1"))))

    def of(self, kind: str) -> list[Box]:
        return [box for box in self.boxes if box.kind == kind]


def drawn(*proofs: Proof) -> Picture:
    """Return the picture of some proofs; check that nothing overlaps, is crossed by a line, or lies outside."""
    found = Picture(*proofs)
    for one, other in combinations(sorted(found.boxes), 2):
        assert not one.meets(other), (one, other)
    for bar in found.bars:
        crossed = [box for box in found.boxes if box.top < bar.y < box.bottom]
        assert not [box for box in crossed if box.left < bar.right and bar.left < box.right]
    for box in found.boxes:
        assert box.left >= 0 and box.top >= 0
        assert box.right <= found.width and box.bottom <= found.height
    return found


def test_in_a_picture_there_is_a_line_with_its_rule_for_each_move() -> None:
    for each in [proof(name) for name in NAMES if proof(name).formula.size < 25]:
        found = drawn(each)
        assert len(found.bars) == len(each.script)
        assert sorted(box.text for box in found.of("rule")) == sorted(move.rule for move in each.script)
        rules = {(round(box.left), round((box.top + box.bottom) / 2)) for box in found.of("rule")}
        for bar in found.bars:
            assert any(abs(x - bar.right - 8) < 2 and abs(y - bar.y) < 3 for x, y in rules)


@given(st.sampled_from(RANDOM))
def test_text_never_overlaps_in_pictures_of_long_winded_proofs(given_proof: Proof) -> None:
    drawn(given_proof)


@pytest.mark.parametrize(
    "given_proof",
    [
        *(deep(And, 40), deep(Or, 40), identity(Atom("命題"))),
        *(
            identity(Atom("A"), name)
            for name in ("A & B < C > \"D\" 'E'", "]]>", "<script>alert(1)</script>", "\x00\x1b[2J", "&amp;")
        ),
    ],
    ids=lambda each: each.name[:9],
)
def test_pictures_of_large_trees_wide_letters_and_hostile_names_are_whole(given_proof: Proof) -> None:
    assert not list(drawn(given_proof).root.iter(f"{SVG}script"))


def test_several_proofs_are_stacked_each_below_its_name() -> None:
    found = drawn(AND_COMM, proof("textbook/or_comm"), proof("SYJ203.2"))
    titles = found.of("title")
    assert [title.text for title in titles] == ["textbook/and_comm", "textbook/or_comm", "SYJ203.2"]
    edges = [*(title.top for title in titles), found.height]
    assert [sum(low < bar.y < high for bar in found.bars) for low, high in pairwise(edges)] == [5, 6, 10]


def test_a_formula_that_would_explode_is_drawn_with_names_each_defined_before_it_is_used() -> None:
    found = drawn(HUGE)
    assert found.width < 2000
    definitions = [box.text.split(" = ") for box in sorted(found.of("formula"), key=lambda box: box.top)][:-2]
    for place, (name, said) in enumerate(definitions, 1):
        assert name == f"φ{place}"
        assert all(int(word.strip("()φ")) < place for word in said.split() if "φ" in word)


# Fitch derivations


def derivation(given_proof: Proof) -> Derivation:
    """Return the derivation of a proof; check that every line follows, is used, and repeats nothing in scope."""
    (found,) = read(EXPORTS["fitch"].write([given_proof]))
    assert found.formula is given_proof.formula
    check(found)
    known: list[tuple[int, Formula]] = []
    for line in found.lines:
        opens = line.rule == "assumption"
        known = [(depth, formula) for depth, formula in known if depth <= line.depth - opens]
        if line.rule != "R" and not opens:
            assert all(formula is not line.formula for _, formula in known), line
        known.append((line.depth, line.formula))
    used = {number for line in found.lines for cited in line.cited for number in cited}
    assert not [line for line in found.lines[:-1] if line.number not in used and line.rule != "assumption"]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_line_follows(name: str) -> None:
    derivation(proof(name))


@given(st.sampled_from(RANDOM))
def test_every_line_follows_in_long_winded_proofs_too(given_proof: Proof) -> None:
    derivation(given_proof)


@pytest.mark.parametrize(
    ("name", "sound", "spoilt"),
    [
        ("and_comm", "∧I 2, 3", "∧I 3, 2"),
        ("and_comm", "∧E₂ 1", "R 1"),
        ("and_comm", "→I 1–4", "→I 2–4"),
        ("and_comm", "→I 1–4", "¬I 1–4"),
        ("and_comm", "∧I 2, 3", "∧I 2, 4"),
        ("and_comm", "│ q ∧ p ", "│ q ∨ p "),
        ("and_comm", "5 p ∧ q → q ∧ p", "5 p ∧ q → p ∧ q"),
        ("and_comm", "4 │ q ∧ p", "4 q ∧ p"),
        ("and_comm", "3 │ p", "4 │ p"),
        ("and_comm", "2 │ q", "2 │ │ q"),
        ("or_comm", "∨I₁ 4", "∨I₂ 2"),  # a line in a closed box
    ],
)
def test_the_reader_of_derivations_finds_a_spoilt_one_out(name: str, sound: str, spoilt: str) -> None:
    text = EXPORTS["fitch"].write([proof(f"textbook/{name}")])
    assert text.count(sound) == 1
    (found,) = read(text.replace(sound, spoilt))
    with pytest.raises(Unsound):
        check(found)


def test_what_is_known_outside_of_two_cases_is_derived_once_in_front_of_them() -> None:
    script = "intro; destruct_and H; destruct_or H0; left; split; assumption; assumption; right; split; assumption; "
    given_proof = Proof("cases", parse("A /\\ (B \\/ C) -> A /\\ B \\/ A /\\ C"), parse_script(f"{script}assumption"))
    assert [line.depth for line in derivation(given_proof).lines if line.formula is Atom("A")] == [1]


def test_an_abbreviated_derivation_is_read_back() -> None:
    derivation(identity(large(12)))


def test_derivations_grow_no_faster_than_scripts() -> None:
    """Of SYJ203 the script has 3n + 4 moves; a term that shares nothing would double with each level."""
    lengths = []
    for level in (4, 6, 8, 12):
        found = proof(f"SYJ203.{level}")
        lengths.append(len(derivation(found).lines))
        assert lengths[-1] <= 4 * len(found.script)
    assert lengths == sorted(lengths)
    assert len(EXPORTS["fitch"].write([proof("SYJ203.12")])) < MAX_CHARACTERS // 100


# Words


def meant(said: str) -> Formula:
    """Read a formula that is written in signs or in words."""
    return parse(said.replace("a contradiction", "⊥").replace(" or ", " ∨ ").replace(" and ", " ∧ "))


def assumed(sentence: str) -> set[Formula]:
    """Return what a sentence assumes: one formula, perhaps in words, or a list of formulas."""
    said = re.sub(r"^(Assume|Suppose) (.*)\.$", r"\2", sentence)
    in_words = re.fullmatch(r"\w+( and \w+)+", said)
    return {*map(meant, re.split(", | and ", said)), *([meant(said)] if in_words else [])}


def told(given_proof: Proof) -> str:
    """Return a proof in words, without the statement of its lemma."""
    text: str = EXPORTS["prose"].write([given_proof])
    return text.split("\n\n", 1)[1]


def check_words(given_proof: Proof) -> None:
    """Check that every case and every assumption is told, and that what was announced is shown."""
    sentences = re.split(r"(?<=\.)\s+", " ".join(told(given_proof).split()))
    assert (sentences[0], sentences[-1]) == ("Proof.", "∎")
    assert meant(sentences[-2].removeprefix("This proves ").removesuffix(".")) is given_proof.formula
    lines = derivation(given_proof).lines
    starts = {cited[0]: line.rule for line in lines for cited in line.cited if len(cited) == 2}
    cases = [each.removeprefix("Case ").removesuffix(".") for each in sentences if each.startswith("Case ")]
    split = [lines[number - 1].formula for number, rule in sorted(starts.items()) if rule == "∨E"]
    assert list(map(meant, cases)) == split
    there = [each for each in sentences if re.match(r"There are two cases|Since .*, there are two cases", each)]
    assert 2 * len(there) == len(cases)
    said = [assumed(each) for each in sentences if each.startswith(("Assume ", "Suppose "))]
    for number, rule in starts.items():
        assert rule == "∨E" or any(lines[number - 1].formula in each for each in said)
    announced = [each for each in sentences if re.match(r"(We first|Next we) show ", each)]
    discharged = [meant(each[6:-1]) for each in sentences if each.startswith("Hence ")]
    for each in announced:
        assert meant(each.split(" show ")[1].removesuffix(".")) in discharged


@pytest.mark.parametrize("name", [name for name in NAMES if proof(name).formula.size < 25])
def test_every_case_and_every_assumption_is_told_in_words(name: str) -> None:
    check_words(proof(name))


@given(st.sampled_from([each for each in RANDOM if len(show(each.formula, UNICODE)) <= 60]))
def test_every_case_and_every_assumption_is_told_in_long_winded_proofs_too(given_proof: Proof) -> None:
    check_words(given_proof)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "disjunctive_syllogism",
            "Proof. Assume p ∨ q and ¬p. Since p or q, there are two cases.\n"
            "   Case p. This contradicts ¬p. So this case cannot occur.\n"
            "   Case q. This is what we need.\n"
            "Only the case q is left, so q. This proves p ∨ q → ¬p → q. ∎\n",
        ),
        (
            "double_negation_excluded_middle",
            "Proof. Suppose ¬(p ∨ ¬p). We derive a contradiction. We first show ¬p.\n"
            "   Suppose p. So p ∨ ¬p. This contradicts ¬(p ∨ ¬p).\n"
            "Hence ¬p. So p ∨ ¬p. This contradicts ¬(p ∨ ¬p). This proves ¬¬(p ∨ ¬p). ∎\n",
        ),
        (
            "ex_falso",
            "Proof. Assume a contradiction. From a contradiction anything follows, so p. This proves\n⊥ → p. ∎\n",
        ),
    ],
)
def test_a_proof_reads_as_expected(name: str, words: str) -> None:
    assert told(proof(f"textbook/{name}")) == words


def test_lines_stay_within_the_page_and_a_formula_within_its_line() -> None:
    text = EXPORTS["prose"].write([proof(name) for name in NAMES])
    assert "\N{NO-BREAK SPACE}" not in text
    paragraphs = [line for line in text.splitlines() if " : " not in line and not line.startswith("where ")]
    assert max(map(len, paragraphs)) <= 110
