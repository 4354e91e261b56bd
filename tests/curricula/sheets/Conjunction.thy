theory Conjunction imports Main begin
text ‹The lemma "A --> B" is ‹not› meant (* nor is "this" *)›
lemma swap [intro]: "A ∧ B ⟶ B ∧ A" by auto
lemma "P --> Q --> P" ..
theorem both:
  fixes A B :: bool
  assumes a: "A" and "A --> B"
  shows "A ∧ B"
proof -
  have "B" using assms by blast
  thus ?thesis using a ..
qed
lemma all: "∀x. P x ⟶ P x" by simp
end
