"""How many random examples a property of the state spaces is tried on: 1,000 in a thorough run.

A long run is `OASIS_EXAMPLES=50000 pytest tests/state_spaces`.
"""

from __future__ import annotations

from typing import Final

from hypothesis import HealthCheck, settings

from tests.thorough import examples

EXAMPLES: Final = examples(1_000)

tried = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Decorates a property that is tried on that many examples."""
