"""Work as the buttons of a page begin it."""

import threading
from typing import Any

from hallascope.engine.money.budget import SpendingPolicy
from hallascope.pages.shared.run_buttons import StartedRun


def started(
    services: Any, stop: threading.Event | None = None, terms: SpendingPolicy | None = None
) -> StartedRun:
    """Work for these services that nobody stops and that may cost what the environment allows."""
    return StartedRun(stop or threading.Event(), "", services, terms or SpendingPolicy())
