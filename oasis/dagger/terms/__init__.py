"""The sixteen terms of R†, each as the design document prints it and as it does what the document says it is for.

Of a state, terms look at the goal in focus unless they say otherwise. A move that does not apply uses no formula and no
rule, so what pays for these pays nothing for it.
"""

from __future__ import annotations

from typing import Final

from oasis.dagger.term import Term
from oasis.dagger.terms.basic import CORRECT, ELEGANCE, FREQUENCY, NUMERIC_FIT, PROGRESS
from oasis.dagger.terms.bayesian import ALIGNMENT, COMPRESSION, REUSE, SURPRISE, UNCERTAINTY
from oasis.dagger.terms.structural import CENTRALITY, ENTROPY, NOVELTY, PREREQUISITE, UTILITY, WALK

TERMS: Final[tuple[Term, ...]] = (
    *(CORRECT, PROGRESS, ELEGANCE, FREQUENCY, NUMERIC_FIT),
    *(SURPRISE, REUSE, COMPRESSION, ALIGNMENT, UNCERTAINTY),
    *(CENTRALITY, ENTROPY, PREREQUISITE, UTILITY, NOVELTY, WALK),
)
"""In the order in which R† sums them; the clause entropy is subtracted."""
