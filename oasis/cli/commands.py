"""Which commands there are, and where: one is imported when it is asked for, and `oasis --help` imports none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import typer

if TYPE_CHECKING:
    from collections.abc import MutableMapping


class Where(NamedTuple):
    """A command, or a group of commands, that is not imported yet.

    Attributes:
        summary: the first paragraph of its help.
        module: of this package, if it is not called like the command.
        inside: the commands of a group that other modules hold, by module; one may be a `name:function`.
    """

    summary: str
    module: str = ""
    inside: Mapping[str, str] = {}


PANELS: Final = {
    "The student learns": {
        "train": Where("Let a student practise the lemmas of a curriculum, examine it, and show what it learned."),
        "compare": Where(
            "Compare kinds of students on the same lemmas: when they know them, what they lack, and who is told apart."
        ),
        "sharing": Where(
            "Compare the state spaces: renamed copies of a lemma, the lemma itself, and others where sharing "
            "pays or not."
        ),
        "thesis": Where(
            "Do chapter 7 of the thesis again, and answer what it saw: as there, with legal moves, and for 5,000 "
            "episodes."
        ),
        "runs": Where("Runs that were trained before, and experiments."),
        "curricula": Where("Which lemmas there are."),
        "dagger": Where(
            "The reward R†: what its terms pay and why, what they are good for, and what they need to know.",
            inside={
                "dagger_explain": "explain terms",
                "dagger_study": "log audit ablate",
                "dagger_tune": "tune",
            },
        ),
        "experience": Where(
            "What was distilled from contrasting rollouts: maxims in words, which are a prior over moves.",
            inside={"experience_distill": "distill"},
        ),
        "policy": Where(
            "Policies by themselves: networks in training, and what a policy is worth.",
            inside={
                "policy_train": "sft imitate",
                "policy_reinforce": "grpo ppo",
                "policy_data": "data",
                "policy_balance": "balance",
                "policy_calibrate": "calibrate",
                "policy_show": "show",
            },
        ),
    },
    "You learn": {
        "tui": Where("Open the classroom: learn, prove beside a partner, teach."),
        "play": Where("Prove a lemma yourself: type moves one a line, and read plain sentences back."),
        "lesson": Where("Lessons for a class: exercises and their terms in a small file."),
        "classroom": Where("A class: results for its teacher, and work to take along.", inside={"serve": "serve"}),
    },
    "The teacher knows": {
        "decide": Where(
            "Say for each lemma whether it is a theorem of intuitionistic logic, or unknown when a limit comes first.",
            "teacher",
        ),
        "prove": Where("Print a script that proves a lemma; `oasis replay LEMMA -` reads it and shows every state."),
        "countermodel": Where(
            "Show a Kripke model in which a lemma fails at the root, and say in words why it does.", "teacher"
        ),
        "hint": Where(
            "Say whether what is left of a proof can still be proved, and at higher levels how to go on.", "teacher"
        ),
    },
    "Proofs and provers": {
        "replay": Where("Replay a script on a lemma and show every state."),
        "check": Where("Have a script, or all proofs of a run, certified by provers."),
        "export": Where(
            "Write the proof of a lemma, or all of a run or experiment: for a prover, for LaTeX, in words or as "
            "a picture."
        ),
        "doctor": Where(
            "Show each prover, its version, a live proof and the time of a step; each optional part; and what "
            "is missing."
        ),
        "serve": Where(
            "Let programs prove over HTTP: lemmas, tactics, hints, countermodels and certificates as JSON.", "api"
        ),
        "mcp": Where(
            "Give a language model the calculus as tools (Model Context Protocol), over standard input and output.",
            "api",
        ),
    },
    "States": {
        "states": Where("Count the states and goals that a lemma leads to, as each state space tells them apart."),
        "same": Where(
            "Tell in which state spaces two states are the same: by which renaming, or what the first difference is.",
            "states",
        ),
    },
}
"""The commands by panel and name, in the order of the help."""
COMMANDS: Final = {name: where for commands in PANELS.values() for name, where in commands.items()}


class Commands(typer.core.TyperGroup):
    """A group of these commands, whose help is drawn without Rich, which takes longer to import than all the rest."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "rich_markup_mode": None})
        self.commands = cast("MutableMapping[str, Any]", _Imported())

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, panel by panel, all summaries below each other."""
        widest = max(map(len, COMMANDS))
        for panel, commands in PANELS.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(widest), where.summary) for name, where in commands.items()])


class _Imported(Mapping[str, Any]):
    """The commands as Typer has them, each imported when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS:
            raise KeyError(name)
        return _imported(name)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@cache
def _imported(name: str) -> Any:
    where, around = COMMANDS[name], typer.Typer()
    module = import_module(f"oasis.cli.{where.module or name}")
    if not hasattr(module, "app"):
        around.command(name)(getattr(module, name))
    else:
        for other, commands in where.inside.items():
            for inner, _, function in (each.partition(":") for each in commands.split()):
                module.app.command(inner)(getattr(import_module(f"oasis.cli.{other}"), function or inner))
        around.add_typer(module.app, name=name, help=where.summary, no_args_is_help=True)
    _prepare(around)
    return typer.main.get_group(around).commands[name]


def _prepare(group: typer.Typer) -> None:
    """Evaluate the annotations of all commands once, which Typer does three times, and join the lines of paragraphs."""
    for command in group.registered_commands:
        function = command.callback
        assert function is not None
        function.__annotations__ = get_annotations(function, eval_str=True)
        paragraphs = (function.__doc__ or "").split("\n\n")
        command.help = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    for each in group.registered_groups:
        assert each.typer_instance is not None
        _prepare(each.typer_instance)
