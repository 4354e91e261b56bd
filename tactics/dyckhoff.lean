prelude
set_option autoImplicit false
set_option linter.all false

/-! The connectives and the twelve rules of Dyckhoff's contraction-free calculus, for Lean 4 without its library.

Each rule is a theorem: first the hypothesis that the rule is applied to, then what else must be among the hypotheses,
then one argument for each premise, which takes the formulas that the premise adds. Nothing is assumed as an axiom.
Lean wants to know lcErased and PUnit before it takes the first structure or theorem. -/

inductive lcErased : Type

set_option bootstrap.inductiveCheckResultingUniverse false in
inductive PUnit.{u} : Sort u where
  | unit : PUnit

structure And (A B : Prop) : Prop where
  intro ::
  left : A
  right : B

inductive Or (A B : Prop) : Prop where
  | inl (left : A) : Or A B
  | inr (right : B) : Or A B

inductive False : Prop

namespace Dyckhoff

theorem intro {A B : Prop} (premise : A → B) : A → B := premise

theorem assumption {G : Prop} (given : G) : G := given

theorem contradiction {G : Prop} (given : False) : G := False.rec (fun _ => G) given

theorem split {A B : Prop} (first : A) (second : B) : And A B := And.intro first second

theorem left {A B : Prop} (premise : A) : Or A B := Or.inl premise

theorem right {A B : Prop} (premise : B) : Or A B := Or.inr premise

theorem destruct_and {A B G : Prop} (principal : And A B) (premise : A → B → G) : G :=
  premise principal.left principal.right

theorem destruct_or {A B G : Prop} (principal : Or A B) (first : A → G) (second : B → G) : G :=
  Or.rec first second principal

theorem imply1 {A B G : Prop} (principal : A → B) (given : A) (premise : B → G) : G :=
  premise (principal given)

theorem imply2 {B C D G : Prop} (principal : And C D → B) (premise : (C → D → B) → G) : G :=
  premise (fun c d => principal (And.intro c d))

theorem imply3 {B C D G : Prop} (principal : Or C D → B) (premise : (C → B) → (D → B) → G) : G :=
  premise (fun c => principal (Or.inl c)) (fun d => principal (Or.inr d))

theorem imply4 {B C D G : Prop} (principal : (C → D) → B) (first : (D → B) → C → D) (second : B → G) : G :=
  second (principal (first (fun d => principal (fun _ => d))))

/-- The hypothesis `given` moves to the end of the context. -/
theorem move_last {A G : Prop} (given : A) (premise : A → G) : G := premise given

end Dyckhoff
