"""One session over the calculus."""

import json
import subprocess
import sys
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from oasis.api import Limits, Session, answer, call, room, sessions
from oasis.api.calls import CALLS, dumps, is_quick
from oasis.api.errors import Code, Refused
from oasis.api.sessions import Sessions
from oasis.backends.base import BackendError, BackendMissing
from oasis.backends.native import Native
from oasis.ground.names import POLICIES
from tactics.goal import initial
from tactics.json_form import script_from_json, state_to_json
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import legal_moves
from tactics.script import replay, show_script
from tests.api.conftest import AND_COMM, ANYTHING, WRONG
from tests.strategies import formulas
from tests.thorough import examples


def started(lemma: str = "textbook/and_comm", limits: Limits | None = None) -> Session:
    session = Session(limits)
    assert call(session, "start", {"lemma": lemma})["state_id"] == "s0"
    return session


def code(content: dict[str, Any]) -> Any:
    return content["error"]["code"]


def test_a_proof_is_played_and_the_last_valid_state_is_told() -> None:
    session = started()
    answer = call(session, "apply", {"state_id": "s0", "tactics": ["intro", "left", "split"]})
    assert not answer["valid"]
    assert (answer["state_id"], answer["error"]["tactic"], code(answer)) == ("s1", 2, "illegal_move")
    assert answer["error"]["message"] == "left: the conclusion is not of the form A \\/ B."
    answer = call(session, "apply", {"state_id": "s1", "tactics": AND_COMM[1:]})
    assert (answer["valid"], answer["proved"], answer["state_id"], answer["goals"]) == (True, True, "s5", [])


def test_states_stay_as_they_are_and_the_same_move_leads_to_the_same_state() -> None:
    session = started()
    before = call(session, "goals", {"state_id": "s0"})
    for _ in range(3):
        assert call(session, "apply", {"state_id": "s0", "tactics": AND_COMM})["state_id"] == "s5"
    assert call(session, "goals", {"state_id": "s0"}) == before
    assert call(session, "start", {"lemma": "textbook/and_comm"})["state_id"] == "s0"
    assert call(session, "start", {"lemma": "A -> A"})["state_id"] == "s6"


def test_tactics_are_text_or_the_one_json_form() -> None:
    session = started()
    written = call(session, "apply", {"state_id": "s0", "tactics": ["intro", "destruct_and H"]})
    objects = [{"rule": "intro"}, {"rule": "destruct_and", "hypothesis": "H"}]
    assert call(session, "apply", {"state_id": "s0", "tactics": objects}) == written
    action = {"action_type": "TacticList", "payload": ["intro", "destruct_and H"]}
    assert call(session, "apply", {"state_id": "s0", **action}) == written
    for wrong in ({"action_type": "Tactic", "payload": []}, {**action, "tactics": []}, {"action_type": "TacticList"}):
        assert code(call(session, "apply", {"state_id": "s0", **wrong})) == "bad_argument"
    assert not is_quick(session, "apply", {"state_id": "s0", **action, "payload": ["intro"] * 100})


def test_a_policy_tells_how_likely_it_is_to_make_each_move() -> None:
    session = started("A \\/ B -> B \\/ A")
    call(session, "apply", {"state_id": "s0", "tactics": ["intro"]})
    goals = call(session, "goals", {"state_id": "s1"})["moves"]
    for policy in ("uniform", "look"):
        moves = call(session, "probabilities", {"state_id": "s1", "policy": policy})["moves"]
        assert [{name: move[name] for name in ("rule", "hypothesis")} for move in moves] == goals
        likely = POLICIES.make(policy).probabilities([session.states.get("s1").goals])[0]
        assert [move["probability"] for move in moves] == list(likely)
    for wrong in ("teacher", "mine:Own", "hf:folder"):
        assert code(call(session, "probabilities", {"state_id": "s1", "policy": wrong})) == "bad_argument"


