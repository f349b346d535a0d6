"""A training that is stopped right after a checkpoint."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hallascope.backends.embedded.training import loop


def stopping_at(last: int) -> Callable[[Path, Mapping[str, Any], int], None]:
    """Return what saves checkpoints as `loop.save_checkpoint` does, and is interrupted after one.

    That is the checkpoint of step `last`.
    """
    save = loop.save_checkpoint

    def save_and_stop(file: Path, stateful: Mapping[str, Any], step: int) -> None:
        save(file, stateful, step)
        if step == last:
            raise KeyboardInterrupt

    return save_and_stop
