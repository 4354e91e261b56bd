"""What every room raises when a person's input is at fault. Imports nothing of ours."""


class InputError(ValueError):
    """Input that cannot be used; the text is one plain sentence: what, where, and what to do now."""


class LibraryMissing(InputError):
    """An optional library that is needed is not installed; the text ends with the command that installs it."""