def test_who_takes_all_the_room_of_a_server_leaves_each_other_session_its_share(monkeypatch: Any) -> None:
    monkeypatch.setattr(room, "LEAST", 0)
    monkeypatch.setattr(room, "OF_SESSION", 200_000)
    held = Sessions(most=2)
    modest, greedy = held.get(held.open()).session, held.get(ended := held.open()).session

    def taken(session: Session) -> int:
        answers = [call(session, "start", {"lemma": f"A{number} -> B"}) for number in range(300)]
        assert code(answers[-1]) == "busy" and answers[0]["state_id"] == "s0"
        return session.states.taken

    assert taken(greedy) > 190_000 and 90_000 < taken(modest) <= 100_000
    held.close(ended)
    del greedy
    assert taken(held.get(held.open()).session) > 190_000, "what ended is free again"


def test_alternatives_are_tried_without_moving() -> None:
    session = started("A -> A \\/ B")
    tried = [["intro", "left", "assumption"], ["left"], []]
    answer = call(session, "try_all", {"state_id": "s0", "alternatives": tried})
    told = [(each["valid"], each["proved"], each["goals_open"]) for each in answer["alternatives"]]
    assert told == [(True, True, 0), (False, False, 1), (True, False, 1)]
    assert code(call(session, "goals", {"state_id": "s1"})) == "unknown_state"


def test_the_graph_says_what_each_move_made_of_which_goal() -> None:
    session = started()
    graph = call(session, "apply", {"state_id": "s0", "tactics": AND_COMM[:4]})["proof_graph"]
    edges = {edge["from"]: edge["to"] for edge in graph["edges"]}
    assert edges == {"g0": ["g1"], "g1": ["g2"], "g2": ["g3", "g4"], "g3": []}
    assert graph["edges"][1]["move"] == {"rule": "destruct_and", "hypothesis": "H"}
    assert [node["id"] for node in graph["nodes"] if node["proved"]] == ["g3"]
    assert call(session, "apply", {"state_id": "s0", "tactics": ["intro"], "graph": False})["proof_graph"] is None
    whole = call(session, "apply", {"state_id": "s4", "tactics": AND_COMM[4:]})["proof_graph"]
    assert all(node["proved"] for node in whole["nodes"])
    told = call(session, "proof_graph", {"state_id": "s5"})
    assert show_script(script_from_json(told["script"])) == "; ".join(AND_COMM)


@given(formulas(names=("A", "B", "C"), max_size=40), st.randoms())
def test_open_goals_of_the_graph_are_the_goals_of_the_state(formula: Any, chance: Any) -> None:
    session = Session()
    answer = call(session, "start", {"lemma": f"({show(formula)})"})
    assert answer["goals"] == state_to_json(initial(formula))["goals"]
    while answer["goals"]:
        told = call(session, "goals", {"state_id": answer["state_id"]})
        if not told["moves"]:
            break
        move = chance.choice(told["moves"])
        answer = call(session, "apply", {"state_id": told["state_id"], "tactics": [move]})
        graph = answer["proof_graph"]
        met = {edge["from"] for edge in graph["edges"]}
        assert len(graph["edges"]) == int(answer["state_id"][1:])
        unmet = [node["goal"] for node in graph["nodes"] if node["id"] not in met]
        assert sorted(map(json.dumps, unmet)) == sorted(map(json.dumps, answer["goals"]))
        assert graph["nodes"][0]["proved"] is answer["proved"]


