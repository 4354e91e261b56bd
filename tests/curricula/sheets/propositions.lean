/- The exercises of a course on propositions in Lean -/
open Classical
variable (p q r : Prop)

-- commutativity
example : p ∧ q ↔ q ∧ p :=
  Iff.intro (fun ⟨hp, hq⟩ => ⟨hq, hp⟩) (fun ⟨hq, hp⟩ => ⟨hp, hq⟩)
example : p ∨ q ↔ q ∨ p := sorry
example : (p ∧ q) ∧ r ↔ p ∧ (q ∧ r) := sorry
example : (p ∨ q) ∨ r ↔ p ∨ (q ∨ r) := sorry
example : p ∧ (q ∨ r) ↔ (p ∧ q) ∨ (p ∧ r) := by
  constructor
  · intro h
    cases h.right with
    | inl hq => exact Or.inl ⟨h.left, hq⟩
    | inr hr => exact Or.inr ⟨h.left, hr⟩
  · sorry
example : p ∨ (q ∧ r) ↔ (p ∨ q) ∧ (p ∨ r) := sorry
example : (p → (q → r)) ↔ (p ∧ q → r) := sorry
example : ((p ∨ q) → r) ↔ (p → r) ∧ (q → r) := sorry
example : ¬(p ∨ q) ↔ ¬p ∧ ¬q := sorry
example : ¬p ∨ ¬q → ¬(p ∧ q) := sorry
example : ¬(p ∧ ¬p) := sorry
example : p ∧ ¬q → ¬(p → q) := sorry
example : ¬p → (p → q) := sorry
example : (¬p ∨ q) → (p → q) := sorry
example : p ∨ False ↔ p := sorry
example : p ∧ False ↔ False := sorry
example : (p → q) → (¬q → ¬p) := sorry
example : ¬(p ↔ ¬p) := sorry

section classical
example : (p → q ∨ r) → ((p → q) ∨ (p → r)) := sorry
example : ¬(p ∧ q) → ¬p ∨ ¬q := sorry
example : ¬(p → q) → p ∧ ¬q := sorry
example : (((p → q) → p) → p) := sorry
end classical

theorem and_swap {s : Prop} (h : p ∧ s) : s ∧ p := ⟨h.right, h.left⟩
theorem many (α : Type) (f : α → Prop) : (∃ x, f x) → ¬ ∀ x, ¬ f x := sorry
