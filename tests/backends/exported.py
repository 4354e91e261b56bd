"""Proofs that are exported: of known lemmas, random and long-winded ones, and over names that mean something else."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Final

from curricula.course import course
from curricula.generator import RandomSettings, random_lemmas
from curricula.lemma import Status
from curricula.resolve import resolve, resolve_lemma
from oasis.backends.coq import text as coq_text
from oasis.backends.export import Proof
from oasis.backends.export import coq as coq_export
from oasis.backends.lean import words
from oasis.teacher.proofs import Proof as Found
from oasis.teacher.proofs import prove
from tactics.formula import RESERVED_NAMES, Atom, Formula, Implies, atoms, equivalence, renamed
from tactics.goal import initial
from tactics.script import parse_script
from tests.backends.claims import GOOD
from tests.backends.walks import lemmas, proofs, provable, random_proof

NAMES: Final = sorted(
    name
    for name in {
        *(lemma.name for curriculum in ("textbook", "thesis") for lemma in resolve(curriculum).lemmas),
        *(name for world in course() for name in world.lemmas),
        *(f"SYJ203.{level}" for level in range(1, 9)),
    }
    if resolve_lemma(name).status is Status.THEOREM
)
"""Theorems of the textbook, the thesis, the course and a family."""
RANDOM: Final = [
    *(Proof(f"random/{number}", *claim) for number, claim in enumerate(proofs(11, 150))),
    *(
        Proof(lemma.name, lemma.formula, random_proof(lemma.formula, Random(seed)))
        for size in (6, 10)
        for seed, lemma in enumerate(random_lemmas(RandomSettings(kind="theorem", count=40, size=size, falsum=0.15)))
    ),
]
"""Random proofs, the first of lemmas half of which have atoms called H, H0 and so on."""
AND_COMM: Final = Proof("textbook/and_comm", *GOOD)


@cache
def proof(name: str) -> Proof:
    """Return the teacher's proof of a lemma."""
    formula = resolve_lemma(name).formula
    found = prove(formula)
    assert isinstance(found, Found)
    assert found.script is not None
    return Proof(name, formula, found.script)


def identity(formula: Formula, name: str = "identity") -> Proof:
    """Return the proof that a formula implies itself."""
    return Proof(name, Implies(formula, formula), parse_script("intro; assumption"))


def large(links: int, twice: bool = True) -> Formula:
    """Return a formula of few parts that is huge when it is written out; `twice`: also with `<->`."""
    formula: Formula = Atom("p")
    for number in range(links):
        formula = equivalence(Implies(formula, formula) if twice else formula, Atom(f"q{number}"))
    return formula


HUGE: Final = identity(large(40), "huge")

_HOSTILE_ATOMS: Final = (
    "Type H H0 Prop' sorry fun Set SProp as at by in with exists exists2 cofix fix let using match lazymatch "
    "multimatch conj or_introl or_intror and or not iff False_ind d_intro d_imply4 And Or Not Iff PUnit lcErased "
    "Dyckhoff Oasis Sort theorem end open do then fst snd H' x' x'' _x _ λ é Ж p1 p2 intro exact c d where IF ex true "
    "Axiom Theorem Qed Proof Goal return if else forall' axiom h h1 rec is atom name added given absurd antecedent "
    "proof Variable Definition Hypothesis until instance example def notation infix private nomatch calc have show "
    "from this"
)
_HOSTILE_NAMES: Final = (
    'A. Qed. Axiom x|*) Axiom false : False. (*|" unclosed|-/ axiom x : False|\n#eval 1|\\end{document}|{-|-}||  |41|'
    "exists|theorem|H|H0|conj|And|Dyckhoff|a b|a/b|a_b|é|λ|$x^2_3$ & 50% #1 ~ {|d_intro|Oasis|`evil`|A /\\ B -> B|"
    "\u2028|A|identity"
)
HOSTILE: Final = [
    *(identity(Atom(name)) for name in (*_HOSTILE_ATOMS.split(), "A" * 300, "H" + "1" * 70)),
    *(identity(Atom("A"), name) for name in (*_HOSTILE_NAMES.split("|"), "x" * 500)),
]
"""Atoms and lemmas with names that mean something to a prover or to LaTeX."""

_OTHERS: Final = (
    "H H0 H1 H10 H' given premise principal added c d h p1 p2 x' _x λ é Ж η κ intro left Nat String nil t NaN Inf conj "
    "And I"
)
_AWKWARD: Final = sorted({*words.RESERVED, *coq_text.RESERVED, *coq_export.RESERVED, *_OTHERS.split()} - RESERVED_NAMES)


def awkward(seed: int, count: int) -> Iterator[Proof]:
    """Yield random theorems whose atoms have awkward names, each with a random proof."""
    rng = Random(f"awkward {seed}")
    found = 0
    while found < count:
        for formula in lemmas(rng.randrange(1 << 40), 1):
            if atoms(formula):
                plain = [atom.name for atom in atoms(formula)]
                named = renamed(formula, dict(zip(plain, rng.sample(_AWKWARD, len(plain)), strict=True)))
                if provable(initial(named)[0]):
                    found += 1
                    yield Proof(rng.choice([f"lemma {found}", *_AWKWARD]), named, random_proof(named, rng))
