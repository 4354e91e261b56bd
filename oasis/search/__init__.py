"""Proof search guided by any policy: what is tried, remembered and shared, and who finds how much with how little.

Knows neither students nor the teacher: a search holds a policy, and does not know which kind.
"""