def test_a_node_is_a_part_of_a_formula() -> None:
    session = started("(A -> B -> False) -> A -> B")
    call(session, "apply", {"state_id": "s0", "tactics": ["intro"]})
    node = call(session, "node", {"id": "s1.0.H.r"})
    assert (node["formula"], node["size"]) == ("~ B", 3)
    implies = {"kind": "implies", "left": 0, "right": 1}
    assert (node["nodes"], node["root"]) == ([{"kind": "atom", "name": "B"}, {"kind": "false"}, implies], 2)
    assert call(session, "node", {"id": "s1.0.conclusion"})["formula"] == "A -> B"
    nodes = call(started("A /\\ B \\/ C"), "node", {"id": "s0.0.conclusion"})["nodes"]
    assert [each["kind"] for each in nodes] == ["atom", "atom", "and", "atom", "or"]
    of_state, of_goal, of_graph = (call(session, "node", {"id": name}) for name in ("s1", "s1.0", "s1.g1"))
    assert of_state | {"id": ""} == of_goal | {"id": ""} == of_graph | {"id": ""}
    assert of_goal["goals"] == [{"hypotheses": [{"name": "H", "formula": 4}], "conclusion": 5}]
    assert [of_goal["nodes"][place]["left"] for place in (4, 5)] == [0, 0]
    assert call(session, "node", {"id": "s1.g0.conclusion.l"})["formula"] == "A -> ~ B"
    for wrong in ("s1.g9", "s1.1.H", "s1.-1.H", "s1.²", "s1.0.H0", "s1.0.H.lll", "s1.0.H.x", "s1.0.H.l.r"):
        assert code(call(session, "node", {"id": wrong})) == "unknown_node"


@given(formulas(names=("A", "B", "C"), max_size=40))
def test_simplifying_keeps_what_can_be_proved_and_replays(formula: Any) -> None:
    session = Session()
    call(session, "start", {"lemma": f"({show(formula)})"})
    answer = call(session, "simplify", {"state_id": "s0"})
    moves = script_from_json(answer["moves"])
    state = replay(formula, moves)[-1]
    told = call(session, "node", {"id": answer["state_id"]})
    assert answer["ast"] == {"nodes": told["nodes"], "goals": told["goals"]}
    assert (answer["cost"], answer["error"], answer["goals"]) == (len(moves), None, state_to_json(state)["goals"])
    assert not {move.rule for move in moves} & {"left", "right", "imply4"}
    if state:
        assert {move.rule for move in legal_moves(state[0])} <= {"left", "right", "imply4"}
    verdicts = [call(session, "decide", {"state_id": each})["verdict"] for each in ("s0", answer["state_id"])]
    assert verdicts[0] == verdicts[1] != "unknown"


def test_the_missing_premises_of_a_rule_are_told() -> None:
    session = started("A /\\ B -> (A /\\ B -> C) -> C")
    call(session, "apply", {"state_id": "s0", "tactics": ["intro", "intro", "destruct_and H"]})

    def lacks(rule: str, hypothesis: str = "", state: str = "s3") -> Any:
        answer = call(session, "premise", {"state_id": state, "rule": rule, "hypothesis": hypothesis})
        assert answer["satisfied"] is (answer["missing"] == [])
        return answer["missing"]

    assert lacks("imply2", "H0") == []
    assert lacks("imply1", "H0", "s2") == []
    assert lacks("apply", "H0") == [{"kind": "formula", "formula": "A /\\ B"}]
    assert lacks("assumption") == [{"kind": "formula", "formula": "C"}]
    assert lacks("split") == [{"kind": "form", "where": "conclusion", "wanted": "A /\\ B", "formula": "C"}]
    assert lacks("imply1") == [{"kind": "hypothesis", "takes_hypothesis": True, "choices": ["H0", "H", "H1"]}]
    assert lacks("intro", "H") == [{"kind": "hypothesis", "takes_hypothesis": False, "choices": []}]
    assert code(call(session, "premise", {"state_id": "s3", "rule": "intros"})) == "bad_tactic"


def test_the_teacher_is_asked() -> None:
    session = started()
    hint = call(session, "hint", {"state_id": "s0", "level": 4})
    assert (hint["provable"], hint["rule"], hint["move"]) == (True, "intro", {"rule": "intro", "hypothesis": None})
    hint = call(session, "hint", {"state_id": "s0"})
    assert (hint["level"], hint["where"], hint["rule"]) == (1, None, None)
    assert call(session, "countermodel", {"state_id": "s0"})["countermodel"] is None
    session = started("A \\/ B -> B \\/ A")
    assert call(session, "apply", {"state_id": "s0", "tactics": ["intro", "left"]})["valid"]
    hint = call(session, "hint", {"state_id": "s2", "level": 2})
    assert (hint["provable"], hint["lost_at"]) == (False, 2)
    model = call(session, "countermodel", {"state_id": "s2"})["countermodel"]
    assert (model["goal"], model["is_smallest"], model["worlds"]) == (0, True, [{"above": [], "true": ["A"]}])


