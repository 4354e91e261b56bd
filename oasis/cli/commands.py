"""Which commands there are, and where: one is imported when it is asked for, and `oasis --help` imports none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from inspect import get_annotations
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import typer

if TYPE_CHECKING:
    from collections.abc import MutableMapping

_STUDENT, _CLASS, _TEACHER = "The student learns", "You learn", "The teacher knows"
_PROOFS, _STATES = "Proofs and provers", "States"


class Where(NamedTuple):
    """A command, or a group of commands, that is not imported yet.

    Attributes:
        panel: of the help in which it stands.
        place: its function, or the `typer.Typer` of a group, as `module:object` in this package.
        summary: the first paragraph of its help.
        inside: the commands of a group that other modules hold, by their names.
    """

    panel: str
    place: str
    summary: str
    inside: Mapping[str, str] = {}


COMMANDS: Final = {
    "train": Where(
        _STUDENT,
        "train:train",
        "Let a student practise the lemmas of a curriculum, examine it, and show what it learned.",
    ),
    "compare": Where(
        _STUDENT,
        "compare:compare",
        "Compare kinds of students on the same lemmas: curves, averages with 95 % intervals, and the exact optimum.",
    ),
    "sharing": Where(
        _STUDENT,
        "sharing:sharing",
        "Compare the state spaces: renamed copies of a lemma, the lemma itself, and others where sharing pays or not.",
    ),
    "thesis": Where(
        _STUDENT,
        "thesis:thesis",
        "Do chapter 7 of the thesis again: Figures 7.1 to 7.5 under its conditions, and then for 5,000 episodes.",
    ),
    "runs": Where(_STUDENT, "runs:app", "Runs that were trained before, and experiments."),
    "curricula": Where(_STUDENT, "curricula:app", "Which lemmas there are."),
    "dagger": Where(
        _STUDENT,
        "dagger:app",
        "The reward R†: what its terms pay and why, what they are good for, and what they need to know.",
        {
            "explain": "dagger_explain:explain",
            "terms": "dagger_explain:terms",
            "log": "dagger_log:log",
            "audit": "dagger_study:audit",
            "ablate": "dagger_study:ablate",
            "tune": "dagger_tune:tune",
        },
    ),
    "experience": Where(
        _STUDENT,
        "experience:app",
        "What was distilled from contrasting rollouts: maxims in words, which are a prior over moves.",
        {
            "distill": "experience_distill:distill",
            "add": "experience_hand:add",
            "modify": "experience_hand:modify",
            "delete": "experience_hand:delete",
        },
    ),
    "policy": Where(
        _STUDENT,
        "policy:app",
        "Policies by themselves: networks in training, and what a policy is worth.",
        {
            "sft": "policy_train:sft",
            "imitate": "policy_imitate:imitate",
            "grpo": "policy_reinforce:grpo",
            "ppo": "policy_reinforce:ppo",
            "data": "policy_data:data",
            "list": "policy_list:list_policies",
            "balance": "policy_balance:balance",
            "calibrate": "policy_calibrate:calibrate",
            "show": "policy_show:show",
        },
    ),
    "tui": Where(_CLASS, "tui:tui", "Open the classroom: learn, prove beside a partner, teach."),
    "play": Where(_CLASS, "play:play", "Prove a lemma yourself: type moves one a line, and read plain sentences back."),
    "lesson": Where(_CLASS, "lesson:app", "Lessons for a class: exercises and their terms in a small file."),
    "classroom": Where(
        _CLASS, "classroom:app", "A class: results for its teacher, and work to take along.", {"serve": "serve:serve"}
    ),
    "decide": Where(
        _TEACHER,
        "decide:decide",
        "Say for each lemma whether it is a theorem of intuitionistic logic, or unknown when a limit comes first.",
    ),
    "prove": Where(
        _TEACHER,
        "prove:prove",
        "Print a script that proves a lemma; `oasis replay LEMMA -` reads it and shows every state.",
    ),
    "countermodel": Where(
        _TEACHER,
        "countermodel:countermodel",
        "Show a Kripke model in which a lemma fails at the root, and say in words why it does.",
    ),
    "hint": Where(
        _TEACHER,
        "hint:hint",
        "Say whether what is left of a proof can still be proved, and at higher levels how to go on.",
    ),
    "replay": Where(_PROOFS, "replay:replay", "Replay a script on a lemma and show every state."),
    "check": Where(_PROOFS, "check:check", "Have a script, or all proofs of a run, certified by provers."),
    "export": Where(
        _PROOFS,
        "export:export",
        "Write the proof of a lemma, or all of a run or experiment: for a prover, for LaTeX, in words or as a picture.",
    ),
    "doctor": Where(
        _PROOFS,
        "doctor:doctor",
        "Show each prover, its version, a live proof and the time of a step; each optional part; and what is missing.",
    ),
    "serve": Where(
        _PROOFS,
        "api:serve",
        "Let programs prove over HTTP: lemmas, tactics, hints, countermodels and certificates as JSON.",
    ),
    "mcp": Where(
        _PROOFS,
        "api:mcp",
        "Give a language model the calculus as tools (Model Context Protocol), over standard input and output.",
    ),
    "states": Where(
        _STATES,
        "states:states",
        "Count the states and goals that a lemma leads to, as each state space tells them apart.",
    ),
    "same": Where(
        _STATES,
        "same:same",
        "Tell in which state spaces two states are the same: by which renaming, or what the first difference is.",
    ),
}
"""By name, in the order of the help."""


class Commands(typer.core.TyperGroup):
    """A group of these commands, whose help is drawn without Rich, which takes longer to import than all the rest."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "rich_markup_mode": None})
        self.commands = cast("MutableMapping[str, Any]", _Imported())

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, panel by panel, all summaries below each other."""
        widest = max(map(len, COMMANDS))
        for panel, commands in groupby(COMMANDS.items(), lambda each: each[1].panel):
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(widest), where.summary) for name, where in commands])


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
    found = _object(where.place)
    if isinstance(found, typer.Typer):
        for inner, place in where.inside.items():
            found.command(inner)(_object(place))
        around.add_typer(found, name=name, rich_help_panel=where.panel)
    else:
        around.command(name, rich_help_panel=where.panel)(found)
    _prepare(around)
    return typer.main.get_group(around).commands[name]


def _object(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"oasis.cli.{module}"), name)


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
