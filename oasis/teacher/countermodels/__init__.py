"""Why it is no theorem: Kripke models, checked, made small, drawn and put into words."""
