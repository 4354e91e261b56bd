"""Kinds of students on the same lemmas: what they come to, how sure that is, and what is exactly true."""
