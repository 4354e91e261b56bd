"""Results as files to keep and to hand on: one HTML page that needs nothing beside it, and CSV."""
