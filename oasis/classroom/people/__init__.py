"""Who is in a class, and by which passphrases they come in."""
