"""Compares two runs or sweeps: prompt by prompt, model by model, and how they are configured."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hallascope import metrics
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.run_history.history import RunSummary
from hallascope.engine.storage.runs.catalog import MeanScore
from hallascope.engine.storage.scores import prompt_key, ranked_model
from hallascope.engine.storage.store import Store
from hallascope.metrics.base import SHARE
from hallascope.metrics.statistics.intervals import FloatPair
from hallascope.metrics.statistics.paired_difference import ModelDifference, model_difference

ALL_MODELS = ""  # stands for all models of both runs together
_MOST_NAMED = 3  # prompts that a cell of the configuration names
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
}


@dataclass(frozen=True)
class ComparedImage:
    """Names the first image of a model for a prompt in one run: where it opens, and its file.

    `thumbnail` is None where the image could not be made.
    """

    run: str
    generation: str
    thumbnail: Path | None


@dataclass(frozen=True, kw_only=True)
class ComparedSide:
    """Holds what one run has for a prompt and a model: the mean score and the first image.

    Each is None where the run has none.
    """

    value: float | None = None
    image: ComparedImage | None = None


@dataclass(frozen=True, kw_only=True)
class ComparedRow:
    """Holds a prompt and a model in both runs.

    `difference` is the first run's score less the second's, None unless both have one.
    """

    prompt: str
    model: str
    one: ComparedSide
    other: ComparedSide

    @property
    def difference(self) -> float | None:
        if self.one.value is None or self.other.value is None:
            return None
        return self.one.value - self.other.value


@dataclass(frozen=True, kw_only=True)
class MetricComparison:
    """Holds two runs by the main score of one metric.

    `means` gives by model the mean of each run; "" is all models together. `differences` are those
    of the models that both runs have, then that of all models together, each over the prompts that
    both runs have. `judges` says by which version and judge the score of each run is,
    and `counted` over how many evaluations, and what was left out.
    """

    metric: str
    title: str
    judges: tuple[str, str]
    counted: tuple[MeanScore, MeanScore]
    rows: tuple[ComparedRow, ...]
    means: Mapping[str, tuple[float | None, float | None]]
    differences: Mapping[str, ModelDifference]


@dataclass(frozen=True)
class ConfigurationDifference:
    """Names a setting that two runs do not share, with the value of each in words."""

    setting: str
    one: str
    other: str


@dataclass(frozen=True, kw_only=True)
class RunComparison:
    """Holds two runs beside each other, by every metric that both have."""

    one: RunSummary
    other: RunSummary
    configuration: tuple[ConfigurationDifference, ...]
    metrics: tuple[MetricComparison, ...]
    only: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class _RunScores:
    """Holds the scores of one run by a metric: by model and prompt (a hash) sum and weight."""

    pairs: Mapping[str, Mapping[str, FloatPair]]
    judged_by: str


def compare_runs(store: Store, one: RunSummary, other: RunSummary) -> RunComparison:
    """Return two runs beside each other.

    Scores, weights and intervals are those of the leaderboard of each run. Raises BadRequest where
    it is the same run twice.
    """
    if one.entry.id == other.entry.id:
        raise BadRequest("A run is compared with itself: choose two runs.")
    names = [[score.metric for score in run.contents.scores] for run in (one, other)]
    shared = [name for name in names[0] if name in names[1] and metrics.find(name)]
    images = [_first_images(store, run) for run in (one, other)]
    compared = tuple(_compare_by(store, metric, one, other, images) for metric in shared)
    return RunComparison(
        one=one,
        other=other,
        configuration=tuple(_configuration(store, one, other, compared)),
        metrics=compared,
        only={
            run.entry.id: tuple(name for name in own if name not in shared)
            for run, own in zip((one, other), names, strict=True)
        },
    )


# --- scores ---

Images = Mapping[tuple[str, str], ComparedImage]  # by prompt (a hash) and model


def _first_images(store: Store, run: RunSummary) -> Images:
    images: dict[tuple[str, str], ComparedImage] = {}
    for member in run.contents.runs:
        for shot in store.generated_pictures(member.run):
            key = prompt_key(member.prompt), ranked_model(shot.model, shot.injected)
            if shot.image and key not in images:
                path = shot.thumbnail
                thumbnail = path if path and path.exists() else None
                images[key] = ComparedImage(member.run, shot.generation, thumbnail)
    return images


def _read_scores(store: Store, metric: str, run: RunSummary, images: Images) -> _RunScores:
    models = tuple(dict.fromkeys(model for _, model in images))
    query = Query(metric, filters=Filters(runs=(run.entry.id,)))
    instruments = queries.read_instruments(store, query)
    pairs = queries.read_score_pairs(store, queries.prompt_query(store, query, models, ""))
    if not instruments:
        return _RunScores(pairs, "")
    first = instruments[0]
    judge = f", {first.judge}" if first.judge else ""
    revision = f" {first.revision[:12]}" if first.judge and first.revision else ""
    return _RunScores(pairs, f"version {first.version}{judge}{revision}")


def _compare_by(
    store: Store, metric: str, one: RunSummary, other: RunSummary, images: Sequence[Images]
) -> MetricComparison:
    sides = [
        _read_scores(store, metric, run, own) for run, own in zip((one, other), images, strict=True)
    ]
    prompts = {prompt_key(prompt): prompt for run in (one, other) for prompt in run.prompts}
    spec = metrics.score(metric, "score")
    shared = [model for model in sides[0].pairs if model in sides[1].pairs]
    differences = {
        model: _difference([side.pairs[model] for side in sides], spec.bounds == SHARE)
        for model in shared
    }
    together = [_join_models(side.pairs.values(), bool(spec.pools)) for side in sides]
    differences[ALL_MODELS] = _difference(together, spec.bounds == SHARE)
    models = dict.fromkeys(model for side in sides for model in side.pairs)
    means = {
        model: (_mean(sides[0].pairs.get(model, {})), _mean(sides[1].pairs.get(model, {})))
        for model in models
    }
    means[ALL_MODELS] = (_mean(together[0]), _mean(together[1]))
    return MetricComparison(
        metric=metric,
        title=metrics.get(metric).title,
        judges=(sides[0].judged_by, sides[1].judged_by),
        counted=(one.contents.mean(metric), other.contents.mean(metric)),
        rows=tuple(_rows(prompts, models, sides, images)),
        means=means,
        differences=differences,
    )


def _rows(
    prompts: Mapping[str, str],
    models: Iterable[str],
    sides: Sequence[_RunScores],
    images: Sequence[Images],
) -> Iterable[ComparedRow]:
    """Yield the rows of all prompts and models of which either run has an image or a score."""
    named = dict.fromkeys([*models, *(model for own in images for _, model in own)])
    for key, prompt in prompts.items():
        for model in named:
            one, other = (
                ComparedSide(
                    value=_ratio(side.pairs.get(model, {}).get(key)), image=own.get((key, model))
                )
                for side, own in zip(sides, images, strict=True)
            )
            if one != ComparedSide() or other != ComparedSide():
                yield ComparedRow(prompt=prompt, model=model, one=one, other=other)


def _difference(sides: Sequence[Mapping[str, FloatPair]], share: bool) -> ModelDifference:
    named = dict(zip(("first run", "second run"), sides, strict=True))
    return model_difference("first run", "second run", named, share=share)


def _join_models(sides: Iterable[Mapping[str, FloatPair]], pools: bool) -> Mapping[str, FloatPair]:
    """Return the sums of each prompt over all models; a prompt counts once unless items do."""
    sums: defaultdict[str, FloatPair] = defaultdict(lambda: (0.0, 0.0))
    for side in sides:
        for prompt, (total, weight) in side.items():
            before, counted = sums[prompt]
            sums[prompt] = before + total, counted + weight
    if pools:
        return sums
    return {prompt: (total / weight, 1.0) for prompt, (total, weight) in sums.items()}


def _mean(pairs: Mapping[str, FloatPair]) -> float | None:
    weight = sum(weight for _, weight in pairs.values())
    return sum(total for total, _ in pairs.values()) / weight if weight else None


def _ratio(pair: FloatPair | None) -> float | None:
    return pair[0] / pair[1] if pair else None


# --- configuration ---


def _configuration(
    store: Store, one: RunSummary, other: RunSummary, compared: Iterable[MetricComparison]
) -> Iterable[ConfigurationDifference]:
    """Yield the settings that the runs do not share."""
    yield from _different("Prompts", *_only(one.prompts, other.prompts))
    requests = [
        [store.run(member.run).request for member in run.contents.runs] for run in (one, other)
    ]
    models = [run.contents.models for run in (one, other)]
    yield from _different("Models", *(_listed(sorted(names)) for names in models))
    titles = [_listed(sorted({_title(n) for r in own for n in r.metrics})) for own in requests]
    yield from _different("Metrics", titles[0], titles[1])
    for name, words in _SETTINGS.items():
        values = [_values(own, name) for own in requests]
        yield from _different(words, values[0], values[1])
    questions = [_questions(store, run) for run in (one, other)]
    if questions[0] != questions[1] and set(one.prompts) == set(other.prompts):
        counts = [f"{sum(map(len, own))} questions" for own in questions]
        same = counts[0] == counts[1]
        yield ConfigurationDifference(
            "Questions", counts[0], f"{counts[1]}, others" if same else counts[1]
        )
    for comparison in compared:
        yield from _different(f"{comparison.title} by", *comparison.judges)


def _different(setting: str, one: str, other: str) -> Iterable[ConfigurationDifference]:
    if one != other:
        yield ConfigurationDifference(setting, one or "none", other or "none")


def _only(one: Sequence[str], other: Sequence[str]) -> tuple[str, str]:
    """Return in words the prompts that each run has alone."""
    if set(one) == set(other):
        return "", ""
    return tuple(  # type: ignore[return-value]
        f"{len(own)}: {_listed([prompt for prompt in own if prompt not in rest]) or 'no other'}"
        for own, rest in ((one, other), (other, one))
    )


def _questions(store: Store, run: RunSummary) -> list[tuple[str, ...]]:
    records = {member.prompt: store.run(member.run) for member in run.contents.runs}
    return [
        tuple(question.text for question in records[prompt].questions) for prompt in sorted(records)
    ]


def _values(requests: Iterable[EvaluateRequest], name: str) -> str:
    values = (getattr(request, name) for request in requests)
    words = (
        ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for value in values
        if value is not None
    )
    return _listed(sorted(dict.fromkeys(words)))


def _listed(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    named = ", ".join(names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def _title(metric: str) -> str:
    found = metrics.find(metric)
    return found.title if found else metric
