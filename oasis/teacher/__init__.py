"""The teacher knows: what is true, what is shortest, what a move was worth. How students learn is not known here."""
