"""What provers say of a proof: a sentence for each that is there, whatever happens to it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given

from oasis.backends.base import BackendError, BackendMissing, Certificate, Claim
from oasis.backends.native import Native
from oasis.backends.registry import _CLASSES
from oasis.classroom.proving.referees import verdicts
from tactics.errors import InputError
from tactics.parser import parse
from tests.classroom.people import PROOF
from tests.strategies import Walk, walks

OR_COMM = parse("p \\/ q -> q \\/ p")


class Absent(Native):
    """A prover that is not installed."""

    def version(self) -> str:
        """Nobody answers."""
        raise BackendMissing("Nothing is installed; install it.")

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        """Nobody answers."""
        raise BackendMissing("Nothing is installed; install it.")


class Fails(Native):
    """A prover that answers, and dies of the first claim."""

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        """Die."""
        raise BackendError("It died; try again.")


@pytest.fixture
def classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins for Coq and Lean."""
    monkeypatch.setitem(_CLASSES, "coq", (__name__, "Absent"))
    monkeypatch.setitem(_CLASSES, "lean", (__name__, "Fails"))


@given(walks())
def test_a_proof_is_certified_and_anything_else_is_refused_with_the_reason(walk: Walk) -> None:
    (said,) = verdicts(walk.formula, walk.script, ["native"])
    with Native() as native:
        if walk.states[-1]:
            (certificate,) = native.certify([Claim(walk.formula, walk.script)])
            assert said == f"Refused by {native.version()}: {certificate.reason}"
            assert said.endswith("open.")
        else:
            assert said == f"Certified by {native.version()}."


@pytest.mark.usefixtures("classes")
def test_provers_that_are_not_here_say_nothing_unless_they_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdicts(OR_COMM, PROOF) == ["It died; try again."]
    assert verdicts(OR_COMM, PROOF, ["coq"]) == ["Nothing is installed; install it."]
    monkeypatch.setitem(_CLASSES, "lean", (__name__, "Absent"))
    assert verdicts(OR_COMM, PROOF) == verdicts(OR_COMM, PROOF, ()) == []


@pytest.mark.usefixtures("classes")
def test_a_prover_that_fails_keeps_no_other_from_answering() -> None:
    said = verdicts(OR_COMM, PROOF, ["lean", "native", "coq"])
    assert said == ["It died; try again.", *verdicts(OR_COMM, PROOF, ["native"]), "Nothing is installed; install it."]
    assert said[1].startswith("Certified by ")


def test_a_name_that_is_no_prover_is_refused() -> None:
    with pytest.raises(InputError, match="'oracle' is no prover"):
        verdicts(OR_COMM, PROOF, ["oracle"])
