"""Words that may name no atom and no hypothesis in a file for Lean, ours or exported: one list for both."""

from __future__ import annotations

from typing import Final

_LEAN: Final = """
Int32 Int64 Prop Sort StateRefT Type _ abbrev add_decl_doc assert_not_exists assert_not_imported at attribute
aux_def axiom bif binder_predicate break builtin_cbv_simproc builtin_cbv_simproc_decl builtin_dsimproc
builtin_dsimproc_decl builtin_grind_propagator builtin_initialize builtin_simproc builtin_simproc_decl by
by_elab calc catch cbv_eval cbv_simproc cbv_simproc_decl class coinductive coinductive_fixpoint continue
dbg_trace declare_bitwise_int_theorems declare_bitwise_uint_theorems declare_command_config_elab
declare_command_config_elab_legacy declare_config_elab declare_config_elab_legacy declare_core_config_elab
declare_eval_bin declare_eval_bin_bitwise declare_eval_bin_bool_pred declare_int_theorems
declare_simp_like_tactic declare_sint_simprocs declare_syntax_cat declare_term_config_elab
declare_uint_simprocs declare_uint_theorems decreasing_by def def_eval_config_item deprecated_module
deprecated_syntax derive_eval_expr_instance_using_meta_eval deriving do docs_to_verso dsimproc dsimproc_decl
elab elab_rules elab_stx_quot else end end_local_scope ensure_eval_expr_instance
ensure_eval_term_expr_instances ensure_eval_term_instance ensures eval_prec eval_prio example exists export
extends finally for forall from fun gen_cnstr_fns generalizing given grind_annotated grind_pattern
grind_propagator have haveI hiding idbg if import in include include_str inductive inductive_fixpoint
inferInstanceAs infix infixl infixr init_grind_norm init_quot initialize instance leading_parser let letI
let_delayed let_expr let_fun let_tmp local logNamedError logNamedErrorAt logNamedWarning logNamedWarningAt
macro macro_rules make_elab_grind_config make_elab_simp_config match match_expr matches max_prec meta mod_cast
monotonicity_by mut mutual namespace nat_lit no_index nofun nomatch noncomputable nonrec norm_cast_add_elim
notation omit opaque open partial partial_fixpoint postfix postprocess_traces prefix private protected public
recall recommended_spelling register_builtin_option register_error_explanation register_grind_attr
register_label_attr register_linter_set register_option register_parser_alias register_simp_attr
register_sym_dsimp register_sym_simp register_sym_simp_attr register_tactic_tag renaming repeat reprove
requires return run_cmd run_elab run_meta scoped seal section set_library_suggestions set_option show
show_panel_widgets show_term show_term_elab simproc simproc_decl skip sorry store_traces_as structure suffices
syntax tactic_alt tactic_extension tactic_name tactic_tag termination_by test_extern then theorem throwError
throwErrorAt throwNamedError throwNamedErrorAt trailing_parser try unif_hint universe unless unlock_limits
unsafe unseal until using variable wait_for_cancel_once_command where while with with_annotate_term
with_weak_namespace without_expected_type
"""
"""What Lean 4.35 reserves, its library's notations among it: `python -m tests.backends.lean_words` takes it anew."""

_OTHERS: Final = """
assert assume binder claim constant declare_simproc default_instance instanceof lambda lemma library_note
module only panic prelude proof_wanted says unreachable variables
"""
"""What other versions of Lean 4, Batteries and Mathlib reserve."""

_NAMES: Final = """
And Dyckhoff False Iff Not Oasis Or PUnit True absurd id lcErased rfl sorryAx this
"""
"""Names of Lean's library and of ours that an atom must not hide."""

RESERVED: Final = frozenset(f"{_LEAN} {_OTHERS} {_NAMES}".split())
"""All words that no atom and no hypothesis may be called in Lean."""
