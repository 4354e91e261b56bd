"""How many random examples a property of the state spaces is tried on: 1,000, or what OASIS_EXAMPLES says.

A long run is `OASIS_EXAMPLES=50000 pytest tests/state_spaces`.
"""

from __future__ import annotations

import os
from typing import Final

from hypothesis import HealthCheck, settings

EXAMPLES: Final = int(os.environ.get("OASIS_EXAMPLES", "1000"))

thoroughly = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Decorates a property that is tried on that many examples."""
