"""What there is of each kind, by the names that people type: whoever adds a thing adds one entry here, and no more.

Options, their help and completion, sentences about names that there are not, and the tables of the book come from here.
"""

from __future__ import annotations

from typing import Final

from oasis.ground.registry import Entry, Registry

_LEARNERS: Final = "oasis.student.learners"
LEARNERS: Final = Registry(
    "--learner",
    "learner",
    f"{_LEARNERS}:Learner",
    {
        "uniform": Entry(f"{_LEARNERS}:UNIFORM", "learns nothing: any action is as likely as any other"),
        "epsilon-soft": Entry(f"{_LEARNERS}:EPSILON_SOFT", "Monte Carlo: a value is the average return"),
        "sarsa": Entry(f"{_LEARNERS}:SARSA", "one-step temporal differences, on the policy that it follows"),
        "q-learning": Entry(f"{_LEARNERS}:Q_LEARNING", "one-step temporal differences, towards the best next move"),
        "sarsa-lambda": Entry(f"{_LEARNERS}:SARSA_LAMBDA", "Sarsa with eligibility traces"),
        "q-lambda": Entry(f"{_LEARNERS}:Q_LAMBDA", "Q-learning with eligibility traces (Watkins)"),
        "dyna-q": Entry(f"{_LEARNERS}:DYNA_Q", "Q-learning that also learns from what it remembers"),
        "and-or-q": Entry(f"{_LEARNERS}:AND_OR_Q", "values of single goals: a move is worth what it leaves"),
    },
)
REWARDS: Final = Registry(
    "--reward",
    "reward",
    "oasis.rewards:Reward",
    {
        "terminating": Entry("oasis.rewards.named:Terminating", "+1 for a proof, −1 for a dead end"),
        "standard": Entry("oasis.rewards.named:Standard", "+1 for a step that changes the state, else −1"),
        "standard-qed": Entry("oasis.rewards.named:StandardQed", "as standard, and +100 for a proof"),
        "dagger": Entry("oasis.dagger.making:dagger", "R†, the weighted sum of its terms", argument="[:WEIGHTS]"),
    },
)
STATE_SPACES: Final = Registry(
    "--state-space",
    "state space",
    "state_spaces:StateSpace",
    {
        "simple": Entry("state_spaces.simple:Simple", "states are the same that read the same"),
        "name": Entry("state_spaces.name:Name", "those that a bijection of atoms makes equal, in any order"),
        "match": Entry("state_spaces.match:Match", "as name, for the focused goal alone"),
    },
)
POLICIES: Final = Registry(
    "--policy",
    "policy",
    "oasis.play.policy:Policy",
    {
        "uniform": Entry("oasis.play.policy:Uniform", "any move is as likely as any other"),
        "teacher": Entry("oasis.teacher.policy:Exact", "knows the truth, or finds it out first"),
        "first": Entry("oasis.play.policy:FIRST", "the first legal move"),
        "last": Entry("oasis.play.policy:LAST", "the last legal move"),
        "shape": Entry("oasis.play.controls:Shape", "prefers moves that want an implication, then ∨, ∧, an atom"),
        "look": Entry("oasis.play.controls:Look", "tries each move, and drops it if that leaves something stuck"),
        "tiny": Entry("oasis.neural.files:tiny", "the network that comes along", "neural"),
        "hf": Entry("oasis.neural.causal.files:causal", "a language model in a folder", "hf", ":FOLDER"),
        "written": Entry(
            "oasis.play.writing:Written", "writes whole proofs wherever a search plays from a state on", "", ":POLICY"
        ),
        "judging": Entry("oasis.play.judging:Judging", "goes by how a policy values what moves leave", "", ":POLICY"),
    },
    methods=("probabilities",),
    also=("the number of a run", "a .safetensors file"),
)
_SEARCH: Final = "oasis.search"
SEARCHES: Final = Registry(
    "--search",
    "search",
    f"{_SEARCH}.search:Search",
    {
        "best-first": Entry(f"{_SEARCH}.best_first:BestFirst", "goes on where the policy's likeliest moves lead"),
        "proof-number": Entry(
            f"{_SEARCH}.proof_number:ProofNumber", "goes on where least is left to prove or refute (df-pn)"
        ),
        "ao-star": Entry(
            f"{_SEARCH}.ao_star:AOStar", "shortest proofs, and a bound that says how much shorter one may be"
        ),
        "rmaxts": Entry(
            f"{_SEARCH}.rmaxts.search:RMaxTS", "plays from the nodes of a tree, rewarded for reaching what is new"
        ),
        "evolution": Entry(f"{_SEARCH}.evolution.evolution:Evolution", "drafts of proofs in matches; the best go on"),
        "sampling": Entry(f"{_SEARCH}.sampling:Sampling", "plays from the beginning, again and again"),
    },
)
RATERS: Final = Registry(
    "--rater",
    "rater",
    f"{_SEARCH}.evolution.raters:Rater",
    {
        "symbolic": Entry(f"{_SEARCH}.evolution.raters:Symbolic", "fewer open goals, then lighter ones, are better"),
        "values": Entry(f"{_SEARCH}.evolution.raters:Valued", "goes by how likely the policy takes open goals to be"),
        "pairs": Entry("oasis.neural.causal.rater:Pairs", "a language model compares any two", "hf", "[:hf:FOLDER]"),
        "order": Entry("oasis.neural.causal.rater:Order", "a language model writes an order", "hf", "[:hf:FOLDER]"),
    },
    methods=("rank",),
)
PROVERS: Final = Registry(
    "--certify",
    "prover",
    "oasis.backends.base:Backend",
    {
        "native": Entry("oasis.backends.native:Native", "the embedded calculus"),
        "coq": Entry("oasis.backends.coq.driver:Coq", "Coq, or Rocq", asked=True),
        "lean": Entry("oasis.backends.lean.driver:Lean", "Lean 4", "lean", asked=True),
        "coq-serapy": Entry("oasis.backends.coq.serapy:CoqSerapy", "Coq stepped through by coq_serapy"),
        "lean-dojo": Entry("oasis.backends.lean.dojo:LeanDojo", "Lean stepped through by LeanDojo", "lean-dojo"),
    },
)
REFUTERS: Final = Registry(
    "--with",
    "classical prover",
    "oasis.backends.connect:ConnectPlusPlus",
    {"connect++": Entry("oasis.backends.connect:ConnectPlusPlus", "classical: it refutes a lemma, and no more")},
)
_NETWORKS: Final = "oasis.neural.networks"
NETWORKS: Final = Registry(
    "--network",
    "network",
    f"{_NETWORKS}.network:Network",
    {
        "relational": Entry(f"{_NETWORKS}.relational:Relational", "attends along relations of formulas", "neural"),
        "decoder": Entry(f"{_NETWORKS}.decoder:Decoder", "reads a goal as a sentence, and writes moves", "neural"),
        "lm": Entry(f"{_NETWORKS}.llama:LlamaReader", "asks a language model what follows", "neural"),
        "lm-writer": Entry(f"{_NETWORKS}.llama:LlamaWriter", "has a language model write moves", "neural"),
    },
    methods=("from_json",),
)
BELIEFS: Final = Registry(
    "--belief",
    "belief",
    "oasis.dagger.beliefs.belief:Belief",
    {
        "knn": Entry("oasis.dagger.beliefs.knn:Knn", "by the neighbours of a state among those that were played"),
        "bayes": Entry("oasis.dagger.beliefs.bayes:Bayes", "by a Bayesian network over features of the state"),
        "bayes-online": Entry(
            "oasis.dagger.beliefs.bayes:Bayes",
            "by bayes, which learns from the plays of each round",
        ),
        "gnn": Entry(
            "oasis.neural.beliefs.graph:GraphBelief", "by a graph network trained on how plays ended", "neural"
        ),
        "even": Entry("oasis.dagger.beliefs.belief:Even", "one half, whatever the state"),
        "exact": Entry("oasis.escalation.proving:Certain", "the truth, which gives the solution away"),
        "tiny": Entry("oasis.neural.beliefs.provability:tiny", "by the network of moves that comes along", "neural"),
    },
    methods=("probabilities",),
    also=("a .safetensors file",),
)
_TERMS: Final = "oasis.dagger.terms"
TERMS: Final = Registry(
    "--weights",
    "term",
    "oasis.dagger.term:Term",
    {
        "C": Entry(f"{_TERMS}.basic:CORRECT", "correct"),
        "P": Entry(f"{_TERMS}.basic:PROGRESS", "progress"),
        "E": Entry(f"{_TERMS}.basic:ELEGANCE", "elegance"),
        "F_DR": Entry(f"{_TERMS}.basic:FREQUENCY", "formula frequency"),
        "N_fit": Entry(f"{_TERMS}.basic:NUMERIC_FIT", "numeric fit"),
        "S_KL": Entry(f"{_TERMS}.bayesian:SURPRISE", "surprise"),
        "R_alpha": Entry(f"{_TERMS}.bayesian:REUSE", "reuse"),
        "C_beta": Entry(f"{_TERMS}.bayesian:COMPRESSION", "compression"),
        "A_gamma": Entry(f"{_TERMS}.bayesian:ALIGNMENT", "alignment"),
        "U_sigma": Entry(f"{_TERMS}.bayesian:UNCERTAINTY", "uncertainty"),
        "K_c": Entry(f"{_TERMS}.structural:CENTRALITY", "centrality"),
        "H": Entry(f"{_TERMS}.structural:ENTROPY", "clause entropy"),
        "K_pre": Entry(f"{_TERMS}.structural:PREREQUISITE", "prerequisite"),
        "U": Entry(f"{_TERMS}.structural:UTILITY", "utility"),
        "N_BNG": Entry(f"{_TERMS}.structural:NOVELTY", "novelty"),
        "G": Entry(f"{_TERMS}.structural:WALK", "graph walk"),
    },
)
"""The terms of R† in the order in which it sums them."""
_SOLVERS: Final = "oasis.escalation.solvers"
SOLVERS: Final = Registry(
    "--solver",
    "solver",
    "oasis.play.solving:Solver",
    {
        "teacher": Entry(f"{_SOLVERS}:teaching", "knows the truth, and proves whatever has a proof"),
        "committed": Entry(f"{_SOLVERS}:playing", "a policy plays once, and takes no move back", argument="[:POLICY]"),
        **{
            name: Entry(f"{_SOLVERS}:searching", entry.about, argument="[:POLICY]")
            for name, entry in SEARCHES.entries.items()
        },
        "written": Entry(
            f"{_SOLVERS}:searching", "a policy writes whole proofs, one after the other", argument="[:POLICY]"
        ),
        "table": Entry(f"{_SOLVERS}:climbing", "a student that practises until it has proved it"),
        "search": Entry(f"{_SOLVERS}:climbing", "a search that is begun anew with more time"),
        "network": Entry(
            f"{_SOLVERS}:climbing", "a network that plays, judges, draws, and guides a search", "", "[:POLICY]"
        ),
        "language": Entry(f"{_SOLVERS}:climbing", "a policy that writes whole proofs, named by --language"),
        "escalate": Entry(f"{_SOLVERS}:climbing", "the table, a search, a network, and --language", "", "[:POLICY]"),
    },
    methods=("trying",),
    also=("some of table, search, network and language as in table+search",),
    joined=True,
)
_EXPORT: Final = "oasis.backends.export"
EXPORTS: Final = Registry(
    "--to",
    "kind of file",
    f"{_EXPORT}.base:Export",
    {
        "coq": Entry(f"{_EXPORT}.coq:WITH_RULES", "a Coq file with the twelve rules as its tactics"),
        "coq-standard": Entry(f"{_EXPORT}.coq:STANDARD", "a Coq file with Coq's own tactics only"),
        "lean": Entry(f"{_EXPORT}.lean:WITH_RULES", "a Lean 4 file that needs no library, with proof terms"),
        "lean-standard": Entry(f"{_EXPORT}.lean:STANDARD", "a Lean 4 file with Lean's own tactics only"),
        "term": Entry(f"{_EXPORT}.lambda_term:TERM", "the λ-term that each proof is, by Curry and Howard"),
        "latex": Entry(f"{_EXPORT}.latex:LATEX", "a LaTeX file with sequent-calculus derivation trees"),
        "svg": Entry(f"{_EXPORT}.svg:SVG", "an SVG picture with sequent-calculus derivation trees"),
        "fitch": Entry(f"{_EXPORT}.fitch:FITCH", "a Fitch derivation: numbered lines in boxes"),
        "fitch-ascii": Entry(f"{_EXPORT}.fitch:FITCH_ASCII", "the same in ASCII characters"),
        "fitch-latex": Entry(f"{_EXPORT}.fitch_latex:FITCH_LATEX", "a LaTeX file with Fitch derivations"),
        "fitch-svg": Entry(f"{_EXPORT}.fitch_svg:FITCH_SVG", "an SVG picture with Fitch derivations"),
        "prose": Entry(f"{_EXPORT}.prose:PROSE", "the proof in words, to be read aloud"),
        "prose-latex": Entry(f"{_EXPORT}.prose:PROSE_LATEX", "a LaTeX file with the proofs in words"),
    },
    also=("tptp for the lemma without a proof",),
)
FAMILIES: Final = Registry(
    "an experiment",
    "family",
    "oasis.lab.plans:Work",
    {
        "students": Entry("oasis.lab.students.plan:Plan", "who practise lemmas"),
        "searches": Entry("oasis.lab.searches.plan:SearchPlan", "for proofs, with a policy and a budget"),
        "climbs": Entry("oasis.lab.ladders:ClimbPlan", "of lemmas on ladders of solvers"),
        "learners": Entry("oasis.lab.dagger_study:DaggerPlan", "paid by R† with S_KL and without"),
    },
    methods=("attempt", "from_json"),
)
"""The plans of experiments by what their trials are of."""
KINDS: Final = (
    LEARNERS,
    REWARDS,
    STATE_SPACES,
    POLICIES,
    SEARCHES,
    RATERS,
    SOLVERS,
    PROVERS,
    REFUTERS,
    NETWORKS,
    BELIEFS,
    TERMS,
    EXPORTS,
)
"""Every registry."""
