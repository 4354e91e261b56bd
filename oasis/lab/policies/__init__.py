"""What policies are worth: in one play and in many, as judges of goals, and helped more and more.

Each module is a list of measures over lemmas, and what plays; the rest comes of reports (`oasis.lab.policies.groups`).
"""
