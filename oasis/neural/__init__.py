"""Networks that propose moves and judge goals, and how they are trained: the extra `neural` (torch, safetensors).

What needs no torch, `encoding` and `labels`, imports none, so the processes that make training data start fast.
"""
