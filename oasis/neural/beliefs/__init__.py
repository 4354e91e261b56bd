"""Networks as beliefs of R†: how likely a state is to be proved, and vectors of states and formulas."""
