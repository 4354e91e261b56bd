"""Coq and Lean show, allow and certify exactly what the embedded calculus does, which is asked the same."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest

from curricula.resolve import resolve_lemma
from oasis.backends.base import Backend, BackendError, Claim, ShownGoal
from oasis.backends.coq.text import RESERVED as COQ_WORDS
from oasis.backends.lean.words import RESERVED as LEAN_WORDS
from oasis.backends.native import Native
from tactics.errors import InputError
from tactics.formula import FALSE, RESERVED_NAMES, Atom, Formula
from tactics.goal import Move, initial
from tactics.parser import parse
from tactics.rules import IllegalMove, apply, legal_moves
from tactics.script import parse_script
from tests.backends.claims import AFTER_TWO, GOOD, PROOF, SWAP, doubled, provers, swap
from tests.backends.mutations import compare_certificates, mutants
from tests.backends.walks import compare, walks
from tests.thorough import examples, thoroughly

# The same text and the same moves


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prover", "number", "legal", "illegal"),
    [("coq", examples(250), 2, 3), ("lean", examples(110), 1, 2)],
    indirect=["prover"],
)
def test_random_walks_look_the_same(prover: Backend, number: int, legal: int, illegal: int) -> None:
    counts: Counter[str] = Counter()
    rng = Random(1)
    assert [found for walk in walks(1, number) for found in compare(prover, walk, rng, counts, legal, illegal)] == []
    assert counts["theorems"] >= number // 3 and counts["non-theorems"] >= number // 5
    assert counts["legal moves"] >= 2 * number and counts["illegal moves"] >= 5 * number


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prover", "name"),
    [("coq", "SYJ202.3"), ("lean", "SYJ201.3"), *thoroughly(("coq", "SYJ201.3"), ("lean", "SYJ202.3"))],
    indirect=["prover"],
)
def test_large_goals_are_shown_whole(prover: Backend, name: str) -> None:
    """Every state of a random walk to its end, among them formulas far longer than provers show by themselves."""
    formula, rng, native = resolve_lemma(name).formula, Random(0), Native()
    native.start(formula)
    prover.start(formula)
    state = initial(formula)
    longest = 0
    while state and (legal := legal_moves(state[0])):
        shown = prover.goals()
        assert shown == native.goals()
        longest = max(longest, *(len(text) for goal in shown for _, text in (("", goal.conclusion), *goal.hypotheses)))
        move = rng.choice(legal)
        state = apply(state, move)
        native.apply(move)
        prover.apply(move)
    assert prover.goals() == native.goals()
    assert longest > 168


@provers()
def test_a_lemma_is_stepped_through_and_back(prover: Backend) -> None:
    prover.start(SWAP)
    seen = [prover.goals()]
    for move in PROOF:
        prover.apply(move)
        seen.append(prover.goals())
    assert seen[0] == (ShownGoal((), "A /\\ B -> B /\\ A"),)
    assert (seen[2], seen[-1]) == (AFTER_TWO, ())
    for moves in (4, 2, 0):
        prover.back_to(moves)
        assert prover.goals() == seen[moves]
    prover.apply(PROOF[0])
    assert prover.goals() == seen[1]


@provers()
@pytest.mark.parametrize(
    ("moves", "refused", "reason"),
    [
        ("", Move("split"), "split: the conclusion is not of the form A /\\ B"),
        ("", Move("assumption"), "assumption: A /\\ B -> B /\\ A is not among the hypotheses"),
        ("intro", Move("destruct_or", "H"), "destruct_or: H is not of the form A \\/ B"),
        ("intro", Move("imply4", "H"), "imply4: H is not of the form (C -> D) -> B"),
        ("intro", Move("imply1", "H7"), "imply1: no hypothesis is called H7"),
        ("intro", Move("imply1", "A"), "imply1: "),
        ("intro", Move("contradiction"), "contradiction: False is not among the hypotheses"),
        ("intro", Move("destruct_and"), "destruct_and needs a hypothesis, as in destruct_and H."),
        ("intro", Move("intro", "H"), "intro takes no hypothesis; leave out H."),
        ("; ".join(map(str, PROOF)), Move("intro"), "intro: nothing is left to prove"),
    ],
)
def test_a_refused_move_says_why_and_changes_nothing(prover: Backend, moves: str, refused: Move, reason: str) -> None:
    prover.start(SWAP)
    for move in parse_script(moves):
        prover.apply(move)
    before = prover.goals()
    with pytest.raises(IllegalMove) as caught:
        prover.apply(refused)
    assert str(caught.value).replace("(A /\\ B -> B /\\ A)", "A /\\ B -> B /\\ A").startswith(reason)
    assert prover.goals() == before


@provers("coq", "lean")
def test_without_a_lemma_nothing_can_be_done(prover: Backend) -> None:
    with type(prover)() as another, pytest.raises(BackendError, match="start one first"):
        another.apply(Move("intro"))


# Certificates


@provers("coq", "lean")
def test_mutated_scripts_are_certified_exactly_if_they_replay(prover: Backend) -> None:
    counts: Counter[str] = Counter()
    assert list(compare_certificates(prover, list(mutants(1, 200)), counts)) == []
    assert counts["certificates"] == 200 and counts["accepted"] >= 20 and counts["rejected"] >= 100


@provers()
def test_a_certificate_names_the_prover_and_its_version(prover: Backend) -> None:
    (found,) = prover.certify([GOOD])
    assert (found.accepted, found.reason, found.step, found.renamed) == (True, "", None, ())
    assert (found.prover, found.version) == (prover.name, prover.version())
    assert found.version.startswith(("Coq ", "Rocq ", "Lean 4.", "the embedded calculus"))


REJECTED: Final = [
    ("", None, "The script ends with 1 goal open."),
    ("intro; destruct_and H; split", None, "The script ends with 2 goals open."),
    ("intro; destruct_and H; left", 3, "Step 3: left: the conclusion is not of the form A \\/ B"),
    ("intro; destruct_and H0", 2, "Step 2: destruct_and: no hypothesis is called H0"),
    ("intro; destruct_and", 2, "Step 2: destruct_and needs a hypothesis, as in destruct_and H."),
    ("intro H", 1, "Step 1: intro takes no hypothesis; leave out H."),
    ("; ".join(map(str, (*PROOF, "assumption"))), 6, "Step 6: assumption: nothing is left to prove"),
]


@provers()
def test_rejected_scripts_are_told_where_and_why(prover: Backend) -> None:
    found = prover.certify([Claim(SWAP, parse_script(script)) for script, _, _ in REJECTED])
    for certificate, (_, step, reason) in zip(found, REJECTED, strict=True):
        assert (certificate.accepted, certificate.step) == (False, step)
        assert certificate.reason.startswith(reason)


HOSTILE: Final = [
    *(Move(rule) for rule in ("admit", "sorry", "intro. Admitted. Axiom x : False", "intro) sorry --")),
    *(
        Move("destruct_and", name)
        for name in (
            *("H. Admitted. Axiom x : False", "H; admit", "H\nadmit", "H (* *)", "Type", "(proj1 H)", "ℋ", ""),
            *("H) sorry --", "H\naxiom x : False", "sorry", "sorryAx", "_", "?g1", "η", "Dyckhoff.split", "And"),
        )
    ),
    *(Move("imply1", name) for name in ("False_ind", "conj", "oasis_claim", "κ", "κ0")),
    *(Move("intro", "H; admit"), Move("intro", "H; sorry"), Move("move_last", "H")),
]


@provers()
def test_hostile_moves_are_refused_and_hide_nothing(prover: Backend) -> None:
    claims = []
    for number, move in enumerate(HOSTILE):
        claims += [Claim(SWAP, (PROOF[0], move, *PROOF[1:])), Claim(FALSE, (move,)), swap(f"A{number}")]
    assert [found.accepted for found in prover.certify(claims)] == [False, False, True] * len(HOSTILE)
    prover.start(SWAP)
    prover.apply(PROOF[0])
    for move in HOSTILE:
        with pytest.raises(IllegalMove):
            prover.apply(move)
    assert prover.goals() == (ShownGoal((("H", "A /\\ B"),), "B /\\ A"),)


@provers("coq", "lean")
def test_what_holds_only_classically_is_never_certified(prover: Backend) -> None:
    formulas = [parse(text) for text in ("A \\/ ~A", "~~A -> A", "((A -> B) -> A) -> A")]
    claims = [Claim(formula, script) for formula in formulas for script in (PROOF, (), parse_script("assumption"))]
    assert not any(found.accepted for found in prover.certify([*claims, Claim(SWAP >> SWAP, (PROOF[0], *PROOF))]))


@provers("coq", "lean")
def test_certifying_leaves_the_lemma_in_progress(prover: Backend) -> None:
    prover.start(SWAP)
    prover.apply(PROOF[0])
    prover.certify([GOOD, Claim(FALSE, ())])
    assert prover.goals() == (ShownGoal((("H", "A /\\ B"),), "B /\\ A"),)
    prover.apply(PROOF[1])
    assert prover.goals() == AFTER_TWO


@provers()
def test_a_long_proof_is_certified(prover: Backend) -> None:
    formula: Formula = Atom("A")
    for _ in range(400):
        formula = Atom("B") >> formula
    claim = Claim(Atom("A") >> formula, (*[Move("intro")] * 401, Move("assumption")))
    assert [found.accepted for found in prover.certify([claim, Claim(claim.formula, claim.script[1:])])] == [
        True,
        False,
    ]


@provers("coq", "lean")
def test_a_formula_that_is_too_long_is_refused_in_a_sentence(prover: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.backends.coq.text._MAX_CHARACTERS", 10_000)
    monkeypatch.setattr("oasis.backends.lean.term.MAX_CHARACTERS", 10_000)
    with pytest.raises(InputError, match="characters"):
        prover.start(doubled(14))
    huge, good = prover.certify([Claim(doubled(14), PROOF), GOOD])
    assert "characters" in huge.reason and not huge.accepted and good.accepted


# Names

COQ_NAMES: Final = (
    *("H", "H0", "H00", "sorry", "and", "or", "not", "iff", "conj", "I", "nat", "Axioms", "oasis_claim", "Qed", "p1"),
    *("d_intro", "d_start", "dyckhoff", "intro", "given", "added", "absurd", "atom", "name", "rest", "x'", "_x", "__"),
)
LEAN_NAMES: Final = (
    *("H", "H0", "H00", "Nat", "String", "premise", "principal", "given", "intro", "split", "move_last", "x'", "_x"),
    *("claim0", "g1", "rfl", "axiomatic", "__", "p1", "sorry", "requires", "ensures", "And", "Dyckhoff"),
)
RENAMED: Final = ("λ", "é", "Ж1", "Γ", "η", "θ", "δ0", "_", "x" * 300, "H" * 300)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prover", "reserved", "names"),
    [("coq", COQ_WORDS, COQ_NAMES), ("lean", LEAN_WORDS, LEAN_NAMES)],
    indirect=["prover"],
)
def test_an_atom_may_have_any_name(prover: Backend, reserved: frozenset[str], names: tuple[str, ...]) -> None:
    renamed = {*reserved, *RENAMED} - RESERVED_NAMES
    every = sorted(renamed.union(names))
    found = prover.certify([swap(name) for name in every])
    assert [name for name, certificate in zip(every, found, strict=True) if not certificate.accepted] == []
    for name, certificate in zip(every, found, strict=True):
        assert dict(certificate.renamed).keys() == ({name} if name in renamed else set())


@provers("coq", "lean")
def test_goals_show_an_atom_by_its_own_name(prover: Backend) -> None:
    for name in (
        "fun",
        "Type",
        "given",
        "requires",
        "And",
        "Dyckhoff",
        "d_intro",
        "H",
        "H0",
        "p1",
        "λ",
        "η",
        "x" * 300,
    ):
        claim, native = swap(name), Native()
        native.start(claim.formula)
        prover.start(claim.formula)
        for move in claim.script:
            assert prover.goals() == native.goals()
            native.apply(move)
            prover.apply(move)
        assert prover.goals() == ()
    prover.start(Atom("λ"))
    with pytest.raises(IllegalMove, match="assumption: λ is not among"):
        prover.apply(Move("assumption"))
