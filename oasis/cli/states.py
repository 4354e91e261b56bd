"""`oasis states`, `states check` and `same`: which states there are, when two are one, and whether a space is right."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from oasis.cli.arguments import (
    FormatOption,
    JsonOption,
    LemmaArgument,
    number_option,
    read_given,
    read_lemma,
    read_notation,
)
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.narration import narrate
from oasis.cli.options import Given, command
from oasis.cli.render import print_census, print_comparison, print_json, print_line
from oasis.ground.names import STATE_SPACES
from state_spaces.checking import Check
from tactics.errors import InputError

_STATE_HELP = (
    "As in 'h : A, A -> B |- B': names of hypotheses are optional, goals separated by ; and proved means none. "
    "A file, or - for standard input."
)


def states(
    lemma: LemmaArgument,
    state_space: Annotated[
        str | None, typer.Option(help=f"{STATE_SPACES.told}; all of ours if left out, and simple with --list.")
    ] = None,
    limit: Annotated[int, number_option("States, and goals, after which a search is given up.", "[1, ∞)")] = 1_000_000,
    list_them: Annotated[
        bool, typer.Option("--list", help="Print the states instead, one a line: of those that are the same the first.")
    ] = False,
    notation: FormatOption = "coq",
    as_json: JsonOption = False,
) -> None:
    """Count the states and goals that a lemma leads to, as each state space tells them apart.

    A state is a list of open goals, and the proved state is one. Goals are counted as if each were worked on by itself.

    simple tells apart what reads differently.

    name tells apart what no renaming of atoms makes equal, whatever the names and order of hypotheses.

    match does the same for the focused goal alone.

    While several goals are open, match's keys are not Markov: what comes next depends on goals that they leave out.
    """
    from oasis.cli.progress import watch_census
    from state_spaces.reachable import Census
    from tactics.sequent import show_state

    written_in = read_notation(notation)
    spaces = [state_space] if state_space else ["simple"] if list_them else list(STATE_SPACES)
    found = read_lemma(lemma)
    census = Census(found.formula, spaces, limit)
    shown: list[str] = []
    interrupted = False
    try:
        if list_them:
            for _, state in census.count_states():
                shown.append(show_state(state, written_in))
                if not as_json:
                    print(shown.pop())
        else:
            watch_census(census)
    except KeyboardInterrupt:
        interrupted = True
    complete = census.states[spaces[0]].complete if list_them else census.complete
    if list_them and as_json:
        print_json({"lemma": found.name, "state_space": spaces[0], "states": shown, "complete": complete})
    elif as_json:
        print_json({"lemma": found.name, "state_spaces": census.to_json()})
    elif not list_them:
        print_census(census)
    if interrupted:
        raise Stopped("Stopped; there may be more than was counted so far.", EXIT_INTERRUPTED)
    if not complete:
        narrate(f"The search was given up after {limit:,} (--limit); there may be more.")


def same(
    one: Annotated[str, typer.Argument(metavar="STATE", help=_STATE_HELP)],
    other: Annotated[str, typer.Argument(metavar="STATE", help="The state to compare it with, written likewise.")],
    notation: FormatOption = "coq",
    as_json: JsonOption = False,
) -> None:
    """Tell in which state spaces two states are the same: by which renaming, or what the first difference is.

    simple: they read the same.

    name: one bijection of atoms makes all their goals equal, whatever the names and order of hypotheses.

    match: one makes their first goals equal.

    The difference is one that no renaming removes, in the first goals if there is one.
    """
    from state_spaces.comparison import compare
    from tactics.sequent import parse_state

    written_in = read_notation(notation)
    if one == other == "-":
        raise InputError("Only one of the states can come from standard input; name a file for the other.")
    read = partial(parse_state, say=narrate)
    comparison = compare(read_given(one, read), read_given(other, read), written_in)
    if as_json:
        print_json(comparison.to_json())
    else:
        print_comparison(comparison)


@command
def states_check(*, asked: Given[Check], as_json: JsonOption = False) -> None:
    """Check whether a state space, one of ours or your own, tells apart the states that differ, and no others.

    Two states are the same if one renaming of atoms and of hypotheses makes one the other, in any order of hypotheses.

    The answer is the word "exact", or each fault with the smallest two states that show it: the space merges states
    that differ (equal keys), splits states that are the same (different keys), or is not Markov (the same action leads
    from equal keys to different ones). The slots of moves are checked for merging and splitting, too.

    Nothing found is no proof: random play seldom meets states with many symmetries.
    """
    from curricula.generator import RandomSettings, random_lemmas
    from curricula.settings import MAX_COUNT
    from oasis.cli.progress import watch_count
    from state_spaces.checking import checked

    settings = asked.made()
    lemmas = random_lemmas(RandomSettings(size=10, count=MAX_COUNT, seed=settings.seed))
    follow = partial(watch_count, noun="states", quiet=False)
    report = checked(settings, (lemma.formula for lemma in lemmas), follow)
    if as_json:
        print_json(report.to_json())
    else:
        for line in report.lines():
            print_line(line)
