"""A language model of your own learns to prove: supervised, then by reward, with TRL's own trainers and LoRA.

Install:  pip install 'oasis-student[hf]'
Run:      python examples/own_model.py sft MODEL -o taught                    answers as JSON, goal by goal
          python examples/own_model.py sft MODEL -o taught --whole            whole proofs, cut and gone on with
          python examples/own_model.py sft MODEL -o taught --answer tools     proofs as calls of a tool
          python examples/own_model.py grpo taught -o rewarded --reward dagger
          python examples/own_model.py grpo taught -o rewarded --server http://127.0.0.1:8765
          oasis prove thesis --policy hf:rewarded

MODEL is the folder of a causal language model. To call tools it needs a chat template that knows them, one of TRL's:
`--template qwen2_5` gives it that of Qwen 2.5, which suits models that speak in <|im_start|> and <|im_end|>.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import trl
from datasets import Dataset
from peft import LoraConfig
from torch import cuda
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

from curricula import resolve
from oasis.api.trl import ProofTools
from oasis.neural.causal.demonstrations import answers, completions, conversation, proofs
from oasis.neural.causal.files import causal, loaded
from oasis.neural.causal.language import Reach, taught
from oasis.neural.causal.policy import rendered, replied
from oasis.neural.causal.text import Form
from oasis.play.committed import Choosing, committed
from oasis.play.policy import Uniform
from oasis.rewards import Rounds
from oasis.rewards.named import reward
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, initial
from tactics.printer import show

TEMPLATES = Path(trl.__file__).parent / "chat_templates"


def supervised(given: Namespace, form: Form, lemmas: list[Formula]) -> SFTTrainer:
    """A trainer on the teacher's proofs: of each goal the question and the answer, or the whole conversation."""
    model, tokenizer = read(given)
    if form.answer == "tools":
        rows = [
            taught(tokenizer, *replied(tokenizer, form, each[:at], each[at]))
            for each in (conversation(*proof, form) for proof in proofs(lemmas))
            for at in range(1, len(each), 2)
        ]
    elif given.whole:
        rows = [
            taught(
                tokenizer, rendered(tokenizer, form, [{"role": "user", "content": form.question(goal)}]) + begun, rest
            )
            for lemma, script in proofs(lemmas)
            for (goal,) in (initial(lemma),)
            for begun, rest in completions(lemma, script, form)
        ]
    else:
        rows = [
            taught(tokenizer, asked(tokenizer, form, goal), answer)
            for proof in proofs(lemmas)
            for goal, answer in answers(*proof, form)
        ]
    Reach.of(model).check([row["input_ids"] for row in rows])
    settings = SFTConfig(completion_only_loss=True, max_length=None, packing=False, **common(given))
    return SFTTrainer(
        model, args=settings, train_dataset=Dataset.from_list(rows), processing_class=tokenizer, peft_config=lora(given)
    )


def asked(tokenizer: Any, form: Form, goal: Goal) -> str:
    """Return the question about a goal as the model reads it."""
    return rendered(tokenizer, form, [{"role": "user", "content": form.question(goal)}])


def rewarded(given: Namespace, form: Form, lemmas: list[Formula]) -> GRPOTrainer:
    """A trainer by reward alone: groups of conversations about a lemma, each in an environment of its own."""
    model, tokenizer = read(given)
    prompt = [{"role": "user", "content": form.instructions}]
    rows = [{"prompt": prompt, "formula": show(lemma)} for lemma in lemmas]
    rounds = Rounds(reward(given.reward))  # one for all conversations, by which R† learns what to pay
    settings = GRPOConfig(
        num_generations=given.group,
        max_completion_length=given.tokens,
        scale_rewards="none",  # the deviation of a group biases the gradient
        loss_type="dr_grpo",  # and so does the length
        epsilon_high=0.28,
        chat_template_kwargs={"enable_thinking": False},
        **common(given),
    )
    try:
        return GRPOTrainer(
            model,
            args=settings,
            train_dataset=Dataset.from_list(rows),
            processing_class=tokenizer,
            environment_factory=lambda: ProofTools(rounds, form.style, server=given.server),
            peft_config=lora(given),
        )
    except ValueError as error:  # of a chat template whose calls it cannot read
        raise InputError(f"TRL cannot train this model; another --template may do. It says: {error}") from error


