"""How much a session may be asked for. Imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The limits of a session; whatever goes beyond one is refused, and nothing is cut short in silence.

    Attributes:
        states: that a session may have.
        tactics: of one call, all alternatives together; also the moves of one `simplify`.
        alternatives: of one `try_all`.
        characters: of a text.
        size: nodes of a lemma that is written out as a tree, as of every state.
        proof_size: nodes of all goals of one proof together.
        level: of a family of problems.
        seconds: that a call may take; a prover has its own limits (`oasis.backends.processes`).
        memory: bytes that the process may occupy while something is worked out.
    """

    states: int = 5_000
    tactics: int = 1_000
    alternatives: int = 20
    characters: int = 20_000
    size: int = 20_000
    proof_size: int = 200_000
    level: int = 20
    seconds: float = 10.0
    memory: int = 4 * 2**30
