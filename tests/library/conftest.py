"""Provides results of the library: two prompts, a model that draws, one in red, one that fails."""

from pathlib import Path

import pytest

import hallascope
from tests.support.drawing_functions import PENGUIN, broken, plain_red


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def results(home: Path) -> hallascope.Results:
    models = ["primer/exact", plain_red, broken]
    return hallascope.evaluate([PENGUIN, "a red circle"], models=models, count=2, home=home)
