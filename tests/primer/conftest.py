"""Holds the samples for judges that several tests look at."""

import random

import pytest

from hallascope.primer.benchmark.judge_samples import JudgeSample, sitting


@pytest.fixture(scope="session")
def sittings() -> list[JudgeSample]:
    return [sitting(f"test {n}", random.Random(n)) for n in range(60)]
