"""The memory of 1,000 sessions that each take all the states they may have: python -m benchmarks.room.

The sessions wander through proofs of lemmas of several kinds, long ones among them, until none gets another state.
"""

from __future__ import annotations

import os
from contextlib import suppress
from random import Random

from oasis.api.errors import Code, Refused
from oasis.api.sessions import Held, Sessions
from oasis.api.states import Position, States
from oasis.backends.processes import resident
from tactics.rules import legal_moves

SESSIONS = 1_000
WIDE = " -> ".join([*(f"(A{number} \\/ B{number})" for number in range(300)), "C"])
WALKS = 10
"""Through a proof without a new state, after which there is none."""
LEMMAS = ("SYJ203.3", "SYJ203.6", "SYJ206.6", "SYJ201.4", "SYJ202.3", WIDE)


def main() -> None:
    """Fill the room, and tell what was taken."""
    sessions, random = Sessions(most=SESSIONS), Random(0)
    before = resident(os.getpid())
    open_ones = [sessions.get(sessions.open()) for _ in range(SESSIONS)]
    fill(open_ones, random)
    states = [len(held.session.states.by_id) for held in open_ones]
    told = sum(held.session.states.taken for held in open_ones) / 2**20
    now = resident(os.getpid())
    print(f"{SESSIONS:,} sessions, {states.count(0)} of them without room for their lemma, {sum(states):,} states:")
    print(f"{now / 2**20:.0f} MiB in all, {(now - before) / 2**20:.0f} of them for sessions, which count as {told:.0f}")


def fill(open_ones: list[Held], random: Random) -> None:
    """Let each session in its turn take as many states as it may have, or as there are."""
    for place, held in enumerate(open_ones):
        states, before = held.session.states, -1
        with suppress(Refused):
            root = states.start(LEMMAS[place % len(LEMMAS)])
            while len(states.by_id) > before:
                before = len(states.by_id)
                for _ in range(WALKS):
                    walk(states, root, random)


def walk(states: States, root: Position, random: Random) -> None:
    """Make moves by chance, some from a state that is met already. Raises Refused where there is no room."""
    at = random.choice([root, states.by_id[f"s{random.randrange(len(states.by_id))}"]])
    while at.goals and (moves := legal_moves(at.goals[0])):
        try:
            at = states.after(at, random.choice(moves))
        except Refused as error:
            if error.code is not Code.TOO_LARGE:
                raise
            return


if __name__ == "__main__":
    main()
