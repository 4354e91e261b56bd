"""The `oasis` command: one file a command group, no logic; rooms are imported by the command that needs them."""
