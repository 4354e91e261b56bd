"""Students as a family: what is compared, one trial, and what is measured."""
