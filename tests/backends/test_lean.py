"""Lean shows the goals of the embedded calculus, takes and refuses the same moves, and certifies the same scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from curricula.resolve import resolve_lemma
from oasis.backends.base import BackendError, BackendMissing, Claim, ShownGoal
from oasis.backends.lean.driver import Lean, _accepted
from oasis.backends.lean.process import Message, header
from oasis.backends.lean.term import formula_text, proof, questions, shown_formula
from oasis.backends.lean.words import RESERVED
from oasis.backends.native import Native
from tactics.errors import InputError
from tactics.formula import FALSE, RESERVED_NAMES, And, Atom, Formula, atoms
from tactics.goal import Move, initial
from tactics.parser import parse
from tactics.rules import RULES, IllegalMove, apply, legal_moves
from tactics.script import Script, parse_script
from tests.backends.lean_words import library, reserved_among, symbols_in, words_in
from tests.backends.mutations import compare_certificates, mutants
from tests.backends.walks import compare, lemmas, walks
from tests.optional import missing
from tests.thorough import examples

pytestmark = pytest.mark.slow

SWAP = parse("A /\\ B -> B /\\ A")
NO_AXIOMS = Message(1, "information", "'κ' does not depend on any axioms")
SWAP_PROOF = parse_script("intro; destruct_and H; split; assumption; assumption")


@pytest.fixture(scope="module")
def lean() -> Iterator[Lean]:
    with Lean() as prover:
        try:
            prover.version()
        except BackendMissing as error:
            missing(str(error))
        yield prover


# Stepping


def test_random_walks_look_the_same_in_lean(lean: Lean) -> None:
    number, rng = examples(110), Random(1)
    counts: Counter[str] = Counter()
    assert [found for walk in walks(1, number) for found in compare(lean, walk, rng, counts, 1, 2)] == []
    assert counts["theorems"] >= number * 40 // 110 and counts["non-theorems"] >= number * 30 // 110
    assert counts["legal moves"] >= number * 300 // 110 and counts["illegal moves"] >= number * 600 // 110


@pytest.mark.parametrize("name", ["SYJ202.3", "SYJ201.3"])
def test_large_goals_are_shown_whole(lean: Lean, name: str) -> None:
    """Every state of a random walk to its end, among them goals far longer than Lean shows by itself."""
    formula = resolve_lemma(name).formula
    rng = Random(0)
    native = Native()
    native.start(formula)
    lean.start(formula)
    state = initial(formula)
    longest = 0
    while state and (legal := legal_moves(state[0])):
        shown = lean.goals()
        assert shown == native.goals()
        texts = [text for goal in shown for text in (goal.conclusion, *(each for _, each in goal.hypotheses))]
        longest = max(longest, *map(len, texts))
        move = rng.choice(legal)
        state = apply(state, move)
        native.apply(move)
        lean.apply(move)
    assert lean.goals() == native.goals()
    assert longest > 168


def test_what_replaces_a_hypothesis_in_place_stays_there(lean: Lean) -> None:
    lean.start(parse("A -> (A -> B) -> C -> D -> B"))
    for move in parse_script("intro; intro; intro; intro; imply1 H0"):
        lean.apply(move)
    assert lean.goals() == (ShownGoal((("H", "A"), ("H0", "B"), ("H1", "C"), ("H2", "D")), "B"),)


def test_taking_moves_back_leads_to_the_states_before(lean: Lean) -> None:
    lean.start(SWAP)
    seen = [lean.goals()]
    for move in SWAP_PROOF:
        lean.apply(move)
        seen.append(lean.goals())
    assert seen[-1] == ()
    for moves in (4, 2, 0):
        lean.back_to(moves)
        assert lean.goals() == seen[moves]
    lean.apply(SWAP_PROOF[0])
    assert lean.goals() == seen[1]


@pytest.mark.parametrize(
    ("moves", "refused", "reason"),
    [
        ("", Move("split"), "split: the conclusion is not of the form A /\\ B."),
        ("", Move("assumption"), "assumption: A /\\ B -> B /\\ A is not among the hypotheses."),
        ("intro", Move("imply4", "H"), "imply4: H is not of the form (C -> D) -> B."),
        ("intro", Move("imply1", "H7"), "imply1: no hypothesis is called H7; there are H."),
        ("intro", Move("imply1", "A"), "imply1: no hypothesis is called A; there are H."),
        ("intro", Move("contradiction"), "contradiction: False is not among the hypotheses."),
        ("intro", Move("destruct_and"), "destruct_and needs a hypothesis, as in destruct_and H."),
        ("intro", Move("intro", "H"), "intro takes no hypothesis; leave out H."),
        ("; ".join(map(str, SWAP_PROOF)), Move("intro"), "intro: nothing is left to prove; leave this move out."),
    ],
)
def test_a_refused_move_says_why_and_changes_nothing(lean: Lean, moves: str, refused: Move, reason: str) -> None:
    lean.start(SWAP)
    for move in parse_script(moves):
        lean.apply(move)
    before = lean.goals()
    with pytest.raises(IllegalMove) as caught:
        lean.apply(refused)
    assert str(caught.value).startswith(reason.removesuffix("."))
    assert lean.goals() == before


def test_lean_decides_and_not_the_embedded_calculus(lean: Lean, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move that the calculus would take wrongly is refused by Lean, and one that it would refuse wrongly is taken."""

    def nothing_applies(*_: object) -> None:
        raise IllegalMove("The calculus says no.")

    monkeypatch.setattr("oasis.backends.lean.driver.premises", nothing_applies)
    lean.start(SWAP)
    lean.apply(Move("intro"))
    monkeypatch.setattr("oasis.backends.lean.driver.premises", lambda *_: ())
    with pytest.raises(IllegalMove, match=r"Lean does not take it: .*mismatch"):
        lean.apply(Move("destruct_or", "H"))
    assert lean.goals() == (ShownGoal((("H", "A /\\ B"),), "B /\\ A"),)


