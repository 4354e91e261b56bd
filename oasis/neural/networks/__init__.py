"""Networks over goals and moves, behind one protocol (`oasis.neural.networks.network`)."""
