"""Distilling: contrasts are counted within lemmas, a model may be asked, and only what helps elsewhere is kept."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.lemma import Lemma
from oasis.experience.asking import MOST, Advice, asked, question, read
from oasis.experience.contrast import Contrast, Contrasts, Rollouts, contrasted
from oasis.experience.distilling import Distilling, Examiner
from oasis.experience.library import Library
from oasis.experience.maxims import AVOID, PREFER, Entry, Evidence, Maxim, believed
from oasis.experience.proposals import TESTED, Proposal, additions, repairs
from oasis.experience.reminder import Reminder
from oasis.experience.scope import ANY, LEFT_SIDE, LOSING, RIGHT_SIDE, SAFE, Scope
from oasis.play.exam import Play
from oasis.play.policy import Uniform
from oasis.store import Store
from tactics.goal import Goal, Hypothesis, initial
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import parse_script

OR = Scope("or", "or", "destruct_or")
SPECIAL = OR._replace(conclusion="or(atom,atom)")
LEFT, RIGHT = Scope(ANY, LEFT_SIDE, "left"), Scope(ANY, RIGHT_SIDE, "right")
COMMUTES = parse("p \\/ q -> q \\/ p")
GOOD = Play(parse_script("intro; destruct_or H; right; assumption; left; assumption"), True)
BAD = Play(parse_script("intro; left; destruct_or H"), False)
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
    return Maxim(number, scope, Evidence(helped, hindered), "p", "t", "t", "me")


def borne(helped: float, hindered: float, lemmas: int = 5) -> Contrast:
    said = (helped - hindered) / max(1.0, helped + hindered)
    return Contrast(Evidence(helped, hindered), {f"lemma {each}": said for each in range(lemmas)})


def contrasts(found: dict[Scope, Contrast]) -> Contrasts:
    """Return what rollouts say of some scopes, and nothing of any other."""
    made = Contrasts([])
    made.update(found)
    return made


def suggested(maxims: dict[int, Maxim], found: dict[Scope, Contrast]) -> list[Proposal]:
    """Return the proposed repairs, without those that only test a maxim."""
    return [each for each in repairs(maxims, contrasts(found)) if each.reason != TESTED]


def test_pairs_are_counted_at_a_goal_where_one_made_the_move_and_another_did_not() -> None:
    found = contrasted([Rollouts("a", COMMUTES, [GOOD, GOOD, BAD, BAD])])
    assert found[OR].evidence == Evidence(1, 0)  # 2 · 2 / 4
    assert found[Scope("or", "or", "left")].evidence == Evidence(0, 1)
    assert found[OR].speaking(helps=True) == "a" and found[OR].lemmas == {"a": 1}
    assert Scope(ANY, ANY, "intro") not in found  # which everybody made: there was nothing else
    assert found[Scope("or", "or", "destruct_or", ("within reach", "came last"))].evidence == Evidence(1, 0)
    hard = Play(parse_script("intro; destruct_or H; assumption"), False)
    assert contrasted([Rollouts("easy", COMMUTES, [GOOD]), Rollouts("hard", parse("p \\/ q -> p"), [hard])]) == {}


def test_a_move_is_judged_by_its_own_goal_and_not_by_what_came_of_others() -> None:
    r"""Both prove q \/ p; that one fails at r afterwards says nothing against how it did so."""
    lemma = parse("q -> (q \\/ p) /\\ (r \\/ q)")
    one = Play(parse_script("intro; split; left; assumption; left"), False)
    other = Play(parse_script("intro; split; right"), False)
    found = contrasted([Rollouts("a", lemma, [one, other])])
    assert found[Scope("or", ANY, "left", ("within reach",))].evidence == Evidence(0.5, 0)
    assert found[Scope("or", ANY, "right")].evidence == Evidence(0, 0.5)


def test_what_is_sure_is_said_by_several_lemmas_however_many_pairs_one_has() -> None:
    assert Contrast(Evidence(900, 1), {"a": 1.0, "b": -1.0, "c": -1.0, "d": -1.0}).sureness == -1
    assert Contrast(Evidence(9, 0), dict.fromkeys("abcd", 1.0)).sureness == 2
    assert Contrast().sureness == 0


def test_what_is_sure_is_proposed_once_and_of_equally_sure_ones_the_general_one() -> None:
    found = {SPECIAL: borne(20, 0), OR: borne(20, 0), Scope(ANY, ANY, "left"): borne(2, 1, lemmas=3)}
    found[Scope("or", ANY, "right")] = borne(30, 0, lemmas=3)
    (proposal,) = additions({}, contrasts(found), most=9)
    assert proposal.maxim is not None and proposal.maxim.scope == OR and proposal.maxim.category == PREFER
    assert proposal.by == "lemma 0" and proposal.must_improve
    assert additions({1: maxim(1, helped=20)}, contrasts(found), most=9) == []
    assert additions({}, contrasts(found), most=0) == []


def test_what_is_redundant_contradicts_or_is_not_borne_out_is_found() -> None:
    same, special = maxim(2, helped=8), maxim(3, SPECIAL)
    against = maxim(4, helped=0, hindered=30)
    (merge,) = suggested({1: maxim(1), 4: against}, {})
    assert (merge.operation, merge.gone, merge.reason) == ("merge", (4,), "merged: maxims 1, 4 contradict each other")
    assert merge.maxim is not None and (merge.maxim.category, merge.maxim.evidence) == (AVOID, Evidence(9, 30))
    (merge,) = suggested({1: maxim(1), 4: against}, {OR: borne(9, 1)})
    assert merge.maxim is not None and merge.maxim.evidence == Evidence(9, 1)  # of which rollouts are sure
    (merge,) = suggested({1: maxim(1), 2: same}, {})
    assert merge.reason == "merged: maxims 1, 2 say the same" and not merge.must_improve
    (delete,) = suggested({1: maxim(1), 3: special}, {})
    assert (delete.operation, delete.gone, delete.beside) == ("delete", (3,), (1,))
    assert suggested({3: special, 4: against}, {}) == []  # an exception
    for found, says in ((borne(0, 9), "say the opposite: "), (borne(5, 5), "do not bear it out: ")):
        (delete,) = suggested({1: maxim(1)}, {OR: found})
        assert (delete.operation, delete.gone) == ("delete", (1,)) and delete.reason.startswith(f"rollouts {says}")
    assert suggested({1: maxim(1)}, {OR: borne(0, 9, lemmas=3)}) == []  # which cannot be sure
    (weigh,) = suggested({1: maxim(1)}, {OR: borne(90, 1)})
    assert weigh.operation == "weigh" and not weigh.must_improve
    assert weigh.applied({1: maxim(1)})[1].evidence == Evidence(90, 1)
    assert suggested({1: maxim(1)}, {OR: borne(9, 0)}) == []


def test_a_maxim_is_narrowed_where_an_exception_was_met_and_widened_or_merged_where_it_held_next_door() -> None:
    reached, out = (OR._replace(also=(each,)) for each in ("within reach", "out of reach"))
    found = {OR: borne(30, 20), reached: borne(30, 0), out: borne(0, 20)}
    narrow, delete = suggested({1: maxim(1)}, found | {OR: borne(25, 25)})
    assert narrow.maxim is not None and (narrow.maxim.scope, narrow.maxim.evidence) == (reached, Evidence(30, 0))
    assert "exception was met, where what is then to be proved is out of reach: 0.0 pairs" in narrow.reason
    assert delete.reason.startswith("rollouts do not bear it out")
    (widen,) = suggested({1: maxim(1, reached)}, {OR: borne(50, 0), reached: borne(30, 0), out: borne(20, 0)})[:1]
    assert widen.operation == "widen" and widen.maxim is not None and widen.maxim.scope == OR
    assert "it held next door, not only where all that is then to be proved is within reach: 20.0 pairs" in widen.reason
    both = {1: maxim(1, reached, 30), 2: maxim(2, out, 20), 3: maxim(3, LEFT)}
    merge = suggested(both, {OR: borne(50, 0), reached: borne(30, 0), out: borne(20, 0)})[0]
    assert (merge.operation, merge.gone) == ("merge", (2,)) and "merged with 2: it held" in merge.reason
    special = {OR: borne(30, 0), reached: borne(30, 0), out: borne(20, 0), SPECIAL: borne(0, 5)}
    assert not any(each.operation == "widen" for each in suggested({1: maxim(1, reached)}, special))  # an exception


def named(texts: Sequence[str]) -> list[Lemma]:
    """Return lemmas that are called by their texts."""
    return [Lemma(text, parse(text), None, "") for text in texts]


def examiner() -> Examiner:
    return Examiner(Uniform(), named(OTHERS), range(5), 10, 100)


def distilled(
    library: Library, *, most: int = 3, plays: int = 40, lemmas: Sequence[str] = LEMMAS, answer: str | None = None
) -> Distilling:
    """Distil, and ask a model too if its answer is given; return the result."""
    adviser = None if answer is None else lambda *told: asked(lambda _: answer, *told)
    distilling = Distilling(library, Uniform(), named(lemmas), examiner(), adviser)
    list(distilling.play(plays=plays, seed=0, most=most, max_steps=100))
    assert list(distilling.judge()) == [*range(1, distilling.proposals + 1)]
    return distilling


def put(library: Library, scope: Scope, helped: float, hindered: float) -> int:
    """Add a maxim by hand."""
    return library.add(scope, Evidence(helped, hindered), source="p", by="me", reason="r")


def test_what_helps_on_other_lemmas_is_added_with_a_reason_and_the_same_seed_distils_the_same(
    library: Library, tmp_path: Path
) -> None:
    before = examiner().scores([]).mean()
    distilling = distilled(library)
    accepted = [verdict for verdict in distilling.verdicts if verdict.accepted]
    assert accepted and all(verdict.low > 0 for verdict in accepted)
    assert len(library.maxims()) == len(accepted)
    assert examiner().scores(library.maxims().values()).mean() > before + 0.1
    for entry in library.history():
        assert "held-out score" in entry.reason and entry.by in LEMMAS and entry.score is not None
        without, earlier, later = entry.score
        assert without == pytest.approx(before) and earlier < later
    last = library.history()[-1].score
    assert last is not None and last[2] == pytest.approx(examiner().scores(library.maxims().values()).mean())
    with Store(tmp_path / "other.db") as store:
        assert distilled(Library(store)).verdicts == distilling.verdicts


def test_a_wrong_maxim_of_which_rollouts_say_nothing_is_put_to_the_test(library: Library) -> None:
    put(library, Scope("or", ANY, "left"), 0, 999)
    right = put(library, Scope("implies", ANY, "intro"), 9, 0)  # beside which there is nothing else to do
    distilling = distilled(library, most=0, plays=2, lemmas=())
    assert [verdict.proposal.reason for verdict in distilling.verdicts] == [TESTED] * 2
    assert [verdict.accepted for verdict in distilling.verdicts] == [True, False]
    assert right in library.maxims() and library.history()[-1].by in OTHERS


def test_what_is_merged_becomes_one_maxim_with_the_evidence_of_both(library: Library) -> None:
    for scope in (Scope("or", RIGHT_SIDE, "right"),) * 2:
        put(library, scope, 30, 1)
    assert distilled(library, most=0, lemmas=LEMMAS[:1]).verdicts[0].accepted
    (right,) = library.maxims().values()
    assert (right.id, right.evidence) == (1, Evidence(60, 2))
    assert [entry.operation for entry in library.history()] == ["add", "add", "modify", "delete"]


def test_a_deletion_that_would_do_harm_is_not_done(library: Library) -> None:
    put(library, LEFT, 50, 0)
    distilling = distilled(library, most=0)
    assert not any(verdict.accepted for verdict in distilling.verdicts)
    distilling._proposals = [Proposal("delete", None, (1,), "for a try")]
    list(distilling.judge())
    assert not distilling.verdicts[-1].accepted and distilling.verdicts[-1].gain < 0
    assert [*library.maxims()] == [1]


# Planted maxims, wrong and right

PLAYED = (
    *LEMMAS,
    *(
        "p -> q -> p \\/ r",
        "p -> q -> r \\/ q",
        "(p -> q) -> r \\/ (p -> q)",
        "p /\\ q -> (q /\\ p) \\/ r",
        "p -> p \\/ ~q",
        "p -> (q -> r) \\/ p",
    ),
    *("p \\/ q -> q \\/ p", "p /\\ q -> (r \\/ q) /\\ (p \\/ r)", "(p -> q) -> p -> r \\/ q"),
    *(f"~~~{each} -> ~{each}" for each in ("p", "(p /\\ q)", "(p \\/ q)")),
    *("(((p -> q) -> q) -> q) -> p -> q", "((p -> p) -> q) -> r -> q /\\ r", "~~(p -> q) -> ~~p -> ~~q"),
)
HELD_OUT = (
    *("q -> p \\/ q", "q -> q \\/ p", "(p -> q) -> (p -> q) \\/ r", "p -> (q \\/ p) /\\ (p \\/ q)"),
    *("~~~(p -> q) -> ~(p -> q)", "(((p -> q) -> r) -> r) -> (p -> q) -> r", "~~(p /\\ q) -> ~~q"),
)
REACHED, OUT, ALL = ("within reach",), ("out of reach",), 30
WRONG = {
    "left is good out of reach, too": (Scope(ANY, ANY, "left"), ALL, "narrowed: an exception was met, where what is"),
    "right, too": (Scope("or", ANY, "right"), ALL, "narrowed: an exception was met, where what is"),
    "and so is all that can lose": (Scope("or", ANY, LOSING), ALL, "narrowed: an exception was met, where what is"),
    "only between atoms": (Scope("or(atom,atom)", ANY, "left", REACHED), ALL, "widened: it held next door"),
    "only there": (Scope("or(atom,atom)", ANY, LOSING, OUT), -ALL, "widened: it held next door"),
    "assuming is bad": (Scope(ANY, ANY, "intro"), -ALL, "rollouts say the opposite"),
    "out of reach is good": (Scope("or", ANY, LOSING, OUT), ALL, "rollouts say the opposite"),
    "left of an atom, as in p -> p or q": (Scope(ANY, "atom", "left"), ALL, "narrowed: an exception was met"),
}
RIGHT_ONES = (
    *((Scope(ANY, ANY, LOSING, OUT), -ALL), (Scope("or", ANY, "left", REACHED), ALL), (Scope(ANY, ANY, SAFE), ALL)),
    *((Scope("or", ANY, "right", REACHED), ALL), (Scope(ANY, ANY, "imply4"), -ALL), (Scope(ANY, ANY, "intro"), ALL)),
    *((Scope("implies", ANY, LOSING), -ALL), (Scope(ANY, ANY, "left", OUT), -ALL), (LEFT, ALL), (RIGHT, ALL)),
)


def plant(library: Library, scope: Scope, pairs: int) -> int:
    return put(library, scope, max(pairs, 0), max(-pairs, 0))


def distil_again(library: Library, seed: int) -> None:
    """Distil with rollouts and exams of this seed, without additions."""
    exams = Examiner(Uniform(), named(HELD_OUT), range(seed, seed + 5), 10, 100)
    distilling = Distilling(library, Uniform(), named(PLAYED), exams)
    list(distilling.play(plays=40, seed=seed, most=0, max_steps=100))
    list(distilling.judge())


def changes(library: Library, number: int) -> list[Entry]:
    """Distil up to three times, until a maxim is changed; return what was done to it."""
    for seed in (0, 100, 200):
        distil_again(library, seed)
        if found := [entry for entry in library.history() if entry.maxim == number and entry.by != "me"]:
            return found
    return []


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_maxim_is_narrowed_widened_or_deleted_for_the_right_reason(library: Library, name: str) -> None:
    scope, pairs, reason = WRONG[name]
    number = plant(library, scope, pairs)
    (entry,) = changes(library, number)
    assert entry.reason.startswith(reason) and entry.by in PLAYED
    if reason.startswith("rollouts"):
        assert entry.operation == "delete"
        return
    changed = library.maxim(number)
    assert changed.category == (PREFER if pairs > 0 else AVOID) and min(changed.evidence) < 0.2 * max(changed.evidence)
    wide, narrow = (scope, changed.scope) if reason.startswith("narrowed") else (changed.scope, scope)
    assert wide.contains(narrow) and wide != narrow


@pytest.mark.slow
def test_a_redundant_one_goes_and_of_two_that_contradict_each_other_the_wrong_one(library: Library) -> None:
    general = plant(library, Scope(ANY, ANY, LOSING, OUT), -ALL)
    redundant = plant(library, Scope("or", ANY, "left", OUT), -ALL - 5)
    right, wrong = (plant(library, Scope("or", ANY, "right", REACHED), pairs) for pairs in (ALL, -5 * ALL))
    (entry,) = changes(library, redundant)
    assert entry.operation == "delete" and entry.reason.startswith(f"redundant: maxim {general} says the same")
    assert library.maxim(right).category == PREFER and wrong not in library.maxims()
    (entry,) = [each for each in library.history() if each.maxim == wrong and each.operation == "delete"]
    assert entry.reason.startswith(f"merged: maxims {right}, {wrong} contradict each other")


@pytest.mark.slow
@pytest.mark.parametrize(("scope", "pairs"), RIGHT_ONES)
def test_a_right_maxim_lives(library: Library, scope: Scope, pairs: int) -> None:
    number = plant(library, scope, pairs)
    for seed in (0, 100, 200):
        distil_again(library, seed)
    kept = library.maxim(number)
    assert kept.category == (PREFER if pairs > 0 else AVOID)
    assert kept.scope == scope or kept.scope.contains(scope)  # it may be widened


# Asking a language model, which is scripted

ROLLOUTS = [Rollouts("commutes", COMMUTES, [GOOD, BAD, BAD]), Rollouts("easy", parse("p -> p"), [GOOD])]
CONTRASTS = contrasts({OR: Contrast(Evidence(9, 0), dict.fromkeys(("commutes", "other", "third", "fourth"), 1.0))})
THERE = {1: maxim(1), 4: maxim(4, LEFT, 0, 3)}


def said(*operations: Any) -> str:
    return json.dumps({"operations": operations})


def add(where: Scope = RIGHT, category: str = PREFER, **more: Any) -> dict[str, Any]:
    told = {"action": "add", "remark": "Say it.", "category": category, "scope": where.to_json(), "reason": "seen"}
    return {**told, **more}


def answered(*operations: Any) -> Advice:
    return read(said(*operations), THERE, CONTRASTS, "easy")


def test_the_question_has_maxims_attempts_counts_and_rules_is_the_same_each_time_and_bounded() -> None:
    asked_for = question(THERE, ROLLOUTS, CONTRASTS)
    assert asked_for == question(THERE, ROLLOUTS, CONTRASTS)
    assert f"- 1: {THERE[1].content} (prefer" in asked_for and f"- 4: {THERE[4].content} (avoid" in asked_for
    assert "ended in a proof: intro; destruct_or H" in asked_for and "did not: intro; left" in asked_for
    assert "9.0 pairs for it, 0.0 against" in asked_for and "at most 32 words" in asked_for.replace("\n", " ")
    assert all(f"- {rule}: " in asked_for for rule in RULES)
    assert "easy: " not in asked_for  # all its plays went alike
    assert "None yet." in question({}, [], contrasts({}))
    many = {number: replace(THERE[1], id=number) for number in range(1, 1000)}
    long = Play(GOOD.script * 1000, True)
    lemmas = [Rollouts(str(number), COMMUTES, [long, BAD]) for number in range(500)]
    kinds = ("and", "or", "implies", "atom", "false")
    scopes = [Scope(f"or({one},{other})", ANY, rule) for one in kinds for other in kinds for rule in RULES]
    assert len(question(many, lemmas, contrasts(dict.fromkeys(scopes, CONTRASTS[OR])))) < 20_000


def test_what_is_answered_rightly_becomes_proposals_with_the_evidence_that_there_is() -> None:
    told = said(add(), add(SPECIAL, AVOID), {"action": "delete", "id": 4, "reason": "r"})
    advice = read(f"Let me think. {{}} ```json\n{told}``` So.", THERE, CONTRASTS, "easy")
    assert advice.refused == ()
    one, other, gone = advice.proposals
    assert one.maxim is not None and one.maxim.evidence == believed(PREFER) == Evidence(3, 0)
    assert one.maxim.source == "easy" and one.must_improve and one.reason == "a language model: seen"
    assert other.maxim is not None and other.maxim.evidence == Evidence(0, 3)
    assert gone.gone == (4,) and not gone.must_improve
    (modify,) = answered({"action": "modify", "id": "1", "remark": "Take\nthis  apart.", "reason": "r"}).proposals
    assert modify.maxim is not None and modify.maxim.remark == "Take this apart."
    assert (modify.maxim.id, modify.maxim.evidence, modify.maxim.source) == (1, Evidence(9, 0), "p")
    narrower = {**OR.to_json(), "also": ["came last"]}
    (modify,) = answered({"action": "modify", "id": 1, "scope": narrower, "reason": "r"}).proposals
    assert modify.maxim is not None and modify.maxim.scope.also == ("came last",)
    assert modify.maxim.evidence == believed(PREFER) and modify.operation == "modify"
    (fresh,) = read(said(add(OR)), {}, CONTRASTS, "easy").proposals
    assert fresh.maxim is not None and fresh.maxim.evidence == Evidence(9, 0) and fresh.maxim.source == "commutes"


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        ("add", "The action is one of"),
        ({"action": "rename"}, "The action is one of"),
        (add(reason=""), "The reason is missing."),
        (add(remark="word " * 33), "at most 32 words, and this one has 33"),
        (add(remark=7), "The remark is missing."),
        (add(category="love"), "The category is one of prefer, avoid"),
        (add(scope="everywhere"), "The scope is"),
        (add(scope={"conclusion": "xor", "hypothesis": ANY, "rule": "left"}), "The conclusion is 'xor'"),
        (add(scope={"conclusion": [], "hypothesis": {}, "rule": 1}), "The conclusion is []"),
        (add(scope={**RIGHT.to_json(), "rule": "magic"}), "The rule is one of"),
        (add(OR), "Maxim 1 is about that already."),
        (add(SPECIAL, id=1, evidence=[1e9, 0]), None),  # which is not believed, and differs from the general one
        ({"action": "modify", "id": 1, "reason": "r"}, "Maxim 1 would be what it is."),
        ({"action": "modify", "id": 2, "remark": "x", "reason": "r"}, "There is no maxim 2."),
        ({"action": "delete", "id": True, "reason": "r"}, "There is no maxim True."),
        ({"action": "delete", "id": "G1-001", "reason": "r"}, "There is no maxim G1-001."),
        ({"action": "delete", "id": [1], "reason": "r"}, "There is no maxim [1]."),
    ],
)
def test_what_is_answered_wrongly_is_refused_with_a_sentence_and_costs_the_rest_nothing(
    operation: Any, why: str | None
) -> None:
    advice = answered(operation, add(RIGHT))
    assert any(each.maxim is not None and each.maxim.scope == RIGHT for each in advice.proposals)
    assert len(advice.proposals) == (1 if why else 2)
    if why:
        assert len(advice.refused) == 1 and why in advice.refused[0] and "\n" not in advice.refused[0]
    assert all(each.maxim is None or each.maxim.evidence.odds < 20 for each in advice.proposals)


def test_an_answer_that_contradicts_itself_or_a_maxim_is_seen() -> None:
    advice = answered(add(), add(category=AVOID), add())
    assert [each.operation for each in advice.proposals] == ["add"]
    assert advice.refused == ("The answer contradicts itself about right.", "The answer says the same of right twice.")
    (modify,) = answered(add(OR, AVOID)).proposals
    assert modify.operation == "modify" and "it contradicts maxim 1" in modify.reason and modify.must_improve
    assert modify.maxim is not None and (modify.maxim.id, modify.maxim.category) == (1, AVOID)
    advice = answered({"action": "delete", "id": 1, "reason": "r"}, {"action": "delete", "id": 1, "reason": "r"})
    assert len(advice.proposals) == 1 and advice.refused == ("There is an operation on maxim 1 already.",)


def test_of_too_many_operations_the_first_are_looked_at() -> None:
    advice = answered(*[add(RIGHT, remark=f"Say {number}.") for number in range(MOST + 5)])
    assert len(advice.proposals) == 1 and advice.refused[-1].startswith(f"There are {MOST + 5} operations")


def test_an_answer_without_operations_proposes_nothing() -> None:
    unfinished = '{"operations": [{"action": "add"'
    for text in ("", "I would add.", '{"operations": 3}', unfinished, "{" * 200_000, '{"a":' * 100_000, "[]"):
        advice = read(text, THERE, CONTRASTS, "easy")
        assert advice.proposals == () and len(advice.refused) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.lists(
        JSON
        | st.fixed_dictionaries(
            {"action": st.sampled_from(["add", "modify", "delete"])},
            optional=dict.fromkeys(("remark", "category", "scope", "reason"), JSON) | {"id": st.integers(0, 5)},
        ),
        max_size=4,
    )
)
def test_whatever_is_answered_can_be_put_to_the_test(operations: list[Any]) -> None:
    advice = answered(*operations)
    assert len(advice.proposals) + len(advice.refused) == len(operations)
    for proposal in advice.proposals:
        assert proposal.about <= THERE.keys()
        proposal.applied(THERE)


def test_what_a_model_proposes_is_accepted_only_if_it_helps_on_other_lemmas(library: Library) -> None:
    answer = said(add(LEFT, remark="Good."), add(Scope(ANY, ANY, "intro"), remark="Idle."))
    distilling = distilled(library, most=0, plays=20, answer=answer)
    assert [each.accepted for each in distilling.verdicts] == [True, False]
    (maxim,) = library.maxims().values()
    assert maxim.remark == "Good." and maxim.modified_by in LEMMAS
    assert library.history()[-1].reason.startswith("a language model: seen; held-out score")


def test_what_another_proposal_has_deleted_is_not_touched_again(library: Library) -> None:
    number, other = (put(library, Scope("false", each, "destruct_or"), 8, 0) for each in ("or", ANY))
    distilling = distilled(library, most=0, plays=20, answer=said({"action": "delete", "id": number, "reason": "r"}))
    assert list(library.maxims()) == [other]  # the special one is redundant
    assert [each.accepted for each in distilling.verdicts if number in each.proposal.gone] == [True, False, False]


def test_one_is_reminded_of_maxims_that_are_about_the_goal_the_strongest_first_and_of_remarks_if_asked() -> None:
    goal = Goal((Hypothesis("H", parse("p \\/ q")), Hypothesis("H0", parse("q"))), parse("q \\/ p"))
    last = replace(maxim(7, Scope("or", ANY, "right"), 1), remark="Never go right.")
    first, second = THERE[1].content, THERE[4].content
    assert Reminder([last, *THERE.values()], 9)(goal) == [first, second, last.content]
    assert Reminder([last], 9, remarks=True)(goal) == [f"{last.content} Never go right."]
    assert Reminder([last, *THERE.values()], 1)(goal) == [first]
    assert Reminder([last], 9)(initial(parse("p -> p"))[0]) == []
