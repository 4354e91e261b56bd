"""The classroom on a terminal or in a browser: Textual screens over `oasis.classroom`.

Screens show and ask; what is true, what is kept and what an agent does is known to the rooms below.
"""
