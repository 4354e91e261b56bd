"""`oasis prove`: a proof of a theorem, from who knows the truth, found by trying, or played by a policy."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated

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
    read_lemma,
    seed_option,
    was_typed,
)
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_REJECTED
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from oasis.escalation.proving import Answer


_OF_A_SEARCH = ("budget", "shorter", "cache", "draw")
_OF_A_PLAY = ("judge", "invertible", "writing")
_OF_THE_TEACHER = ("shortest", "max_proof")


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
    turns, and what each took is told.

    Of a lemma that is no theorem there is none: `oasis countermodel` shows why.

    Exit code 0 unless a prover rejects the script: 1.
    """
    from tactics.errors import InputError

    if not 0 < seconds < inf or max_proof < 1:
        raise InputError("--seconds must be above 0 and --max-proof at least 1.")
    plays = search is None and was_typed(context, "policy")
    _check_options(context, search, plays, escalate)
    if escalate:
        from oasis.cli import climbing
        from oasis.escalation.ladder import EXPLORER

        network = policy if was_typed(context, "policy") else climbing.NETWORK
        by_climb = climbing.Way(search or EXPLORER, network, seconds, seed, db)
        climbing.prove_by_climb(
            read_curriculum(lemma, levels).lemmas, by_climb, certify=certify, as_json=as_json, quiet=quiet
        )
    elif search is not None:
        from oasis.cli.searching import Way, prove_by_search, read_budget

        chosen = read_curriculum(lemma, levels).lemmas
        way = Way(search, policy, read_budget(budget, seconds), seed, shorter, cache, db, draw, experience)
        prove_by_search(chosen, way, certify=certify, as_json=as_json, quiet=quiet)
    elif plays:
        from oasis.cli import playing
        from oasis.play.committed import Choosing

        by_play = playing.Way(policy, Choosing(judge, invertible, writing), seed, max_proof, db, experience)
        playing.prove_by_play(
            read_curriculum(lemma, levels).lemmas, by_play, certify=certify, as_json=as_json, quiet=quiet
        )
    else:
        _ask_the_teacher(lemma, shortest, certify, max_proof, seconds, as_json)


def _check_options(context: typer.Context, search: str | None, plays: bool, escalate: bool) -> None:
    """Raise InputError for options of another way to find a proof."""
    from tactics.errors import InputError

    if escalate:
        unfit = dict.fromkeys(
            (*_OF_THE_TEACHER, *_OF_A_SEARCH, *_OF_A_PLAY, "experience"), "does not go with --escalate"
        ) | {"budget": "does not go with --escalate; --seconds is the time for each lemma"}
    elif search is not None:
        unfit = dict.fromkeys(_OF_THE_TEACHER, "does not go with --search")
        unfit |= dict.fromkeys(_OF_A_PLAY, "goes with --policy and not with --search")
    elif plays:
        unfit = dict.fromkeys(_OF_A_SEARCH, "goes with --search")
        unfit |= dict.fromkeys(("shortest", "seconds"), "does not go with --policy")
    else:
        unfit = dict.fromkeys(_OF_A_SEARCH, "goes with --search")
        unfit |= dict.fromkeys(_OF_A_PLAY, "goes with --policy")
        unfit |= dict.fromkeys(("experience",), "goes with --search or --policy")
        unfit |= dict.fromkeys(("seed", "levels"), "goes with --search, --policy or --escalate")
    for name, reason in unfit.items():
        if was_typed(context, name):
            raise InputError(f"--{name.replace('_', '-')} {reason}.")


def _ask_the_teacher(lemma: str, shortest: bool, certify: bool, max_proof: int, seconds: float, as_json: bool) -> None:
    """Print a proof by who knows whether there is one."""
    from dataclasses import asdict

    from oasis.cli.attempts import certificates
    from oasis.cli.render import about, print_certificates, print_json
    from oasis.escalation.proving import STOPPED, answer
    from tactics.json_form import script_to_json
    from tactics.printer import show

    found = read_lemma(lemma)
    given = answer(found.formula, shortest=shortest, max_proof=max_proof, seconds=seconds)
    script = given.proof and given.proof.script
    certified = certificates([(found.formula, script)])[0] if certify and script else ()
    if as_json:
        print_json(
            {
                "lemma": found.name,
                "formula": show(found.formula, quantified=True),
                **found.reading,
                "verdict": given.verdict,
                "length": given.proof and given.proof.length,
                "shortest": given.shortest,
                "script": script and script_to_json(script),
                "certificates": [asdict(certificate) for certificate in certified],
            }
        )
    else:
        narrate(about(found.name, show(found.formula)))
        _print(found.name, given, max_proof)
        print_certificates(certified)
    if shortest and given.proof and not given.shortest:
        least = f"; every proof has at least {given.bound:,}" if given.bound > 1 else ""
        narrate(f"No shortest proof was found: {given.reason}; this one may be longer{least}.")
    if given.reason == STOPPED:
        raise typer.Exit(EXIT_INTERRUPTED)

    if not all(certificate.accepted for certificate in certified):
        raise typer.Exit(EXIT_REJECTED)


def _print(name: str, given: Answer, max_proof: int) -> None:
    """The script, or a sentence that says why there is none."""
    from oasis.teacher.deciding.decide import Verdict
    from tactics.script import show_script

    if given.verdict is Verdict.NON_THEOREM:
        print(f"{name} is not a theorem, so it has no proof; oasis countermodel shows why.")
    elif given.verdict is Verdict.UNKNOWN:
        print(f"Whether {name} is a theorem is unknown: {given.reason}; try a larger --seconds.")
    elif given.proof is None:
        print(f"{name} is a theorem, but no proof was found: {given.reason}; try a larger --seconds.")
    elif given.proof.script is None:
        known = "shortest script" if given.shortest else "shortest known script"
        print(f"The {known} of {name} has {given.proof.length:,} moves, more than --max-proof {max_proof:,}.")
    else:
        print(show_script(given.proof.script))
