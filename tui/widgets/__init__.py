"""Parts of screens: each shows one thing and says what was chosen; none knows what will be done about it."""
