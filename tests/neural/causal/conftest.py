"""Language models need transformers, peft and trl: where one is missing, the tests that do are left out."""

from importlib.util import find_spec

INSTALLED = all(find_spec(library) for library in ("torch", "transformers", "peft", "trl"))
collect_ignore = [] if INSTALLED else ["test_calls.py", "test_example.py", "test_language.py", "test_policy.py"]
