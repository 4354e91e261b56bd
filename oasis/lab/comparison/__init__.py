"""What reports of searches and ladders say of kinds, until they are made of measures, too."""
