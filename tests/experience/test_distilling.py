"""Distilling: contrasts are counted within lemmas, and only what helps elsewhere is kept."""

from __future__ import annotations

from pathlib import Path

from oasis.exam import Play
from oasis.experience.contrast import Contrast, Rollouts, contrasted
from oasis.experience.distilling import Distilling, Examiner
from oasis.experience.library import Library
from oasis.experience.maxims import AVOID, PREFER, Evidence, Maxim
from oasis.experience.proposals import Proposal, additions, repairs
from oasis.experience.scope import ANY, LEFT_SIDE, Scope
from oasis.lab.statistics import difference
from oasis.policy import Floats, Uniform
from oasis.store import Store
from tactics.parser import parse
from tactics.script import parse_script

OR = Scope("or", "or", "destruct_or")
LEFT = Scope(ANY, LEFT_SIDE, "left")
LEMMAS = (
    "p -> p \\/ q",
    "p -> q \\/ p",
    "p /\\ q -> p \\/ r",
    "p /\\ q -> r \\/ q",
    "~p -> ~p \\/ q",
    "~p -> q \\/ ~p",
)
OTHERS = ("q -> p \\/ q", "q -> q \\/ p", "(p -> q) -> (p -> q) \\/ r")
"""The wrong one of `left` and `right` loses in all of them."""


def maxim(number: int, scope: Scope = OR, helped: float = 9, hindered: float = 0) -> Maxim:
    category = PREFER if helped >= hindered else AVOID
    return Maxim(number, "Say it.", category, scope, "p", "t", "t", "p", Evidence(helped, hindered))


def borne(helped: float, hindered: float, lemmas: int = 3) -> Contrast:
    return Contrast(Evidence(helped, hindered), {str(each): 1.0 for each in range(lemmas)})


def suggested(maxims: dict[int, Maxim], contrasts: dict[Scope, Contrast]) -> list[Proposal]:
    """The repairs, but for those that just put a maxim to the test."""
    return [each for each in repairs(maxims, contrasts) if each.reason != "put to the test"]


def test_pairs_are_counted_within_a_lemma_where_one_made_the_move_and_another_did_not() -> None:
    lemma = parse("p \\/ q -> q \\/ p")
    good = Play(parse_script("intro; destruct_or H; right; assumption; left; assumption"), True)
    bad = Play(parse_script("intro; left; destruct_or H"), False)
    found = contrasted([Rollouts("a", lemma, [good, good, bad, bad])])
    assert found[OR].evidence == Evidence(1, 0)  # 2 · 2 / 4
    assert found[Scope("or", "or", "left")].evidence == Evidence(0, 1)
    assert found[OR].source == "a" and found[OR].lemmas == {"a": 1}
    assert Scope(ANY, ANY, "intro") not in found  # which everybody made: there was nothing else
    easy, hard = parse("p \\/ q -> q \\/ p"), parse("p \\/ q -> p")
    good = Play(parse_script("intro; destruct_or H; right; assumption; left; assumption"), True)
    bad = Play(parse_script("intro; destruct_or H; assumption"), False)
    assert contrasted([Rollouts("easy", easy, [good]), Rollouts("hard", hard, [bad])]) == {}


def test_what_is_sure_is_proposed_once_and_of_equally_sure_ones_the_general_one() -> None:
    special = Scope("or(atom,atom)", "or", "destruct_or")
    contrasts = {special: borne(20, 0), OR: borne(20, 0), Scope(ANY, ANY, "left"): borne(2, 1)}
    contrasts[Scope("or", ANY, "right")] = borne(30, 0, lemmas=1)
    (proposal,) = additions({}, contrasts, most=9)
    assert proposal.maxim is not None and proposal.maxim.scope == OR and proposal.maxim.category == PREFER
    assert proposal.maxim.content == "Where the goal is a disjunction and a hypothesis is one too, take it apart first."
    assert additions({1: maxim(1, helped=20)}, contrasts, most=9) == []
    assert additions({}, contrasts, most=0) == []


def test_what_is_redundant_contradicts_or_is_not_borne_out_is_found() -> None:
    same, special = maxim(2, helped=8), maxim(3, Scope("or(atom,atom)", "or", "destruct_or"))
    against = maxim(4, helped=0, hindered=30)
    (merge,) = suggested({1: maxim(1), 4: against}, {})
    assert (merge.operation, merge.gone, merge.reason) == ("merge", (4,), "maxims 1, 4 contradict each other")
    assert merge.maxim is not None and (merge.maxim.category, merge.maxim.evidence) == (AVOID, Evidence(9, 30))
    assert merge.maxim.content.endswith("do not take it apart yet.")
    (merge,) = suggested({1: maxim(1), 2: same}, {})
    assert merge.reason == "maxims 1, 2 say the same" and not merge.must_improve
    (delete,) = suggested({1: maxim(1), 3: special}, {})
    assert (delete.operation, delete.gone) == ("delete", (3,))
    assert suggested({3: special, 4: against}, {}) == []  # an exception
    contrasts = {OR: borne(0, 9)}
    (delete,) = suggested({1: maxim(1)}, contrasts)
    assert (delete.operation, delete.gone) == ("delete", (1,))
    assert suggested({1: maxim(1)}, {OR: borne(0, 9, lemmas=1)}) == []
    (modify,) = suggested({1: maxim(1)}, {OR: borne(90, 1)})
    assert modify.operation == "modify" and modify.must_improve
    assert modify.applied({1: maxim(1)})[1].evidence == Evidence(90, 1)
    assert suggested({1: maxim(1)}, {OR: borne(9, 0)}) == []


