"""Comparing students: experiments over many seeds, statistics, plots."""
