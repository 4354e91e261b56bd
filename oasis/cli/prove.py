"""`oasis prove`: a proof of a theorem, from who knows the truth, found by trying, or played by a policy."""

from __future__ import annotations

from math import inf
from typing import Annotated, Final

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    ExperienceOption,
    JsonOption,
    LevelsOption,
    QuietOption,
    WritingOption,
    complete_curriculum,
    read_curriculum,
    seed_option,
    was_typed,
)

_TEACHER: Final = ("shortest", "max_proof", "seconds")
_COMMITTED: Final = ("policy", "judge", "invertible", "writing", "experience", "seed", "max_proof")
_SEARCH: Final = (
    "policy",
    "search",
    "budget",
    "seconds",
    "shorter",
    "cache",
    "draw",
    "experience",
    "seed",
    "max_proof",
)
_LADDER: Final = ("policy", "search", "escalate", "seconds", "seed")
_TAKES: Final = {"teaching": _TEACHER, "playing": _COMMITTED, "searching": _SEARCH, "climbing": _LADDER}
"""The options of each kind of solver, beside those of all."""
_BROUGHT: Final = ("budget", "seconds")
"""Those of one's own."""


def prove(
    context: typer.Context,
    lemma: Annotated[
        str,
        typer.Argument(
            metavar="LEMMA|CURRICULUM",
            help="A lemma by name (SYJ203.3, thesis/43), as text, a file, or -; for --search or --policy a curriculum.",
            autocompletion=complete_curriculum,
        ),
    ],
    shortest: Annotated[bool, typer.Option("--shortest", help="Look for a proof with the fewest moves.")] = False,
    certify: Annotated[
        bool, typer.Option("--certify", help="Have the script certified by Coq and Lean, as far as they are here.")
    ] = False,
    max_proof: Annotated[int, typer.Option(help="Moves of the longest script that is written, or played.")] = 10_000,
    seconds: Annotated[float, typer.Option(help="How long the search may take, for each lemma.")] = 10.0,
    solver: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[:POLICY]",
            help="Who proves it: teacher, committed, a search, table, network, table+search, escalate, module:object.",
        ),
    ] = None,
    search: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Find it by trying: best-first, proof-number, ao-star, rmaxts, evolution or sampling."
        ),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Who proposes moves, or without --search makes them: uniform, teacher, first, last, tiny, the number "
            "of a run, a network's .safetensors file, or module:object.",
        ),
    ] = "uniform",
    judge: Annotated[
        bool, typer.Option("--judge", help="Try each move, and make the one that leaves what the policy values most.")
    ] = False,
    invertible: Annotated[
        str, typer.Option(metavar="eager|free", help="Moves that cannot lose are made at once, or have to be chosen.")
    ] = "eager",
    writing: WritingOption = "masked",
    experience: ExperienceOption = False,
    escalate: Annotated[
        bool,
        typer.Option(
            "--escalate",
            help="A student practises first; what it does not learn a search tries, and then a network (--policy).",
        ),
    ] = False,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="N|NAME=N,…",
            help="For each lemma beside --seconds: expansions, or as in expansions=10000,calls=500,memory=2048 (MiB).",
        ),
    ] = None,
    seed: Annotated[int, seed_option("Of the chance of each search, or of lots.")] = 0,
    shorter: Annotated[
        bool, typer.Option("--shorter", help="Go on to shorter proofs until there is none or the time is over.")
    ] = False,
    cache: Annotated[
        str,
        typer.Option(
            metavar="none|memory|disk",
            help="What is found out about goals serves one lemma, the lemmas of this command, or is kept in --db.",
        ),
    ] = "memory",
    draw: Annotated[
        str | None,
        typer.Option(metavar="FILE.svg|-", help="Draw what the search reached: as SVG that grows, or as a tree here."),
    ] = None,
    levels: LevelsOption = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Print a script that proves a lemma; `oasis replay LEMMA -` reads it and shows every state.

    The teacher, who knows the truth, finds it at once; the script is short, and with --shortest no other is shorter.
    With --search it is found by trying, from what a policy proposes, within a budget. With --policy alone the policy
    plays the lemma once and takes no move back. With --escalate nobody knows: the table, a search and a network take
    turns, and what each took is told. --solver names any of these, and a solver of your own.

    Of a lemma that is no theorem there is none: `oasis countermodel` shows why.

    Exit code 0 unless a prover rejects the script: 1.
    """
    from oasis.cli.proving import Way, prove_all, read_budget
    from oasis.escalation.solvers import UNIFORM, kind_of, parted
    from oasis.play.committed import Choosing
    from tactics.errors import InputError

    if not 0 < seconds < inf or max_proof < 1:
        raise InputError("--seconds must be above 0 and --max-proof at least 1.")
    named = was_typed(context, "policy")
    if solver is None:
        name = "escalate" if escalate else search or ("committed" if named else "teacher")
        kind = "searching" if search and not escalate else kind_of(name)
    else:
        for other in ("escalate", "search", "policy"):
            if was_typed(context, other):
                raise InputError(f"--solver says who proves and whom it asks; leave --{other} out.")
        name, policy = parted(solver)
        named, kind = bool(policy), kind_of(name)
    _refuse_unfit(context, name, _TAKES.get(kind, _BROUGHT))
    way = Way(
        name=name,
        kind=kind,
        policy=policy if named else UNIFORM if kind in ("searching", "playing") else "",
        budget=read_budget(budget, None if kind == "playing" else seconds),
        seed=seed,
        shortest=shortest or shorter,
        longest=max_proof,
        choosing=Choosing(judge, invertible, writing) if kind == "playing" else None,
        cache=cache if kind == "searching" else None,
        search=search or "" if kind == "climbing" else "",
        experience=experience,
        picture=draw,
        db=db,
    )
    prove_all(read_curriculum(lemma, levels).lemmas, way, certify=certify, as_json=as_json, quiet=quiet)


def _refuse_unfit(context: typer.Context, name: str, fits: tuple[str, ...]) -> None:
    """Raise InputError for an option that another solver takes and this one does not."""
    from tactics.errors import InputError

    for option in dict.fromkeys((*_TEACHER, *_COMMITTED, *_SEARCH, *_LADDER)):
        if option not in fits and was_typed(context, option):
            takers = {"teacher": _TEACHER, "a policy that plays": _COMMITTED, "a search": _SEARCH, "a ladder": _LADDER}
            who = " or ".join(taker for taker, takes in takers.items() if option in takes)
            raise InputError(f"--{option.replace('_', '-')} goes with {who}, and not with {name}.")