def test_without_a_lemma_nothing_can_be_done() -> None:
    with Lean() as another, pytest.raises(BackendError, match="start one first"):
        another.apply(Move("intro"))


# Certificates


def test_mutated_scripts_are_certified_exactly_if_they_replay(lean: Lean) -> None:
    counts: Counter[str] = Counter()
    assert list(compare_certificates(lean, list(mutants(1, 200)), counts)) == []
    assert counts["accepted"] >= 20 and counts["rejected"] >= 100


def test_a_certificate_names_the_prover_and_its_version(lean: Lean) -> None:
    (found,) = lean.certify([Claim(SWAP, SWAP_PROOF)])
    assert (found.prover, found.accepted, found.reason, found.step, found.renamed) == ("lean", True, "", None, ())
    assert found.version.startswith("Lean 4.")


def test_a_bad_claim_hides_no_other(lean: Lean) -> None:
    """Lean would stop looking at a file after 100 errors, and each of these makes two."""
    good, bad = Claim(SWAP, SWAP_PROOF), [Claim(SWAP, SWAP_PROOF[:length]) for length in range(5)]
    claims = [claim for number in range(150) for claim in (bad[number % 5], good)]
    claims = [
        Claim(Atom(f"x{number}") >> claim.formula, (Move("intro"), *claim.script))
        for number, claim in enumerate(claims)
    ]
    found = lean.certify([*claims, good])
    assert not any(certificate.accepted for certificate in found[:300:2])
    renamed = [Claim(claim.formula, _one_later(claim)) for claim in claims[1::2]]
    assert all(certificate.accepted for certificate in lean.certify([*renamed, good]))
    assert found[-1].accepted


def _one_later(claim: Claim) -> tuple[Move, ...]:
    """The proof with its hypotheses called as they are when one more was introduced before them."""
    return tuple(Move(move.rule, move.hypothesis and "H0") for move in claim.script)


