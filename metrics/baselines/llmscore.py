"""Computes LLMScore: a captioner tells what a picture shows, a language model rates it.

It rates how well that fits the prompt; this calls no model.

After Lu et al., "LLMScore", NeurIPS 2023, with one description of the whole picture where they join
one with those of its objects.
"""

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.files.tidy import line
from hallascope.data.requests import Answer, Describe, Failure, Reply, Request, Write
from hallascope.data.wordings.templates import Template, template
from hallascope.metrics.base import Case, Metric, Plan, ScoreSpec, text_reply
from hallascope.metrics.baselines.number_report import missing_score, number
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking, unread_reason
from hallascope.metrics.replies.structured import TEXT, object_schema

NAME = "llmscore"
READING = 3  # raise it with every change of a reading rule
BEST = 100
SCHEMA = object_schema(
    score={"type": "integer", "minimum": 0, "maximum": BEST},
    reason=TEXT,
)
UNREADABLE = "The writer's reply gives no rating from 0 to 100, or several."
_SCALE = re.compile(r"\s*(?:/|out of)\s*100\b")
_NUMBER = re.compile(r"(?<![\d.-])(\d{1,3}(?:\.\d+)?)(?![\d.]*\d)")


@dataclass(frozen=True)
class LLMScoreTemplates:
    """Holds the templates of the captioner and of the writer."""

    describe: Template
    rate: Template

    @property
    def version(self) -> str:
        return f"{READING}+{self.describe.version}+{self.rate.version}"


def templates(prompts: Path | None = None) -> LLMScoreTemplates:
    """Return the templates of a folder, ours where it has none.

    Raises TemplateError where one of them cannot be used.
    """
    return LLMScoreTemplates(
        template("caption_describe", prompts),
        template("llmscore_rate", prompts),
    )


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    files = templates(prompts)
    start = partial(plan, prompts=files)
    return Metric(
        name=NAME,
        title="LLMScore",
        definition=(
            "LLMScore: a language model rates a caption of the image against the prompt (0 to 1)."
        ),
        caveat="The language model never sees the image: it trusts the caption.",
        version=files.version,
        required_roles=("captioner", "writer"),
        plan=start,
        scores=(ScoreSpec("score", "Rating"),),
        readable=readable,
        needs_questions=False,
    )


def plan(case: Case, prompts: LLMScoreTemplates) -> Plan:
    """Plan the rating in [0, 1], with the caption it was made from.

    The picture is left out where there is no caption or no rating.
    """
    (reply,) = yield [
        Describe(case.image, prompts.describe.text, template=prompts.describe.version)
    ]
    description = text_reply(reply, "captioner")
    if isinstance(description, Failure):
        return missing_score(
            NAME, prompts.version, case, f"The captioner gave no description: {description.message}"
        )
    caption = line(strip_thinking(description.text))
    if description.truncated or not caption:
        lack = "The captioner gave no description"
        why = unread_reason(description.text, lack, description.truncated, who="captioner")
        return missing_score(NAME, prompts.version, case, why)
    text = prompts.rate.fill({"caption": caption, "prompt": line(case.prompt)})
    (reply,) = yield [Write(text, prompts.rate.version, SCHEMA)]
    rating = text_reply(reply, "writer")
    if isinstance(rating, Failure):
        return missing_score(
            NAME, prompts.version, case, f"The writer gave no rating: {rating.message}"
        )
    value = parse_rating(rating.text)
    finding = Finding(
        kind="rating",
        expected=case.prompt,
        observed=line(rating.text)[:500],
        state="unreadable" if value is None else "correct",
        note=UNREADABLE if value is None else "",
    )
    evidence = Evidence(findings=(finding,), caption=caption)
    return number(NAME, prompts.version, case, value, evidence=evidence)


def parse_rating(text: str) -> float | None:
    """Return the rating of a reply in [0, 1], from JSON or its one number from 0 to 100.

    None where it says none, or several.
    """
    plain = strip_thinking(text)
    values = [item.fields.get("score") for item in structured.objects(plain, ("score",))]
    ratings = {
        float(value)
        for value in values
        if isinstance(value, int | float) and not isinstance(value, bool)
    } or {float(digits) for digits in _NUMBER.findall(_SCALE.sub("", plain))}
    return _share(*ratings) if len(ratings) == 1 else None


def _share(rating: float) -> float | None:
    """Return a rating in [0, 1]; None where it is none of 0 to 100, or may be one of 0 to 1."""
    return rating / BEST if rating == 0 or 1 <= rating <= BEST else None


def readable(request: Request, reply: Reply) -> bool:
    """Return whether the reply has words, and a rating where that is needed."""
    if not isinstance(reply, Answer):
        return False
    if isinstance(request, Write):
        return parse_rating(reply.text) is not None
    return bool(strip_thinking(reply.text))
