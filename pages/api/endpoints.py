"""Serves the named endpoints of the app, which are tools for models, too.

No endpoint takes a key, and none has a layout.
"""

import inspect
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import gradio as gr

from hallascope.components.html.markup import file_url
from hallascope.engine.deployment.hosting import public
from hallascope.engine.documents.evaluation import evaluation_document
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, jsonable
from hallascope.engine.images.true_answers import report_truths
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.money.budget import ApiKeys
from hallascope.engine.run.result import RunResult, results
from hallascope.engine.run.validation import MAX_PROMPT
from hallascope.engine.services import Services
from hallascope.pages.api import documents
from hallascope.pages.evaluate.run import EvaluateSettings, request
from hallascope.pages.shared.evidence.metric_models import JUDGE, NO_MODEL
from hallascope.pages.shared.server_functions import one_sentence
from hallascope.pages.shared.spending import spending_policy
from hallascope.pages.shared.visitor import visitor_of

METRICS = ["ihalla"]
EVERYBODY: list[str] = []
ASKER = "asker"  # the parameter that Gradio fills and nobody gives
LONGEST_NAME = 200  # characters of a model, a metric, an image's hash
RUNS_AT_ONCE = 2
VIEWS_AT_ONCE = 4
OF_THIS_MACHINE = ("base_url", "settings")  # of a model; not told where others than its owner ask


