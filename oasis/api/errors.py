"""Why a call is refused: a closed list of codes, each with what it means, and the exception that carries one."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oasis.api.answers import Error


class Code(StrEnum):
    """What programs tell refusals apart by; the sentence beside it is for people."""

    about: str

    def __new__(cls, value: str, about: str) -> Code:
        """A code, and what it means in a sentence."""
        code = str.__new__(cls, value)
        code._value_, code.about = value, about
        return code

    BAD_HTTP = "bad_http", "What was sent is no request in HTTP, or is packed."
    BAD_JSON = "bad_json", "What was sent is no JSON object in UTF-8."
    BAD_ARGUMENT = "bad_argument", "An argument is missing, not known, or not of its type."
    BAD_LEMMA = "bad_lemma", "The lemma is no name that is known here, and cannot be read as a formula."
    BAD_TACTIC = "bad_tactic", "A tactic cannot be read as a rule with at most one hypothesis."
    ILLEGAL_MOVE = "illegal_move", "A tactic does not apply to the goal in focus."
    NOT_PROVED = "not_proved", "The call needs a proof without open goals, and this state has some."
    PROVED = "proved", "The call needs an open goal, and this state has none."
    UNKNOWN_CALL = "unknown_call", "There is no call, or no address, of this name."
    WRONG_METHOD = "wrong_method", "There is this address, but not with this method."
    UNKNOWN_STATE = "unknown_state", "The session has no state of this id."
    UNKNOWN_NODE = "unknown_node", "The state has no goal, formula or part of one at this place."
    UNKNOWN_SESSION = "unknown_session", "There is no session of this id, or it has ended."
    TOO_LARGE = "too_large", "Something is larger than the limits allow."
    TOO_MANY_STATES = "too_many_states", "The session has as many states as it may have; go on in another one."
    BUSY = "busy", "The server has no room for another session, request or state; end a session, or come again later."
    OUT_OF_TIME = "out_of_time", "The answer was not found in the time that a call may take."
    PROVER_MISSING = "prover_missing", "The prover is not installed on the machine that answers."
    PROVER_FAILED = "prover_failed", "The prover died, hangs or answers nonsense."
    FORBIDDEN = "forbidden", "The request lacks the token, or comes by way of another site."
    INTERNAL = "internal", "Something went wrong that is not the caller's fault."


class Refused(Exception):
    """A call that is refused, with a code and a sentence: what, where, and what to do now."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code

    def to_json(self) -> Error:
        """The code and the sentence."""
        return {"code": str(self.code), "message": str(self)}
