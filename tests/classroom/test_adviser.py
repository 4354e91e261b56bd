"""What the adviser and provers say of an attempt, and what they do not know they do not say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given

from curricula import resolve_lemma
from oasis.backends.base import BackendError, BackendMissing, Certificate, Claim
from oasis.backends.native import Native
from oasis.backends.registry import _CLASSES
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.referees import verdicts
from oasis.teacher.countermodels.forcing import check
from oasis.teacher.hints import Teacher
from tactics.errors import InputError
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import parse_script
from tests.classroom.people import PROOF
from tests.strategies import Walk, walks

OR_COMM = parse("A \\/ B -> B \\/ A")
WITHOUT_RIGHT = [rule for rule in RULES if rule != "right"]


def after(script: str) -> Attempt:
    return Attempt(OR_COMM, list(parse_script(script)))


@given(walks())
def test_without_a_limit_answers_are_the_teachers(walk: Walk) -> None:
    attempt, adviser, teacher = Attempt(walk.formula), Adviser(60), Teacher()
    for move in (*walk.script, None):
        states, made = attempt.states, attempt.made
        assert adviser.on_track(attempt) == teacher.provable(states[-1])
        for level in (1, 4):
            assert adviser.hint(attempt, level) == teacher.hint(states, made, level)
        assert adviser.has_proof(attempt) == teacher.valid(states[0])
        refuted = adviser.countermodel(attempt)
        assert (refuted is None) == teacher.provable(states[-1])
        if refuted is not None:
            check(refuted.model, refuted.hypotheses, refuted.conclusion)
        if move is not None:
            attempt.make(move)


def test_by_some_rules_a_lemma_may_be_lost_that_still_has_a_proof() -> None:
    attempt, adviser = after("intro; left"), Adviser(rules=WITHOUT_RIGHT)
    assert Adviser().on_track(after("intro")) is True
    assert adviser.on_track(after("intro")) is False
    assert adviser.shortest(attempt) is None
    assert adviser.has_proof(attempt) is True
    hint = adviser.hint(attempt, 2)
    assert hint is not None
    assert hint.sentences() == ["This lemma has a proof, but none with these tactics."]


def test_a_claim_that_there_is_no_proof_is_about_all_twelve_rules() -> None:
    assert Adviser(rules=["intro"]).has_proof(after("")) is True
    assert Adviser(rules=["intro"]).has_proof(Attempt(parse("p \\/ ~p"))) is False


def test_the_loss_is_of_the_move_that_the_hint_names() -> None:
    adviser, attempt = Adviser(), after("intro; left; destruct_or H")
    hint = adviser.hint(attempt, 1)
    assert hint is not None
    loss = adviser.loss(attempt, hint)
    assert loss is not None and loss.countermodel is not None
    assert str(loss.move) == "left"
    on_track = adviser.hint(after("intro"), 1)
    assert on_track is not None
    assert adviser.loss(after("intro"), on_track) is None
    assert adviser.countermodel(after("intro")) is None
    refuted = adviser.countermodel(after("intro; left"))
    assert refuted is not None and refuted.sequent() == "A \\/ B |- B"


def test_what_takes_too_long_is_unknown_and_does_not_spoil_the_next_question() -> None:
    adviser = Adviser(0.2, [rule for rule in RULES if rule != "split"])
    hard = Attempt(resolve_lemma("SYJ203.9").formula)
    assert adviser.on_track(hard) is None
    assert adviser.hint(hard, 4) is None
    assert adviser.shortest(hard) is None
    assert adviser.on_track(after("intro")) is True
    assert adviser.on_track(after("intro; left")) is False


# What provers say of a proof: a sentence for each that is there, whatever happens to it.


class Absent(Native):
    """A prover that is not installed."""

    def version(self) -> str:
        raise BackendMissing("Nothing is installed; install it.")

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        raise BackendMissing("Nothing is installed; install it.")


class Fails(Native):
    """A prover that answers, and dies of the first claim."""

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
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
    with pytest.raises(InputError, match="'oracle' is no prover"):
        verdicts(OR_COMM, PROOF, ["oracle"])
