"""What every room stands on: limits, signals, random numbers, statistics, modules of a person's own, versions."""
