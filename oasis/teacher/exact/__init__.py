"""What is exactly known of a lemma whose goals can all be looked at: shortest proofs and optimal values."""
