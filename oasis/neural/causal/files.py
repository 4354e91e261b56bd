"""Language models in folders, by the name that a person types; transformers is imported when one is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from oasis.neural.causal.text import Form
from tactics.errors import InputError, check_installed
from tactics.goal import Goal

if TYPE_CHECKING:
    from oasis.neural.causal.policy import CausalPolicy

PREFIX: Final = "hf:"
"""How the name of a language model begins; its folder follows, and then settings such as `:style=lean,reasoning=64`."""
_ADAPTER: Final = "adapter_config.json"


def form_named(name: str, option: str = "--policy") -> tuple[Path, Form]:
    """The folder of a language model by its name, `hf:` included, and the form in which it is asked.

    Args:
        name: as somebody typed it.
        option: behind which it was typed.

    Raises InputError if there is no such folder or a setting is unknown.
    """
    text = name.removeprefix(PREFIX)
    path, _, settings = (text, "", "") if Path(text).is_dir() else text.rpartition(":")
    folder = Path(path or text)
    if not folder.is_dir():
        raise InputError(
            f"{option} {name}: there is no folder {folder}; name the folder of a model, which "
            "`hf download NAME --local-dir FOLDER` fetches."
        )
    given = dict(part.partition("=")[::2] for part in settings.split(",") if part)
    return folder, Form.of(folder, given)


def causal(
    name: str,
    option: str = "--policy",
    advice: Callable[[Goal], Sequence[str]] = lambda _: (),
    retrieved: Callable[[Goal], Sequence[str]] = lambda _: (),
) -> CausalPolicy:
    """The policy of a language model by its name, `hf:` included.

    Nothing is fetched, no code that lies beside a model is run, and weights are read from safetensors alone.

    Args:
        name: as somebody typed it.
        option: behind which it was typed.
        advice: maxims that are told beside each goal.
        retrieved: lemmas that are.

    Raises InputError if the folder holds no such model or a setting is unknown, LibraryMissing where libraries are.
    """
    check_installed("Language models need", "hf", "torch", "transformers", "peft")
    folder, form = form_named(name, option)
    from oasis.neural.causal.policy import CausalPolicy

    try:
        model, tokenizer = loaded(folder)
    except Exception as error:  # whatever transformers, peft and safetensors make of a foreign folder
        first = str(error).strip().partition("\n")[0]
        raise InputError(f"{option} {name}: no causal language model can be read there ({first}).") from error
    return CausalPolicy(model, tokenizer, form, advice=advice, retrieved=retrieved)


def loaded(folder: Path) -> tuple[Any, Any]:
    """The model in a folder, or what LoRA made of one (peft), on a GPU where there is one, and its tokenizer."""
    import torch
    import transformers

    transformers.utils.logging.disable_progress_bar()
    how = {"local_files_only": True, "trust_remote_code": False}
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **how)
    there = torch.cuda.is_available()
    numbers = torch.bfloat16 if there else torch.float32
    whole = _base(folder) if (folder / _ADAPTER).exists() else folder
    _check_attention(whole)
    model = transformers.AutoModelForCausalLM.from_pretrained(whole, dtype=numbers, use_safetensors=True, **how)
    if whole is not folder:
        import peft

        model = peft.PeftModel.from_pretrained(model, folder.resolve())
    return model.to("cuda" if there else "cpu"), tokenizer


def _check_attention(folder: Path) -> None:
    """Raises ValueError for settings that have transformers fetch code for attention, and run it (library kernels)."""
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    for name in ("attn_implementation", "_attn_implementation"):
        if "/" in str(settings.get(name)):
            raise ValueError(f"config.json asks for code from elsewhere as its {name}")


def _base(folder: Path) -> Path:
    """The folder of the model to which an adapter belongs.

    peft would read pickled weights, fetch what is missing, and import what the adapter's settings name. So these are
    looked at first. Raises ValueError if they ask for any of that.
    """
    settings = json.loads((folder / _ADAPTER).read_text(encoding="utf-8"))
    library = str((settings.get("auto_mapping") or {}).get("parent_library") or "transformers")
    is_plain = settings.get("peft_type") == "LORA" and not settings.get("megatron_config")
    if not is_plain or library.partition(".")[0] != "transformers":
        raise ValueError(f"{_ADAPTER} is not that of a plain LoRA adapter")
    if not (folder / "adapter_model.safetensors").is_file():
        raise ValueError("the adapter has no adapter_model.safetensors")
    base = Path(str(settings.get("base_model_name_or_path")))
    if not base.is_dir():
        raise ValueError(f"the adapter belongs to a model in {base}, and there is no such folder")
    if (base / _ADAPTER).exists():  # whose own model transformers would look for, also elsewhere
        raise ValueError(f"the adapter belongs to what is in {base}, which is an adapter itself")
    return base.resolve()
