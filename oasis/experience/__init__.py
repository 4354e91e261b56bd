"""What was distilled from contrasting rollouts: maxims in words, and what they say of moves as a prior.

A maxim is a hypothesis and no truth: it has evidence, it can be modified and deleted, and it never mixes with what was
retrieved or proved (`oasis.store.knowledge`), nor with what R† knows.
"""
