"""The functions that a learner and a teacher call, and hostile text, for tests of Teach."""

from typing import Any

import pytest

from hallascope.data.teaching.lesson import as_plain
from hallascope.engine.services import Services
from hallascope.pages.learn import learner
from hallascope.primer.teaching.faults import FIRST

EVIL = "<img src=x onerror=alert(1)>\"'`${1}{{2}}</script><script>alert(2)</script>"
ITEM = as_plain(FIRST)
MARK = {"part": "hydrogen atom"}


@pytest.fixture
def desk(services: Services) -> dict[str, Any]:
    return {function.__name__: function for function in learner.functions(services)}