def test_solvers_are_asked_by_the_names_that_prove_takes_and_none_that_reads_a_file_or_runs_code() -> None:
    session = started("A \\/ B -> B \\/ A")
    for solver, by in (("teacher", "teacher"), ("best-first:teacher", "best-first"), ("table+search", "table")):
        told = call(session, "prove", {"state_id": "s0", "solver": solver})
        assert (told["status"], told["length"], told["by"]) == ("proved", 6, by)
        assert not replay(parse("A \\/ B -> B \\/ A"), script_from_json(told["script"]))[-1]
    for wrong in ("json:loads", "best-first:json:loads", "best-first:hf:/tmp", "table+json:loads", "teacher:first", ""):
        assert code(call(session, "prove", {"state_id": "s0", "solver": wrong})) == "bad_argument"
    assert call(started("A \\/ ~A"), "prove", {"state_id": "s0"})["status"] == "refuted"


def test_a_proof_is_certified_and_exported() -> None:
    session = started()
    assert code(call(session, "certify", {"state_id": "s0"})) == "not_proved"
    call(session, "apply", {"state_id": "s0", "tactics": AND_COMM})
    assert call(session, "certify", {"state_id": "s5"})["certificate"]["accepted"] is True
    assert "Assume p and q" in call(session, "export", {"state_id": "s5", "to": "prose"})["text"]
    assert code(call(session, "premise", {"state_id": "s5", "rule": "intro"})) == "proved"


def test_what_is_wrong_with_a_prover_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    session = started("A -> A")
    call(session, "simplify", {"state_id": "s0"})
    for error, expected in ((BackendMissing("No."), "prover_missing"), (BackendError("It hangs."), "prover_failed")):
        monkeypatch.setattr(Native, "certify", Mock(side_effect=error))
        content = call(session, "certify", {"state_id": "s2"})
        assert content == {"error": {"code": expected, "message": str(error)}}


def test_limits_are_told_and_kept() -> None:
    small = Limits(states=3, tactics=5, characters=100, size=50, level=3)
    session = started(limits=small)
    answer = call(session, "apply", {"state_id": "s0", "tactics": AND_COMM})
    assert (answer["state_id"], answer["error"]["tactic"], code(answer)) == ("s2", 3, "too_many_states")
    assert code(call(session, "simplify", {"state_id": "s0"})) == "too_many_states"
    assert code(call(session, "apply", {"state_id": "s0", "tactics": AND_COMM * 2})) == "too_large"
    assert code(call(session, "try_all", {"state_id": "s0", "alternatives": [[]] * 21})) == "too_large"
    assert code(call(session, "try_all", {"state_id": "s0", "alternatives": [["intro"]] * 6})) == "too_large"
    for lemma in ("A -> " * 30 + "A", "&".join("A" * 40), "SYJ203.4", "iltp/SYJ202+1.100"):
        assert code(call(session, "start", {"lemma": lemma})) == "too_large"
    low = Session(Limits(level=3))
    assert code(call(low, "start", {"lemma": "ſyj203.4"})) == "too_large"
    assert code(call(low, "start", {"lemma": "SYJ203.٤"})) == "bad_lemma"  # a level has digits from 0 to 9
    grown = started("A \\/ B \\/ C -> A \\/ B \\/ C", Limits(proof_size=30))
    answer = call(grown, "apply", {"state_id": "s0", "tactics": ["intro", "destruct_or H"]})
    assert (answer["state_id"], code(answer)) == ("s1", "too_large")


