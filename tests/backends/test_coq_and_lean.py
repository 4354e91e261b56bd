"""Coq and Lean show, allow and certify exactly what the embedded calculus does, and what each does otherwise."""

import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from random import Random
from typing import Final

import pytest

from curricula.generator import RandomSettings, random_lemmas
from curricula.resolve import resolve_lemma
from oasis.backends.base import Backend, BackendError, ShownGoal
from oasis.backends.coq.driver import Coq
from oasis.backends.coq.setup import find, tactics_folder
from oasis.backends.coq.text import RESERVED as COQ_WORDS
from oasis.backends.coq.text import at_once, statement
from oasis.backends.lean.driver import Lean, _accepted
from oasis.backends.lean.process import Message
from oasis.backends.lean.term import formula_text, proof, questions, shown_formula
from oasis.backends.lean.words import RESERVED as LEAN_WORDS
from oasis.backends.native import Native
from oasis.ground.names import SEARCHES
from oasis.play.solving import Budget
from oasis.teacher.proofs import Proof, prove
from tactics.claims import Claim
from tactics.errors import InputError
from tactics.formula import FALSE, RESERVED_NAMES, And, Atom, Formula, atoms
from tactics.goal import Move, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import IllegalMove, apply
from tactics.script import parse_script
from tests.backends.claims import AFTER_TWO, GOOD, PROOF, SWAP, provers, swap
from tests.backends.lean_words import library, reserved_among, symbols_in, words_in
from tests.backends.mutations import compare_certificates, mutants
from tests.backends.walks import compare, lemmas, played, random_walk, walks
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
    larger = walks(1, examples(60) if prover.name == "coq" else 0, (15, 40))
    assert [found for walk in larger for found in compare(prover, walk, rng, counts)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prover", "name"),
    [("coq", "SYJ202.3"), ("lean", "SYJ201.3"), *thoroughly(("coq", "SYJ201.3"), ("lean", "SYJ202.3"))],
    indirect=["prover"],
)
def test_large_goals_are_shown_whole(prover: Backend, name: str) -> None:
    """Every state of a random walk to its end, among them formulas far longer than provers show by themselves."""
    rng, counts = Random(0), Counter[str]()
    walk = random_walk(resolve_lemma(name).formula, True, rng)
    assert list(compare(prover, walk, rng, counts, 0, 0)) == []
    assert len(show(walk.formula, sugar=False)) > 168


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


# Certificates


@provers("coq", "lean")
def test_mutated_scripts_are_certified_exactly_if_they_replay(prover: Backend) -> None:
    counts: Counter[str] = Counter()
    assert list(compare_certificates(prover, list(mutants(1, 200)), counts)) == []
    assert counts["certificates"] == 200 and counts["accepted"] >= 20 and counts["rejected"] >= 100


@provers()
def test_atoms_that_are_called_like_constants_are_atoms_in_provers(prover: Backend) -> None:
    formula, native = parse("'false' -> 'bot' \\/ 'true' -> 'TRUE' -> 'false'"), Native()
    for backend in (prover, native):
        backend.start(formula)
        backend.apply(Move("intro"))
    assert prover.goals() == native.goals()
    (certificate,) = prover.certify([Claim(formula, parse_script("intro; intro; intro; assumption"))])
    assert certificate.accepted


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


@provers("coq", "lean")
def test_proofs_of_the_teacher_and_of_every_search_are_accepted(prover: Backend) -> None:
    formulas = [lemma.formula for lemma in random_lemmas(RandomSettings(12, 4, "theorem", examples(20), seed=11))]
    claims = [Claim(each, found.script or ()) for each in formulas if isinstance(found := prove(each), Proof)]
    for kind, formula in product(SEARCHES.values(), formulas):
        search = kind(initial(formula)[0], seed=3)
        list(search.run(Budget(expansions=3_000)))
        if script := search.script():
            claims.append(Claim(formula, script))
    assert len(claims) > 0.9 * len(formulas) * (1 + len(SEARCHES))
    assert [certificate.reason for certificate in prover.certify(claims) if not certificate.accepted] == []


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
    found = prover.certify([claim, Claim(claim.formula, claim.script[1:])])
    assert [each.accepted for each in found] == [True, False]


