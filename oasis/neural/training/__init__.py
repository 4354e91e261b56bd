"""How networks are trained: data from the oracle, streamed; the loop; and checkpoints."""
