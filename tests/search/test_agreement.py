"""The proofs of every search against Coq and Lean, on random theorems.

The long run is `OASIS_EXAMPLES=500 python -m pytest tests/search/test_agreement.py -n 2`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from curricula.generator import RandomSettings, random_lemmas
from oasis.backends.base import Backend, Claim
from oasis.backends.registry import REFEREES, backend, installed
from oasis.search.registry import SEARCHES
from oasis.search.search import Budget
from tactics.goal import initial
from tests.optional import missing
from tests.thorough import examples

pytestmark = pytest.mark.slow

EXAMPLES: Final = examples(20)


@pytest.fixture(scope="module", params=REFEREES)
def referee(request: pytest.FixtureRequest) -> Iterator[Backend]:
    if request.param not in installed():
        missing(f"{request.param} is not installed")
    with backend(request.param) as prover:
        yield prover


def test_provers_accept_the_proofs_of_every_search(referee: Backend) -> None:
    claims: list[Claim] = []
    for kind in SEARCHES.values():
        for lemma in random_lemmas(RandomSettings(12, 4, "theorem", EXAMPLES, seed=11)):
            search = kind(initial(lemma.formula)[0], seed=3)
            list(search.run(Budget(expansions=3_000)))
            if script := search.script():
                claims.append(Claim(lemma.formula, script))
    assert len(claims) > 0.9 * len(SEARCHES) * EXAMPLES
    assert [certificate.reason for certificate in referee.certify(claims) if not certificate.accepted] == []
