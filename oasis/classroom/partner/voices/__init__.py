"""The voices that partners are made of: a table, a search, a network, and the teacher."""
