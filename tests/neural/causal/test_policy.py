"""Language models as policies; the smallest there are, with random weights."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curricula import resolve
from oasis.dagger.reward import RewardDagger
from oasis.experience.library import Library
from oasis.experience.maxims import Evidence
from oasis.experience.scope import ANY, Scope
from oasis.neural.causal.files import causal, loaded
from oasis.neural.causal.text import Form
from oasis.neural.causal.tools import called
from oasis.neural.policies import needs_store, policy_named
from oasis.neural.reasons import reasons
from oasis.play.committed import Choosing, committed
from oasis.play.policy import Writer
from oasis.store import Store
from tactics.errors import InputError
from tactics.goal import Goal, Move, State, initial
from tactics.parser import parse
from tactics.rules import apply, legal_moves
from tactics.written import MARK
from tests.commands import Oasis
from tests.neural.causal.small import changed, chat_template, learn, log_probability
from tests.neural.modules import language, models, torch, transformers
from tests.thorough import thoroughly

# What transformers and peft warn of is theirs.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]


@pytest.fixture(scope="module")
def states() -> list[State]:
    """Goals with a choice of moves."""
    found: list[State] = []
    for lemma in resolve("textbook").lemmas:
        state = initial(lemma.formula)
        while state and (moves := legal_moves(state[0])):
            if len(moves) > 1:
                found.append(state)
            state = apply(state, moves[-1])
    return found[:12]


def prompt(tokenizer: Any, form: Form, goal: Goal, *moves: Move) -> str:
    """Return what a model reads of a goal, and of calls of the tool that make moves."""
    question: Any = {"role": "user", "content": form.question(goal)}
    return models.rendered(tokenizer, form, [question, *map(called, moves)])


def call(tokenizer: Any, form: Form, goal: Goal, move: Move) -> str:
    """Return what a model writes that calls the tool."""
    return prompt(tokenizer, form, goal, move)[len(prompt(tokenizer, form, goal)) :]


@pytest.mark.parametrize("form", [Form(), Form("lean"), Form(answer="tools")])
def test_shares_are_those_of_the_texts_one_by_one(folder: Path, states: list[State], form: Form) -> None:
    model, tokenizer = loaded(folder)
    policy = models.CausalPolicy(model, tokenizer, form)
    for (goal, *_), shares in zip(states[:4], policy.probabilities(states[:4]), strict=True):
        begun = prompt(tokenizer, form, goal) + ("" if form.answer == "tools" else MARK)
        scores = []
        for move in legal_moves(goal):
            texts = [call(tokenizer, form, goal, move)] if form.answer == "tools" else form.beginnings(move)
            scores.append(np.logaddexp.reduce([log_probability(model, tokenizer, begun, text) for text in texts]))
        expected = np.exp(scores) / np.exp(scores).sum()
        assert shares == pytest.approx(expected, abs=1e-5)


SLIDING = {"use_sliding_window": True, "sliding_window": 32, "layer_types": ["sliding_attention"] * 2}
"""Settings of a model that sees only so far, where nothing may stand between the rules and a goal."""


@pytest.mark.parametrize("settings", [{}, SLIDING])
def test_goals_are_asked_apart(folder: Path, states: list[State], tmp_path: Path, settings: dict[str, Any]) -> None:
    folder = changed(folder, tmp_path / "model", **settings)
    policy = causal(f"hf:{folder}")
    together = policy.probabilities([*states, (), initial(parse("A")), initial(parse("A -> A"))])
    assert [len(shares) for shares in together[-3:]] == [0, 0, 1]
    few = models.CausalPolicy(*loaded(folder), Form(), tokens=1)
    for state, shares in zip(states, together, strict=False):
        assert shares.sum() == pytest.approx(1)
        assert shares == pytest.approx(few.probabilities([state])[0], abs=1e-5)
    assert policy.values([states[0][0]]) is None
    assert isinstance(policy, Writer)


@pytest.mark.filterwarnings("error:.*past_key_values")
@pytest.mark.parametrize("form", [Form(reasoning=8), Form(told="goal"), *thoroughly(Form(), Form(answer="tools"))])
def test_rules_are_read_once_as_if_they_were_read_each_time(folder: Path, states: list[State], form: Form) -> None:
    model, tokenizer = loaded(folder)
    lengths: list[int] = []
    model.register_forward_hook(lambda _, __, given, out: lengths.append(given["input_ids"].shape[1]), with_kwargs=True)
    once, each = models.CausalPolicy(model, tokenizer, form), models.CausalPolicy(model, tokenizer, form)
    each._model._opening = []
    asked = states[:4]
    apart = np.concatenate(each.probabilities(asked))
    longest, lengths[:] = max(lengths), []
    assert np.concatenate(once.probabilities(asked)) == pytest.approx(apart, abs=1e-5)
    opening = once._model._opening
    assert form.instructions.rstrip() in tokenizer.decode(opening)
    assert max(lengths) == max(len(opening), longest - len(opening))
    goals = [state[0] for state in asked]
    assert once.answers(goals) == each.answers(goals)
    assert once.reply("Why?", 4) == each.reply("Why?", 4)  # which begins otherwise


def test_without_a_template_the_question_itself_is_read(folder: Path, tmp_path: Path, states: list[State]) -> None:
    model, tokenizer = loaded(folder)
    tokenizer.chat_template = None
    for part in (model, tokenizer):
        part.save_pretrained(tmp_path)
    policy = causal(f"hf:{tmp_path}:style=lean,reasoning=8")
    assert policy.form == Form("lean", "json", 8)
    assert all(shares.sum() == pytest.approx(1) for shares in policy.probabilities(states[:3]))


@pytest.mark.parametrize("form", [Form(), Form(reasoning=32), Form(answer="tools")])
def test_what_was_learned_by_heart_is_chosen_and_written(folder: Path, states: list[State], form: Form) -> None:
    model, tokenizer = loaded(folder)
    goals = [state[0] for state in states[: 1 if form.answer == "tools" else 2]]
    moves = [legal_moves(goal)[-1] for goal in goals]
    texts = []
    for goal, move in zip(goals, moves, strict=True):
        answer = ("True can be proved.\n" if form.reasoning else "") + MARK + form.answered([move])
        answer = call(tokenizer, form, goal, move) if form.answer == "tools" else answer
        texts.append((prompt(tokenizer, form, goal), answer))
    learn(model, tokenizer, texts)
    policy = models.CausalPolicy(model, tokenizer, form)
    assert policy.written(goals) == moves
    assert [each.is_right for each in reasons(policy, goals[0])] == [True] * bool(form.reasoning)
    for goal, shares in zip(goals, policy.probabilities([(goal,) for goal in goals]), strict=True):
        assert shares.sum() == pytest.approx(1)
        assert form.reasoning or shares.argmax() == len(legal_moves(goal)) - 1


def test_a_move_on_a_hypothesis_is_as_likely_as_it_is_written(folder: Path) -> None:
    model, tokenizer = loaded(folder)
    (goal,) = apply(initial(parse("(A -> B) /\\ A /\\ C -> C /\\ B")), Move("intro"))
    script = [Move("destruct_and", "H"), Move("split")]
    assert '"},' in {tokenizer.decode([token]) for token in tokenizer.encode(Form().answered(script))}
    begun = prompt(tokenizer, Form(), goal) + MARK
    # Both ways are written equally often, so that neither move wins by its name alone.
    learn(model, tokenizer, [(begun, Form().answered(2 * moves)) for moves in (script, script[::-1])])
    shares = models.CausalPolicy(model, tokenizer, Form()).probabilities([(goal,)])[0]
    assert shares[[legal_moves(goal).index(move) for move in script]].min() > 0.2


def test_it_plays_as_any_policy_does(folder: Path) -> None:
    lemmas = [parse("A -> A"), parse("A /\\ B -> B \\/ A"), parse("A \\/ ~A")]
    policy = policy_named(f"hf:{folder}", None)
    assert [play.proved for play in committed(policy, lemmas)] == [True, True, False]
    free = list(committed(policy, lemmas, Choosing(writing="free", invertible="free")))
    assert all(play.is_illegal for play in free)  # what random weights write is no tactic


@pytest.mark.parametrize("name", ["attn_implementation", "_attn_implementation"])
def test_a_model_that_asks_for_code_from_elsewhere_is_refused(folder: Path, tmp_path: Path, name: str) -> None:
    other = changed(folder, tmp_path / "model", **{name: "somebody/attention"})
    with pytest.raises(InputError, match=f"asks for code from elsewhere as its {name}"):
        causal(f"hf:{other}")


def test_adapters_of_an_adapter_fetch_nothing(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def found(*address: Any, **_: Any) -> Any:
        asked.append(address)
        raise OSError("There is no network here.")

    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("socket.getaddrinfo", found)
    shutil.copytree(folder, tmp_path / "whole")
    elsewhere = {"peft_type": "LORA", "base_model_name_or_path": "somebody/model"}
    (tmp_path / "whole" / "adapter_config.json").write_text(json.dumps(elsewhere))
    for each in ("adapter_model.safetensors", "model.safetensors"):
        shutil.copy(folder / "model.safetensors", tmp_path / "whole" / each)
    shutil.copytree(tmp_path / "whole", tmp_path / "outer")
    plain = elsewhere | {"base_model_name_or_path": str(tmp_path / "whole")}
    (tmp_path / "outer" / "adapter_config.json").write_text(json.dumps(plain))
    (tmp_path / "whole" / "config.json").unlink()
    with pytest.raises(InputError, match="is an adapter itself"):
        causal(f"hf:{tmp_path / 'outer'}")
    assert asked == []


def test_what_is_no_safe_model_is_refused_in_a_sentence(folder: Path, tmp_path: Path) -> None:
    pickled = Path(shutil.copytree(folder, tmp_path / "pickled"))
    (pickled / "model.safetensors").unlink()
    torch.save(loaded(folder)[0].state_dict(), pickled / "pytorch_model.bin")
    own = {"AutoConfig": "mine.Config", "AutoModelForCausalLM": "mine.Model"}
    coded = changed(folder, tmp_path / "coded", model_type="mine", auto_map=own)
    (coded / "mine.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    refused = [tmp_path, pickled, coded]
    plain = {"peft_type": "LORA", "base_model_name_or_path": str(folder), "r": 2, "target_modules": ["q_proj"]}
    for more in ({}, {"auto_mapping": {"parent_library": "mine"}}, {"peft_type": "IA3"}):
        adapter = tmp_path / f"adapter{len(refused)}"
        adapter.mkdir()
        (adapter / "adapter_config.json").write_text(json.dumps({**plain, **more}))
        torch.save({}, adapter / "adapter_model.bin")
        refused.append(adapter)
    for each in refused:
        with pytest.raises(InputError, match="no causal language model can be read there"):
            causal(f"hf:{each}")
    assert not (tmp_path / "ran").exists()
    with pytest.raises(InputError, match="a setting of a language model"):
        causal(f"hf:{folder}:color=red")


def test_what_a_folder_says_of_repetition_is_not_asked(folder: Path, states: list[State], tmp_path: Path) -> None:
    other = shutil.copytree(folder, tmp_path / "other")
    (other / "generation_config.json").write_text('{"repetition_penalty": 10.0, "do_sample": true, "temperature": 9.0}')
    goals = [state[0] for state in states[:3]]
    assert causal(f"hf:{other}").answers(goals) == causal(f"hf:{folder}").answers(goals)


def test_what_lora_made_of_a_model_is_read_with_it(folder: Path, tmp_path: Path, states: list[State]) -> None:
    from peft import LoraConfig, get_peft_model

    model, tokenizer = loaded(folder)
    adapted = get_peft_model(model, LoraConfig(r=2, target_modules="all-linear", init_lora_weights=False))
    for part in (adapted, tokenizer):
        part.save_pretrained(tmp_path)
    expected = models.CausalPolicy(adapted, tokenizer, Form()).probabilities(states)
    read = causal(f"hf:{tmp_path}").probabilities(states)
    assert np.concatenate(read) == pytest.approx(np.concatenate(expected), abs=1e-6)
    plain = causal(f"hf:{folder}").probabilities(states)
    assert np.concatenate(read) != pytest.approx(np.concatenate(plain), abs=1e-3)


def test_a_model_is_told_maxims_about_the_goal_if_its_name_asks_for_them(folder: Path, tmp_path: Path) -> None:
    goal = initial(parse("A -> A \\/ B"))[0]
    with Store(tmp_path / "oasis.db") as store:
        for rule in ("left", "right", "split"):
            Library(store).add(Scope(ANY, ANY, rule), Evidence(3, 0), source="p", by="me", reason="r", remark="Idle.")
        states = [apply((goal,), legal_moves(goal)[0])]
        told = policy_named(f"hf:{folder}:maxims=2", store)
        untold = policy_named(f"hf:{folder}", store)
        assert isinstance(told, models.CausalPolicy) and isinstance(untold, models.CausalPolicy)
        question = told._prompt(states[0][0])
        first, second = (f"Wherever you can, prove the goal's {side} side first." for side in ("left", "right"))
        assert f"may be wrong:\n- {first}\n- {second}\n\n" in question and "two sides first" not in question
        assert "Idle." not in question and first not in untold._prompt(states[0][0])
        assert told.probabilities(states)[0] != pytest.approx(untold.probabilities(states)[0], abs=1e-9)
        assert needs_store(f"judging:hf:{folder}:maxims=2") and not needs_store(f"hf:{folder}")
    with pytest.raises(InputError, match="leave out maxims="):
        policy_named(f"hf:{folder}:maxims=2", None)


def test_a_model_is_told_lemmas_like_the_goal_that_were_proved_and_remarks_if_its_name_asks(
    folder: Path, oasis: Oasis, tmp_path: Path
) -> None:
    name, db = f"hf:{folder}", tmp_path / "oasis.db"
    (goal,) = apply(initial(parse("A -> A \\/ B")), Move("intro"))
    with Store(db) as store, pytest.raises(InputError, match="has proved a lemma yet; train on some"):
        policy_named(f"{name}:lemmas=1", store)
    (tmp_path / "lemmas").write_text("p -> p \\/ q\np -> q -> q \\/ p\np -> p /\\ p\n")
    oasis("train", str(tmp_path / "lemmas"), "--episodes", "60", "--db", str(db))
    with Store(db) as store:
        remarked = {"source": "p", "by": "me", "reason": "r", "remark": "Say so."}
        Library(store).add(Scope(ANY, ANY, "left"), Evidence(3, 0), **remarked)
        told = policy_named(f"{name}:lemmas=1,maxims=1,remarks=yes", store)
        assert isinstance(told, models.CausalPolicy) and needs_store(f"{name}:lemmas=1")
        lemma = r"with its proof:\n- p -> q -> q \\/ p: intro; intro; (left|right); assumption\n\nWhat earlier"
        assert re.search(lemma, told._prompt(goal))  # and not the goal in other letters
        assert "left side first. Say so.\n\n" in told._prompt(goal)
        bare = policy_named(f"{name}:maxims=1", store)
        assert isinstance(bare, models.CausalPolicy)
        assert "Say so." not in bare._prompt(goal) and "proved before" not in bare._prompt(goal)
    with pytest.raises(InputError, match="leave out lemmas="):
        policy_named(f"{name}:lemmas=2", None)


def test_nonsense_about_maxims_costs_nothing(folder: Path, oasis: Oasis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.experience.asking.TOKENS", 24)
    lemmas = ("p -> p \\/ q", "p /\\ q -> p \\/ r", "~p -> ~p \\/ q")
    few = ("--held-out", "q -> q \\/ p", "--plays", "8", "--seeds", "2", "--exam-plays", "2", "--most", "0", "--quiet")
    command = ("experience", "distill", *lemmas, *few, "--model")
    answer = oasis.json(*command, f"hf:{folder}")
    assert answer["verdicts"] == [] and len(answer["refused"]) == 1 and "no JSON object" in answer["refused"][0]
    for name, said in (("gpt", "--model is hf:FOLDER"), ("hf:no", "--model hf:")):
        assert oasis.refused(*command, name).startswith(said)


TOKENS: dict[str, Any] = {"vocab_size": 600, "bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 0}
SMALL: dict[str, Any] = {**TOKENS, "hidden_size": 32, "num_hidden_layers": 2}
ATTENDING: dict[str, Any] = {**SMALL, "num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 64}
JAMBA: dict[str, Any] = {**ATTENDING, "attn_layer_period": 2, "attn_layer_offset": 1, "num_experts": 2}

MODELS: dict[str, dict[str, Any]] = {
    "Lfm2": {**ATTENDING, "layer_types": ["conv", "full_attention"]},
    "Jamba": {**JAMBA, "mamba_d_state": 8, "use_mamba_kernels": False},
    "Mamba": {**SMALL, "state_size": 8},
    "Mamba2": {**SMALL, "state_size": 8, "num_heads": 4, "head_dim": 16, "n_groups": 1},
    "Mpt": {**TOKENS, "d_model": 32, "n_layers": 2, "n_heads": 2, "max_seq_len": 2048},
    "Rwkv": {"vocab_size": 600, "hidden_size": 32, "num_hidden_layers": 2, "attention_hidden_size": 32},
}


def made(kind: str) -> Any:
    """Return a small model of a kind with random weights."""
    return transformers.AutoModelForCausalLM.from_config(getattr(transformers, f"{kind}Config")(**MODELS[kind]))


@pytest.mark.parametrize("kind", [kind for kind in MODELS if kind != "Rwkv"])
def test_what_is_remembered_of_a_text_is_as_good_as_the_text(folder: Path, kind: str) -> None:
    """Also with a state beside attention, or instead of it, and without positions."""
    _, tokenizer = loaded(folder)
    torch.manual_seed(0)
    model = made(kind).eval()
    for weights in model.parameters():
        weights.data += 0.1 * torch.randn_like(weights)
    texts = ["Prove A -> A.", "Prove it", "Prove (A -> B) /\\ A -> B, which is longer"]
    endings = [[" intro", " imply1 H, and then left", "."], [" split and right"], [" left", " right now"]]
    asked = language.LanguageModel(model, tokenizer, texts)
    for text, of_text, found in zip(texts, endings, asked.log_probabilities(texts, endings), strict=True):
        expected = [log_probability(model, tokenizer, text, ending) for ending in of_text]
        assert found == pytest.approx(expected, abs=1e-4)
    assert asked.written(texts * 2, 6) == [asked.written([text], 6)[0] for text in texts] * 2


def test_a_model_that_hands_out_no_memory_is_refused_in_a_sentence(folder: Path) -> None:
    asked = language.LanguageModel(made("Rwkv"), loaded(folder)[1])
    with pytest.raises(InputError, match="of the kind rwkv does not hand out what it remembers"):
        asked.log_probabilities(["Prove"], [[" it", " this"]])


@pytest.mark.parametrize(
    ("template", "begins", "form"),
    [
        (None, 1, Form()),  # as the tokenizer does
        ("llama3_1", 1, Form()),  # the template does
        ("qwen3", 0, Form(answer="tools")),  # it does not, whatever the tokenizer would do
        *thoroughly(("llama3_1", 1, Form(answer="tools")), ("qwen3", 0, Form())),
    ],
)
def test_it_is_asked_in_the_tokens_it_is_taught_in(folder: Path, template: str | None, begins: int, form: Form) -> None:
    model, tokenizer = loaded(folder)
    tokenizer.bos_token, tokenizer.chat_template = "<|endoftext|>", template and chat_template(template)
    first, last = tokenizer.bos_token_id, tokenizer.eos_token_id
    from tokenizers.processors import TemplateProcessing

    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="<|endoftext|> $A <|im_end|>", special_tokens=[("<|endoftext|>", first), ("<|im_end|>", last)]
    )
    goal: Goal = initial(parse("A \\/ B -> A \\/ (B -> B)"))[0]
    asked = [{"role": "user", "content": form.question(goal)}]
    if form.answer == "tools":
        row = language.taught(tokenizer, *models.replied(tokenizer, form, asked, called(Move("intro"))))
    else:
        row = language.taught(tokenizer, models.rendered(tokenizer, form, asked), MARK + form.answered([Move("intro")]))
    known = row["completion_mask"].index(1)
    tokens, answer = row["input_ids"][:known], row["input_ids"][known:]
    assert tokens[:2].count(first) == begins and tokens.count(first) == begins
    assert answer.count(last) == 1 and answer[-1] == last, "there is one end"
    assert row["completion_mask"] == [0] * known + [1] * len(answer)

    heard: list[list[int]] = []
    policy = models.CausalPolicy(model, tokenizer, form)
    policy._model._opening = []
    model.register_forward_pre_hook(lambda _, __, given: heard.append(given["input_ids"][0].tolist()), with_kwargs=True)
    policy.answers([goal])
    assert heard[0][:known] == tokens
    assert [tokenizer.decode(heard[0][known:])] == ([MARK] if form.answer == "json" else [""])


FORM = Form(answer="tools")
GOAL: Goal = initial(parse("A \\/ B -> B \\/ A"))[0]


@pytest.fixture
def read(folder: Path) -> tuple[Any, Any]:
    model, tokenizer = loaded(folder)
    tokenizer.bos_token = "<|endoftext|>"
    return model, tokenizer


@pytest.mark.parametrize(
    ("template", "said"),
    [
        *((each, "writes no calls of tools") for each in ("llama3", "phi3_5", "deepseek_r1_distill", None)),
        *((each, "language model fails") for each in ("deepseekv3", "smolvlm")),
    ],
)
def test_a_template_that_writes_no_calls_is_refused(read: tuple[Any, Any], template: str | None, said: str) -> None:
    model, tokenizer = read
    tokenizer.chat_template = template and chat_template(template)
    with pytest.raises(InputError, match=f"{said}.* --template NAME"):
        models.CausalPolicy(model, tokenizer, FORM)


TEMPLATES = (
    *("gemma4", "glm4moe", "gptoss", "lfm2_2_5", "llama3_1", "muse_glimmer"),
    *("nemotron_3_nano", "qwen3", "qwen3_5_nothink"),
)


@pytest.mark.parametrize("is_special", [False, True])
@pytest.mark.parametrize("template", TEMPLATES)
def test_calls_are_read_in_the_notation_of_the_template(
    read: tuple[Any, Any], template: str, is_special: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, tokenizer = read
    tokenizer.chat_template = chat_template(template)
    if is_special:  # then these signs are left out of what is written
        tokenizer.add_special_tokens({"additional_special_tokens": ['<|"|>', "<tool_call>", "<|tool_call_start|>"]})
    policy = models.CausalPolicy(model, tokenizer, FORM)
    asked = [{"role": "user", "content": FORM.question(GOAL)}]

    def written(*said: str) -> Move | None:
        shown = tokenizer.decode(tokenizer.encode("".join(said)), skip_special_tokens=True)
        monkeypatch.setattr(policy._model, "written", lambda *_: [shown])
        return policy.written([GOAL])[0]

    def call(move: Move, *, brief: bool = False) -> str:
        return models.replied(tokenizer, FORM, asked, called(move, brief=brief))[1]

    first, second = Move("imply1", "H0"), Move("intro")
    assert written(call(first), call(second)) == first
    assert written("I think:", call(second), call(first)) == second
    assert written(call(second, brief=True), call(first)) == second
    assert written(call(first).replace("imply1", "magic")) is None
    assert written("apply imply1 H0") is None
    assert written("") is None


EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "own_model.py"


def test_a_model_is_taught_and_then_rewarded(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(how: str, *arguments: str) -> str:
        """Run the script in this process, since its imports take longer than its work; return what it prints."""
        few = ("--steps", "2", "--learning-rate", "0.01", "--curriculum", "SYJ203.2")
        monkeypatch.setattr(sys, "argv", ["own_model.py", how, *arguments, *few])
        runpy.run_path(str(EXAMPLE), run_name="__main__")
        return capsys.readouterr().out

    monkeypatch.chdir(tmp_path)
    how = ("--answer", "tools", "--style", "lean", "--batch", "2", "--rank", "0")
    assert "taught: proves " in run("sft", str(folder), "-o", "taught", *how)
    counted: list[int] = []
    monkeypatch.setattr(
        RewardDagger, "refresh", lambda _, steps: counted.append(sum(each.times for each in steps.values()))
    )
    rewarded = run(
        *("grpo", "taught", "-o", "rewarded", "--batch", "2", "--group", "2", "--rank", "2"),
        *("--tokens", "32", "--reward", "dagger:all:round=2", "--exam", "SYJ203.1"),
    )
    assert re.search(r"rewarded: proves [01] of 1 theorems of SYJ203.1", rewarded)
    assert counted, "the reward learns of the conversations of all environments"
    policy = causal(f"hf:{tmp_path / 'rewarded'}")
    assert (policy.form.style, policy.form.answer) == ("lean", "tools")
    with pytest.raises(SystemExit):
        run("grpo", "taught", "-o", "none", "--template", "qwen2_5_training")
    assert "another --template may do. It says: Unrecognized chat template" in capsys.readouterr().err
