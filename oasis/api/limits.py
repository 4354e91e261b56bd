"""How much a session may be asked for, and how many a server has. Imports nothing that takes time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from oasis.ground.settings import Setting, check


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


@dataclass(frozen=True)
class Served:
    """Where a server listens, how many it serves, and for how long. Raises InputError for what cannot be."""

    host: Annotated[
        str, Setting("The address to listen at; only this machine unless told otherwise.", only_with="http")
    ] = "127.0.0.1"
    port: Annotated[
        int, Setting("The port to listen at; 0 for any that is free.", within="[0, 65535]", only_with="http")
    ] = 8765
    sessions: Annotated[
        int,
        Setting("Sessions, or environments, that may be open at the same time.", within="[1, ∞)", only_with="http"),
    ] = 1_000
    idle: Annotated[
        float,
        Setting(
            "Seconds after which one ends that nobody asks anything.",
            within="(0, ∞)",
            metavar="SECONDS",
            only_with="http",
        ),
    ] = 3_600.0
    per_client: Annotated[
        int | None,
        Setting("Of these, those that one address may have open; all if left out.", within="[1, ∞)", only_with="http"),
    ] = None
    workers: Annotated[
        int | None,
        Setting(
            "Processes that work out what the teacher is asked; one for each core.",
            within="[0, ∞)",
            only_with="http",
            not_with="openenv",
        ),
    ] = None

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class ForPrograms(Served):
    """A server of programs."""

    openenv: Annotated[bool, Setting("Be an environment for trainers that speak OpenEnv.")] = False


@dataclass(frozen=True)
class ForModels(Served):
    """A server of language models."""

    http: Annotated[bool, Setting("Answer over HTTP, to as many programs as come, and not over pipes.")] = False
    port: int = 8766
