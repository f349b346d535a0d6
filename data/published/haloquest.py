"""Holds HaloQuest's public leaderboard, the sizes of its slices, and its known faults."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent / "haloquest_leaderboard.csv"
IMAGE_TYPES = ("generated", "real")
HALLUCINATIONS = ("false premise", "visually challenging", "insufficient context")
# how many questions each slice of the evaluation set holds
SIZES: Mapping[str, int] = {
    "generated": 391,
    "real": 217,
    "false premise": 304,
    "visually challenging": 183,
    "insufficient context": 121,
}
# Every percentage of the models of May 2024 is a fraction of these sizes (no other below 400 fits
# them all), and so weighted their slices give their overall scores; weighted by the whole set they
# do not. So they were measured on a part of it.
PART: Mapping[str, int] = {
    "generated": 221,
    "real": 127,
    "false premise": 184,
    "visually challenging": 96,
    "insufficient context": 67,
}
_OF_A_PART = "(May 2024)"
# The rows that do not add up, to be shown as they are with this sentence. MiniGPT4 (both), GPT-4,
# BLIP2 (8B) and mPLUG-Owl2 are off
# as well, by more than rounding explains, but by no more than one point.
NOTES: Mapping[str, str] = {
    "BEiT-3 (0.7B) (Mar 2024)": (
        "Its types of hallucination give 24.9 (people) and 27.2 (Auto-Eval), not the 35.9 and 40.0"
        " that are printed as overall: the scores for false premises must be wrong."
    ),
    "InstructBLIP (8B) (Mar 2024)": (
        "Its types of hallucination repeat those of the 12B model, visual challenges and"
        " insufficient context swapped, and give 22.8 (people) and 26.2 (Auto-Eval), not the 25.0"
        " and 27.3 that are printed as overall."
    ),
}


@dataclass(frozen=True)
class PublishedHaloScores:
    """Holds the row of a model: percent by slice, by people and by Auto-Eval.

    Slices are "overall" and those of `SIZES`.

    `sizes`: how many questions of each slice it was measured on. `note`: what is wrong in the row,
    "" where nothing is known to be.
    """

    model: str
    human: Mapping[str, float]
    auto: Mapping[str, float]
    sizes: Mapping[str, int]
    note: str = ""


def leaderboard() -> tuple[PublishedHaloScores, ...]:
    """Return every model, in the order of the leaderboard."""
    with FILE.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return tuple(
        _published(model, [row for row in rows if row["model"] == model])
        for model in dict.fromkeys(row["model"] for row in rows)
    )


def _published(model: str, rows: list[dict[str, str]]) -> PublishedHaloScores:
    human, auto = (
        {row["slice"]: float(row[f"{by}_eval_percent"]) for row in rows} for by in ("human", "auto")
    )
    return PublishedHaloScores(
        model, human, auto, PART if model.endswith(_OF_A_PART) else SIZES, NOTES.get(model, "")
    )
