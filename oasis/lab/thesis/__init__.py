"""The experiments of the thesis (2020), chapter 7, done again as one study, and what its chapter 8 leaves open.

What was done and claimed stands in `figures`, what is measured of it in `reports`.
"""
