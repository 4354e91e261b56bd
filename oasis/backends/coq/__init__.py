"""Coq: finding it, its protocol, its text, the referee, and an adapter over coq_serapy."""
