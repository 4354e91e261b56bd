"""Time limits for single examples say more about the machine than about the code."""

from hypothesis import settings

settings.register_profile("patient", deadline=None, print_blob=True)
settings.load_profile("patient")
