"""Holds published scores of models as one list, whatever table they stand in."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
_FIG = {"colour": "color", "positional": "position"}  # the paper's names for ours
_GENERATORS = {"sd_v1_4": "SD v1.4", "sd_v2": "SD v2.0", "sd_xl": "SD XL"}
# Numbers that other numbers of the same paper speak against; they are shown as printed.
POSITIONAL_NOTE = (
    "table 3 prints 10.23 for the same configuration, and 44.22, 59.64, 37.82 and 12.23 on MSCOCO"
)
CELESTIAL_NOTE = (
    "all eleven celestial values are multiples of 1/56, as ratings of 14 concepts from 0 to 4 give;"
    " the text does not say how many there were"
)
_COLUMNS = {
    "CLIP-Score": "clipscore",
    "BLIP-Score": "blip-itm",
    "LLM-Score": "llmscore",
    "T2ICompbench": "blip-vqa",
    "Scene-graph QA (GPT-4)": "scene-graph",
}
# The paper prints CLIP-Score in the range from 0 to 1, which is not that of the metric's own score.
_SCORES = {"clipscore": "share"}


@dataclass(frozen=True, kw_only=True)
class PublishedScore:
    """Holds a number of a paper, in [0, 1]: a metric's score for a model, in a group of a slice.

    The slice "model" is of all, or of a part that has a name. `n` prompts (by "coi": questions) lie
    under it, 0 where the paper does not say. `note` is what is known to be doubtful about it.
    """

    metric: str
    score: str
    slice: str
    model: str
    group: str
    value: float
    source: str
    n: int = 0
    note: str = ""


@cache
def published_scores() -> tuple[PublishedScore, ...]:
    """Return every published score of a model that makes pictures."""
    return (*_ihalla(), *_figure_4(), *_factualbench(), *_by_domain(), *_fig(), *_scene_graph())


def _ihalla() -> Iterator[PublishedScore]:
    for row in _rows("ihalla_scores.csv"):
        score = "strict" if row["metric"].endswith("strict") else "score"
        value = float(row["score"])
        if row["judge"] == "gpt-4o":
            for cut in ("model", "field"):
                yield PublishedScore(
                    metric="ihalla",
                    score=score,
                    slice=cut,
                    model=row["model"],
                    group=row["domain"],
                    value=value,
                    source="I-HallA, table 3 (judge gpt-4o)",
                )
        name = f"{row['model']} ({row['domain']})"
        yield PublishedScore(
            metric="ihalla",
            score=score,
            slice="judge",
            model=name,
            group=row["judge"],
            value=value,
            source="I-HallA, tables 3 and 4",
        )


def _figure_4() -> Iterator[PublishedScore]:
    questions = {
        (row["domain"], row["coi"]): int(row["questions"]) for row in _rows("ihalla_coi_counts.csv")
    }
    prompts = {
        row["category"]: int(row["total"]) for row in _rows("ihalla_categories.csv") if row["total"]
    }
    for row in _rows("ihalla_figure4.csv"):
        value = float(row["score"])
        group = row["group"]
        if row["slice"] == "coi":
            name = f"{row['model']} ({row['domain']})"
            n = questions.get((row["domain"], group), 0)
        else:
            name = row["model"]
            n = prompts.get(group, 0)
        yield PublishedScore(
            metric="ihalla",
            score="score",
            slice=row["slice"],
            model=name,
            group=group,
            value=value,
            source="I-HallA, figure 4",
            n=n,
        )


def _factualbench() -> Iterator[PublishedScore]:
    for row in _rows("factualbench_scores.csv"):
        for cut in ("model", "level"):
            value = float(row["percent"]) / 100
            source = f"T2I-FactualBench, table 3 ({row['injection']})"
            yield PublishedScore(
                metric="factualbench",
                score=row["score"],
                slice=cut,
                model=row["model"],
                group=row["level"],
                value=value,
                source=source,
            )


def _by_domain() -> Iterator[PublishedScore]:
    for row in _rows("factualbench_skcm_by_domain.csv"):
        if row["concept_percent"]:  # empty where every prompt was refused
            value = float(row["concept_percent"]) / 100
            source = "T2I-FactualBench, figure 5 (level SKCM)"
            yield PublishedScore(
                metric="factualbench",
                score="concept",
                slice="domain",
                model=row["model"],
                group=row["domain"],
                value=value,
                source=source,
                note=CELESTIAL_NOTE if row["domain"] == "celestial" else "",
            )


def _fig() -> Iterator[PublishedScore]:
    """Yield each number of FiG beside our score and beside that by the paper's own rule."""
    for row in _rows("fig_scores.csv"):
        if row["varied_module"] != "generator" or not row["percent"]:
            continue
        name = _FIG.get(row["metric"], row["metric"])
        by_paper = "chair_i_pooled" if name == "chair_i" else f"{name}_published"
        for score in (name, by_paper):
            yield PublishedScore(
                metric="fig",
                score=score,
                slice="model",
                model=row["name"],
                group=row["dataset"],
                value=float(row["percent"]) / 100,
                source="FiG, table 1",
                note=POSITIONAL_NOTE if row["percent"] == "20.83" else "",
            )


def _scene_graph() -> Iterator[PublishedScore]:
    for row in _rows("scene_graph_scores.csv"):
        for column, model in _GENERATORS.items():
            if row["metric"] in _COLUMNS:
                source = f"Scene-graph QA, table 1 ({row['metric']})"
                metric = _COLUMNS[row["metric"]]
                yield PublishedScore(
                    metric=metric,
                    score=_SCORES.get(metric, "score"),
                    slice="model",
                    model=model,
                    group="",
                    value=float(row[column]),
                    source=source,
                )


def _rows(name: str) -> list[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
