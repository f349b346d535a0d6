"""Finds what is false in generated images, and says on what evidence.

``import hallascope`` gives a small library: `evaluate` draws and judges, `judge_images` judges
images that are there already, `leaderboard` ranks what is stored, `agreement` compares metrics with
people. Nothing heavy is imported before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hallascope.api import agreement, evaluate, judge_images, leaderboard
    from hallascope.inputs import Reference
    from hallascope.results import AgreementResult, ImageScore, LeaderboardResult, Results

__all__ = [
    "AgreementResult",
    "ImageScore",
    "LeaderboardResult",
    "Reference",
    "Results",
    "agreement",
    "evaluate",
    "judge_images",
    "leaderboard",
]

_HOMES = {
    "Reference": "hallascope.inputs",
    "agreement": "hallascope.api",
    "evaluate": "hallascope.api",
    "judge_images": "hallascope.api",
    "leaderboard": "hallascope.api",
    "AgreementResult": "hallascope.results",
    "ImageScore": "hallascope.results",
    "LeaderboardResult": "hallascope.results",
    "Results": "hallascope.results",
}


def __getattr__(name: str) -> object:
    """Import a name of the library when it is first used (PEP 562)."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'hallascope' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
