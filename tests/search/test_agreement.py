"""Every search against the truth and against Coq and Lean, on random lemmas.

OASIS_EXAMPLES says how many lemmas each search is held against; on a tenth as many theorems its proofs go to provers.
The long run is `OASIS_EXAMPLES=5000 python -m pytest tests/search/test_agreement.py -n 2`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from curricula.generator import RandomSettings, random_lemmas
from oasis.backends.base import Backend, Claim
from oasis.backends.registry import REFEREES, backend, installed
from oasis.search.graph import OPEN, PROVED
from oasis.search.registry import SEARCHES
from oasis.search.search import Budget
from oasis.teacher.deciding.decide import Verdict, decide
from tactics.formula import Formula
from tactics.goal import initial
from tactics.script import Script, replay
from tests.optional import missing
from tests.thorough import examples

pytestmark = pytest.mark.slow

EXAMPLES: Final = examples(200)
SIZE: Final = 12


def random_formulas(number: int, kind: str) -> list[Formula]:
    return [lemma.formula for lemma in random_lemmas(RandomSettings(SIZE, 4, kind, number, seed=11))]


def found(name: str, formula: Formula) -> tuple[bool | None, Script | None]:
    """What a search says of a formula, None if its budget was not enough, and the proof."""
    search = SEARCHES[name](initial(formula)[0], seed=3)
    *_, last = search.run(Budget(expansions=3_000))
    return (None if last.status is OPEN else last.status is PROVED), search.script()


@pytest.mark.parametrize("name", SEARCHES)
def test_what_a_search_settles_agrees_with_the_engine(name: str) -> None:
    settled = 0
    for formula in random_formulas(EXAMPLES, "any"):
        says, script = found(name, formula)
        if says is not None:
            settled += 1
            assert says == (decide(formula).verdict is Verdict.THEOREM)
        assert (script is not None) == bool(says)
        assert script is None or not replay(formula, script)[-1]
    # Sampling cannot know that there is no proof.
    assert settled > (0.9 if name != "sampling" else 0.1) * EXAMPLES


@pytest.fixture(scope="module", params=REFEREES)
def referee(request: pytest.FixtureRequest) -> Iterator[Backend]:
    if request.param not in installed():
        missing(f"{request.param} is not installed")
    with backend(request.param) as prover:
        yield prover


def test_provers_accept_the_proofs_of_every_search(referee: Backend) -> None:
    claims: list[Claim] = []
    for name in SEARCHES:
        for formula in random_formulas(EXAMPLES // 10, "theorem"):
            _, script = found(name, formula)
            if script is not None:
                claims.append(Claim(formula, script))
    assert len(claims) > 0.9 * len(SEARCHES) * (EXAMPLES // 10)
    assert [certificate.reason for certificate in referee.certify(claims) if not certificate.accepted] == []
