"""Options that many commands have are read by one rule, whichever the command."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer

from oasis.cli.main import main
from oasis.ground.settings import from_json, known, read_toml, to_toml
from oasis.neural.reinforcement.settings import ExpertSettings, GrpoSettings, PoolSettings, PpoSettings
from oasis.neural.training.settings import DataSettings, ImitationSettings, SftSettings
from oasis.play.choices import Writing
from oasis.student.settings import Settings
from tactics.errors import LARGEST_SEED, InputError
from tests.commands import Oasis, every_command

COMMANDS = {name: typer.Context(command) for name, command in every_command().items()}


def having(option: str) -> list[str]:
    """Return the commands that have an option."""
    return [name for name, context in COMMANDS.items() if any(each.name == option for each in context.command.params)]


def read(command: str, option: str, value: str | list[str]) -> object:
    """Return the value that a command reads from a text, or from several behind the same option."""
    context = COMMANDS[command]
    (parameter,) = [each for each in context.command.params if each.name == option]
    return parameter.process_value(context, value)


@pytest.mark.parametrize("command", having("seed"))
def test_every_command_takes_the_same_seeds(command: str) -> None:
    for wrong in (-1, LARGEST_SEED + 1):
        with pytest.raises(InputError, match=f"^--seed is {wrong}; give a whole number from 0 to {LARGEST_SEED:,}"):
            read(command, "seed", str(wrong))
    assert [read(command, "seed", str(seed)) for seed in (0, LARGEST_SEED)] == [0, LARGEST_SEED]


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--gamma", "much", "oasis: --gamma should be a number, not 'much'."),
        ("--planning", "2.5", "oasis: --planning should be a whole number, not '2.5'."),
        ("--episodes", "many", "oasis: --episodes should be a whole number, not 'many'."),
        ("--epsilon", "much", "oasis: --epsilon: 'much' is no schedule;"),
    ],
)
def test_what_is_no_number_is_said_in_the_same_words_of_one_value_and_of_a_list(
    option: str, value: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("train", "compare"):
        monkeypatch.setattr(sys, "argv", ["oasis", command, "thesis/41", option, value])
        with pytest.raises(SystemExit):
            main()
        assert capsys.readouterr().err.startswith(sentence)


@pytest.mark.parametrize("command", having("db"))
def test_no_command_takes_a_folder_for_the_database(command: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder; name a file in it with --db"):
        read(command, "db", str(tmp_path))


REFUSED: list[tuple[str, type[Any], dict[str, Any]]] = [
    ("policy grpo", GrpoSettings, {"group": 1, "seed": -1, "credit": "none", "advantage": "median", "lower": 1.0}),
    ("policy grpo", GrpoSettings, {"aggregation": "none", "temperature": 0.0, "divergence": -0.1, "invertible": "no"}),
    ("policy ppo", PpoSettings, {"trace_decay": 1.5, "value": -1.0, "epochs": 0, "mixed": -1}),
    ("policy ppo", PoolSettings, {"size": 0, "connectives": (16, 0)}),
    ("policy sft", SftSettings, {"network": "table", "learning_rate": 1.0, "nodes": 0, "steps": 0, "exam": 0}),
    ("policy sft", DataSettings, {"connectives": (0,), "longest": -1, "certain": 1.1}),
    ("policy imitate", ImitationSettings, {"seed": 2**63, "rounds": 0, "beta": -0.1}),
    ("policy expert", ExpertSettings, {"rounds": 0, "practice": -1, "sampler": "none", "samples": 0}),
    ("prove", Writing, {"temperature": -1, "top_p": 1.1, "resumes": -1, "tokens": 0}),
    ("train", Settings, {"episodes": 0, "max_steps": 0, "planning": -1, "shown": 0, "search_budget": 10**12 + 1}),
    ("compare", Settings, {"gamma": 1.001, "planning": -1, "actions": "illegal", "epsilon": -0.5}),
    ("train", Settings, {"gamma": 1.001, "trace_decay": -0.001, "initial_value": 1e101, "actions": "illegal"}),
    ("train", Settings, {"seed": -1, "initial_value": float("inf")}),
]


@pytest.mark.parametrize(
    ("command", "kind", "name", "value"),
    [(command, kind, *each) for command, kind, wrong in REFUSED for each in wrong.items()],
)
def test_a_setting_is_refused_alike_everywhere(command: str, kind: type[Any], name: str, value: Any) -> None:
    option, key = known(kind)[name].option, known(kind)[name].key
    typed = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
    ways = (lambda: kind(**{name: value}), lambda: from_json(kind, {name: value}), lambda: read(command, key, typed))
    said = set()
    for way in ways:
        with pytest.raises(InputError, match=f"^{option} is ") as refused:
            way()
        said.add(str(refused.value))
    assert len(said) == 1


def test_a_list_and_an_option_that_is_repeated_are_read_as_several_values() -> None:
    assert read("compare", "epsilon", "0.1:0.3:0.1") == [0.1, 0.2, 0.3]
    assert read("compare", "epsilon", "0.4,1/n") == [0.4, "1/n"] and read("compare", "planning", "5, 9") == [5, 9]
    assert read("compare", "sweep", ["a=1", "b=2"]) == ("a=1", "b=2")


def test_what_can_be_chosen_is_completed() -> None:
    for command, name, begun, wanted in (
        ("policy grpo", "invertible", "", ["eager", "free"]),
        ("policy sft", "preset", "s", ["small"]),
        ("compare", "state_space", "simple,n", ["simple,name"]),
        ("policy imitate", "lemmas", "textb", ["textbook"]),
    ):
        context = COMMANDS[command]
        (parameter,) = [each for each in context.command.params if each.name == name]
        assert [each.value for each in parameter.shell_complete(context, begun)][: len(wanted)] == wanted


def test_what_trainings_usually_depend_on_is_read_back_from_toml() -> None:
    of_kinds = [SftSettings] if find_spec("torch") else []  # networks, which tell what is usual
    trainings = (Settings, *of_kinds, ImitationSettings, GrpoSettings, PpoSettings, ExpertSettings)
    for kind in (*trainings, PoolSettings, DataSettings):
        assert from_json(kind, read_toml(to_toml(kind()))) == kind()


SHOWN = {
    "prove": "textbook --search ao-star --budget expansions=100 --seconds 3 --levels 1,none",
    "train": "thesis/41 --learner sarsa --gamma 0.5 --levels 1-3 --seeds 2 --all",
    "compare": "thesis --search teacher,table,best-first --policy uniform,tiny",
    "sharing": "thesis/41 --seeds 3",
    "dagger ablate": "thesis/41 --seeds 3",
    "experience distill": "thesis/41 thesis/42",
    "policy eval": "tiny --seed 4",
}


@pytest.mark.slow
def test_a_study_holds_what_could_be_typed_and_what_is_typed_comes_first(oasis: Oasis, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text('curriculum = "thesis/41"\nlearner = "sarsa"\nepisodes = 7\nepsilon = "1/n"\nmax_steps = 9')
    found = oasis.json("train", "--study", "study.toml", "--learner", "q-learning")["settings"]
    assert [found[name] for name in ("learner", "episodes", "epsilon", "max_steps")] == ["q-learning", 7, "1/n", 9]
    shown = oasis.ran("compare", "thesis/41", "--gamma", "0.1:0.3:0.1", "--sweep", "alpha=0.1", "--show-study").stdout
    assert '\ncurriculum = "thesis/41"\n' in shown and "\n# learner = " in shown
    study.write_text(shown)
    kept = {"curriculum": "thesis/41", "gamma": [0.1, 0.2, 0.3], "sweep": ["alpha=0.1"]}
    assert oasis.json("compare", "--study", "study.toml", "--show-study") == kept
    for command, words in SHOWN.items():
        study.write_text(oasis.ran(*command.split(), *words.split(), "--show-study").stdout)
        assert oasis.ran(*command.split(), "--study", "study.toml", "--show-study").stdout == study.read_text(), command
    for text, sentence in (("learner = []", "names nothing"), ('learner = ["sarsa", "sarsa"]', "names sarsa twice")):
        study.write_text(text)
        assert sentence in oasis.refused("compare", "--study", "study.toml")
    for text, sentence in (
        ("group = 1", "study.toml: --group is 1; give a whole number from 2 on."),
        ("connectives = [16, 0]", "study.toml: --connectives is (16, 0); give whole numbers from 1 on"),
        ("gruop = 3", "study.toml: there is no setting gruop; did you mean group?"),
        ('lemmas = "thesis"\npool = 3', "--pool is about PropL's theorems; leave it out beside --lemmas."),
        ("group", "study.toml: This is no TOML: "),
    ):
        study.write_text(text)
        assert oasis.refused("policy", "grpo", "--study", "study.toml").startswith(sentence)


SWEEP = """curriculum = "thesis/41"
learner = "q-learning"
episodes = 8
seeds = 6
headline = "missing, end"
variants = {{ low = {{ epsilon = 0.05 }}, thesis = {{ {} }} }}
[[claims]]
says = "less exploration learns earlier"
measure = "knows from"
less = "low"
than = "{}"
margin = 10
"""


@pytest.mark.slow
def test_a_study_settles_kinds_a_headline_and_claims(oasis: Oasis, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(SWEEP.format("epsilon = 0.4", "thesis"))
    settled = oasis.json("compare", "--study", "study.toml", "--show-study")
    assert [*settled["variants"], settled["claims"][0]["measure"]] == ["low", "thesis", "knows from"]
    study.write_text(oasis.ran("compare", "--study", "study.toml", "--show-study").stdout)
    words = ("compare", "--study", "study.toml", "--engine", "serial", "--certify", "none")
    found = oasis.json(*words)
    assert found["measures"]["missing, end"]["headline"] and not found["measures"]["knows from"]["headline"]
    assert [variant["settings"]["epsilon"] for variant in found["plan"]["variants"]] == [0.05, 0.4]
    assert found["claims"][0]["overall"] == "not by more than 10 episodes"
    said = oasis.ran("compare", "--resume", "--certify", "none", "--html", "page.html").stdout
    assert "What was claimed" in (tmp_path / "page.html").read_text()
    assert "Claimed that less exploration learns earlier: not by more than 10 episodes, " in said
    for own, than, sentence in (
        ("epsilon = 0.4", "nobody", "A study names the kind nobody, which is not there; there are low and thesis."),
        ("gamme = 1", "thesis", "variants.thesis: there is no setting gamme; there are learner, "),
        ("seed = 1", "thesis", "seed cannot be swept: every variant has the same seeds"),
        ("alpha = 3", "thesis", "--alpha is 3; give a number above 0 and up to 1."),
    ):
        study.write_text(SWEEP.format(own, than))
        assert oasis.refused(*words).startswith(sentence)
    study.write_text(SWEEP.format("epsilon = 0.4", "thesis"))
    again = ("compare", "--resume", "--study", "study.toml", "--certify", "none")
    assert oasis.json(*again)["claims"] == found["claims"]
    assert oasis.refused(*again, "--seeds", "6").endswith("as it was begun; leave --seeds out.")
    study.write_text(SWEEP.format("epsilon = 0.3", "thesis"))
    assert oasis.refused(*again).startswith("Experiment 1 was begun with other settings than --study has; name ")