def test_time_runs_out_in_words() -> None:
    session = started("SYJ203.3", Limits(seconds=0))
    assert call(session, "decide", {"state_id": "s0"})["verdict"] == "unknown"
    assert code(call(session, "hint", {"state_id": "s0", "level": 4})) == "out_of_time"
    assert code(call(session, "countermodel", {"state_id": "s0"})) == "out_of_time"
    assert code(call(session, "apply", {"state_id": "s0", "tactics": ["intro"]})) == "out_of_time"
    assert code(call(session, "simplify", {"state_id": "s0"})) == "out_of_time"


def test_text_that_others_read_otherwise_is_told_with_all_brackets_or_refused_with_both_readings() -> None:
    answer = call(Session(), "start", {"lemma": "p -> q <-> ~p \\/ q"})
    assert answer["reading"] == "p -> (q <-> (~ p \\/ q))"
    assert call(Session(), "start", {"lemma": "A -> F"})["remarks"] == [
        "F is read as an atom; write False for the constant."
    ]
    assert "reading" not in call(Session(), "start", {"lemma": "A, B |- A /\\ B"})
    answer = call(Session(), "start", {"lemma": "p → q ↔ ¬p ∨ q"})
    assert code(answer) == "bad_lemma"
    assert answer["error"]["message"].endswith("add brackets: p → (q ↔ ¬p ∨ q) or (p → q) ↔ ¬p ∨ q.")


def test_no_file_is_read_for_a_lemma(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "week.lemmas").write_text("secret: A -> A\n")
    file = "week.lemmas"
    for lemma in (file, f"./{file}", f"file:{file}", str(tmp_path / file), f"{file}/secret", "-"):
        assert code(call(Session(), "start", {"lemma": lemma})) == "bad_lemma"


_DEEP = "~" * 9_000 + "A"
_HUGE = (
    *(("start", {"lemma": lemma}, "too_large") for lemma in ("A" * 1_000_000, "A <-> (" * 60 + "A" + ")" * 60)),
    *(("start", {"lemma": lemma}, "bad_lemma") for lemma in ("(" * 20_000, "forall " + "A " * 9_000 + ": Prop, A")),
    *(("start", {"lemma": f"{name}{'9' * 900}"}, "bad_lemma") for name in ("random:atoms=9/", "propl/200/")),
    ("start", {"lemma": "SYN007.14"}, "too_large"),
    ("apply", {"state_id": "s0", "tactics": ["x" * 1_000_000]}, "too_large"),
    ("apply", {"state_id": "s0", "tactics": [{"rule": "x" * 900_000}]}, "too_large"),
    ("apply", {"state_id": "s" * 1_000_000, "tactics": []}, "too_large"),
    ("try_all", {"state_id": "s0", "alternatives": [["intro"] * 1_000] * 20}, "too_large"),
)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [*WRONG, *_HUGE, ("nothing", {}, "unknown_call"), ("_limit", {}, "unknown_call"), ("start", [], "bad_argument")],
)
def test_what_is_wrong_is_told_by_a_code_and_a_sentence(name: str, arguments: Any, expected: str) -> None:
    session = started()
    content = call(session, name, arguments)
    assert code(content) == expected
    message = content["error"]["message"]
    assert message[-1] in ".:" and "\n" not in message and len(message) < 500
    assert "error" not in call(session, "goals", {"state_id": "s0"})


_NAMES = st.sampled_from(sorted({each for call in CALLS.values() for each in call.arguments.kinds}))


@settings(max_examples=examples(600))
@given(st.sampled_from(sorted(CALLS)), st.one_of(ANYTHING, st.dictionaries(_NAMES, ANYTHING, max_size=3)))
@example("node", {"id": "s0/"})
def test_whatever_is_asked_is_answered_or_refused_in_words(name: str, arguments: Any) -> None:
    session = started()
    call(session, "simplify", {"state_id": "s0"})
    content = json.loads(answer(session, name, arguments))
    if content.keys() == {"error"}:
        assert code(content) in set(Code) - {Code.INTERNAL}