@pytest.mark.parametrize(
    "said",
    [
        [[], []],
        [[Message(0, "error", "Type mismatch")], [NO_AXIOMS]],
        [[Message(0, "warning", "declaration uses `sorry`")], [NO_AXIOMS]],
        [[NO_AXIOMS], []],
        [[], [NO_AXIOMS, NO_AXIOMS]],
        [[], [Message(1, "error", NO_AXIOMS.text)]],
        [[], [Message(1, "information", "'κ1' does not depend on any axioms")]],
        [[], [Message(1, "information", "'κ' depends on axioms: [sorryAx]")]],
    ],
)
def test_anything_else_than_silence_and_no_axioms_is_no_proof(said: list[list[Message]]) -> None:
    """Alone, "no axioms" proves nothing: Lean may say so of a theorem that it has refused."""
    assert _accepted([[], [NO_AXIOMS]], "κ")
    assert not _accepted(said, "κ")


def test_what_holds_only_classically_is_never_certified(lean: Lean) -> None:
    formulas = [parse(text) for text in ("A \\/ ~A", "~~A -> A", "((A -> B) -> A) -> A")]
    claims = [Claim(formula, script) for formula in formulas for script in (SWAP_PROOF, (), parse_script("assumption"))]
    assert not any(found.accepted for found in lean.certify(claims))


def test_certifying_leaves_the_lemma_in_progress(lean: Lean) -> None:
    lean.start(SWAP)
    lean.apply(Move("intro"))
    before = lean.goals()
    lean.certify([Claim(SWAP, SWAP_PROOF), Claim(FALSE, ())])
    assert lean.goals() == before


def test_a_long_proof_is_certified(lean: Lean) -> None:
    formula: Formula = Atom("A")
    for _ in range(400):
        formula = Atom("B") >> formula
    claim = Claim(Atom("A") >> formula, (*[Move("intro")] * 401, Move("assumption")))
    assert [found.accepted for found in lean.certify([claim, Claim(claim.formula, claim.script[1:])])] == [True, False]


def test_a_formula_too_long_for_lean_is_refused_in_a_sentence(lean: Lean) -> None:
    formula: Formula = Atom("A")
    for _ in range(25):
        formula = formula & formula
    with pytest.raises(InputError, match="characters"):
        lean.start(formula)
    huge, good = lean.certify([Claim(formula, ()), Claim(SWAP, SWAP_PROOF)])
    assert "characters" in huge.reason and not huge.accepted and good.accepted


# Names and text

NAMES = [
    *sorted(RESERVED - RESERVED_NAMES),
    *("H", "H0", "H00", "Nat", "String", "premise", "principal", "given", "intro", "split", "move_last", "x'", "_x"),
    *("claim0", "g1", "rfl", "axiomatic", "λ", "é", "Ж1", "Γ", "η", "θ", "δ0", "_", "__", "p1", "x" * 300, "H" * 300),
]


@pytest.mark.thorough
def test_every_word_that_lean_reserves_is_known() -> None:
    binary = library()
    assert symbols_in(binary) - RESERVED == set()
    assert reserved_among(sorted(set(words_in(binary).values()) - RESERVED)) == set()


def test_words_that_lean_reserves_are_told_from_others() -> None:
    assert reserved_among(["A", "given", "B", "let_expr", "C", "fun"]) == {"given", "let_expr", "fun"}
    assert {"if", "generalizing", "matches"} <= symbols_in(library())


def _swap_proof(name: str) -> Script:
    return tuple(Move(move.rule, move.hypothesis and ("H0" if name == "H" else "H")) for move in SWAP_PROOF)


def test_an_atom_may_have_any_name(lean: Lean) -> None:
    claims = [Claim(parse(f"{name} /\\ B -> B /\\ {name}"), _swap_proof(name)) for name in NAMES]
    found = lean.certify(claims)
    assert [name for name, certificate in zip(NAMES, found, strict=True) if not certificate.accepted] == []
    for name, certificate in zip(NAMES, found, strict=True):
        plain = name.isascii() and name not in RESERVED and name != "_" and len(name) < 60
        assert dict(certificate.renamed).keys() == (set() if plain else {name})


