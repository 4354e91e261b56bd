"""`oasis serve` and `oasis mcp`: what they refuse, how they end, and what the documentation shows of them."""

import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import create_server
from time import sleep

import psutil
import pytest

from oasis.api.docs import markdown
from oasis.api.http import ROUTES
from tests.api.conftest import serving
from tests.commands import environment, in_process
from tests.thorough import thoroughly

DOORS = (Path(__file__).resolve().parents[2] / "docs" / "doors.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("by", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM)])
def test_what_the_documentation_shows_with_curl_is_what_comes_and_a_signal_ends_the_server(by: int, code: int) -> None:
    (commands,) = re.findall(r"```sh\n(.*?)```", DOORS, re.DOTALL)
    (shown,) = re.findall(r"```json\n(.*?)```", DOORS, re.DOTALL)
    with serving() as (process, server):
        script = commands.replace("8765", str(server.port)).replace("\ncurl", "\necho; curl")
        done = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, timeout=60, check=True)
        process.send_signal(by)
        assert process.wait(20) == code
        assert process.stderr is not None and process.stderr.read() == ""
    answers = [json.loads(line) for line in done.stdout.splitlines() if line]
    assert len(answers) == commands.count("\ncurl")
    assert not [each for each in answers if each.keys() == {"error"}]
    assert shown.strip() in done.stdout.splitlines()
    assert [each["certificate"]["accepted"] for each in answers if "certificate" in each] == [True]


def test_the_documentation_has_the_table_of_calls() -> None:
    assert DOORS.endswith(markdown(ROUTES))


@pytest.mark.slow
def test_what_the_documentation_shows_in_python_runs() -> None:
    programs = re.findall(r"```python\n(.*?)```", DOORS, re.DOTALL)
    run = [program for program in programs if "client import" not in program]  # those want a server
    assert len(run) == len(programs) - 2
    for program in run:
        exec(program, {})


@pytest.fixture
def _nobody_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a command end at once that should have been refused."""
    for door in ("http", "mcp_http"):
        monkeypatch.setattr(f"oasis.api.{door}.serve", lambda *_: None)


@pytest.mark.usefixtures("_nobody_is_served")
@pytest.mark.parametrize("command", [["serve"], ["mcp", "--http"]])
@pytest.mark.parametrize("token", ["", "fifteen-letters", "with spaces in it, and long", "made-up-of-sixteen-ä"])
def test_other_machines_come_in_only_with_a_token(command: list[str], token: str, tmp_path: Path) -> None:
    arguments = [*command, "--host", "0.0.0.0", "--port", "0"]
    assert in_process(arguments, tmp_path, environment(OASIS_TOKEN="sixteen-letters!")).returncode == 0
    done = in_process(arguments, tmp_path, environment(OASIS_TOKEN=token))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "OASIS_TOKEN" in done.stderr


@pytest.mark.parametrize(
    ("command", "library"),
    [
        *(("serve", library) for library in ("httptools", "starlette", "uvicorn")),
        *(("serve --openenv", "websockets"), ("mcp", "mcp"), ("mcp --http", "uvicorn")),
    ],
)
def test_a_library_that_is_missing_is_named_and_how_to_get_it(
    command: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    done = in_process(command.split(), tmp_path, environment())
    assert done.returncode == 3
    needs = f"oasis: oasis {command.split()[0]} needs {library}, not installed here: pip install "
    assert done.stderr.startswith(needs)


@pytest.mark.usefixtures("_nobody_is_served")
@pytest.mark.parametrize(
    ("host", "advice"), [("127.0.0.1", "choose another --port"), ("192.0.2.1", "--host is an address of this machine")]
)
def test_where_nobody_can_listen_is_told(host: str, advice: str, tmp_path: Path) -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        arguments = ["serve", "--host", host, "--port", str(taken.getsockname()[1])]
        done = in_process(arguments, tmp_path, environment(OASIS_TOKEN="a-token-of-sixteen"))
    assert done.returncode == 2
    assert advice in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("told", [signal.SIGINT, *thoroughly(signal.SIGTERM)])
def test_a_prover_ends_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: signal.Signals) -> None:
    begun = tmp_path / "begun"
    for name in ("coqidetop", "coqidetop.opt"):
        stub = tmp_path / name
        stub.write_text(
            "#!/bin/sh\ncase $* in *version*) echo The Coq Proof Assistant, version 8.16.1; exit;; esac\n"
            f"echo $$ > {begun}.part; mv {begun}.part {begun}\nexec sleep 300\n"
        )
        stub.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with serving() as (process, server), ThreadPoolExecutor() as pool:
        session = server.begin()
        server.call(session, "start", {"lemma": "A -> A"})
        server.call(session, "simplify", {"state_id": "s0"})
        asked = pool.submit(server.call, session, "certify", {"state_id": "s2", "prover": "coq"})
        while not begun.exists():
            assert not asked.done()
            sleep(0.05)
        process.send_signal(told)
        assert process.wait(30) in (0, -signal.SIGTERM)
        assert asked.exception(30) or asked.result().status >= 500
    while psutil.pid_exists(pid := int(begun.read_text())) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        sleep(0.05)  # as a kill takes a moment; a prover that is left sleeps for five minutes
