"""Referees: the embedded calculus, Coq and Lean behind one interface, and what is handed to provers as files."""