@pytest.mark.parametrize(
    "name", ["fun", "sorry", "given", "requires", "ensures", "Type", "And", "Dyckhoff", "H", "H0", "λ", "η", "x" * 300]
)
def test_goals_show_an_atom_by_its_own_name(lean: Lean, name: str) -> None:
    formula = parse(f"{name} /\\ B -> B /\\ {name}")
    native = Native()
    native.start(formula)
    lean.start(formula)
    for move in _swap_proof(name):
        assert lean.goals() == native.goals()
        native.apply(move)
        lean.apply(move)
    assert lean.goals() == ()


@pytest.mark.parametrize(
    "move",
    [
        Move("sorry"),
        Move("intro) sorry --"),
        Move("destruct_and", "H) sorry --"),
        Move("destruct_and", "H\naxiom x : False"),
        Move("destruct_and", "sorry"),
        Move("destruct_and", "sorryAx"),
        Move("destruct_and", "_"),
        Move("destruct_and", "?g1"),
        Move("destruct_and", "η"),
        Move("destruct_and", "Dyckhoff.split"),
        Move("destruct_and", "And"),
        Move("imply1", "κ"),
        Move("imply1", "κ0"),
        Move("intro", "H; sorry"),
        Move("move_last", "H"),
        Move("destruct_and", ""),
    ],
)
def test_a_hostile_move_is_refused_and_hides_nothing(lean: Lean, move: Move) -> None:
    good, bad = Claim(SWAP, SWAP_PROOF), Claim(SWAP, (Move("intro"), move, *SWAP_PROOF[1:]))
    found = lean.certify([good, bad, Claim(FALSE, (move,)), Claim(SWAP >> SWAP, (Move("intro"), *SWAP_PROOF)), good])
    assert [certificate.accepted for certificate in found] == [True, False, False, False, True]
    lean.start(SWAP)
    lean.apply(Move("intro"))
    with pytest.raises(IllegalMove):
        lean.apply(move)
    assert len(lean.goals()) == 1


def test_what_lean_shows_is_read_as_it_was_written() -> None:
    for formula in lemmas(5, 200):
        words = {atom.name: atom for atom in atoms(formula)}
        assert shown_formula(formula_text(formula, {}), {**words, "False": FALSE}) is formula


@pytest.mark.parametrize(
    "text", ["", "And A", "And A B C", "A B", "(A", "A)", "A →", "→ A", "C", "A ∧ B", "(And) A B", "()"]
)
def test_text_that_is_no_formula_is_reported(text: str) -> None:
    with pytest.raises(BackendError, match="no formula"):
        shown_formula(text, {"A": Atom("A"), "B": Atom("B")})


def test_deep_formulas_and_scripts_are_written_and_read() -> None:
    formula: Formula = Atom("A")
    for number in range(10_000):
        formula = And(formula, Atom("B")) if number % 2 else formula >> Atom("B")
    assert shown_formula(formula_text(formula, {}), {"A": Atom("A"), "B": Atom("B")}) is formula
    chain: Formula = Atom("A")
    for _ in range(1_000):
        chain = Atom("A") >> chain
    assert proof(chain, (*[Move("intro")] * 1_000, Move("assumption"))).open == 0


def test_every_rule_has_its_theorem() -> None:
    text = header()
    assert [rule for rule in RULES if f"\ntheorem {rule} " not in text] == []
    assert "axiom " not in text and "sorry" not in text


def test_a_move_without_the_hypothesis_that_it_wants_is_tried_with_every_one() -> None:
    state = initial(parse("A -> B -> C"))
    for _ in range(2):
        state = apply(state, Move("intro"))
    asked = questions(SWAP, state[0], Move("assumption"), {})
    assert [line.rpartition(" ")[2] for line in asked] == ["H", "H0"]  # neither of which says C
