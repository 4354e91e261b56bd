"""An artificial student at the lemma that a person works on: watched at every step, asked, shown and handed on."""