@provers("coq", "lean")
def test_a_formula_that_is_too_long_is_refused_in_a_sentence(prover: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.backends.coq.text._MAX_CHARACTERS", 10_000)
    monkeypatch.setattr("oasis.backends.lean.term.MAX_CHARACTERS", 10_000)
    long = parse(" -> ".join(["A"] * 4000))
    with pytest.raises(InputError, match="characters"):
        prover.start(long)
    huge, good = prover.certify([Claim(long, PROOF), GOOD])
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
        *["fun", "Type", "given", "requires", "And", "Dyckhoff", "d_intro", "H", "H0", "p1", "λ", "η"],
        "x" * 300,
    ):
        claim = swap(name)
        walk = played(claim.formula, True, claim.script)
        assert list(compare(prover, walk, Random(0), Counter(), 0, 0)) == [] and walk.proved
    prover.start(Atom("λ"))
    with pytest.raises(IllegalMove, match="assumption: λ is not among"):
        prover.apply(Move("assumption"))


# Coq alone


def test_a_script_written_as_one_tactic_branches_as_its_goals_do() -> None:
    script = parse_script("intro; destruct_or H; right; assumption; left; assumption")
    assert at_once(script) == "d_intro; d_destruct_or H; [ d_right; d_assumption | d_left; d_assumption]"
    for changed in (script[:-1], (*script, Move("intro")), (Move("intro", "H"),), (), (Move("intro"),) * 400):
        assert at_once(changed) is None


@pytest.mark.slow
def test_a_lemma_that_coq_reads_otherwise_is_not_certified(coq: Coq, monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement that is proved is compared with the formula, whatever was sent."""

    def another(formula: Formula, names: dict[str, str]) -> str:
        return statement(parse("A /\\ B -> A /\\ B"), names)

    monkeypatch.setattr("oasis.backends.coq.driver.statement", another)
    (certificate,) = coq.certify([Claim(parse("A /\\ B -> B /\\ (B /\\ A)"), parse_script("intro; assumption"))])
    assert (certificate.accepted, certificate.reason) == (False, "Coq reads another formula than the lemma.")


@pytest.mark.slow
def test_the_tactics_use_no_axiom_and_no_library(coq: Coq) -> None:
    folder = tactics_folder(find(None, Coq.install, 60), 60)
    command = ["coqchk", "-silent", "-o", "-Q", str(folder), "Oasis", "Oasis.dyckhoff"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "* Axioms: <none>" in " ".join((checked.stdout + checked.stderr).split())


@pytest.mark.slow
def test_tactics_are_compiled_once_by_many_at_once(coq: Coq, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    installation = find(None, Coq.install, 60)
    with ThreadPoolExecutor(3) as pool:
        folders = set(pool.map(lambda _: tactics_folder(installation, 60), range(3)))
    assert len(folders) == 1
    assert [each.name for each in (tmp_path / "oasis").iterdir()] == [folders.pop().name]


@pytest.mark.slow
def test_coq_certifies_without_a_writable_cache(coq: Coq, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "oasis").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with Coq() as prover:
        assert prover.certify([GOOD])[0].accepted


# Lean alone

NO_AXIOMS = Message(1, "information", "'κ' does not depend on any axioms")


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_hundred_errors_hide_no_other_claim(lean: Lean) -> None:
    """Lean would stop looking at a file after 100 errors."""
    claims = []
    for number in range(150):
        bad = swap(f"x{number}")
        claims += [bad._replace(script=PROOF[: number % 5]), swap(f"y{number}")]
    assert [found.accepted for found in lean.certify(claims)] == [False, True] * 150


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


@pytest.mark.thorough
@pytest.mark.slow
def test_every_word_that_lean_reserves_is_known() -> None:
    binary = library()
    assert reserved_among(["A", "given", "B", "let_expr", "C", "fun"]) == {"given", "let_expr", "fun"}
    assert {"if", "generalizing", "matches"} <= symbols_in(binary)
    assert symbols_in(binary) - LEAN_WORDS == set()
    assert reserved_among(sorted(set(words_in(binary).values()) - LEAN_WORDS)) == set()


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


@pytest.mark.slow
def test_deep_formulas_and_scripts_are_written_and_read() -> None:
    formula: Formula = Atom("A")
    for number in range(10_000):
        formula = And(formula, Atom("B")) if number % 2 else formula >> Atom("B")
    assert shown_formula(formula_text(formula, {}), {"A": Atom("A"), "B": Atom("B")}) is formula
    chain: Formula = Atom("A")
    for _ in range(1_000):
        chain = Atom("A") >> chain
    assert proof(chain, (*[Move("intro")] * 1_000, Move("assumption"))).open == 0


def test_a_move_without_the_hypothesis_that_it_wants_is_tried_with_every_one() -> None:
    state = initial(parse("A -> B -> C"))
    for _ in range(2):
        state = apply(state, Move("intro"))
    asked = questions(SWAP, state[0], Move("assumption"), {})
    assert [line.rpartition(" ")[2] for line in asked] == ["H", "H0"]  # neither of which says C
