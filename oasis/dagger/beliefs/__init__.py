"""How likely a state is to be proved: p(QED | state), by whatever was trained to tell."""
