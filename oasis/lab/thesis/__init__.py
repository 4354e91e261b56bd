"""The experiments of the thesis (2020), chapter 7, done again: under its conditions, and for 5,000 episodes.

What was done stands in `figures`, what came of it in `study`, what that says in `findings`; the rest is for looking at.
"""
