"""What tests of networks share: small networks, short trainings of these, and the truth by another engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import pytest

from oasis.neural.encoding import entail, sentences
from oasis.neural.encoding.moves import Formulas, formulas_of
from oasis.neural.reinforcement.settings import GrpoSettings, PoolSettings, PpoSettings
from oasis.teacher.deciding.intuit import Intuit, Proved
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal
from tactics.parser import parse
from tests.neural.modules import arrays, grpo, loop, networks, ppo, presets, pretrained, torch, train

KINDS: Final = ("relational", "decoder", "lm", "lm-writer")
"""Of networks; those of `oasis.neural.networks.presets`, which imports torch."""
TINY: Final = Path(__file__).parents[2] / "oasis/neural/data/tiny.safetensors"
"""The network that comes along."""


def small(kind: str = "relational", seed: int = 0) -> networks.Network:
    """Return a network of two layers with random weights, the same for a seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = presets.from_json({"kind": kind, "width": 16, "layers": 2, "heads": 2})
    for weights in network.module.parameters():
        weights.data *= 8 if "lm" in kind and weights.ndim > 1 else 1  # whose answers would be all but equal
    return network


def tiny_llama(folder: Path, **others: Any) -> Path:
    """Return a folder with a language model of two layers and random weights, as transformers keeps it.

    Args:
        folder: to be made, if it is not there.
        others: what its settings say besides.
    """
    words = dict.fromkeys([*entail.WORDS, *sentences.SPOKEN])
    config = {"model_type": "llama", "hidden_act": "silu", "rope_theta": 1000.0, "rms_norm_eps": 1e-5}
    config |= {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
    config |= {"intermediate_size": 48, "vocab_size": 2 * len(words), "tie_word_embeddings": True, **others}
    lots = torch.Generator().manual_seed(0)
    names = {"query": (32, 32), "key": (16, 32), "value": (16, 32), "output": (32, 32)}
    names |= {"gate": (48, 32), "up": (48, 32), "down": (32, 48), "words": (2 * len(words), 32)}
    weights = {
        f"{theirs.format(layer)}.weight": torch.randn(names.get(ours.rpartition(".")[2], (32,)), generator=lots) / 4
        for ours, (_, theirs) in pretrained._NAMES.items()
        for layer in range(2 if "{}" in ours else 1)
    }
    pieces = {word.replace(" ", "Ġ"): 2 * place + 1 for place, word in enumerate(words)}
    folder.mkdir(exist_ok=True)
    arrays.save_file(weights, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({name: each for name, each in config.items() if each is not None}))
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": pieces}}))
    return folder


def is_provable(goal: Goal | Formulas) -> bool:
    """Decide a goal, or its conclusion and hypotheses, with an engine that no network learns from."""
    conclusion, *hypotheses = formulas_of(goal) if isinstance(goal, Goal) else goal
    return isinstance(Intuit().decide(hypotheses, conclusion), Proved)


def numbers(told: Iterable[Any]) -> list[dict[str, object]]:
    """Return all that is told of a training but its speed."""
    return [{name: of for name, of in vars(each).items() if not name.endswith("_per_second")} for each in told]


def check_goes_on_as_it_was(started: Callable[[str], loop.Loop], stop: int, kept: int) -> None:
    """Check that a training whose process was killed ends as one that was not.

    Args:
        started: begins the training in a file of a name.
        stop: the step after which it is killed.
        kept: the step at which its file was written last.
    """
    whole, cut = started("whole"), started("cut")
    wanted = numbers(whole)
    for each in cut:
        if each.step >= stop:
            break
    resumed = type(cut).resumed(cut.file, workers=0)
    assert resumed.step == kept
    assert numbers(resumed) == [told for told in wanted if int(str(told["step"])) > kept]
    assert whole.file.read_bytes() == cut.file.read_bytes()
    with pytest.raises(InputError, match="is over"):
        type(cut).resumed(cut.file)


LEMMAS: Final = (
    *("A -> A \\/ B", "A -> B \\/ A", "A -> B \\/ (C \\/ A)", "A -> (B \\/ A) \\/ C"),
    *("A \\/ B -> B \\/ A", "A -> B -> (C \\/ A) /\\ (B \\/ C)", "((A -> B) -> C) -> B -> C \\/ A"),
)
SETS: dict[str, tuple[Formula, ...]] = {
    "ordinary": (parse("A -> A \\/ B"), parse("B -> A \\/ B")),
    "hard": (parse("A -> B \\/ (C \\/ (A \\/ B))"),),
    "large": (parse("B -> (A \\/ B) /\\ (B \\/ A)"),),
    "iltp": (parse("A \\/ ~A"),),
}


def practice_settings(kind: str, steps: int, **others: Any) -> Any:
    made = GrpoSettings if kind == "grpo" else PpoSettings
    usual = {"drawn": 4, "group": 4, "mixed": 2, "every": 2, "warm_up": 2, "learning_rate": 1e-2}
    return made(**{"steps": steps, "pool": PoolSettings(lemmas=LEMMAS), **usual, **others})


def kind_of(kind: str) -> type[train.Reinforcement]:
    return grpo.Grpo if kind == "grpo" else ppo.Ppo


def started(kind: str, steps: int, file: Path, **others: Any) -> train.Reinforcement:
    network = small(others.pop("network", "relational"), seed=3)
    return kind_of(kind)(practice_settings(kind, steps, **others), file, 0, network)


def stopped(kind: str, steps: int, file: Path, **others: Any) -> train.Reinforcement:
    """Return a training that was stopped after its first update, and is in its file."""
    training = started(kind, steps, file, **others)
    training.stop()
    list(training)
    return training


def weights(network: networks.Network) -> list[float]:
    return torch.cat([each.detach().flatten() for each in network.module.parameters()]).tolist()
