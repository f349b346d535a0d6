"""Turns the images of a run into tiles and scores; pure functions of a `RunResult`."""

from collections.abc import Sequence

from hallascope import metrics
from hallascope.components.comparison.knowledge import TITLES
from hallascope.components.evidence.exhibits import factualbench
from hallascope.components.tiles.scores import MetricScore
from hallascope.components.tiles.tile import Tile
from hallascope.data.concepts import ConceptRef
from hallascope.data.records import Report
from hallascope.engine.events import UPLOADED, Evaluation, GeneratedPicture
from hallascope.engine.run.result import RunResult

NO_QUESTIONS = "There are no questions for this prompt."
_SHORT_FAILURE = {
    "cannot_draw": "outside the model’s vocabulary",
    "timeout": "took too long",
    "refused": "refused",
    "denied": "key rejected",
    "empty": "empty reply",
    "rate_limited": "rate limited",
    "unavailable": "request failed",
    "over_budget": "over budget",
    "outside": "outside the model’s vocabulary",
    "stopped": "stopped",
}


def short_name(model: str) -> str:
    """Return the name under an image, without the family that all Primer models share."""
    return "Uploaded image" if model == UPLOADED else model.removeprefix("primer/")


def picture_name(image: GeneratedPicture) -> str:
    """Return the name under an image, with the knowledge that its model was given."""
    name = short_name(image.model)
    return f"{name}, {TITLES[image.injected]}" if image.injected else name


def seeded_name(name: str, model: str, seed: int) -> str:
    """Return the name of an image with its seed, which an upload has none of."""
    return name if model == UPLOADED else f"{name}, seed {seed}"


def primary(view: RunResult) -> str:
    """Return the metric on the cards: the first of the request that has evidence to show.

    Those that present a number alone come after it.
    """
    able = [name for name in view.request.metrics if not not_run(view, name)]
    if view.state != "running":  # of a stored run only what was evaluated is known
        evaluated = {evaluation.metric for evaluation in view.evaluations}
        able = [name for name in able if name in evaluated] or able
    evident = (name for name in able if metrics.presentation(name) != "number")
    return next(evident, next(iter(able), next(iter(view.request.metrics), "ihalla")))


def not_run(view: RunResult, metric: str) -> str:
    """Return in one sentence why the metric has nothing on the run's images; "" if it has."""
    if why := next((each.message for each in view.not_run if each.metric == metric), ""):
        return why
    listed = metrics.find(metric)
    if listed and listed.needs_questions and not view.questions:
        return NO_QUESTIONS
    return ""


def compared_concepts(view: RunResult, metric: str) -> tuple[ConceptRef, ...]:
    """Return the concepts of a run with which a metric compares images; () for most metrics."""
    factual = view.request.factual
    return factual.concepts if factual and metrics.presentation(metric) == "rounds" else ()


def scores(view: RunResult, image: GeneratedPicture) -> tuple[MetricScore, ...]:
    """Return what every metric of the run gives an image, in the order of the request.

    () of an image that could not be made.
    """
    if image.failure:
        return ()
    return tuple(_score(view, image, metric) for metric in view.request.metrics)


def _score(view: RunResult, image: GeneratedPicture, metric: str) -> MetricScore:
    reports = [evaluation.report for evaluation in evaluations_of(view, image, metric)]
    values = [report.score.value for report in reports if report.score.value is not None]
    return MetricScore(
        metric=metric,
        title=metrics.title(metric),
        presents=metrics.presentation(metric),
        spec=metrics.score(metric, "score"),
        value=sum(values) / len(values) if values else None,
        counted=sum(report.score.counted for report in reports),
        left_out=sum(report.score.left_out for report in reports),
        trials=len(reports),
        reason="" if values else _no_score(view, metric, reports),
    )


def _no_score(view: RunResult, metric: str, reports: Sequence[Report]) -> str:
    """Return why a metric has no score of an image, in one sentence; "" while it is awaited."""
    if why := not_run(view, metric):
        return why
    notes = (row.note for report in reports if report.evidence for row in report.evidence.findings)
    failures = (verdict.failure for report in reports for verdict in report.verdicts)
    if reports:
        return next(filter(None, (*notes, *failures)), "Nothing could be counted.")
    return "" if view.state == "running" else "It was not run."


def evaluations_of(view: RunResult, image: GeneratedPicture, metric: str) -> tuple[Evaluation, ...]:
    """Return the evaluations of one image by one metric, one a trial, in order."""
    trials = (
        e for e in view.evaluations if e.generation == image.generation and e.metric == metric
    )
    return tuple(sorted(trials, key=lambda e: e.trial))


def tile(view: RunResult, image: GeneratedPicture, metric: str | None = None) -> Tile:
    """Return one image with all that is shown of it, by one metric (None: the primary one)."""
    metric = metric or primary(view)
    listed = metrics.find(metric)
    trials = evaluations_of(view, image, metric)
    revised = image.notes.get("revised_prompt")
    return Tile(
        run=view.run,
        key=image.generation,
        model="yourself" if image.model == UPLOADED else image.model,
        name=picture_name(image),
        prompt=view.request.prompt,
        seed=None if image.model == UPLOADED else image.seed,
        path=image.path,
        thumbnail=image.thumbnail if image.path else None,
        seconds=image.seconds,
        doing=_placeholder(view, image),
        why=image.failure.message if image.failure else None,
        questions=view.questions if listed and listed.needs_questions else (),
        reports=tuple(factualbench.display_report(e.report) for e in trials),
        judge=trials[0].judge if trials else view.request.judge,
        cached=bool(trials) and all(e.cached for e in trials),
        notice=view.notice,
        metric=metrics.title(metric),
        revised=str(revised) if revised else None,
        presents=metrics.presentation(metric),
        scores=scores(view, image),
    )


def _placeholder(view: RunResult, image: GeneratedPicture) -> str:
    """Return the words in a place without an image."""
    if image.failure:
        return _SHORT_FAILURE.get(image.failure.kind, "failed")
    if image.image and image.path is None:
        return "not kept here"
    if step := view.drawing.get(image.generation):
        return "drawing" if step.steps <= 1 else f"step {step.step} of {step.steps}"
    return "queued" if view.state == "running" else "not made"


def tiles(view: RunResult, metric: str | None = None) -> tuple[Tile, ...]:
    """Return the tiles of all images of a run."""
    return tuple(tile(view, image, metric) for image in view.shots)


def find_picture(view: RunResult, key: str | None) -> GeneratedPicture | None:
    """Return the image of that generation or SHA-256, else the first that is there."""
    named = next((s for s in view.shots if key and key in (s.generation, s.image)), None)
    return named or next((s for s in view.shots if s.image), None) or next(iter(view.shots), None)


def worst_picture(view: RunResult) -> GeneratedPicture | None:
    """Return the image with the worst score by the first chosen metric that has any.

    It is the one to look at first; of equal ones the first.
    """
    for name in view.request.metrics:
        scored = [
            (score, image)
            for image in view.shots
            for score in scores(view, image)
            if score.metric == name and score.value is not None
        ]
        if scored:
            sign = 1 if scored[0][0].spec.higher_is_better else -1
            return min(scored, key=lambda each: sign * (each[0].value or 0.0))[1]
    return None
