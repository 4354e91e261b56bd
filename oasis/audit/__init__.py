"""The reward R† examined: what each of its terms makes of every state, exactly, and a log of what it pays a student."""
