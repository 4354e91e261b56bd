"""Escalations that are kept: stopped, killed and resumed, and what is told of them afterwards."""

from collections.abc import Generator
from pathlib import Path

import pytest

from curricula import Curriculum, resolve
from oasis.escalation.ladder import Asked, Ladder
from oasis.escalation.report import escalation_report
from oasis.escalation.run import EscalatedRun, kept_escalation
from oasis.play.solving import OPEN, PROVED
from oasis.store import Store, StoreError
from oasis.student.report import report
from oasis.student.settings import Settings
from oasis.student.training import Training
from tactics.errors import InputError

pytestmark = pytest.mark.slow
SETTINGS = Settings(learner="and-or-q", episodes=30, seed=2)
LADDER = Ladder.named("table+search")
LEMMAS = resolve("textbook")


def begun(store: Store, curriculum: Curriculum = LEMMAS, seconds: float = 60) -> int:
    return EscalatedRun.start(store, curriculum, SETTINGS, LADDER, seconds)


def at_work(store: Store, run: int) -> EscalatedRun:
    return EscalatedRun(store, run, LADDER, Asked())


def finished(store: Store, run: int) -> EscalatedRun:
    made = at_work(store, run)
    list(made)
    assert made.finished
    return made


def test_a_run_tells_who_proved_what_and_what_that_took(store: Store) -> None:
    run = begun(store)
    finished(store, run)
    found, lemmas = escalation_report(store, run), report(store, run).lemmas
    assert (found.count("proved"), found.count("refuted"), found.count("open")) == (42, 12, 0)
    for record, lemma in zip(found.records, lemmas, strict=True):
        assert lemma.finished
        assert (lemma.best is None) == (record.status is not PROVED)
        assert (lemma.exam is None) == (record.status is not PROVED)
        assert lemma.episodes == record.stages["table"].cost.episodes
    told = found.to_json()
    assert told["by_stage"][0]["cost"]["episodes"] == sum(lemma.episodes for lemma in lemmas) > 0
    assert sum(stage["proved"] for stage in told["by_stage"]) == 42
    assert told["spent"] <= told["budget"]
    assert sum(lemma.exam.share == 1 for lemma in lemmas if lemma.exam) >= 40, "the student knows what was proved"
    assert not list(at_work(store, run)), "there is nothing to go on with"
    assert escalation_report(store, run) == found


@pytest.mark.parametrize("after", [1, 60])
def test_a_stopped_run_goes_on_and_comes_to_the_same_proofs(store: Store, after: int) -> None:
    run = begun(store)
    first = at_work(store, run)
    for number, _ in enumerate(first, 1):
        if number == after:
            first.escalation.climb.stop_requested = 2
    assert not first.finished
    before = kept_escalation(store, run)
    assert sum(record.status is PROVED for record in before.records) == first.escalation.climb.proved
    made = finished(store, run)
    assert made.escalation.climb.proved == 42
    assert made.escalation.climb.pace.spent >= before.pace.spent > 0


def test_a_killed_run_has_every_proof_and_shows_them_to_the_student_again(store: Store) -> None:
    run = begun(store)
    killed = at_work(store, run)
    visits = iter(killed)  # which nobody closes, as nobody does when a process is killed
    for _ in visits:
        if killed.escalation.climb.proved == 10:
            break
    proved = {position for position, record in enumerate(killed.escalation.records) if record.status is PROVED}
    # What the store holds now is all that a process that is killed leaves behind.
    other = Store(store.path)
    kept = kept_escalation(other, run)
    assert {position for position, record in enumerate(kept.records) if record.status is PROVED} == proved
    resumed = at_work(other, run)
    resumed._teach_again()
    pupil = resumed.escalation.pupil
    assert pupil is not None
    for position in proved:
        exam = pupil.examine(resumed.escalation.climb.lemmas[position])
        assert exam is not None and exam.share == 1
    assert [*resumed] and resumed.finished
    assert resumed.escalation.climb.proved == 42
    assert isinstance(visits, Generator)
    with pytest.raises(StoreError, match="another process"):  # were it still alive, it would be told
        visits.close()


def test_two_processes_do_not_go_on_with_one_run(store: Store) -> None:
    run = begun(store)
    one, other = at_work(store, run), at_work(store, run)
    attempts = iter(one)
    while next(attempts).record.status is OPEN:
        pass
    with pytest.raises(StoreError, match="another process is training the same run"):
        list(other)
    kept = kept_escalation(store, run).stored_pace
    assert kept["spent"] <= one.escalation.climb.pace.spent, "it is as the first one stored it"
    assert [*attempts] and one.finished


def test_who_is_killed_has_made_the_episodes_that_it_paid_for(store: Store) -> None:
    run = begun(store)
    for made, _ in enumerate(at_work(store, run)):
        told, rows = kept_escalation(store, run).records, store.lemmas(run)
        paid = [record.of("table").cost.episodes for record in told]
        assert [row["practised"] for row in rows] == paid
        if made == 25:
            break  # as by a kill: nobody stores anything any more


def test_a_formula_that_comes_twice_is_practised_under_both_names(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "twice.txt"
    file.write_text("one: (A -> B) -> A -> B\ntwo: (A -> B) -> A -> B\nthree: A | B -> C\n")
    run = begun(store, resolve(str(file)), seconds=5)
    finished(store, run)
    found = escalation_report(store, run)
    paid = [record.of("table").cost.episodes for record in found.records]
    assert [row["practised"] for row in store.lemmas(run)] == paid
    assert paid[0] > 0


def test_a_run_that_is_none_or_is_damaged_is_said_in_a_sentence(store: Store) -> None:
    plain = Training.start(store, LEMMAS, SETTINGS).run
    for ask in (escalation_report, at_work):
        with pytest.raises(InputError, match=f"Run {plain} is no escalation; go on with it by: oasis train --resume"):
            ask(store, plain)
    run = begun(store)
    before = kept_escalation(store, run).stored_pace
    store.keep_climbs(run, {0: {"status": "lost"}}, before=before, pace={"budget": 1})
    with pytest.raises(StoreError, match="damaged"):
        escalation_report(store, run)
