"""Pictures for a lecture: curves with intervals, readable without colour and from the last row.

Every picture is drawn on a figure of its own, without a window and without matplotlib's global state; matplotlib is
imported when one is drawn.
"""
