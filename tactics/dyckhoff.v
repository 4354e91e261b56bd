(* The twelve rules of Dyckhoff's contraction-free calculus for intuitionistic propositional logic, as Coq tactics.

   A proof begins with [d_start]. What replaces a hypothesis takes over its name; an additional one gets the first free
   name of H, H0, H1, ... A rule that does not apply fails and says why. Nothing here searches, and no axiom is used. *)

(* Introduces the atoms, which are quantified in front, and unfolds negation and equivalence. *)
Ltac d_start :=
  repeat lazymatch goal with
         | |- forall atom : Prop, @?rest atom => let name := fresh atom in intro name
         end;
  cbv beta delta [not iff].

(* Rules on the conclusion. *)

Tactic Notation "d_intro" :=
  lazymatch goal with
  | |- forall premise : ?A, _ =>
      lazymatch type of A with
      | Prop => let added := fresh "H" in intro added
      | _ => fail "intro: the conclusion is not of the form A -> B"
      end
  | |- _ => fail "intro: the conclusion is not of the form A -> B"
  end.

Tactic Notation "d_assumption" :=
  lazymatch goal with
  | given : ?G |- ?G => exact given
  | |- ?G => fail "assumption:" G "is not among the hypotheses"
  end.

Tactic Notation "d_contradiction" :=
  lazymatch goal with
  | absurd : False |- ?G => exact (False_ind G absurd)
  | |- _ => fail "contradiction: False is not among the hypotheses"
  end.

Tactic Notation "d_split" :=
  lazymatch goal with
  | |- ?A /\ ?B => refine (@conj A B _ _)
  | |- _ => fail "split: the conclusion is not of the form A /\ B"
  end.

Tactic Notation "d_left" :=
  lazymatch goal with
  | |- ?A \/ ?B => refine (@or_introl A B _)
  | |- _ => fail "left: the conclusion is not of the form A \/ B"
  end.

Tactic Notation "d_right" :=
  lazymatch goal with
  | |- ?A \/ ?B => refine (@or_intror A B _)
  | |- _ => fail "right: the conclusion is not of the form A \/ B"
  end.

(* Rules on a hypothesis, which they consume. *)

Tactic Notation "d_destruct_and" hyp(H) :=
  lazymatch type of H with
  | _ /\ _ => case H; clear H; intro H; let added := fresh "H" in intro added
  | _ => fail "destruct_and:" H "is not of the form A /\ B"
  end.

Tactic Notation "d_destruct_or" hyp(H) :=
  lazymatch type of H with
  | _ \/ _ => case H; clear H; intro H
  | _ => fail "destruct_or:" H "is not of the form A \/ B"
  end.

Tactic Notation "d_imply1" hyp(H) :=
  lazymatch type of H with
  | ?A -> _ =>
      lazymatch goal with
      | given : A |- _ => specialize (H given)
      | |- _ => fail "imply1:" A "is not among the hypotheses"
      end
  | _ => fail "imply1:" H "is not of the form A -> B"
  end.

Tactic Notation "d_imply2" hyp(H) :=
  lazymatch type of H with
  | ?C /\ ?D -> ?B =>
      generalize (fun (c : C) (d : D) => H (conj c d)); clear H; intro H
  | _ => fail "imply2:" H "is not of the form C /\ D -> B"
  end.

Tactic Notation "d_imply3" hyp(H) :=
  lazymatch type of H with
  | ?C \/ ?D -> ?B =>
      generalize (fun d : D => H (or_intror d)); generalize (fun c : C => H (or_introl c));
      clear H; intro H; let added := fresh "H" in intro added
  | _ => fail "imply3:" H "is not of the form C \/ D -> B"
  end.

(* The first goal is the antecedent C -> D, from D -> B; the second one is what was to be proved, from B in H's place. *)
Tactic Notation "d_imply4" hyp(H) :=
  lazymatch type of H with
  | (?C -> ?D) -> ?B =>
      let antecedent := fresh "H" in
      assert (antecedent : C -> D);
      [ generalize (fun d : D => H (fun _ : C => d)); clear H; intro H
      | specialize (H antecedent); clear antecedent ]
  | _ => fail "imply4:" H "is not of the form (C -> D) -> B"
  end.
