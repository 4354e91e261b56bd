"""The reward R†: sixteen terms that look at symbols, graphs and counters, and what they need to know."""
