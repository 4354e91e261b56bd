"""Students as a family of experiments: what is planned, what one student does, and what is measured of it."""
