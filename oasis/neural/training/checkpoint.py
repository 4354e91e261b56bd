"""Checkpoints: a network, how it was trained, and while it is in training what is needed to go on, in one file.

The file is safetensors: arrays and text, nothing that could be run. What is read is checked before it is used, so a
file from elsewhere, a damaged or a malicious one, is told in one sentence.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor
from torch.overrides import TorchFunctionMode

from oasis.ground.version import commit, version
from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import from_json, to_json
from oasis.neural.training.header import NAME, NETWORK
from oasis.play.calibration import COLDEST, HOTTEST
from tactics.errors import InputError, printable

FORMAT: Final = 1
"""Of the file; also to be changed when tokens or relations are."""
_FILLING: Final = {"normal_", "uniform_"}
"""What fills a tensor with random numbers, in `torch.nn.init` and of tensors."""
_OPTIMIZER, _EXAMPLES = "optimizer.", "examples"


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """What a file holds.

    Attributes:
        network: with its weights.
        about: how it was trained, as JSON has it: `settings`, `step`, `data` (a digest), `oasis`, `commit` and more;
            with `temperature`, if one was fitted.
        optimizer: what an optimizer knows of each parameter, by its name and what it is; empty when training is over.
        examples: what a training has learned from and will again, as text; empty when it is over.
    """

    network: Network
    about: Mapping[str, Any]
    optimizer: Mapping[str, Tensor]
    examples: str = ""

    @property
    def temperature(self) -> float:
        """What the log-odds of provability are to be divided by; 1 until one was fitted."""
        return float(self.about.get("temperature", 1.0))


def save(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint in place of what the file was, all at once. Raises InputError if it cannot be written."""
    tensors = {NETWORK + name: tensor.detach() for name, tensor in checkpoint.network.module.state_dict().items()}
    tensors |= {_OPTIMIZER + name: tensor for name, tensor in checkpoint.optimizer.items()}
    if checkpoint.examples:
        tensors[_EXAMPLES] = torch.frombuffer(bytearray(checkpoint.examples.encode()), dtype=torch.uint8)
    about = {"format": FORMAT, "oasis": version(), "commit": commit(), **checkpoint.about}
    text = json.dumps({**about, "network": to_json(checkpoint.network)})
    beside = path.with_name(path.name + ".part")
    try:
        save_file({name: tensor.cpu().contiguous() for name, tensor in tensors.items()}, beside, {NAME: text})
        beside.replace(path)
    except (OSError, SafetensorError) as error:
        beside.unlink(missing_ok=True)
        raise InputError(f"{path} cannot be written {_advice(path, str(error))}.") from None


def _advice(path: Path, error: str) -> str:
    """Why a file was not written, and what to do."""
    if os.strerror(errno.ENOSPC) not in error:
        return f"({printable(error)}); name another file"
    again = "go on with --resume, as the file is as it was before" if path.exists() else "train again"
    return f"because the disk is full; make room and {again}"


def load(path: Path) -> Checkpoint:
    """Read a checkpoint, on the CPU. Raises InputError for a file that cannot be read or is none."""
    if path.is_dir():
        raise InputError(f"{path} is a folder, and no checkpoint; name the file, or a language model by hf:{path}.")
    try:
        with safe_open(path, "pt") as file:
            return _read(file, path)
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; see how it is spelled, or ask oasis policy list.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror or printable(str(error))}).") from None
    except InputError:
        raise
    except (SafetensorError, AttributeError, KeyError, RecursionError, RuntimeError, TypeError, ValueError):
        raise InputError(
            f"{path} is no checkpoint as oasis policy sft writes it, or it was damaged; train it again."
        ) from None


def _read(file: Any, path: Path) -> Checkpoint:
    """What is in an open file. Raises InputError for another format, and much else for what is no checkpoint."""
    about = json.loads((file.metadata() or {})[NAME])
    if about["format"] != FORMAT:
        raise InputError(f"{path} is a checkpoint of format {about['format']!r:.20}, not {FORMAT}; train it again.")
    if not COLDEST <= about.get("temperature", 1.0) <= HOTTEST:
        raise ValueError("temperature")
    with torch.device("meta"), _Unfilled():  # nothing is allocated for a network that is not in the file
        network = from_json(about.pop("network"))
    like = network.module.state_dict()
    weights = {name: _tensor(file, NETWORK + name, wanted) for name, wanted in like.items()}
    optimizer: dict[str, Tensor] = {}
    rest = {*file.keys()} - {NETWORK + name for name in like}
    for name in sorted(rest - {_EXAMPLES}):
        kept = name.removeprefix(_OPTIMIZER)
        parameter, _, what = kept.rpartition(".")
        optimizer[kept] = _tensor(file, name, torch.zeros(()) if what.endswith("step") else like[parameter])
    network.module.load_state_dict(weights, assign=True)
    examples = bytes(file.get_tensor(_EXAMPLES).numpy()).decode() if _EXAMPLES in rest else ""
    return Checkpoint(network, about, optimizer, examples)


class _Unfilled(TorchFunctionMode):
    """Leave tensors as they are that are to be filled with random numbers and have no room for any.

    For these torch would import its compiler, which takes a second.
    """

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call what torch was to call, unless it fills a tensor."""
        kwargs = kwargs or {}
        if func.__name__ in _FILLING:
            tensor = args[0] if args else kwargs["tensor"]
            if tensor.is_meta:
                return tensor
        return func(*args, **kwargs)


def _tensor(file: Any, name: str, like: Tensor) -> Tensor:
    """An array of a file, which has to look like another. Raises ValueError."""
    if tuple(file.get_slice(name).get_shape()) != tuple(like.shape):
        raise ValueError(name)
    tensor: Tensor = file.get_tensor(name)
    if tensor.dtype != like.dtype or not tensor.isfinite().all():
        raise ValueError(name)
    return tensor.clone()
