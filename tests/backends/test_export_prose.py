"""Proofs in words: every case and every assumption is there, the end is what was proved, and examples read well."""

from __future__ import annotations

import re
from typing import Final, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.backends.export import EXPORTS, Proof, tptp
from oasis.cli.export import export
from tactics.formula import Formula
from tactics.parser import parse
from tactics.printer import UNICODE, show
from tests.backends.exported import NAMES, RANDOM, proof
from tests.backends.test_export_fitch import derivation


def written(given_proof: Proof) -> list[str]:
    """The sentences of a proof, without the statement of its lemma."""
    text = EXPORTS["prose"].write([given_proof]).split("\n\n", 1)[1]
    return re.split(r"(?<=\.)\s+", " ".join(text.split()))


def meant(said: str) -> Formula:
    """The formula that is written by signs or in words."""
    return parse(said.replace("a contradiction", "⊥").replace(" or ", " ∨ ").replace(" and ", " ∧ "))


def assumed(sentence: str) -> set[Formula]:
    """What a sentence may assume: one formula, in words perhaps, or a list of formulas."""
    said = re.sub(r"^(Assume|Suppose) (.*)\.$", r"\2", sentence)
    in_words = re.fullmatch(r"\w+( and \w+)+", said)
    return {*map(meant, re.split(", | and ", said)), *([meant(said)] if in_words else [])}


def check(given_proof: Proof) -> None:
    sentences = written(given_proof)
    assert sentences[0] == "Proof."
    assert sentences[-1] == "∎"
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
def test_every_case_and_every_assumption_is_told(name: str) -> None:
    check(proof(name))


@given(st.sampled_from([each for each in RANDOM if len(show(each.formula, UNICODE)) <= 60]))
def test_every_case_and_every_assumption_is_told_in_long_winded_proofs_too(given_proof: Proof) -> None:
    check(given_proof)


EXAMPLES: Final = {
    "textbook/and_comm": "Proof. Assume p and q. So q and p. This proves p ∧ q → q ∧ p. ∎\n",
    "textbook/disjunctive_syllogism": (
        "Proof. Assume p ∨ q and ¬p. Since p or q, there are two cases.\n"
        "   Case p. This contradicts ¬p. So this case cannot occur.\n"
        "   Case q. This is what we need.\n"
        "Only the case q is left, so q. This proves p ∨ q → ¬p → q. ∎\n"
    ),
    "textbook/double_negation_excluded_middle": (
        "Proof. Suppose ¬(p ∨ ¬p). We derive a contradiction. We first show ¬p.\n"
        "   Suppose p. So p ∨ ¬p. This contradicts ¬(p ∨ ¬p).\n"
        "Hence ¬p. So p ∨ ¬p. This contradicts ¬(p ∨ ¬p). This proves ¬¬(p ∨ ¬p). ∎\n"
    ),
    "textbook/ex_falso": (
        "Proof. Assume a contradiction. From a contradiction anything follows, so p. This proves\n⊥ → p. ∎\n"
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_proof_reads_as_expected(name: str) -> None:
    said = EXPORTS["prose"].write([proof(name)]).split("\n\n", 1)[1]
    assert said == EXAMPLES[name]


def test_lines_stay_within_the_page_and_a_formula_within_its_line() -> None:
    text = EXPORTS["prose"].write([proof(name) for name in NAMES])
    assert "\N{NO-BREAK SPACE}" not in text
    paragraphs = [line for line in text.splitlines() if " : " not in line and not line.startswith("where ")]
    assert max(map(len, paragraphs)) <= 110


def test_the_command_names_every_kind_of_file_in_its_help() -> None:
    _, option = get_args(get_type_hints(export, include_extras=True)["to"])
    proofs, _, lemmas = option.help.partition(";")
    assert re.findall(r"[a-z]+(?:-[a-z]+)?", proofs.replace(" or ", " ")) == list(EXPORTS)
    assert lemmas.split()[0] == tptp.NAME
