"""The sixteen terms of R†, each as the design document prints it and as it does what the document says it is for.

Of a state, terms look at the goal in focus unless they say otherwise. A move that does not apply uses no formula and no
rule, so what pays for these pays nothing for it. Their order is that of `oasis.ground.names.TERMS`.
"""
