"""Ray: the same numbers as without it, and plain words when it cannot be had."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from oasis.lab.engines import EngineError, Ray, Serial, cluster, every_trial
from tests.lab.plans import PLAN, broken, same, shortened, trials
from tests.optional import missing

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def ray_installed() -> None:
    if find_spec("ray") is None:
        missing("Ray is not installed: pip install '.[cluster]'")


@pytest.fixture(scope="module")
def connected() -> Iterator[Ray]:
    """A worker of a Ray that starts once for all tests."""
    import ray

    before = signal.getsignal(signal.SIGTERM)
    engine = Ray(1)
    with engine._connected():
        assert signal.getsignal(signal.SIGTERM) is before
        yield engine
    assert not ray.is_initialized()


def test_ray_gives_the_numbers_of_this_process_and_raises_what_goes_wrong_in_a_task(connected: Ray) -> None:
    plan = shortened(PLAN, 2)
    assert same(trials(connected, plan), trials(Serial(), plan))
    with pytest.raises(KeyError, match="nobody"):
        trials(connected, broken())


@pytest.mark.thorough
def test_a_run_that_is_left_early_leaves_ray_to_the_next(connected: Ray) -> None:
    plan = shortened(PLAN, 3)
    run = connected.run([plan], every_trial([plan]))
    next(run)
    run.close()
    assert same(trials(connected, plan), trials(Serial(), plan))


@pytest.mark.thorough
@pytest.mark.usefixtures("connected")
def test_a_machine_with_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    monkeypatch.setattr(cluster, "commit", lambda: "0123456789")
    elsewhere = Ray(address=ray.get_runtime_context().gcs_address)
    with pytest.raises(EngineError, match=r"has Oasis .* and not 0123456789; install the same on every machine\.$"):
        trials(elsewhere)


def test_a_ray_that_does_not_start_in_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        raise Exception("The current node timed out during startup. This could happen because the GCS is overloaded.")  # noqa: TRY002 - as Ray has it

    monkeypatch.setattr("ray.is_initialized", lambda: False)
    monkeypatch.setattr("ray.init", late)
    with pytest.raises(EngineError, match=r"^Ray cannot be used on this machine \(The current node timed out "):
        trials(Ray(2))


def test_an_address_where_nobody_answers_is_said_at_once() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(EngineError, match=f"^No Ray cluster answers at {address} "):
            trials(Ray(address=address))