class Lemma:
    def __init__(self, text: str) -> None:
        self.name, self.formula = text, parse(text)


def sure(ours: Floats, theirs: Floats, family: int) -> tuple[float, float, float]:
    return tuple(map(float, difference(ours, theirs, span=1.0, family=family)))  # type: ignore[return-value]


def examiner() -> Examiner:
    return Examiner(Uniform(), [parse(text) for text in OTHERS], range(5), 10, 100)


def distilled(library: Library, most: int = 3) -> Distilling:
    distilling = Distilling(library, Uniform(), [Lemma(text) for text in LEMMAS], examiner(), sure)
    list(distilling.play(plays=40, seed=0, most=most, max_steps=100))
    assert list(distilling.judge("a test")) == [*range(1, distilling.proposals + 1)]
    return distilling


def test_what_helps_on_other_lemmas_is_added_with_a_reason_and_the_same_seed_distils_the_same(
    library: Library, tmp_path: Path
) -> None:
    before = examiner().scores([]).mean()
    distilling = distilled(library)
    accepted = [verdict for verdict in distilling.verdicts if verdict.accepted]
    assert accepted and all(verdict.low > 0 for verdict in accepted)
    assert len(library.maxims()) == len(accepted)
    assert examiner().scores(library.maxims().values()).mean() > before + 0.1
    assert all("held-out score" in entry.reason and entry.by == "a test" for entry in library.history())
    with Store(tmp_path / "other.db") as store:
        assert distilled(Library(store)).verdicts == distilling.verdicts


def test_a_wrong_maxim_is_deleted_and_a_right_one_of_its_scope_may_come(library: Library) -> None:
    library.add(
        "Never take the left side.", AVOID, LEFT, Evidence(0, 50), source="p", by="a person", reason="somebody said so"
    )
    harmed, untaught = examiner().scores(library.maxims().values()).mean(), examiner().scores([]).mean()
    assert harmed < untaught
    distilled(library)
    assert 1 not in library.maxims()
    (deleted,) = [entry for entry in library.history() if entry.operation == "delete"]
    assert deleted.reason.startswith("rollouts do not bear it out: ")


def test_a_wrong_maxim_of_which_rollouts_say_nothing_is_put_to_the_test(library: Library) -> None:
    scope = Scope("implies", ANY, "intro")  # beside which there is nothing else to do
    library.add("Wait.", AVOID, Scope("or", ANY, "left"), Evidence(0, 999), source="p", by="me", reason="r")
    right = library.add("Go.", PREFER, scope, Evidence(9, 0), source="p", by="me", reason="it harms nobody")
    distilling = Distilling(library, Uniform(), [], examiner(), sure)
    list(distilling.play(plays=2, seed=0, most=0, max_steps=100))
    list(distilling.judge("a test"))
    assert [verdict.proposal.reason for verdict in distilling.verdicts] == ["put to the test"] * 2
    assert [verdict.accepted for verdict in distilling.verdicts] == [True, False]
    assert right in library.maxims()


def test_what_is_merged_becomes_one_maxim_with_the_evidence_of_both(library: Library) -> None:
    for category, evidence in ((PREFER, Evidence(30, 1)), (PREFER, Evidence(20, 2))):
        library.add("Take the left side.", category, LEFT, evidence, source="p", by="me", reason="r")
    assert distilled(library, most=0).verdicts[0].accepted
    (left,) = library.maxims().values()
    assert (left.id, left.evidence) == (1, Evidence(50, 3))
    assert [entry.operation for entry in library.history()] == ["add", "add", "modify", "delete"]


def test_a_deletion_that_would_do_harm_is_not_done(library: Library) -> None:
    library.add("Take the left side.", PREFER, LEFT, Evidence(50, 0), source="p", by="me", reason="it helps")
    distilling = distilled(library, most=0)
    assert not any(verdict.accepted for verdict in distilling.verdicts)
    distilling._proposals = [Proposal("delete", None, (1,), "for a try", False)]
    list(distilling.judge("a test"))
    assert not distilling.verdicts[-1].accepted and distilling.verdicts[-1].gain < 0
    assert [*library.maxims()] == [1]
