"""Compares two runs or sweeps: prompt by prompt, model by model, and how they are configured."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from hallascope import metrics
from hallascope.data.files.object_attributes import ObjectAttribute
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.documents import difference_document
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.run_history.history import run_document
from hallascope.engine.storage.catalog import ListedRun, MeanScore
from hallascope.engine.storage.scores import prompt_key, ranked_model
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import SHARE
from hallascope.metrics.statistics.intervals import FloatPair
from hallascope.metrics.statistics.paired_difference import ModelDifference, model_difference

ALL_MODELS = ""  # stands for all models of both runs together
SIDES = ("first run", "second run")
NOTHING: FloatPair = (0.0, 0.0)  # the sum of a score and its weight where nothing is counted
FloatsOrNone = tuple[float | None, float | None]  # of the first run and of the second
_T = TypeVar("_T")
_MOST_NAMED = 3  # prompts, models or values that a cell of the configuration names
# what a request says beside prompt, models and metrics, as people read it
_SETTINGS = {
    "judge": "Judge",
    "seed": "Seed",
    "count": "Images per model",
    "trials": "Judge repetitions",
    "writer": "Writer",
    "parser": "Parser",
    "captioner": "Captioner",
    "detector": "Detector",
    "segmenter": "Segmenter",
    "reader": "Text reader",
    "embedder": "Embedder",
    "inject": "Knowledge beside the prompt",
    "concept": "Concept",
    "definition": "Definition",
    "prompt_reader": "Prompt reader",
    "accept_readings": "Unsure readings scored",
    "wording": "Wording",
    "fig_attributes": "Attributes that FiG expects",
}


class ComparedImage(NamedTuple):
    """Names the first image of a model for a prompt in one run: where it opens, and its file.

    `thumbnail` is None where the image could not be made.
    """

    run: str
    image: str
    thumbnail: Path | None


@dataclass(frozen=True, kw_only=True)
class ComparedRow:
    """Holds a prompt and a model in both runs: the mean scores and first images, None where none.

    `difference` is the second run's score minus the first's, None unless both have one.
    """

    prompt: str
    model: str
    values: FloatsOrNone
    images: tuple[ComparedImage | None, ComparedImage | None]

    @property
    def difference(self) -> float | None:
        one, other = self.values
        return None if one is None or other is None else other - one


@dataclass(frozen=True, kw_only=True)
class MetricComparison:
    """Holds two runs by the main score of one metric.

    `means` gives by model the mean of each run; "" is all models together. `differences` are those
    of the models that both runs have, then that of all models together, each over the prompts that
    both runs have: the second run minus the first. `judges` says by which version and judge the
    score of each run is, and `counted` over how many evaluations, and what was left out.
    """

    metric: str
    title: str
    judges: tuple[str, str]
    counted: tuple[MeanScore, MeanScore]
    rows: tuple[ComparedRow, ...]
    means: Mapping[str, FloatsOrNone]
    differences: Mapping[str, ModelDifference]


class ConfigurationDifference(NamedTuple):
    """Names a setting that two runs do not share, with the value of each in words."""

    setting: str
    one: str
    other: str


@dataclass(frozen=True, kw_only=True)
class RunComparison:
    """Holds two runs beside each other, by every metric that both have.

    `only` names by run the metrics that the other has not.
    """

    one: ListedRun
    other: ListedRun
    configuration: tuple[ConfigurationDifference, ...]
    metrics: tuple[MetricComparison, ...]
    only: Mapping[str, tuple[str, ...]]


def compare_runs(store: Store, one: ListedRun, other: ListedRun) -> RunComparison:
    """Return two runs beside each other.

    Scores, weights and intervals are those of the leaderboard of each run. Raises BadRequest where
    it is the same run twice.
    """
    if one.id == other.id:
        raise BadRequest("A run is compared with itself: choose two runs.")
    runs = (one, other)
    names = [[score.metric for score in run.scores] for run in runs]
    shared = [name for name in names[0] if name in names[1] and metrics.find(name)]
    images = [_first_images(store, run) for run in runs]
    compared = tuple(_compare_by(store, metric, runs, images) for metric in shared)
    return RunComparison(
        one=one,
        other=other,
        configuration=tuple(_configuration(store, one, other, compared)),
        metrics=compared,
        only={
            run.id: tuple(name for name in own if name not in shared)
            for run, own in zip(runs, names, strict=True)
        },
    )


# --- scores ---

Images = Mapping[tuple[str, str], ComparedImage]  # by prompt (a hash) and model


def _first_images(store: Store, run: ListedRun) -> Images:
    images: dict[tuple[str, str], ComparedImage] = {}
    for member in run.runs:
        for shot in store.generated_pictures(member.run):
            key = prompt_key(member.prompt), ranked_model(shot.model, shot.injected)
            if shot.image and key not in images:
                thumbnail = store.images.thumbnail(shot.image)
                images[key] = ComparedImage(member.run, shot.generation, thumbnail)
    return images


def _judged_by(store: Store, query: Query) -> str:
    """Return by which version and judge a run was judged, in words."""
    instruments = queries.read_instruments(store, query)
    if not instruments:
        return ""
    first = instruments[0]
    judge = f", {first.judge}" if first.judge else ""
    revision = f" {first.revision[:12]}" if first.judge and first.revision else ""
    return f"version {first.version}{judge}{revision}"


def _compare_by(
    store: Store, metric: str, runs: tuple[ListedRun, ListedRun], images: Sequence[Images]
) -> MetricComparison:
    both = [Query(metric, filters=Filters(runs=(run.id,))) for run in runs]
    sides = [
        queries.read_model_scores(store, query, tuple(dict.fromkeys(model for _, model in own)))
        for query, own in zip(both, images, strict=True)
    ]
    spec = metrics.score(metric, "score")
    models = dict.fromkeys(model for side in sides for model in side)
    by_model = {model: [side.get(model, {}) for side in sides] for model in models}
    by_model[ALL_MODELS] = [_join_models(side.values(), bool(spec.pools)) for side in sides]
    named = dict.fromkeys([*models, *(model for own in images for _, model in own)])
    rows = [
        ComparedRow(
            prompt=prompt,
            model=model,
            values=_pair(_ratio(side.get(model, {}).get(key, NOTHING)) for side in sides),
            images=_pair(own.get((key, model)) for own in images),
        )
        for key, prompt in {prompt_key(text): text for run in runs for text in run.prompts}.items()
        for model in named
    ]
    return MetricComparison(
        metric=metric,
        title=metrics.get(metric).title,
        judges=_pair(_judged_by(store, query) for query in both),
        counted=_pair(next(mean for mean in run.scores if mean.metric == metric) for run in runs),
        rows=tuple(
            row for row in rows if any(each is not None for each in row.values + row.images)
        ),
        means={model: _pair(map(_mean, own)) for model, own in by_model.items()},
        differences={
            model: model_difference(
                *SIDES[::-1], dict(zip(SIDES, own, strict=True)), share=spec.bounds == SHARE
            )
            for model, own in by_model.items()
            if model == ALL_MODELS or all(model in side for side in sides)
        },
    )


def _pair(values: Iterable[_T]) -> tuple[_T, _T]:
    one, other = values
    return one, other


def _join_models(sides: Iterable[Mapping[str, FloatPair]], pools: bool) -> Mapping[str, FloatPair]:
    """Return the sums of each prompt over all models; a prompt counts once unless items do."""
    sums: defaultdict[str, FloatPair] = defaultdict(lambda: NOTHING)
    for side in sides:
        for prompt, (total, weight) in side.items():
            before, counted = sums[prompt]
            sums[prompt] = before + total, counted + weight
    if pools:
        return sums
    return {prompt: (total / weight, 1.0) for prompt, (total, weight) in sums.items()}


def _mean(pairs: Mapping[str, FloatPair]) -> float | None:
    return _ratio((sum(t for t, _ in pairs.values()), sum(w for _, w in pairs.values())))


def _ratio(pair: FloatPair) -> float | None:
    return pair[0] / pair[1] if pair[1] else None


# --- configuration ---


def _configuration(
    store: Store, one: ListedRun, other: ListedRun, compared: Iterable[MetricComparison]
) -> Iterator[ConfigurationDifference]:
    """Yield the settings that the runs do not share."""
    runs = (one, other)
    records = [{member.prompt: store.run(member.run) for member in run.runs} for run in runs]
    requests = [[record.request for record in own.values()] for own in records]
    same_prompts = set(one.prompts) == set(other.prompts)
    words: dict[str, list[str]] = {"Prompts": ["", ""]}
    if not same_prompts:
        words["Prompts"] = [
            f"{len(own)}: {_listed([text for text in own if text not in rest]) or 'no other'}"
            for own, rest in ((one.prompts, other.prompts), (other.prompts, one.prompts))
        ]
    named = {
        "Models": [sorted(run.models) for run in runs],
        "Metrics": [
            sorted({_title(name) for request in own for name in request.metrics})
            for own in requests
        ],
    }
    for name, setting in _SETTINGS.items():
        named[setting] = [_values(own, name) for own in requests]
    words |= {
        setting: [_listed(names, rest) for names, rest in ((one, other), (other, one))]
        for setting, (one, other) in named.items()
        if one != other
    }
    asked = [
        [[question.text for question in own[prompt].questions] for prompt in sorted(own)]
        for own in records
    ]
    if asked[0] != asked[1] and same_prompts:
        counts = [f"{sum(map(len, own))} questions" for own in asked]
        same = counts[0] == counts[1]
        words["Questions"] = [counts[0], f"{counts[1]}, others" if same else counts[1]]
    words |= {f"{each.title} by": list(each.judges) for each in compared}
    for setting, (first, second) in words.items():
        if first != second:
            yield ConfigurationDifference(setting, first or "none", second or "none")


def _values(requests: Iterable[EvaluateRequest], name: str) -> list[str]:
    values = (getattr(request, name) for request in requests)
    words = {
        ", ".join(map(_in_words, value)) if isinstance(value, tuple) else _in_words(value)
        for value in values
        if value is not None
    }
    return sorted(words)


def _in_words(value: object) -> str:
    match value:
        case ObjectAttribute():
            return f"{value.noun} {value.attribute} {value.value}"
        case bool():
            return "yes" if value else "no"
    return str(value)


def _listed(names: Sequence[str], rest: Sequence[str] = ()) -> str:
    """Return the first names, those that are not in `rest` before others, and how many more."""
    first = sorted(names, key=lambda name: name in rest)[:_MOST_NAMED]
    named = ", ".join(name for name in names if name in first)
    more = len(names) - _MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def _title(metric: str) -> str:
    found = metrics.find(metric)
    return found.title if found else metric


# --- documents ---


def comparison_document(comparison: RunComparison) -> dict[str, Any]:
    """Return two runs beside each other; a difference is the second run minus the first."""
    return {
        "runs": [run_document(comparison.one), run_document(comparison.other)],
        "configuration": [each._asdict() for each in comparison.configuration],
        "metrics": [_metric_document(each) for each in comparison.metrics],
        "only": {run: list(names) for run, names in comparison.only.items()},
    }


def _metric_document(compared: MetricComparison) -> dict[str, Any]:
    models = [
        {
            "model": model or None,
            "values": list(means),
            "difference": difference_document(compared.differences[model])
            if model in compared.differences
            else None,
        }
        for model, means in compared.means.items()
    ]
    return {
        "metric": compared.metric,
        "title": compared.title,
        "judged_by": list(compared.judges),
        "counted": [{"n": mean.n, "left_out": mean.left_out} for mean in compared.counted],
        "models": [values for values in models if values["model"]],
        "all_models": {name: models[-1][name] for name in ("values", "difference")},
        "rows": [
            {
                "prompt": row.prompt,
                "model": row.model,
                "values": list(row.values),
                "difference": row.difference,
                "images": [
                    {"run": image.run, "image": image.image} if image else None
                    for image in row.images
                ],
            }
            for row in compared.rows
        ],
    }
