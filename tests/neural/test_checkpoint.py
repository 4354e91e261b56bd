"""Checkpoints: what was written is read, and anything else is one sentence; nothing in a file is ever run."""

from __future__ import annotations

import json
import pickle
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from oasis.neural.networks.presets import NETWORKS, from_json, to_json
from oasis.neural.training.checkpoint import Checkpoint, load, save
from tactics.errors import InputError
from tests.thorough import examples

NETWORK = {"kind": "relational", "width": 8, "layers": 1, "heads": 2}


@pytest.fixture(params=NETWORKS)
def file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    torch.manual_seed(0)
    save(tmp_path / "net.safetensors", Checkpoint(from_json({**NETWORK, "kind": request.param}), {"step": 3}, {}))
    return tmp_path / "net.safetensors"


def refused(path: Path) -> str:
    with pytest.raises(InputError) as told:
        load(path)
    sentence = str(told.value)
    assert "\n" not in sentence and sentence.endswith(".")
    return sentence


def rewritten(path: Path, change: Any) -> Path:
    """The file with its tensors and what it says of itself changed."""
    with safe_open(path, "pt") as opened:
        about = json.loads(opened.metadata()["oasis"])
    tensors = load_file(path)
    change(tensors, about)
    save_file(tensors, path, {"oasis": json.dumps(about)})
    return path


def test_what_is_written_is_read(file: Path) -> None:
    found = load(file)
    torch.manual_seed(0)
    wanted = from_json(to_json(found.network)).module.state_dict()
    assert all(torch.equal(tensor, wanted[name]) for name, tensor in found.network.module.state_dict().items())
    assert found.about["step"] == 3 and found.about["format"] == 1
    assert not list(file.parent.glob("*.part"))


@pytest.mark.some_days
def test_reading_a_network_does_without_the_compiler_of_torch(file: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from oasis.neural.training.checkpoint import load
load(Path({str(file)!r}))
print("torch._dynamo" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


@settings(max_examples=examples(60))
@given(st.data())
def test_a_truncated_or_damaged_file_is_one_sentence_or_a_network(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "net.safetensors"
    save(path, Checkpoint(from_json(NETWORK), {}, {}))
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
        path.write_bytes(content)
        refused(path)
        return
    content[data.draw(st.integers(0, 2000))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    with suppress(InputError):  # which alone may be raised: it is none if a weight has become another number
        load(path)


def test_a_pickle_is_refused_and_not_run(tmp_path: Path) -> None:
    class Malicious:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (tmp_path / "run",)

    path = tmp_path / "net.pt"
    path.write_bytes(pickle.dumps(Malicious()))
    refused(path)
    torch.save({"a": torch.zeros(3)}, path)
    refused(path)
    assert not (tmp_path / "run").exists()


def test_a_header_that_asks_for_a_petabyte_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    header = json.dumps({"a": {"dtype": "F32", "shape": [2**48], "data_offsets": [0, 2**50]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header)
    refused(path)
    path.write_bytes(struct.pack("<Q", 2**62))
    refused(path)


def test_files_from_elsewhere_are_refused(file: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.safetensors"
    save_file({"weight": torch.zeros(2)}, foreign)
    assert "is no checkpoint as oasis policy sft writes it" in refused(foreign)
    save_file({"weight": torch.zeros(2)}, foreign, {"oasis": "[" * 100_000})
    refused(foreign)
    assert "There is no file" in refused(tmp_path / "nowhere")
    assert "is a folder, and no checkpoint" in refused(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        lambda tensors, about: about.update(network={**about["network"], "width": 8192, "layers": 128}),
        lambda tensors, about: about.update(network={**about["network"], "width": 10**12}),
        lambda tensors, about: about.update(network={**about["network"], "kind": "__import__"}),
        lambda tensors, about: about.update(network={**about["network"], "device": "cuda"}),
        lambda tensors, about: about.update(network=None),
        lambda tensors, about: about.pop("network"),
        lambda tensors, about: about.pop("format"),
        lambda tensors, about: tensors.pop("network.norm.bias"),
        lambda tensors, about: tensors.update({"network.more": torch.zeros(1)}),
        lambda tensors, about: tensors.update({"optimizer.norm.bias.exp_avg": torch.zeros(9)}),
        lambda tensors, about: tensors.update({"network.norm.bias": torch.full((8,), torch.nan)}),
        lambda tensors, about: tensors.update({"network.norm.bias": torch.zeros(8, dtype=torch.float64)}),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(file: Path, change: Any) -> None:
    assert "is no checkpoint" in refused(rewritten(file, change))


def test_another_format_is_told(file: Path) -> None:
    path = rewritten(file, lambda _, about: about.update(format=99))
    assert "is a checkpoint of format 99, not 1" in refused(path)


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        save(tmp_path / "nowhere" / "net.safetensors", Checkpoint(from_json(NETWORK), {}, {}))