@pytest.mark.slow
@pytest.mark.parametrize(
    "lemma",
    [_DEEP, "A -> " * 3_900 + "A", "A \\/ " * 3_000 + "A", "SYJ205.20", "SYJ202.8"],
    ids=lambda lemma: lemma[:9],
)
def test_every_call_on_a_large_lemma_is_answered_or_out_of_time(lemma: str) -> None:
    session = started(lemma, Limits(seconds=0.3))
    asked: dict[str, dict[str, Any]] = {
        "node": {"id": "s0.0.conclusion"},
        "hint": {"state_id": "s0", "level": 4},
        "premise": {"state_id": "s0", "rule": "intro"},
    }
    for name in ("simplify", "goals", "proof_graph", "decide", "prove", "countermodel", "certify", *asked):
        body = answer(session, name, asked.get(name, {"state_id": "s0"}))
        assert len(body) < 500_000
        if (content := json.loads(body)).get("error"):
            assert code(content) in ("out_of_time", "not_proved", "too_many_states", "too_large"), name


def test_answers_have_one_form() -> None:
    session = started("é -> é")
    body = answer(session, "goals", {"state_id": "s0"})
    assert body == (
        b'{"goals":[{"conclusion":"\\u00e9 -> \\u00e9","hypotheses":[]}],"moves":[{"hypothesis":null,"rule":"intro"}],'
        b'"proved":false,"state_id":"s0"}'
    )


@given(st.dictionaries(st.text(), ANYTHING | st.floats(allow_nan=False, allow_infinity=False)))
@example({"least": 1e-7, "most": 1e22, "huge": 10**30, "\x7f": "\x00\x1f\x7f", "half": "\ud800", "pair": ("a", None)})
def test_answers_have_one_form_whoever_writes_them(content: dict[str, Any]) -> None:
    assert dumps(content) == json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


def test_only_short_calls_on_small_lemmas_are_quick() -> None:
    session = Session(Limits())
    for lemma in ("A -> A", "A -> " * 2_500 + "A"):
        call(session, "start", {"lemma": lemma})
    small, large = {"state_id": "s0"}, {"state_id": "s1"}
    assert is_quick(session, "apply", {**small, "tactics": ["intro"] * 8})
    assert is_quick(session, "node", {"id": "s0.0.conclusion"})
    assert not is_quick(session, "apply", {**small, "tactics": ["intro"] * 9})
    assert not is_quick(session, "apply", {**large, "tactics": ["intro"]})
    assert not is_quick(session, "node", {"id": "s1.0.conclusion"})
    assert not is_quick(session, "hint", small)


def test_sessions_end_by_time_and_those_without_a_proof_before_others() -> None:
    now = [0.0]
    sessions = Sessions(most=2, seconds=100, clock=lambda: now[0])
    begun, unbegun = sessions.open(), sessions.open()
    call(sessions.get(begun).session, "start", {"lemma": "A -> A"})
    now[0] = 61.0
    assert sessions.open() not in (begun, unbegun)
    for now[0] in (99.0, 198.0):  # what is used goes on
        assert sessions.get(begun).session.is_begun
    now[0] = 299.0
    with pytest.raises(Refused, match="There is no such session"):
        sessions.get(begun)


def test_memory_is_returned_when_sessions_end_and_not_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, returned = [0.0], list[float]()
    monkeypatch.setattr(sessions, "return_memory", lambda: returned.append(now[0]))
    held = Sessions(seconds=100, clock=lambda: now[0])
    first, second, third = (held.open() for _ in range(3))
    call(held.get(third).session, "start", {"lemma": "A -> A"})
    held.close(first)
    held.close(second)
    assert returned == [0.0]
    now[0] = 99.0
    held.open()
    assert returned == [0.0]
    now[0] = 150.0
    held.open()  # the third has ended by itself
    assert returned == [0.0, 150.0]


@pytest.mark.slow
def test_what_a_door_needs_is_imported_by_that_door_alone() -> None:
    program = "import sys, oasis.cli.main, oasis.api; print({'mcp', 'starlette', 'uvicorn'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