class Endpoints:
    """Holds the endpoints: each method is an endpoint and a tool of its name.

    Its docstring is what its callers read.
    """

    def __init__(self, services: Services) -> None:
        self._services = services

    def all(self) -> tuple[Callable[..., Any], ...]:
        """Return the endpoints; each is also a tool of its name."""
        return self.evaluate, self.leaderboard, self.evidence, self.models

    def evaluate(
        self,
        prompt: str,
        models: list[str],
        metrics: list[str] = METRICS,
        judge: str = JUDGE,
        seed: int = 0,
        trials: int = 1,
        count: int = 1,
        asker: gr.Request | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Draw a prompt with text-to-image models, judge every image, and tell what is false.

        It gives the evidence on which this rests.

        Gives the document that `hallascope evaluate --json` prints: per image and metric the
        score with what it counted and left out, and every question with choices, right answer, the
        judge's answer and its reply; where it is known what the image really shows, also the
        truth and whether the judge is wrong. While it runs, documents {"run", "done", "of"} come
        before it. The same call again is answered from what is stored. Free words that a Primer
        model cannot draw are drawn as "note" says, and a judge that can write makes the questions
        that a prompt lacks. For example:
        evaluate(prompt="a gentoo penguin", models=["primer/exact", "primer/hasty"]).

        Args:
            prompt: What the images should show, in words, at most 4,000 characters.
            models: Names that `models` with role="generator" lists; at most 64 images in all.
            metrics: How they are judged: ihalla, tifa, fig, scene-graph, factualbench and others.
            judge: A name that `models` with role="judge" lists; none only makes images.
            seed: The seed of the first image of each model, a whole number from 0.
            trials: How often each image is judged, 1 to 9.
            count: Images a model, 1 to 16; their seeds follow one another.

        Returns:
            {"run", "cached", "failures", "judge_errors", "notice", "note", "spent",
            "evaluations": [{"model", "image", "sha256", "score", "verdicts", ...}]}
        """
        with one_sentence():
            yield from evaluation_updates(
                self._services,
                build_request(
                    prompt=prompt,
                    models=models,
                    metrics=metrics,
                    judge=judge,
                    seed=seed,
                    trials=trials,
                    count=count,
                ),
                asker,
            )

    def leaderboard(
        self,
        by: Grouping = "model",
        metric: str = "ihalla",
        score: str = "score",
        models: list[str] = EVERYBODY,
        judge: str = "",
        corrected: bool = False,
    ) -> dict[str, Any]:
        """Rank models by what a metric says of all their stored images.

        Values have 95 % intervals and what was left out.

        Numbers of two judges are never averaged: without `judge` it is the judge with the most
        images.
        Numbers that papers print stand apart, under "published"; "demo" says that these are the
        numbers which ship, as nothing is stored yet. Gives the document that `hallascope
        leaderboard --published --json` prints. For example: leaderboard(by="coi", metric="ihalla").

        Args:
            by: model, domain, field (Science or History), category, difficulty, coi (composition of
                interest), level, task, judge or trial.
            metric: ihalla, tifa, fig, scene-graph, factualbench and others.
            score: Which of its scores: score, strict and others that it has.
            models: These models only; empty for all.
            judge: What this judge said; empty for the judge with the most images.
            corrected: Beside the judge's scores of ihalla those that people's answers correct.

        Returns:
            {"rows": [{"model", the group by its name, "value", "n", "low", "high", "left_out"}],
            "published", "judged_by", "demo"}, and "corrected_by_people" and "correction_by_people"
            where they are wanted
        """
        with one_sentence():
            only = Filters(
                models=tuple(_texts(models, "models")), judge=_text(judge, "judge") or None
            )
            query = Query(
                _text(metric, "metric"),
                _text(score, "score"),
                cast(Grouping, _text(by, "by")),  # what is none of them is refused by the board
                only,
            )
            return documents.leaderboard(self._services, query, _flag(corrected, "corrected"))

    def evidence(self, image: str, metric: str = "") -> dict[str, Any]:
        """Tell what is stored of one image, on which its scores rest.

        It is the answers, segments, findings and graphs, the last of each model, wording and set of
        questions.

        For example:
        evidence(image="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        metric="ihalla").

        Args:
            image: The SHA-256 of the image, as evaluations tell it under "sha256".
            metric: One metric only, e.g. ihalla; empty for all.

        Returns:
            {"sha256", "image", "evaluations": [as `evaluate` gives them], "failures"}
        """
        with one_sentence():
            return _addressed(
                documents.evidence(self._services, _text(image, "image"), _text(metric, "metric"))
            )

    def models(self, role: str = "") -> dict[str, Any]:
        """List the models by role, and why some cannot run here.

        They can draw, judge, describe, write, detect, segment, compare or read.

        Without a role it lists all. For example: models(role="generator").

        Args:
            role: generator, judge, captioner, writer, parser, detector, segmenter, embedder or
                reader.

        Returns:
            {"models": [{"id", "title", "roles", "available", "reason", ...}]}
        """
        with one_sentence():
            document = documents.models(self._services, _text(role, "role"))
        if not public():
            return document
        return {
            "models": [
                {name: value for name, value in model.items() if name not in OF_THIS_MACHINE}
                for model in document["models"]
            ]
        }


def build(services: Services) -> None:
    """Add the endpoints to the layout of the app that is being built."""
    for endpoint in Endpoints(services).all():
        is_run = inspect.isgeneratorfunction(endpoint)
        gr.api(  # type: ignore[attr-defined]  # public, though not listed
            endpoint,
            api_name=endpoint.__name__,
            api_description=inspect.getdoc(endpoint),
            concurrency_limit=RUNS_AT_ONCE if is_run else VIEWS_AT_ONCE,
            concurrency_id="runs" if is_run else "views",
        )


def build_request(
    prompt: Any, models: Any, metrics: Any, judge: Any, seed: Any, *, trials: Any, count: Any
) -> EvaluateRequest:
    """Return the request, from values of any type.

    Raises BadRequest with one sentence where it cannot be done.
    """
    judge_name = _text(judge, "judge")
    settings = EvaluateSettings(
        seed=seed,
        images=count,
        trials=trials,
        models=_texts(models, "models"),
        judge=None if judge_name == NO_MODEL else judge_name or JUDGE,
        metrics=_texts(metrics, "metrics") or METRICS,
        prompt=_text(prompt, "prompt", MAX_PROMPT),
    )
    return request(settings)


def evaluation_updates(
    services: Services, request: EvaluateRequest, asker: gr.Request | None = None
) -> Iterator[dict[str, Any]]:
    """Yield how far the evaluation is after each step, and its document at the end.

    Where the caller stops reading, nothing new is started.
    """
    stop = threading.Event()
    last = -1
    # what the environment allows: nobody brings a key or raises a cap here
    terms = replace(
        spending_policy(ApiKeys(), None, None, False), visitor=visitor_of(services, asker)
    )
    own = services.acting_for(terms.visitor)
    request, note = own.understand(own.with_writer(request))
    result = RunResult(run="", request=request)
    try:
        for _ in own.write_missing_questions(request, terms, stop):
            pass  # they are written before the first step
        for result in results(request, own.evaluate(request, stop, terms)):
            if result.completed_steps > last:
                last = result.completed_steps
                yield {"run": result.run, "done": last, "of": result.steps}
    finally:
        stop.set()
    document = evaluation_document(
        result,
        truths=partial(report_truths, services.store),
        reliability=ReliabilityLookup(services).of_evaluation,
    )
    yield _addressed(jsonable(document | ({"note": note} if note else {})))


def _addressed(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the address of each image in place of its path."""
    evaluations = [
        {**evaluation, "image": file_url(Path(evaluation["image"]))}
        for evaluation in document["evaluations"]
    ]
    addressed = document | {"evaluations": evaluations}
    if "image" in document:
        addressed["image"] = file_url(Path(document["image"]))
    return addressed


def _text(value: Any, what: str, most: int = LONGEST_NAME) -> str:
    if not isinstance(value, str):
        raise BadRequest(f"The {what} is {repr(value)[:60]}: give it as text.")
    if len(value) > most:
        raise BadRequest(
            f"The {what} has {len(value):,} characters; at most {most:,} are taken: shorten it."
        )
    return value.strip()


def _texts(value: Any, what: str) -> list[str]:
    if not isinstance(value, list | tuple):
        example = {"models": "primer/exact", "metrics": "ihalla"}[what]
        raise BadRequest(
            f"The {what} are {repr(value)[:60]}: give a list of names, e.g. [{example!r}]."
        )
    return [name for each in value if (name := _text(each, f"name among the {what}"))]


def _flag(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise BadRequest(f"The value of {what} is {repr(value)[:60]}: give true or false.")
    return value
