"""Checkpoints: what was written is read, and anything else is one sentence; nothing in a file is ever run."""

from __future__ import annotations

import json
import pickle
import struct
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactics.errors import InputError
from tests.neural.modules import arrays, checkpoint, safetensors, torch
from tests.neural.small import KINDS, small
from tests.thorough import examples


@cache
def content(kind: str = "relational") -> bytes:
    """Return what the file of a small network holds."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "net"
        checkpoint.save(path, checkpoint.Checkpoint(small(kind), {"step": 3}, {}))
        assert [*Path(folder).iterdir()] == [path]
        return path.read_bytes()


def written(folder: Path, content: bytes) -> Path:
    path = folder / "net.safetensors"
    path.write_bytes(content)
    return path


def refused(path: Path) -> str:
    with pytest.raises(InputError) as told:
        checkpoint.load(path)
    sentence = str(told.value)
    assert "\n" not in sentence and sentence.endswith(".")
    return sentence


def rewritten(path: Path, change: Any) -> Path:
    """Change the tensors of a file, and what it says of itself."""
    with safetensors.safe_open(path, "pt") as opened:
        about = json.loads(opened.metadata()["oasis"])
    tensors = arrays.load_file(path)
    change(tensors, about)
    arrays.save_file(tensors, path, {"oasis": json.dumps(about)})
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_read(tmp_path: Path, kind: str) -> None:
    found, wanted = checkpoint.load(written(tmp_path, content(kind))), small(kind).module.state_dict()
    assert all(torch.equal(tensor, wanted[name]) for name, tensor in found.network.module.state_dict().items())
    assert found.about["step"] == 3 and found.about["format"] == 1


@pytest.mark.slow
def test_reading_a_network_does_without_the_compiler_of_torch(tmp_path: Path) -> None:
    code = "import sys\nfrom pathlib import Path\nfrom oasis.neural.training.checkpoint import load\n"
    for kind in KINDS:
        (tmp_path / kind).write_bytes(content(kind))
        code += f"load(Path({str(tmp_path / kind)!r}))\n"
    code += "print('torch._dynamo' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


@settings(max_examples=examples(60))
@given(st.data())
def test_a_truncated_or_damaged_file_is_one_sentence_or_a_network(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path, damaged = tmp_path_factory.mktemp("damaged") / "net.safetensors", bytearray(content())
    if data.draw(st.booleans()):
        del damaged[data.draw(st.integers(0, len(damaged) - 1)) :]
        path.write_bytes(damaged)
        refused(path)
        return
    damaged[data.draw(st.integers(0, 2000))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(damaged)
    with suppress(InputError):  # which alone may be raised: it is none if a weight has become another number
        checkpoint.load(path)


def test_a_pickle_is_refused_and_not_run(tmp_path: Path) -> None:
    class Malicious:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (tmp_path / "run",)

    refused(written(tmp_path, pickle.dumps(Malicious())))
    torch.save({"a": torch.zeros(3)}, tmp_path / "net.pt")
    refused(tmp_path / "net.pt")
    assert not (tmp_path / "run").exists()


def test_a_header_that_asks_for_a_petabyte_is_refused(tmp_path: Path) -> None:
    header = json.dumps({"a": {"dtype": "F32", "shape": [2**48], "data_offsets": [0, 2**50]}}).encode()
    for start in (struct.pack("<Q", len(header)) + header, struct.pack("<Q", 2**62)):
        refused(written(tmp_path, start))


def test_files_from_elsewhere_are_refused(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.safetensors"
    arrays.save_file({"weight": torch.zeros(2)}, foreign)
    assert "is no checkpoint as oasis policy sft writes it" in refused(foreign)
    arrays.save_file({"weight": torch.zeros(2)}, foreign, {"oasis": "[" * 100_000})
    refused(foreign)
    path = rewritten(written(tmp_path, content()), lambda _, about: about.update(format=99))
    assert "is a checkpoint of format 99, not 1" in refused(path)
    assert "There is no file" in refused(tmp_path / "nowhere")
    assert "is a folder, and no checkpoint" in refused(tmp_path)


@pytest.mark.parametrize("kind", KINDS)
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
        *(lambda tensors, about, it=it: about.update(temperature=it) for it in (0, float("nan"), -1, 1e9, "2", [1])),
        lambda tensors, about: tensors.pop("network.norm.weight"),
        lambda tensors, about: tensors.update({"network.more": torch.zeros(1)}),
        lambda tensors, about: tensors.update({"optimizer.norm.weight.exp_avg": torch.zeros(9)}),
        lambda tensors, about: tensors.update({"network.norm.weight": torch.full((16,), torch.nan)}),
        lambda tensors, about: tensors.update({"network.norm.weight": torch.zeros(16, dtype=torch.float64)}),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(tmp_path: Path, kind: str, change: Any) -> None:
    path = written(tmp_path, content(kind))
    rewritten(path, lambda tensors, about: None)
    checkpoint.load(path)
    assert "is no checkpoint" in refused(rewritten(path, change))
