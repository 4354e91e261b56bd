"""People at work on proofs, their class, and the agent beside them, without a screen: what every view of it shares."""
