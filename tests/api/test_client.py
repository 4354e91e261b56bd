"""The client of a server, whose sessions are asked as those of this process are."""

import pytest

from curricula.resolve import resolve
from oasis.api import Session
from oasis.api.client import Client, RemoteSession
from oasis.api.errors import Refused
from oasis.api.sessions import Sessions
from tactics.errors import InputError
from tests.api.conftest import AND_COMM, running


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
