(* The propositional exercises of a course on logic in Coq, among others (* which are not *). *)
Require Import Arith.
Theorem proj1 : forall P Q : Prop, P /\ Q -> P.
Proof. intros P Q [HP _]. apply HP. Qed.
Lemma proj2 : forall P Q : Prop, P /\ Q -> Q.
Proof. (* FILL IN HERE *) Admitted.
Theorem and_commut : forall P Q : Prop, P /\ Q -> Q /\ P.
Theorem and_assoc : forall P Q R : Prop,
  P /\ (Q /\ R) -> (P /\ Q) /\ R.
Proof.
  intros P Q R [HP [HQ HR]]. split.
  - split. { exact HP. } exact HQ.
  - exact HR.
Qed.
Lemma factor_is_O : forall n m : nat, n = 0 \/ m = 0 -> n * m = 0.
Proof. Admitted.
Theorem or_commut : forall P Q : Prop, P \/ Q -> Q \/ P.
Theorem ex_falso_quodlibet : forall (P:Prop), False -> P.
Theorem not_implies_our_not : forall (P:Prop), ~ P -> (forall (Q:Prop), P -> Q).
Theorem contradiction_implies_anything : forall P Q : Prop, (P /\ ~P) -> Q.
Theorem double_neg : forall P : Prop, P -> ~~P.
Theorem contrapositive : forall (P Q : Prop), (P -> Q) -> (~Q -> ~P).
Theorem not_both_true_and_false : forall P : Prop, ~ (P /\ ~P).
Theorem de_morgan_not_or : forall (P Q : Prop), ~ (P \/ Q) -> ~P /\ ~Q.
Theorem iff_sym : forall P Q : Prop, (P <-> Q) -> (Q <-> P).
Lemma not_true_iff_false : forall b, b <> true <-> b = false.
Theorem or_distributes_over_and : forall P Q R : Prop,
  P \/ (Q /\ R) <-> (P \/ Q) /\ (P \/ R).
Theorem iff_trans : forall P Q R : Prop, (P <-> Q) -> (Q <-> R) -> (P <-> R).
Theorem or_assoc : forall P Q R : Prop, P \/ (Q \/ R) <-> (P \/ Q) \/ R.
Theorem dist_not_exists : forall (X:Type) (P : X -> Prop), (forall x, P x) -> ~ (exists x, ~ P x).
Definition excluded_middle := forall P : Prop, P \/ ~ P.
Theorem restricted_excluded_middle : forall P b, (P <-> b = true) -> P \/ ~ P.
Theorem excluded_middle_irrefutable : forall (P : Prop), ~ ~ (P \/ ~ P).
Example peirce_from_excluded_middle : excluded_middle -> forall P Q : Prop, ((P -> Q) -> P) -> P.
Section Section_with_hypotheses.
Variables A B : Prop.
Hypothesis a_or_b : A \/ B.
Corollary swapped {C : Prop} (not_a : ~ A) : C -> B.
Proof. tauto. Qed.
End Section_with_hypotheses.
Goal forall A B : Prop, A -> B -> A.
