"""Where the table ends: what a student does not learn goes to a search, then to a network, at a cost that is told."""
