"""Parts that a laptop may lack: their tests skip there with a reason, and fail where everything is required."""

import os
from typing import NoReturn

import pytest


def missing(reason: str) -> NoReturn:
    """Skip the test, or the file that is imported, or fail it when OASIS_REQUIRE_ALL is 1."""
    if os.environ.get("OASIS_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)
