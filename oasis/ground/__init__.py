"""What every room stands on: limits, signals, random numbers, modules of a person's own, versions."""