def theorems(curriculum: str) -> list[Formula]:
    """The lemmas of a curriculum that the teacher proves."""
    return [formula for formula, _ in proofs(lemma.formula for lemma in resolve(curriculum).lemmas)]


def read(given: Namespace) -> tuple[Any, Any]:
    """The model and its tokenizer, with another chat template if one is named."""
    model, tokenizer = loaded(given.model)
    if given.template:
        tokenizer.chat_template = (TEMPLATES / f"{given.template}.jinja").read_text(encoding="utf-8")
    return model, tokenizer


def common(given: Namespace) -> dict[str, Any]:
    """The settings that both trainers have."""
    return {
        "output_dir": str(given.output / "steps"),
        "max_steps": given.steps,
        "per_device_train_batch_size": given.batch,
        "learning_rate": given.learning_rate,
        "seed": given.seed,
        "bf16": cuda.is_available(),
        "gradient_checkpointing": cuda.is_available(),  # saves memory there, for more time
        "logging_steps": 1,
        "save_strategy": "no",
        "report_to": "none",
    }


def lora(given: Namespace) -> LoraConfig | None:
    """Few weights are trained beside those of the model; with a rank of 0 all of them are."""
    return LoraConfig(r=given.rank, lora_alpha=2 * given.rank, target_modules="all-linear") if given.rank else None


def main(arguments: list[str] | None = None) -> None:
    """Train a model, keep it, and say what it proves by itself."""
    parser = ArgumentParser(description="A language model of your own learns to prove.")
    parser.add_argument("how", choices=("sft", "grpo"))
    parser.add_argument("model", type=Path, help="the folder of a causal language model")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder for what comes of it")
    parser.add_argument("--curriculum", default="textbook")
    parser.add_argument("--exam", help="lemmas on which it is said what it proves; those it is trained on if left out")
    parser.add_argument("--style", help="how goals are shown: coq or lean; as the model was trained, or coq")
    parser.add_argument("--answer", help="json, payload, script or tools; grpo takes tools")
    parser.add_argument("--whole", action="store_true", help="sft: whole proofs, and how they go on from each state")
    parser.add_argument("--reasoning", help="tokens to reason with before a JSON answer; as it was trained, or 0")
    parser.add_argument("--told", help="rules or goal: the goal alone, for a model that learns from many proofs")
    parser.add_argument("--template", choices=sorted(each.stem for each in TEMPLATES.glob("*.jinja")), metavar="NAME")
    parser.add_argument("--reward", default="terminating", help="of grpo: terminating, dagger, …")
    parser.add_argument("--server", help="of grpo: where moves are made, an `oasis serve --openenv`; here if left out")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--group", type=int, default=8, help="conversations about a lemma")
    parser.add_argument("--tokens", type=int, default=1024, help="of a conversation")
    parser.add_argument("--rank", type=int, default=8, help="of LoRA; 0 trains all weights")
    parser.add_argument("--learning-rate", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)

    if given.how == "grpo":
        if given.whole or given.answer not in (None, "tools"):
            parser.error("grpo pays for what tools do; leave out --whole, and --answer or name tools")
        given.answer, given.reasoning = "tools", "0"
    names = ("style", "answer", "reasoning", "told")
    settings = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    try:
        form = Form.of(given.model, settings)
        lemmas, exam = theorems(given.curriculum), theorems(given.exam or given.curriculum)
    except InputError as error:
        parser.error(str(error))
    if not (given.model / "config.json").exists() and not (given.model / "adapter_config.json").exists():
        parser.error(f"{given.model} is no folder of a model")
    try:
        trainer = (supervised if given.how == "sft" else rewarded)(given, form, lemmas)
    except InputError as error:
        parser.error(str(error))
    trainer.train()
    trained = trainer.model.merge_and_unload() if given.rank else trainer.model
    trained.save_pretrained(given.output)
    trainer.processing_class.save_pretrained(given.output)
    form.save(given.output)

    for name, policy in (("any legal move", Uniform()), (str(given.output), causal(f"hf:{given.output}"))):
        proved = sum(play.proved for play in committed(policy, exam, Choosing(invertible="free"), max_moves=100))
        print(f"{name}: proves {proved} of {len(exam)} theorems of {given.exam or given.curriculum}")


if __name__ == "__main__":
    main()
