"""A thousand wrong, huge and right calls at once are each answered in words; `benchmarks.fuzz_doors` sends more."""

from __future__ import annotations

import pytest

from oasis.api import Limits
from oasis.api.sessions import Sessions
from tests.api.conftest import running
from tests.api.fuzzing import fuzz


@pytest.mark.slow
def test_whatever_is_sent_is_answered_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with running(Sessions(Limits(seconds=2))) as server:
        found = fuzz(server.port, 1_000, 4, 1)
    assert found.wrong == []
    assert found.calls == 1_000
    assert 200 < found.codes.total() < 800
    assert {"bad_json", "bad_argument", "too_large", "unknown_state", "unknown_session"} <= found.codes.keys()
    assert capsys.readouterr().err == ""
