"""Keeps what a person says in the evidence viewer: verdicts on answers and findings, and tags."""

from collections.abc import Sequence
from typing import Any

import gradio as gr

from hallascope.components.evidence.image_tags import tag_chips
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import scripted_html
from hallascope.components.html.human_verdicts import human_lines
from hallascope.components.tiles.tile import EXTRA
from hallascope.data.evidence import Finding
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, MARKS, clean_labeler_name
from hallascope.data.records import LETTERS
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluation
from hallascope.engine.image_tags import TaggedImage, image_tags, keep_tags, remove_tag
from hallascope.engine.ratings import clean_rater_name
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import (
    CHECK,
    FINE,
    QUESTION,
    RatingSubject,
    finding_name,
)
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.evidence.exhibits import findings_of, human_answers
from hallascope.pages.shared.server_functions import SentText, server_functions

_GONE = "This is not a question of this image: open the image again."


def evidence_viewer(services: Services, elem_id: str) -> gr.HTML:
    """Lay out an evidence viewer whose verdicts and tags are kept."""
    functions = server_functions(services, keep_verdict, change_tag, rate_finding)
    return scripted_html("evidence/viewer", viewer(()), server_functions=functions, elem_id=elem_id)


def keep_verdict(
    services: Services,
    run: SentText,
    key: SentText,
    metric: SentText,
    question: Any = None,
    mark: Any = None,
    rater: SentText = "",
) -> dict[str, Any]:
    """Keep a person's answer beside the judge's, and return what people say of it now.

    It is kept as an answer with the judge's in sight, which no correction of scores uses.
    """
    view, evaluation = _find_evaluation(services, run, key, metric)
    verdicts = evaluation.report.verdicts if evaluation else ()
    if not isinstance(question, int) or not 0 <= question < len(verdicts) or mark not in MARKS:
        raise BadRequest(_GONE)
    verdict = verdicts[question]
    choices = verdict.question.choices
    if mark != CANNOT_BE_TOLD and LETTERS.index(mark) >= len(choices):
        raise BadRequest(_GONE)
    answer = mark if mark == CANNOT_BE_TOLD else choices[LETTERS.index(mark)]
    assert evaluation
    prompt = view.request.prompt
    finding = f"{QUESTION}{verdict.question.text}"
    subject = RatingSubject(evaluation.image, CHECK, prompt, finding, clean_rater_name(rater))
    services.store.ratings.keep(subject, answer)
    (answers,) = human_answers(services, prompt, evaluation.image, [verdict])
    return {"html": human_lines(verdict, answers)}


def change_tag(
    services: Services,
    run: SentText,
    key: SentText,
    tag: SentText = "",
    remove: bool = False,
    rater: SentText = "",
) -> dict[str, Any]:
    """Add or remove a tag, and return the chips of the image."""
    view = services.view(run)
    image = run_pictures.find_picture(view, key)
    if image is None or image.image is None:
        raise BadRequest("This image is not there: open the run again.")
    prompt = view.request.prompt
    if remove:
        remove_tag(services.store, image.image, prompt, tag)
    else:
        name = clean_labeler_name(rater) if rater.strip() else ""
        keep_tags(services.store, [TaggedImage(image.image, prompt)], tag, name)
    return {"html": tag_chips(image_tags(services.store, image.image, prompt))}


def rate_finding(
    services: Services,
    run: SentText,
    key: SentText,
    metric: SentText,
    about: SentText,
    value: str | None = None,
) -> dict[str, Any]:
    """Keep that a person calls a finding fine (None: no longer).

    `about` is its key in the viewer, such as ``finding=3``. Raises UnknownRun, or BadRequest where
    there is no such finding.
    """
    view, evaluation = _find_evaluation(services, run, key, metric)
    row = _find_extra(findings_of(evaluation), about) if evaluation else None
    if evaluation is None or row is None:
        raise BadRequest(f"There is no {about!r} of this image to speak of: open the image again.")
    subject = RatingSubject(evaluation.image, metric, view.request.prompt, finding_name(row))
    if value == FINE:
        services.store.ratings.keep(subject, FINE)
    else:
        services.store.ratings.remove(subject)
    return {}


def _find_evaluation(
    services: Services, run: str, key: str, metric: str
) -> tuple[RunResult, Evaluation | None]:
    view = services.view(run)
    image = run_pictures.find_picture(view, key)
    evaluations = run_pictures.evaluations_of(view, image, metric) if image else ()
    return view, next(iter(evaluations), None)


def _find_extra(findings: Sequence[Finding], about: str) -> Finding | None:
    """Return the extra that a key of the viewer names; None for other findings."""
    kind, _, number = about.partition("=")
    index = int(number) - 1 if kind == "finding" and number.isascii() and number.isdecimal() else -1
    return findings[index] if 0 <= index < len(findings) and findings[index].kind == EXTRA else None
