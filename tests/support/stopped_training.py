"""A training that is stopped right after a checkpoint."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hallascope.backends.embedded.training import loop


def stopping_at(last: int) -> Callable[[Path, Mapping[str, Any], int], None]:
    """What keeps checkpoints as `steps.keep` does, and is interrupted once it has kept the one of
    step `last`.
    """
    keep = loop.keep

    def kept(file: Path, stateful: Mapping[str, Any], step: int) -> None:
        keep(file, stateful, step)
        if step == last:
            raise KeyboardInterrupt

    return kept
