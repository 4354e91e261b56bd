"""Networks need torch and safetensors: where these are missing, the tests that do are one that skips."""

from importlib.util import find_spec

INSTALLED = all(find_spec(library) for library in ("torch", "safetensors"))
collect_ignore = [] if INSTALLED else ["test_network.py", "test_checkpoint.py", "test_shipped.py", "test_training.py"]
