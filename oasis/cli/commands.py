"""Which commands there are, and where: one is imported when it is asked for, and `oasis --help` imports none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from inspect import get_annotations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import typer

if TYPE_CHECKING:
    from collections.abc import MutableMapping


class Where(NamedTuple):
    """A command, or a group of commands, that is not imported yet.

    Attributes:
        module: of this package, if it is not called like the command.
        about: what the help says of a group; of a command it says the first paragraph of its own help.
        inside: the commands of a group that other modules hold, by module; one may be a `name:function`.
    """

    module: str = ""
    about: str = ""
    inside: Mapping[str, str] = {}


PANELS: Final = {
    "The student learns": {
        "train": Where(),
        "compare": Where(),
        "sharing": Where("studies"),
        "thesis": Where("studies"),
        "runs": Where(about="Runs that were trained before, and experiments."),
        "curricula": Where(about="Which lemmas there are."),
        "dagger": Where(
            about="The reward R†: what its terms pay and why, what they are good for, and what they need to know.",
            inside={
                "dagger_explain": "explain terms",
                "dagger_study": "log audit ablate study",
                "dagger_tune": "tune",
            },
        ),
        "experience": Where(
            about="What was distilled from contrasting rollouts: maxims in words, which are a prior over moves.",
            inside={"experience_distill": "distill"},
        ),
        "policy": Where(
            about="Policies by themselves: networks in training, and what a policy is worth.",
            inside={
                "policy_train": "sft imitate data calibrate",
                "policy_reinforce": "grpo ppo expert",
                "policy_balance": "balance",
                "policy_show": "show",
            },
        ),
    },
    "You learn": {
        "tui": Where(),
        "play": Where(),
        "lesson": Where(about="Lessons for a class: exercises and their terms in a small file."),
        "classroom": Where(
            about="A class: results for its teacher, and work to take along.", inside={"serve": "serve"}
        ),
    },
    "The teacher knows": {
        "decide": Where("teacher"),
        "prove": Where(),
        "countermodel": Where("teacher"),
        "hint": Where("teacher"),
    },
    "Proofs and provers": {
        "replay": Where("check"),
        "check": Where(),
        "export": Where(),
        "doctor": Where(),
        "serve": Where("api"),
        "mcp": Where("api"),
    },
    "States": {"states": Where(), "states check": Where("states"), "same": Where("states")},
}
"""The commands by panel and name, in the order of the help; some names have two words."""
COMMANDS: Final = {name: where for commands in PANELS.values() for name, where in commands.items()}


def summary(name: str) -> str:
    """Return what the help says of a command, read in its source, as it takes long to import all of them."""
    where = COMMANDS[name]
    if where.about:
        return where.about
    source = Path(__file__).with_name(f"{where.module or name}.py").read_text(encoding="utf-8")
    found = re.search(rf'^def {_function(name)}\(.*?"""(.*?)(?:\n\n|""")', source, re.MULTILINE | re.DOTALL)
    assert found is not None
    return " ".join(found[1].split())


def _function(name: str) -> str:
    """Return what the function of a command is called."""
    return name.replace(" ", "_")


class Commands(typer.core.TyperGroup):
    """A group of these commands, whose help is drawn without Rich, which takes longer to import than all the rest."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "rich_markup_mode": None})
        self.commands = cast("MutableMapping[str, Any]", _Imported())

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Look for a command of two words first, such as `states check`; `states`, which takes a lemma, is one, too."""
        name = " ".join(args[:2])
        return (
            (name, self.commands[name], args[2:])
            if " " in name and name in COMMANDS
            else super().resolve_command(ctx, args)
        )

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, panel by panel, all summaries below each other."""
        widest = max(map(len, COMMANDS))
        for panel, commands in PANELS.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(widest), summary(name)) for name in commands])


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
        around.command(name)(getattr(module, _function(name)))
    else:
        for other, commands in where.inside.items():
            for inner, _, function in (each.partition(":") for each in commands.split()):
                module.app.command(inner)(getattr(import_module(f"oasis.cli.{other}"), function or inner))
        around.add_typer(module.app, name=name, help=where.about, no_args_is_help=True)
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
