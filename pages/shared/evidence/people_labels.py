"""Keeps what a person says in the evidence viewer: verdicts on answers and findings, and tags."""

from collections.abc import Callable, Mapping
from typing import Any

import gradio as gr

from hallascope.components.evidence.image_tags import tag_chips
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import scripted_html
from hallascope.components.html.human_verdicts import human_lines
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, MARKS, clean_labeler_name
from hallascope.data.records import LETTERS
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Evaluation
from hallascope.engine.image_tags import image_tags, keep_tag, remove_tag
from hallascope.engine.ratings import CHECK, clean_rater_name
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import QUESTION, RatingSubject
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.evidence.exhibits import human_answers
from hallascope.pages.shared.evidence.ratings import rate
from hallascope.pages.shared.server_functions import catch_errors
from hallascope.pages.shared.visitor import services_of

ViewerFunction = Callable[[dict[str, Any], gr.Request], dict[str, str]]
_GONE = "This is no question of this image: open the image again."


def server_functions(services: Services) -> list[ViewerFunction]:
    """Return what the viewer's script calls, each by its name.

    Each returns the new HTML, or a sentence under "wrong" where nothing was kept.
    """

    @catch_errors
    def keep_verdict(sent: dict[str, Any], asker: gr.Request) -> dict[str, str]:
        return {"html": _keep_verdict(services_of(services, asker), sent)}

    @catch_errors
    def change_tag(sent: dict[str, Any], asker: gr.Request) -> dict[str, str]:
        return {"html": _change_tag(services_of(services, asker), sent)}

    @catch_errors
    def rate_finding(sent: dict[str, Any], asker: gr.Request) -> dict[str, str]:
        about = {name: str(sent.get(name)) for name in ("run", "key", "metric", "about")}
        rate(services_of(services, asker), **about, value=sent.get("value"))
        return {}

    return [keep_verdict, change_tag, rate_finding]


def evidence_viewer(services: Services, elem_id: str) -> gr.HTML:
    """Lay out an evidence viewer whose verdicts and tags are kept."""
    functions = server_functions(services)
    return scripted_html("evidence/viewer", viewer(()), server_functions=functions, elem_id=elem_id)


def _keep_verdict(services: Services, sent: Mapping[str, Any]) -> str:
    """Keep a person's answer beside the judge's, and return what people say of it now.

    It is kept as an answer with the judge's in sight, which no correction of scores uses.
    """
    view, evaluation = _find_evaluation(services, sent)
    at = sent.get("question")
    mark = sent.get("mark")
    verdicts = evaluation.report.verdicts
    if not isinstance(at, int) or not 0 <= at < len(verdicts) or mark not in MARKS:
        raise BadRequest(_GONE)
    verdict = verdicts[at]
    choices = verdict.question.choices
    if mark != CANNOT_BE_TOLD and LETTERS.index(mark) >= len(choices):
        raise BadRequest(_GONE)
    answer = mark if mark == CANNOT_BE_TOLD else choices[LETTERS.index(mark)]
    prompt = view.request.prompt
    rater = clean_rater_name(str(sent.get("rater") or ""))
    finding = f"{QUESTION}{verdict.question.text}"
    subject = RatingSubject(evaluation.image, CHECK, prompt, finding, rater)
    services.store.ratings.keep(subject, answer)
    (answers,) = human_answers(services, prompt, evaluation.image, [verdict])
    return human_lines(verdict, answers)


def _find_evaluation(services: Services, sent: Mapping[str, Any]) -> tuple[RunResult, Evaluation]:
    view = services.view(str(sent.get("run")))
    image = run_pictures.find_picture(view, str(sent.get("key")))
    metric = str(sent.get("metric"))
    evaluations = run_pictures.evaluations_of(view, image, metric) if image else ()
    if not evaluations:
        raise BadRequest(_GONE)
    return view, evaluations[0]


def _change_tag(services: Services, sent: Mapping[str, Any]) -> str:
    """Add or remove a tag, and return the chips of the image."""
    view = services.view(str(sent.get("run")))
    image = run_pictures.find_picture(view, str(sent.get("key")))
    if image is None or image.image is None:
        raise BadRequest("This image is not there: open the run again.")
    prompt = view.request.prompt
    text = str(sent.get("tag") or "")
    if sent.get("remove"):
        remove_tag(services.store, image.image, prompt, text)
    else:
        rater = str(sent.get("rater") or "")
        name = clean_labeler_name(rater) if rater.strip() else ""
        keep_tag(services.store, image.image, prompt, text, name)
    return tag_chips(image_tags(services.store, image.image, prompt))
