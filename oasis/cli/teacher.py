"""What the teacher knows of lemmas: is it a theorem, why is it none, and what is to be done in the midst of a proof?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    FormatOption,
    JsonOption,
    LemmaArgument,
    LevelsOption,
    lemma_argument,
    number_option,
    read_attempt,
    read_curriculum,
    read_lemma,
    read_notation,
    seconds_option,
)
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.narration import narrate
from oasis.cli.render import print_columns, print_countermodel, print_json
from oasis.ground.files import output_stream
from tactics.errors import check_choice

if TYPE_CHECKING:
    from oasis.teacher.hints import Hint, Loss


def decide(
    curriculum: Annotated[
        str,
        lemma_argument(
            "A lemma or curriculum: a name, text, a .p file, a directory, a file of lemmas, a comma list, or -.",
            "LEMMA|CURRICULUM|FILE|-",
        ),
    ],
    engine: Annotated[str, typer.Option(help="Who decides: intuit (SAT and Kripke models) or sequents.")] = "intuit",
    seconds: Annotated[float, seconds_option("How long each lemma may take.")] = 10.0,
    memory: Annotated[int, number_option("How much memory the process may occupy, in MiB.", "[1, ∞)")] = 4096,
    levels: LevelsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say for each lemma whether it is a theorem of intuitionistic logic, or unknown when a limit comes first.

    `oasis prove` shows a proof of a theorem, `oasis countermodel` why another is none.
    """
    from oasis.cli.progress import counted
    from oasis.teacher.deciding.decide import decide as decide_formula

    chosen = read_curriculum(curriculum, levels)
    results = []
    interrupted = False
    try:
        for lemma in counted(chosen.lemmas, len(chosen.lemmas), lambda each: each.name):
            found = decide_formula(lemma.formula, engine=engine, seconds=seconds, memory=memory * 2**20)
            results.append((lemma, found))
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        told = [
            {"lemma": lemma.name, **lemma.reading, "verdict": found.verdict, "engine": found.engine}
            | {"seconds": round(found.seconds, 6)}
            for lemma, found in results
        ]
        print_json({"results": told})
    else:
        time = {">seconds": lambda row: f"{row['seconds']:.3f}"}
        print_columns(
            [{"lemma": lemma.name, **vars(found)} for lemma, found in results],
            {"lemma": "lemma", "verdict": "verdict", "engine": "engine", **time, "remark": "reason"},
        )
    for lemma, found in results:
        if found.contradicts(lemma.status):
            narrate(f"{lemma.name}: its source says {lemma.status}; that is wrong.")
    if interrupted:
        raise Stopped(f"Interrupted after {len(results)} of {len(chosen.lemmas)} lemmas.", EXIT_INTERRUPTED)


def countermodel(
    lemma: LemmaArgument,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Also write a picture to this file.", metavar="FILE")
    ] = None,
    seconds: Annotated[float, seconds_option("How long the lemma may take.")] = 10.0,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw lines with ASCII characters.")] = False,
    notation: FormatOption = "coq",
    as_json: JsonOption = False,
) -> None:
    """Show a Kripke model in which a lemma fails at the root, and say in words why it does.

    Worlds are numbered from the root, which is drawn at the bottom; what is true at a world is true above it as well.

    The model was checked independently of the engine that found it. It has as few worlds as possible, where four or
    fewer are enough and the time is; where that is not certain, the last sentence says so and so does --json.

    Of a theorem there is none: `oasis prove` shows a proof instead.
    """
    from oasis.ground.limits import Limit
    from oasis.teacher.countermodels.countermodel import Countermodel
    from oasis.teacher.countermodels.explanation import to_json
    from oasis.teacher.countermodels.svg import svg as drawn
    from oasis.teacher.deciding.decide import Verdict, decide

    written_in, found = read_notation(notation), read_lemma(lemma)
    limit = Limit(seconds)
    decision = decide(found.formula, seconds=seconds)
    shown = Countermodel.of(decision, found.formula, limit)
    if svg is not None and shown is not None:
        with output_stream(svg) as stream:
            stream.write(drawn(shown))
    if as_json:
        model = {"worlds": None, "is_smallest": None, "words": None} if shown is None else to_json(shown, written_in)
        print_json({"lemma": found.name, **found.reading, "verdict": decision.verdict, **model})
    elif shown is not None:
        print_countermodel(f"{found.name} is not a theorem.", shown, written_in, ascii_only=ascii_only)
    elif decision.verdict is Verdict.THEOREM:
        print(f"{found.name} is a theorem, so it has no countermodel; oasis prove shows a proof.")
    else:
        print(f"Whether {found.name} is a theorem is unknown: {decision.reason}; try a larger --seconds.")
    if svg is not None and shown is None:
        narrate(f"{svg} was not written, for there is nothing to draw.")


def hint(
    lemma: LemmaArgument,
    script: Annotated[
        str,
        typer.Argument(
            metavar="[SCRIPT]",
            help="The moves so far, as in 'intro; left', one a line or a file of them, or - for standard input.",
        ),
    ] = "",
    level: Annotated[
        int,
        typer.Option(help="How much to say: 1 still provable? 2 and where to look, 3 and which rule, 4 and the move."),
    ] = 1,
    seconds: Annotated[float, seconds_option("How long the answer may take.")] = 10.0,
    notation: FormatOption = "coq",
    as_json: JsonOption = False,
) -> None:
    """Say whether what is left of a proof can still be proved, and at higher levels how to go on.

    Where a move has made it unprovable, a countermodel shows why, and the hint is what to do instead of that move.
    """
    from oasis.ground.limits import Limit, LimitReached
    from oasis.teacher.hints import LEVELS, Teacher, to_json
    from tactics.script import replay
    from tactics.sequent import show_state

    written_in = read_notation(notation)
    check_choice("--level", level, LEVELS)
    found, moves = read_attempt(lemma, script)
    states = replay(found.formula, moves)
    given: Hint | None = None
    lost: Loss | None = None
    reason = ""
    try:
        teacher = Teacher(Limit(seconds))
        given = teacher.hint(states, moves, level)
        if given.step:
            lost = teacher.what_it_lost(states[given.step - 1], moves[given.step - 1], states[given.step])
    except LimitReached as error:
        reason = str(error)
    if as_json:
        shown = {"lemma": found.name, "state": show_state(states[-1], written_in), "level": level}
        print_json({**shown, **to_json(given, lost, written_in)})
    elif given is None:
        print(f"There is no hint in time: {reason}; try a larger --seconds.")
    else:
        print("\n".join(given.sentences(written_in)))
        if lost is not None and lost.countermodel is not None:
            print()
            which = f"Goal {lost.place} after {lost.move} is {lost.countermodel.sequent(written_in)}, which fails here:"
            print_countermodel(which, lost.countermodel, written_in)
