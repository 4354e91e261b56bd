"""`oasis experience add`, `modify` and `delete`: maxims by hand, each change with a reason."""

from __future__ import annotations

from typing import Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, account, complete_curriculum, read_lemma
from oasis.cli.narration import narrate
from tactics.errors import check_choice

_ADVICE = "prefer: the tactic comes first there; avoid: it waits."
_GOAL = "What the goal is there: an example, _ for anything, as in '_ \\/ _' or 'p -> q'; any goal if left out."
_HYPOTHESIS = (
    "What the hypothesis is that the tactic takes, or one that is there: an example likewise, or 'left side' or 'right "
    "side' of the goal."
)
_ODDS = "By how much the tactic becomes likelier, or less likely: above 1; 4 if left out."
NumberArgument = Annotated[int, typer.Argument(metavar="N", help="The number of a maxim, as `list` shows it.")]
ReasonOption = Annotated[str, typer.Option(help="Why; it stands in the journal.")]
ContentOption = Annotated[
    str, typer.Option(help="What it says, in at most 32 words; worded by itself from the rest if left out.")
]


def add(
    advice: Annotated[str, typer.Argument(metavar="prefer|avoid", help=_ADVICE)],
    rule: Annotated[str, typer.Argument(metavar="TACTIC", help="One of the twelve, as in left or destruct_or.")],
    lemma: Annotated[
        str, typer.Option(help="A lemma that shows it, by name or as text.", autocompletion=complete_curriculum)
    ],
    reason: ReasonOption,
    goal: Annotated[str, typer.Option(metavar="SHAPE", help=_GOAL)] = "",
    hypothesis: Annotated[str, typer.Option(metavar="SHAPE", help=_HYPOTHESIS)] = "",
    content: ContentOption = "",
    odds: Annotated[float, typer.Option(help=_ODDS)] = 4.0,
    db: DatabaseOption = DATABASE,
) -> None:
    """Add a maxim by hand, and print its number; the next distilling puts it to the test like every other one.

    For example: oasis experience add prefer left --hypothesis 'left side' --lemma 'p -> p | q' --reason 'it is there'
    """
    from oasis.experience import by_hand
    from oasis.experience.example import example
    from oasis.experience.library import Library
    from oasis.experience.maxims import CATEGORIES
    from oasis.store import Store

    check_choice("The advice", advice, CATEGORIES)  # before there is a database
    scope = by_hand.written_scope(rule, goal, hypothesis)
    source = read_lemma(lemma, piped=False).name
    with Store(db) as store:
        library = Library(store)
        number = by_hand.add(library, advice, scope, lemma=source, by=_who(), reason=reason, content=content, odds=odds)
        made = library.maxim(number)
    narrate(f"Maxim {number}: {made.content}")
    if example(made) is None:
        narrate(f"No goal in a proof of {source} shows it; a lemma that does tells others what is meant.")
    print(number)


def modify(
    number: NumberArgument,
    reason: ReasonOption,
    advice: Annotated[str | None, typer.Option(metavar="prefer|avoid", help=_ADVICE)] = None,
    rule: Annotated[str | None, typer.Option(metavar="TACTIC", help="Which tactic it is about.")] = None,
    goal: Annotated[str | None, typer.Option(metavar="SHAPE", help=_GOAL)] = None,
    hypothesis: Annotated[str | None, typer.Option(metavar="SHAPE", help=_HYPOTHESIS)] = None,
    content: ContentOption = "",
    odds: Annotated[float | None, typer.Option(help="By how much the tactic becomes likelier, or less likely.")] = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Change a maxim by hand; what is not given stays as it is."""
    from oasis.experience import by_hand
    from oasis.experience.library import Library
    from oasis.store import Store

    with Store(db, create=False) as store:
        library = Library(store)
        before = library.maxim(number).scope
        scope = by_hand.written_scope(
            before.rule if rule is None else rule,
            before.conclusion if goal is None else goal,
            before.hypothesis if hypothesis is None else hypothesis,
        )
        by_hand.change(
            library, number, by=_who(), reason=reason, category=advice, scope=scope, content=content, odds=odds
        )
        narrate(f"Maxim {number}: {library.maxim(number).content}")


def delete(number: NumberArgument, reason: ReasonOption, db: DatabaseOption = DATABASE) -> None:
    """Delete a maxim by hand; the journal keeps what it was, and its number stays its own."""
    from oasis.experience.library import Library
    from oasis.store import Store

    with Store(db, create=False) as store:
        Library(store).delete(number, by=_who(), reason=reason)
    narrate(f"Maxim {number} is deleted; oasis experience history {number} shows what it was.")


def _who() -> str:
    """Who did it, for the journal."""
    return f"{account()}, by hand"
