"""Coq shows, allows and certifies exactly what the embedded calculus does."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from curricula.resolve import resolve_lemma
from oasis.backends.base import BackendError, Claim, ShownGoal
from oasis.backends.coq.driver import Coq
from oasis.backends.coq.setup import find, tactics_folder
from oasis.backends.coq.text import RESERVED, at_once, statement
from oasis.backends.native import Native
from tactics.errors import InputError
from tactics.formula import FALSE, RESERVED_NAMES, Atom, Formula
from tactics.goal import Move, initial
from tactics.parser import parse
from tactics.rules import IllegalMove, apply, legal_moves
from tactics.script import parse_script
from tests.backends.mutations import compare_certificates, mutants
from tests.backends.walks import compare, walks
from tests.optional import missing
from tests.thorough import examples

pytestmark = pytest.mark.slow

SWAP = parse("A /\\ B -> B /\\ A")
SWAP_PROOF = parse_script("intro; destruct_and H; split; assumption; assumption")


@pytest.fixture(scope="module")
def coq() -> Iterator[Coq]:
    if shutil.which("coqidetop.opt") is None:
        missing("Coq is not installed")
    with Coq() as prover:
        yield prover


def swap(name: str) -> Formula:
    """The lemma that swaps an atom of any name and B."""
    return (Atom(name) & Atom("B")) >> (Atom("B") & Atom(name))


# The same text and the same moves


def test_random_walks_look_the_same_in_coq(coq: Coq) -> None:
    number, rng = examples(250), Random(0)
    counts: Counter[str] = Counter()
    differences = [found for walk in walks(0, number) for found in compare(coq, walk, rng, counts)]
    assert differences == []
    assert counts["theorems"] >= 2 * number // 5 and counts["non-theorems"] >= number // 5
    assert counts["legal moves"] >= 4 * number and counts["illegal moves"] >= 8 * number


def test_larger_lemmas_look_the_same_in_coq(coq: Coq) -> None:
    rng = Random(1)
    counts: Counter[str] = Counter()
    assert [found for walk in walks(1, 25, (15, 40)) for found in compare(coq, walk, rng, counts)] == []


@pytest.mark.parametrize("name", ["SYJ202.3", "SYJ201.3"])
def test_large_goals_are_shown_whole(coq: Coq, name: str) -> None:
    """Every state of a random walk, stuck or proved at its end, among them formulas that Coq would cut short."""
    formula = resolve_lemma(name).formula
    rng = Random(0)
    native = Native()
    native.start(formula)
    coq.start(formula)
    state = initial(formula)
    longest = 0
    while state and (legal := legal_moves(state[0])):
        assert coq.goals() == native.goals()
        texts = [text for goal in coq.goals() for text in (goal.conclusion, *(each for _, each in goal.hypotheses))]
        longest = max(longest, *map(len, texts))
        move = rng.choice(legal)
        state = apply(state, move)
        native.apply(move)
        coq.apply(move)
    assert coq.goals() == native.goals()
    assert longest > 168


def test_taking_moves_back_leads_to_the_states_before(coq: Coq) -> None:
    native = Native()
    rng = Random(3)
    for walk in walks(3, 20):
        coq.start(walk.formula)
        native.start(walk.formula)
        for move in walk.script:
            coq.apply(move)
            native.apply(move)
        for moves in sorted((rng.randint(0, len(walk.script)) for _ in range(4)), reverse=True):
            coq.back_to(moves)
            native.back_to(moves)
            assert coq.goals() == native.goals()


@pytest.mark.parametrize(
    ("moves", "refused", "reason"),
    [
        ("", "split", "split: the conclusion is not of the form A /\\ B."),
        ("", "assumption", "assumption: (A /\\ B -> B /\\ A) is not among the hypotheses."),
        ("intro", "destruct_or H", "destruct_or: H is not of the form A \\/ B."),
        ("intro", "imply4 H", "imply4: H is not of the form (C -> D) -> B."),
        ("intro", "imply1 H7", "imply1: no hypothesis is called H7."),
        ("intro", "contradiction", "contradiction: False is not among the hypotheses."),
        (str.join("; ", map(str, SWAP_PROOF)), "intro", "intro: nothing is left to prove; leave this move out."),
    ],
)
def test_a_refused_move_says_why_and_changes_nothing(coq: Coq, moves: str, refused: str, reason: str) -> None:
    coq.start(SWAP)
    for move in parse_script(moves):
        coq.apply(move)
    before = coq.goals()
    (move,) = parse_script(refused)
    with pytest.raises(IllegalMove) as caught:
        coq.apply(move)
    assert str(caught.value) == reason
    assert coq.goals() == before


def test_without_a_lemma_nothing_can_be_done(coq: Coq) -> None:
    with Coq() as another, pytest.raises(BackendError, match="start one first"):
        another.apply(Move("intro"))


# Certificates


def test_mutated_scripts_are_certified_exactly_if_they_replay(coq: Coq) -> None:
    counts: Counter[str] = Counter()
    assert list(compare_certificates(coq, list(mutants(0, 300)), counts)) == []
    assert counts["certificates"] == 300 and counts["accepted"] >= 40 and counts["rejected"] >= 150


def test_a_certificate_names_the_prover_and_its_version(coq: Coq) -> None:
    (certificate,) = coq.certify([Claim(SWAP, SWAP_PROOF)])
    assert certificate.accepted and certificate.prover == "coq" and certificate.reason == ""
    assert certificate.version == coq.version()
    assert certificate.version.startswith(("Coq ", "Rocq "))


@pytest.mark.parametrize(
    ("script", "step", "reason"),
    [
        ("", None, "The script ends with 1 goal open."),
        ("intro; destruct_and H; split", None, "The script ends with 2 goals open."),
        ("intro; destruct_and H; left", 3, "Step 3: left: the conclusion is not of the form A \\/ B."),
        ("intro; destruct_and H0", 2, "Step 2: destruct_and: no hypothesis is called H0."),
        ("intro; destruct_and", 2, "Step 2: destruct_and needs a hypothesis, as in destruct_and H."),
        ("intro H", 1, "Step 1: intro takes no hypothesis; leave out H."),
        (
            "intro; destruct_and H; split; assumption; assumption; assumption",
            6,
            "Step 6: assumption: nothing is left to prove; leave this move out.",
        ),
    ],
)
def test_a_rejected_script_is_told_where_and_why(coq: Coq, script: str, step: int | None, reason: str) -> None:
    (certificate,) = coq.certify([Claim(SWAP, parse_script(script))])
    assert (certificate.accepted, certificate.step, certificate.reason) == (False, step, reason)


@pytest.mark.parametrize(
    "move",
    [
        Move("admit"),
        Move("intro. Admitted. Axiom x : False"),
        Move("destruct_and", "H. Admitted. Axiom x : False"),
        Move("destruct_and", "H; admit"),
        Move("destruct_and", "H\nadmit"),
        Move("destruct_and", "H (* *)"),
        Move("destruct_and", "Type"),
        Move("destruct_and", "(proj1 H)"),
        Move("destruct_and", "ℋ"),
        Move("imply1", "False_ind"),
        Move("imply1", "conj"),
        Move("imply1", "oasis_claim"),
        Move("intro", "H; admit"),
    ],
)
def test_a_hostile_move_is_refused_and_hides_nothing(coq: Coq, move: Move) -> None:
    good, bad = Claim(SWAP, SWAP_PROOF), Claim(SWAP, (Move("intro"), move, *SWAP_PROOF[1:]))
    assert [found.accepted for found in coq.certify([good, bad, good, Claim(FALSE, (move,)), good])] == [
        True,
        False,
        True,
        False,
        True,
    ]
    coq.start(SWAP)
    with pytest.raises(IllegalMove):
        coq.apply(move)
    assert len(coq.goals()) == 1


def test_what_holds_only_classically_is_never_certified(coq: Coq) -> None:
    formulas = [parse(text) for text in ("A \\/ ~A", "~~A -> A", "((A -> B) -> A) -> A")]
    claims = [Claim(formula, script) for formula in formulas for script in (SWAP_PROOF, (), parse_script("assumption"))]
    assert not any(found.accepted for found in coq.certify(claims))


def test_certifying_leaves_the_lemma_in_progress(coq: Coq) -> None:
    coq.start(SWAP)
    coq.apply(Move("intro"))
    before = coq.goals()
    coq.certify([Claim(SWAP, SWAP_PROOF), Claim(FALSE, ())])
    assert coq.goals() == before
    coq.apply(Move("destruct_and", "H"))
    assert coq.goals() == (ShownGoal((("H", "A"), ("H0", "B")), "B /\\ A"),)


def test_a_long_proof_is_certified_move_by_move(coq: Coq) -> None:
    formula: Formula = Atom("A")
    for _ in range(400):
        formula = Atom("B") >> formula
    claim = Claim(Atom("A") >> formula, (*[Move("intro")] * 401, Move("assumption")))
    assert at_once(claim.script) is None
    assert [found.accepted for found in coq.certify([claim, Claim(claim.formula, claim.script[1:])])] == [True, False]


def test_a_script_written_as_one_tactic_branches_as_its_goals_do() -> None:
    script = parse_script("intro; destruct_or H; right; assumption; left; assumption")
    assert at_once(script) == "d_intro; d_destruct_or H; [ d_right; d_assumption | d_left; d_assumption]"
    for changed in (script[:-1], (*script, Move("intro")), (Move("intro", "H"),), ()):
        assert at_once(changed) is None


def test_a_formula_too_long_for_coq_is_refused_in_a_sentence(coq: Coq) -> None:
    formula: Formula = Atom("A")
    for _ in range(25):
        formula = formula & formula
    with pytest.raises(InputError, match="characters"):
        coq.start(formula)
    huge, good = coq.certify([Claim(formula, SWAP_PROOF), Claim(SWAP, SWAP_PROOF)])
    assert "characters" in huge.reason and good.accepted


# Names


@pytest.mark.parametrize(
    "name",
    [
        *sorted(RESERVED - RESERVED_NAMES),
        *("H", "H0", "H00", "sorry", "and", "or", "not", "iff", "conj", "I", "nat", "Axioms", "oasis_claim", "Qed"),
        *("d_intro", "d_start", "dyckhoff", "intro", "given", "added", "absurd", "atom", "name", "rest", "x'", "_x"),
        *("λ", "é", "Ж1", "Γ", "x" * 300, "H" * 300, "_", "__", "p1"),
    ],
)
def test_an_atom_may_have_any_name(coq: Coq, name: str) -> None:
    formula = swap(name)
    native = Native()
    coq.start(formula)
    native.start(formula)
    script: list[Move] = []
    state = initial(formula)
    while state:
        assert coq.goals() == native.goals()
        # The hypothesis is called H0 if an atom is called H.
        script.append(next(move for move in legal_moves(state[0]) if move.rule == SWAP_PROOF[len(script)].rule))
        state = apply(state, script[-1])
        coq.apply(script[-1])
        native.apply(script[-1])
    assert coq.goals() == ()
    (certificate,) = coq.certify([Claim(formula, tuple(script))])
    assert certificate.accepted
    assert dict(certificate.renamed).keys() <= {name}
    if name in RESERVED or len(name) > 60 or not name.isascii():
        assert certificate.renamed == ((name, "p1"),)


def test_a_renamed_atom_has_its_own_name_in_what_coq_says(coq: Coq) -> None:
    coq.start(Atom("Type") >> Atom("p1"))
    coq.apply(Move("intro"))
    assert coq.goals() == (ShownGoal((("H", "Type"),), "p1"),)
    coq.start(Atom("λ"))
    with pytest.raises(IllegalMove, match="assumption: λ is not among"):
        coq.apply(Move("assumption"))


def test_a_lemma_that_coq_reads_otherwise_is_not_certified(coq: Coq, monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement that is proved is compared with the formula, whatever was sent."""

    def another(formula: Formula, names: dict[str, str]) -> str:
        return statement(parse("A /\\ B -> A /\\ B"), names)

    monkeypatch.setattr("oasis.backends.coq.driver.statement", another)
    formula = parse("A /\\ B -> B /\\ (B /\\ A)")
    (certificate,) = coq.certify([Claim(formula, parse_script("intro; assumption"))])
    assert not certificate.accepted
    assert certificate.reason == "Coq reads another formula than the lemma."


# The compiled tactics


def test_the_tactics_use_no_axiom_and_no_library(coq: Coq) -> None:
    folder = tactics_folder(find(None, Coq.install, 60), 60)
    checked = subprocess.run(
        ["coqchk", "-silent", "-o", "-Q", str(folder), "Oasis", "Oasis.dyckhoff"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "* Axioms: <none>" in " ".join((checked.stdout + checked.stderr).split())


def test_the_tactics_are_compiled_once_even_by_many_at_once(
    coq: Coq, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    installation = find(None, Coq.install, 60)
    with ThreadPoolExecutor(4) as pool:
        folders = set(pool.map(lambda _: tactics_folder(installation, 60), range(4)))
    assert len(folders) == 1
    assert [each.name for each in (tmp_path / "oasis").iterdir()] == [folders.pop().name]


def test_a_cache_that_cannot_be_written_is_done_without(
    coq: Coq, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "oasis").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with Coq() as prover:
        assert prover.certify([Claim(SWAP, SWAP_PROOF)])[0].accepted
