"""Goals as numbers for networks, without anything that depends on names or order; no torch."""
