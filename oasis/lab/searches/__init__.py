"""Comparing searches: each with each policy on the same lemmas within the same budget, and what each of them adds."""
