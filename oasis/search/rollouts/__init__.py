"""Rollouts of a policy: played in this process, in several, or on several machines, and the searches that need them."""
