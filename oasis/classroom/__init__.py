"""A student at work on a proof, without a screen: what every way to show it shares."""
