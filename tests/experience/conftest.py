"""A library of maxims in a fresh database."""

import pytest

from oasis.experience.library import Library
from oasis.store import Store


@pytest.fixture
def library(store: Store) -> Library:
    return Library(store)
