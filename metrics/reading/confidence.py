"""Says how sure the rules are of a reading: the chance that it is right, from signals of the parse.

The whole reading has a confidence for each system (FiG needs less than the scene graph does), and
so has each object and relation. The weights are fitted on gold readings (``confidence.toml``,
`training.reading_confidence`); docs/validation.md shows how often readings are right by them.
"""

import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from hallascope.data.prompt_reading import PromptReading

FILE = Path(__file__).with_suffix(".toml")
System = Literal["fig", "scene-graph"]
SYSTEMS: tuple[System, ...] = get_args(System)
UNSURE = (
    "The prompt may be read wrong, so there is no score: confirm or correct the reading, or let a"
    " model read the prompt."
)
UNSURE_OF_ANY = (
    "The prompt may be read wrong. FiG, scene-graph QA and TIFA-style give no score until you"
    " confirm or correct this, or a model reads the prompt."
)
_MODELS = tomllib.loads(FILE.read_text(encoding="utf-8"))
_LARGEST = 8.0  # a signal above it says no more
_MOST_WORDS_TOLD = 6


def terms(signals: Mapping[str, float]) -> dict[str, float]:
    """Return the terms of the models: of each signal its value, its logarithm, and whether it is.

    Signals are 0 or more.
    """
    found: dict[str, float] = {}
    for name, value in signals.items():
        found[name] = min(float(value), _LARGEST)
        found[f"log {name}"] = math.log1p(value)
        found[f"any {name}"] = float(value > 0)
    return found


def confidence(model: str, found: Mapping[str, float]) -> float:
    """Return the chance in [0, 1] that what has some `terms` is right.

    `model` is a system, "object" or "relation". A term without a weight says nothing.
    """
    weights = _MODELS[model]["weights"]
    logit = sum(weights.get(name, 0.0) * value for name, value in found.items())
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, logit + _MODELS[model]["bias"]))))


def of_system(reading: PromptReading, system: System) -> float:
    """Return the chance in [0, 1] that a whole reading is right for a system."""
    return reading.fig_confidence if system == "fig" else reading.confidence


def is_sure(reading: PromptReading, system: System | None = None) -> bool:
    """Return whether a reading may be scored by a system, or by each, without a person.

    One by a model or a person may.
    """
    if reading.source != "rules" or reading.unreadable:
        return True
    return all(of_system(reading, name) >= _MODELS[name]["least"] for name in _systems(system))


def _systems(system: System | None) -> tuple[System, ...]:
    return SYSTEMS if system is None else (system,)


def doubt(reading: PromptReading, system: System | None = None) -> str:
    """Return a sentence where the rules are not sure of a reading, "" where they are."""
    if is_sure(reading, system):
        return ""
    least = min(of_system(reading, name) for name in _systems(system))
    words = [f"“{reading.prompt[slice(*span)]}”" for span in reading.unread]
    more = " and more" if len(words) > _MOST_WORDS_TOLD else ""
    unread = f" No rule reads {', '.join(words[:_MOST_WORDS_TOLD])}{more}." if words else ""
    sentence = UNSURE_OF_ANY if system is None else UNSURE
    return f"{sentence} Confidence: {least:.2f}.{unread}"
