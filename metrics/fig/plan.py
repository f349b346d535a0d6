"""FiG: a prompt against a caption rebuilt from the segments of its picture, in three stages.

After the anonymous ACL submission "A Fine-Grained Hallucination Detection Framework for
Text-to-Image Models". "score" is the share of all rows of stages 1 and 2 that are met.
"""

import hashlib
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from hallascope.data.requests import Answer, Describe, Failure, ReadPrompt, Reply, Request, Write
from hallascope.data.wordings.templates import Template, template
from hallascope.metrics.base import Case, Metric, Plan, PlanSteps, text_reply
from hallascope.metrics.fig import replies
from hallascope.metrics.fig.asked_prompt import AskedPrompt, asked_prompt
from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.groups import subject
from hallascope.metrics.fig.inspection import find_phrases, inspect
from hallascope.metrics.fig.listed_attributes import add_listed, listed_version
from hallascope.metrics.fig.matching import compare
from hallascope.metrics.fig.pairs import (
    AttributeRule,
    Attributes,
    AttributeSpec,
    ReadingRule,
    attribute_words,
)
from hallascope.metrics.fig.report import NAME, SCORES, InspectionResult, report
from hallascope.metrics.functions import file_version
from hallascope.metrics.reading.case_reading import (
    is_readable_reading,
    parser_version,
    read_case,
)
from hallascope.metrics.reading.model_reading import reading_template
from hallascope.metrics.reading.parser import parse

READING = 11  # raise it with every change of a reading, parsing or scoring rule
_OURS = dict(ATTRIBUTES)  # as it ships: a user may add to the table
NO_THING = "The prompt names no thing that could be looked for."


@dataclass(frozen=True)
class FigTemplates:
    """Holds the templates of the captioner, of the writer's two tasks and of the parser."""

    describe: Template
    phrases: Template
    meta: Template
    parser: Template

    def version(self, case: Case | None = None, attributes: Attributes = ATTRIBUTES) -> str:
        """Return a version that differs by how a report came about, so that none are averaged."""
        writer = "template"
        if case is None or "writer" in case.roles:
            writer = f"{self.phrases.version}+{self.meta.version}"
        reader = "+reader" if case is not None and "reader" in case.roles else ""
        own = "" if attributes == _OURS else f"+{_digest(attributes)}"
        listed = listed_version(case.object_attributes) if case is not None else ""
        return f"{READING}+{self.describe.version}+{writer}{reader}{own}{listed}"


def _digest(attributes: Attributes) -> str:
    specs = [
        name if spec == _OURS.get(name) else f"{name}:{_spec_version(spec)}"
        for name, spec in sorted(attributes.items())
    ]
    return hashlib.sha256("|".join(specs).encode()).hexdigest()[:8]


def _spec_version(spec: AttributeSpec) -> str:
    if isinstance(spec, AttributeRule | ReadingRule):
        return f"{file_version(spec.find)},{file_version(spec.judge)}"
    return str(file_version(spec)) if callable(spec) else ",".join(spec)


def templates(prompts: Path | None = None) -> FigTemplates:
    """Return the templates of a folder, ours where it has none.

    Raises TemplateError where one of them cannot be used.
    """
    return FigTemplates(
        describe=template("fig_describe", prompts),
        phrases=template("fig_phrases", prompts),
        meta=template("fig_meta", prompts),
        parser=reading_template(prompts),
    )


def metric(prompts: Path | None = None, attributes: Attributes = ATTRIBUTES) -> Metric:
    """Return the metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    files = templates(prompts)
    return Metric(
        name=NAME,
        title="FiG",
        definition=(
            "FiG: the share of the prompt's objects and attributes (color, number, "
            "position, text) that are found in the image (0 to 1)."
        ),
        caveat=(
            "An object that is named by another word counts as missing (not in the lenient "
            "score), and so does one that the detector misses."
        ),
        version=f"{files.version(None, attributes)}{parser_version(files.parser)}",
        required_roles=("detector", "segmenter", "captioner"),
        plan=partial(plan, prompts=files, attributes=attributes),
        scores=SCORES,
        presents="findings",
        readable=readable,
        needs_questions=False,
        reads_prompt=True,
        optional_roles=("writer", "parser", "reader"),
    )


def plan(case: Case, prompts: FigTemplates, attributes: Attributes = ATTRIBUTES) -> Plan:
    """Read the prompt, detect, cut out and describe its things, and compare it with what is said.

    The descriptions become one caption, which is held against the prompt.

    A detector or a writer that fails leaves everything out. A prompt that names nothing, or that
    nobody can read, has no scores. The attributes that a person lists are those of the case.
    """
    version = prompts.version(case, attributes)
    attributes = add_listed(attributes, case.object_attributes)
    describing = attribute_words(attributes)
    read = yield from read_case(case, prompts.parser, "fig", describing)
    reading = read.reading
    reason = reading.unreadable
    if reason:
        inspection = InspectionResult(lost=reason, notes=(reason,))
    else:
        inspection = yield from _inspect(case, asked_prompt(reading, describing), prompts)
    inspection = replace(inspection, notes=(*read.notes, *inspection.notes))
    stages = compare(reading, inspection.caption, inspection.lines, attributes)
    return report(case, version + read.version, stages, inspection)


def _inspect(case: Case, prompt: AskedPrompt, prompts: FigTemplates) -> PlanSteps[InspectionResult]:
    phrases = yield from find_phrases(case, prompt, prompts.phrases)
    if isinstance(phrases, Failure):
        return InspectionResult(
            lost=f"The writer did not name the things of the prompt: {phrases.message}"
        )
    if not phrases and not prompt.objects and not prompt.reading.texts:
        return InspectionResult(notes=(NO_THING,))
    inspection = yield from inspect(
        case, prompt, phrases, describe=prompts.describe, meta=prompts.meta
    )
    return replace(inspection, phrases=phrases)


def readable(request: Request, reply: Reply) -> bool:
    """Return whether a reply can be read.

    A description must name a thing, phrases must be a list, and a meta-caption must be whole.
    """
    match request:
        case ReadPrompt():
            return is_readable_reading(request, reply)
        case Describe():
            answer = text_reply(reply, "captioner")
            return (
                isinstance(answer, Answer)
                and subject(parse(replies.reply_text(answer))) is not None
            )
        case Write(schema=schema) if schema == replies.SCHEMA:
            return isinstance(reply, Answer) and replies.parse_phrases(reply.text) is not None
        case Write():
            return isinstance(reply, Answer) and isinstance(replies.read_meta_caption(reply), str)
        case _:
            return True
