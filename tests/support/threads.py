"""Work in threads of its own, all at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

PATIENCE = 120.0  # seconds until a thread counts as hanging


def run_at_once(*work: Callable[[], Any]) -> list[Any]:
    """What each returns, in their order; what one raises is raised."""
    with ThreadPoolExecutor(len(work)) as pool:
        return [running.result(PATIENCE) for running in [pool.submit(each) for each in work]]
