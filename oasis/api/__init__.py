"""Doors for programs: one session over the calculus, and the same answers byte for byte by whichever door they go.

`oasis.api.session` holds the states of proofs, `oasis.api.calls` is the one table of what may be asked of it, and
`oasis.api.http` a door. From Python:

    from oasis.api import Session, call

    session = Session()
    call(session, "start", {"lemma": "textbook/and_comm"})
    call(session, "apply", {"state_id": "s0", "tactics": ["intro", "destruct_and H"]})
"""

from oasis.api.calls import answer, call
from oasis.api.limits import Limits
from oasis.api.session import Session

__all__ = ["Limits", "Session", "answer", "call"]
