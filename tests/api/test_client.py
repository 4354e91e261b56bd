"""Clients of a server: ours, whose sessions are asked as those of this process are, and one made of the page."""

import subprocess
import sys
from contextlib import ExitStack
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from curricula.resolve import resolve
from oasis.api import Session
from oasis.api.client import Client, RemoteSession
from oasis.api.errors import Refused
from oasis.api.sessions import Sessions
from tactics.errors import InputError
from tests.api.conftest import AND_COMM, running
from tests.optional import missing

_GENERATOR = "openapi_python_client"


def _proved(session: Session, lemma: str) -> bool:
    """Whether a lemma is proved by the moves that the teacher names, as the native prover says."""
    at = session.start(lemma)["state_id"]
    while (move := session.hint(at, level=4)["move"]) is not None:
        at = session.apply(at, [move], graph=False)["state_id"]
    return session.certify(at)["certificate"]["accepted"]


@pytest.mark.slow
def test_a_session_of_a_server_is_asked_as_one_of_this_process_is() -> None:
    lemmas = resolve("textbook").lemmas[:10]
    with running(Sessions(most=1), "a token of sixteen") as server:
        address = f"http://127.0.0.1:{server.port}"
        with Client(address, "a token of sixteen") as oasis:
            with oasis.session() as session:
                assert all(_proved(session, lemma.name) for lemma in lemmas)
                with pytest.raises(Refused, match="1 sessions are open") as busy:
                    oasis.session()
                assert busy.value.code == "busy"
                told = [(session, "start", {"lemma": "textbook/and_comm"}), (session, "goals", {"state_id": "x"})]
                begun, refused = oasis.batch(told)
                answer = session.apply(begun["state_id"], AND_COMM)
                here = Session()
                same = here.apply(here.start("textbook/and_comm")["state_id"], AND_COMM)
                assert answer == {**same, "state_id": answer["state_id"]} and refused.keys() == {"error"}
                with pytest.raises(AttributeError, match="no call intro; there is start, apply"):
                    session.intro()  # type: ignore[attr-defined]
            with pytest.raises(Refused, match="no such session"):
                session.goals("s0")
        with Client(address) as stranger, pytest.raises(Refused, match="token"):
            stranger.session()


def test_an_address_where_nobody_of_ours_answers_is_one_sentence() -> None:
    with pytest.raises(InputError, match=r"No server of ours answers at http://127.0.0.1:1 .*; start `oasis serve`"):
        RemoteSession(Client("http://127.0.0.1:1"), "none").goals("s0")
    with pytest.raises(InputError, match="'localhost' is no address"):
        Client("localhost")


@pytest.mark.slow
def test_a_client_made_of_the_page_proves_ten_lemmas_with_typed_objects(tmp_path: Path, monkeypatch: Any) -> None:
    if not find_spec(_GENERATOR):
        missing("openapi-python-client is not installed: pip install --no-deps openapi-python-client ruamel.yaml")
    with running() as server, ExitStack() as stack:
        address = f"http://127.0.0.1:{server.port}"
        told = [
            "generate",
            "--url",
            f"{address}/openapi.json",
            "--meta",
            "none",
            "--output-path",
            str(tmp_path / "made"),
        ]
        done = subprocess.run([sys.executable, "-m", _GENERATOR, *told], capture_output=True, text=True, check=True)
        assert "warning" not in f"{done.stdout}{done.stderr}".lower()
        monkeypatch.syspath_prepend(tmp_path)
        made: Any = import_module("made")
        client = stack.enter_context(made.Client(base_url=f"{address}/v1"))
        models: Any = import_module("made.models")

        def ask(name: str, body: Any = None) -> Any:
            named = {"oasis_session": session, "body": body} if body else {}
            return import_module(f"made.api.default.{name}").sync(client=client, **named)

        session = ask("begin").session
        for lemma in resolve("textbook").lemmas[:10]:
            at = ask("start", models.StartBody(lemma=lemma.name))
            while not at.proved:
                move = ask("hint", models.HintBody(state_id=at.state_id, level=4)).move
                assert isinstance(move, models.Move)
                tactic = f"{move.rule} {move.hypothesis or ''}"
                at = ask("apply", models.ApplyBodyType0(state_id=at.state_id, tactics=[tactic]))
                assert isinstance(at, models.Applied) and (at.valid, at.cost, at.error) == (True, 1, None)
            assert ask("certify", models.CertifyBody(state_id=at.state_id)).certificate.accepted
        refused = ask("start", models.StartBody(lemma="A /\\"))
        assert isinstance(refused, models.Refusal) and refused.error.code == "bad_lemma"
