"""A thing of one's own of each kind, as an entry of ours or as `module:object`, serves wherever ours do."""

import runpy
from pathlib import Path
from unittest.mock import patch

import pytest

from oasis.ground import names
from oasis.ground.registry import Entry, Registry
from tactics.errors import InputError
from tests.book.pages import ROOT
from tests.commands import Oasis, environment

pytestmark = pytest.mark.slow

PLUGINS = "tests.student.plugins"
OWN: dict[str, tuple[Registry, str]] = {
    "learner": (names.LEARNERS, f"{PLUGINS}:HALFWAY"),
    "reward": (names.REWARDS, f"{PLUGINS}:Tidy"),
    "term": (names.TERMS, f"{PLUGINS}:STEPS"),
    "space": (names.STATE_SPACES, f"{PLUGINS}:Unordered"),
    "policy": (names.POLICIES, f"{PLUGINS}:Insistent"),
    "search": (names.SEARCHES, f"{PLUGINS}:Breadth"),
    "prover": (names.PROVERS, f"{PLUGINS}:Replaying"),
    "export": (names.EXPORTS, f"{PLUGINS}:COUNTED"),
    "network": (names.NETWORKS, "nets:Net"),
}
NET = """from oasis.neural.networks.relational import Relational
from oasis.neural.networks.sizes import Usual

class Net(Relational):
    USUAL = Usual(steps=1, model="some", layers=4, data={"plays": 5})

    @classmethod
    def begun(cls, model, layers):
        return cls.from_json({"width": 16, "layers": layers, "heads": len(model)})
"""
ALL = environment(OASIS_CERTIFY="all")


@pytest.fixture(params=["entry", "own"])
def mine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """What a person types for a thing of each kind: the name of one entry more, or `module:object`."""
    (tmp_path / "nets.py").write_text(NET)
    if request.param == "own":
        return {kind: target for kind, (_, target) in OWN.items()}
    monkeypatch.syspath_prepend(tmp_path)
    for registry, target in OWN.values():
        monkeypatch.setitem(registry.entries, "mine", Entry(target, "somebody's own", asked=registry is names.PROVERS))
    searching = Entry("oasis.escalation.solvers:searching", "as any search", argument="[:POLICY]")
    monkeypatch.setitem(names.SOLVERS.entries, "mine", searching)  # as SOLVERS is made of SEARCHES
    return dict.fromkeys(OWN, "mine")


def test_students_learn_with_it_and_are_examined_and_certified(oasis: Oasis, mine: dict[str, str]) -> None:
    train, paid = ["train", "SYJ203.1", "--episodes", "40", "--reward"], f"dagger:correct:{mine['term']}=0.25"
    chosen = f"--learner {mine['learner']} --state-space {mine['space']} --search {mine['search']}"
    told = oasis.json(*train, paid, *chosen.split(), "--certify", mine["prover"])
    (lemma,), settings = told["lemmas"], told["settings"]
    kept = [settings[name] for name in ("learner", "state_space", "search", "reward")]
    assert kept == [mine["learner"], mine["space"], mine["search"], paid]
    assert [each["prover"] for each in lemma["exam"]["certificates"]] == ["replaying"]
    assert (lemma["exam"]["proved"], lemma["shown"]["length"]) == (100, 4)
    assert len(oasis.json("prove", "SYJ203.1", "--policy", "1", "--search", mine["search"])["script"]) == 4
    for reward in (mine["reward"], paid):
        assert oasis.json(*train, reward, "--learner", "q-learning")["settings"]["reward"] == reward


def test_it_is_compared_with_ours(oasis: Oasis, mine: dict[str, str]) -> None:
    students = f"--learner sarsa,{mine['learner']} --state-space name,{mine['space']} --reward {mine['reward']}"
    searches = f"--search best-first,{mine['search']} --policy uniform,{mine['policy']}"
    for varied in (f"{students} --episodes 20", searches):
        few = f"{varied} --seeds 2 --engine serial --certify {mine['prover']}"
        proofs = oasis.json("compare", "SYJ203.1", *few.split())["proofs"]
        assert len({proof["variant"] for proof in proofs}) == 4


def test_it_proves_and_is_counted_and_examined(oasis: Oasis, mine: dict[str, str]) -> None:
    named = ["prove", "SYJ203.1", "--policy", mine["policy"], "--search", mine["search"], "--certify"]
    assert len(oasis.json(*named, env=ALL)["script"]) == 4
    written = oasis.ran("export", "A -> A", "--script", "intro; assumption", "--to", mine["export"])
    assert written.stdout == "A -> A: 2\n"
    told = oasis.ran("check", "A -> A", "intro; assumption", "--with", mine["prover"]).stdout
    assert "the embedded calculus accepted" in told
    assert oasis.json("states", "SYJ203.1", "--state-space", mine["space"])["state_spaces"][mine["space"]]
    assert oasis.json("policy", "eval", mine["policy"], "--benchmark", "textbook")


def test_a_network_is_trained_and_proves_if_its_code_is_named(oasis: Oasis, mine: dict[str, str]) -> None:
    pytest.importorskip("torch")
    how = f"--network {mine['network']} --layers 2 -o net.safetensors --lemmas thesis/42 --workers 0 --quiet"
    with patch.multiple("oasis.neural.training.supervised", hundred=tuple, solve_rate=lambda *_: 1.0):
        used = oasis.json("policy", "sft", *how.split())["settings"]
    assert (used["steps"], used["model"], used["layers"], used["data"]["plays"]) == (1, "some", 2, 5)
    prove, is_ours = ["prove", "SYJ203.1", "--search", "best-first", "--policy"], mine["network"] == "mine"
    assert oasis.json(*prove, "net.safetensors" if is_ours else "nets:Net:net.safetensors")["script"]
    if not is_ours:
        assert oasis.refused(*prove, "net.safetensors").endswith("if you trust it, name it as nets:Net:FILE.")


@pytest.mark.parametrize("mine", ["entry"], indirect=True)
def test_help_completion_and_the_book_tell_of_an_entry(mine: dict[str, str]) -> None:
    page = runpy.run_path(str(ROOT / "scripts" / "docs"))["names"]()
    assert page.count("| `mine` | somebody's own |") == len(mine)
    for registry, _ in OWN.values():
        assert registry.complete("mi") == ["mine"]
        assert " mine," in registry.told or " mine or " in registry.told


@pytest.mark.parametrize("registry", names.KINDS, ids=lambda registry: registry.kind)
def test_what_is_no_such_thing_is_refused_in_words(registry: Registry) -> None:
    for name, says in (
        ("mien", f"{registry.option} is one of .*, or module:object, not 'mien'; "),
        ("collections:OrderedDict", f"{registry.option} collections:OrderedDict is no {registry.kind}: it "),
    ):
        with pytest.raises(InputError, match=says):
            registry.find(name)
