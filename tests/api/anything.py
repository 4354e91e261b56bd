"""What may be sent to a door: calls that are refused, each with its code, and any JSON at all."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

ANYTHING: Final[st.SearchStrategy[Any]] = st.recursive(
    st.one_of(
        *(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
        *(st.text(max_size=20), st.integers(0, 6).map(lambda number: f"s{number}")),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)

WRONG: Final[tuple[tuple[str, Any, str], ...]] = (
    ("start", {"lemma": "no lemma"}, "bad_lemma"),
    ("start", {"lemma": "A /\\"}, "bad_lemma"),
    ("start", {"lemma": "SYJ203.9999"}, "too_large"),
    ("start", {"lemma": 3}, "bad_argument"),
    ("start", {"formula": "A"}, "bad_argument"),
    ("start", {}, "bad_argument"),
    ("start", {"lemma": "A", "more": 1}, "bad_argument"),
    ("apply", {"state_id": "s9", "tactics": []}, "unknown_state"),
    ("apply", {"state_id": "s0", "tactics": ["intro"] * 1_001}, "too_large"),
    ("apply", {"state_id": "s0", "tactics": "intro"}, "bad_argument"),
    ("apply", {"state_id": "s0", "tactics": [3]}, "bad_argument"),
    ("apply", {"state_id": "s0", "tactics": [{"rule": None}]}, "bad_argument"),
    ("apply", {"state_id": "s0", "tactics": [{"rule": "intro", "x": 1}]}, "bad_argument"),
    ("apply", {"state_id": "s0", "tactics": ["intro; intro"]}, "bad_tactic"),
    ("apply", {"state_id": "s0", "tactics": [], "graph": 1}, "bad_argument"),
    ("try_all", {"state_id": "s0", "alternatives": [[]] * 21}, "too_large"),
    ("goals", {"state_id": "s4999"}, "unknown_state"),
    ("goals", {"state_id": 0}, "bad_argument"),
    ("node", {"id": "s0.9.conclusion"}, "unknown_node"),
    ("node", {"id": "s0/\u00e9 %2F?#"}, "unknown_state"),
    ("premise", {"state_id": "s0", "rule": "cut"}, "bad_tactic"),
    ("hint", {"state_id": "s0", "level": 5}, "bad_argument"),
    ("hint", {"state_id": "s0", "level": True}, "bad_argument"),
    ("export", {"state_id": "s0", "to": "coq"}, "not_proved"),
    ("export", {"state_id": "s0", "to": "word"}, "bad_argument"),
    ("certify", {"state_id": "s0"}, "not_proved"),
    ("certify", {"state_id": "s0", "prover": "lean-dojo"}, "bad_argument"),
)
"""Names of calls, arguments, and the code with which a session refuses them that has one state, which is open."""
