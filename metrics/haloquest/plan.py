"""Plans HaloQuest: free-form questions that tempt a judge to invent, graded by a language model.

The source is Wang et al., ECCV 2024. It measures the judge, not the picture. Auto-Eval (section
3.4, appendix B) sees question, reply and references, and no image. Nothing here calls a model.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

from hallascope.data.benchmarks.haloquest import HaloQuestion
from hallascope.data.evidence import Evidence, Finding, State
from hallascope.data.records import Report, Score
from hallascope.data.requests import Answer, Ask, Failure, Reply, Request, Write
from hallascope.data.wordings.templates import Template, template
from hallascope.metrics.base import Case, Metric, Plan, text_reply
from hallascope.metrics.haloquest import rules as haloquest_rules
from hallascope.metrics.haloquest.auto_eval import AUTO_EVALS, REASONED, AutoEval, AutoEvalName
from hallascope.metrics.haloquest.replies import Grading, parse_grading
from hallascope.metrics.replies.letters import strip_thinking, unread_reason

NAME = "haloquest"
# Raise it with every change of a reading or grading rule, and of the rules in `haloquest_rules`.
READING = 4
BY_RULE = "Graded by rule, as there was no language model to do it."
NO_QUESTION = "There is no HaloQuest question about this image."
_REPLY = "Main point of the reply: "
_REFERENCES = "Main point of the references: "


def metric(prompts: Path | None = None, auto_eval: AutoEvalName = "reasoned") -> Metric:
    """Return the metric with the templates of a folder (None: ours), graded by an Auto-Eval.

    Raises TemplateError where one of them cannot be used.

    It is not listed among the metrics of pictures, as its score says how far a judge can be
    trusted: a picture without a HaloQuest question has none, and one with a question says nothing
    of whoever made it. `writer` is optional, as replies can be graded by rule.
    """
    ask = template("haloquest_ask", prompts)
    grader = AUTO_EVALS[auto_eval]
    grade = template(grader.template, prompts)
    return Metric(
        name=NAME,
        title="HaloQuest",
        definition=(
            "The score is the share of free replies, to questions that tempt a judge to "
            "invent, that are graded right, from 0 to 1."
        ),
        caveat="A weak grader, or a judge that declines everything, makes it meaningless.",
        version=f"{READING}+{ask.version}+{grade.version}",
        required_roles=("judge",),
        plan=partial(plan, ask=ask, grade=grade, auto_eval=grader),
        presents="findings",
        readable=readable,
        needs_questions=False,
        optional_roles=("writer",),
    )


def plan(case: Case, ask: Template, grade: Template, auto_eval: AutoEval) -> Plan:
    """Plan the free-form question of the case to the judge.

    Then its reply, with question and references, to the writer that grades.

    One finding. What either of them does not answer, or not readably, is left out and named; a case
    without a question has no finding. Without a writer the reply is graded by rule, in a version of
    its own, so that the two are never averaged. Raises TypeError where a reply is no text.
    """
    version = _version(case, ask.version, grade, auto_eval)
    halo = case.haloquest
    if halo is None:
        return Report(
            metric=NAME,
            version=version,
            prompt=case.prompt,
            image=case.image.sha256,
            scores={"score": Score(None, 0, 0)},
            evidence=Evidence(notes=(NO_QUESTION,)),
        )
    request = Ask(
        images=(case.image,),
        text=ask.fill({"question": halo.text}),
        question=halo.text,
        template=ask.version,
    )
    (reply,) = yield [request]
    answer = text_reply(reply, "judge")
    return (yield from _grade(case, halo, answer, grade, version, auto_eval))


def regrade(case: Case, reply: str, grade: Template, auto_eval: AutoEval) -> Plan:
    """Plan the grading of a reply that is there already, such as one that people graded.

    Its version names no template of the question, as nobody knows how it was asked. Raises
    ValueError where the case has no question.
    """
    if case.haloquest is None:
        raise ValueError(NO_QUESTION)
    version = _version(case, "given", grade, auto_eval)
    return (yield from _grade(case, case.haloquest, Answer(reply), grade, version, auto_eval))


def _version(case: Case, asked: str, grade: Template, auto_eval: AutoEval) -> str:
    """Return the version by how the question was asked, and by who grades the reply."""
    grader = grade.version if "writer" in case.roles else auto_eval.rules
    return f"{READING}+{asked}+{grader}"


def _grade(
    case: Case,
    halo: HaloQuestion,
    answer: Answer | Failure,
    grade: Template,
    version: str,
    auto_eval: AutoEval,
) -> Plan:
    """Plan the grading of the judge's answer, by the writer where there is one, else by rule."""
    reply = read_reply(halo, answer)
    if isinstance(reply, Finding):
        return report(case, halo, reply, version)
    if "writer" not in case.roles:
        grading = haloquest_rules.grade(halo, reply, auto_eval.name)
        return report(case, halo, grade_finding(halo, reply, grading), version, BY_RULE)
    (graded,) = yield [Write(grading_prompt(grade, halo, reply), grade.version, auto_eval.schema)]
    return report(case, halo, read_grade(halo, reply, text_reply(graded, "writer")), version)


def grading_prompt(grade: Template, halo: HaloQuestion, reply: str) -> str:
    """Return the grader's prompt.

    What others wrote stands in it as JSON texts, so that no sign of theirs ends its place.
    """
    values = {"question": halo.text, "references": list(halo.references), "reply": reply}
    return grade.fill(
        {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}
    )


def readable(request: Request, reply: Reply) -> bool:
    """Return whether the judge said anything, or the grader gave a verdict."""
    if isinstance(request, Write):
        return isinstance(reply, Answer) and parse_grading(reply.text) is not None
    return (
        isinstance(request, Ask)
        and isinstance(reply, Answer)
        and not reply.truncated
        and bool(strip_thinking(reply.text))
    )


def read_reply(halo: HaloQuestion, answer: Answer | Failure) -> str | Finding:
    """Return what the judge says, or why the question is left out."""
    if isinstance(answer, Failure):
        return _finding(halo, "", "failed", answer.message)
    reply = strip_thinking(answer.text)
    if reply and not answer.truncated:
        return reply
    return _finding(halo, answer.text, "unreadable", unread_reason(answer.text, truncated=True))


def read_grade(halo: HaloQuestion, reply: str, answer: Answer | Failure) -> Finding:
    """Return the verdict of the grader on a reply, or why there is none."""
    if isinstance(answer, Failure):
        return _finding(halo, reply, "failed", f"The reply was not graded: {answer.message}")
    grading = parse_grading(answer.text)
    if grading is None:
        note = f"The grader's reply cannot be read: {strip_thinking(answer.text)[:300]!r}"
        return _finding(halo, reply, "unreadable", note)
    return grade_finding(halo, reply, grading)


def grade_finding(halo: HaloQuestion, reply: str, grading: Grading) -> Finding:
    """Return the finding of a graded reply.

    Its `note` holds the two main points, a line each (`main_points` reads them).
    """
    note = f"{_REPLY}{grading.reply}\n{_REFERENCES}{grading.reference}"
    return _finding(halo, reply, "correct" if grading.agree else "incorrect", note)


def _finding(halo: HaloQuestion, reply: str, state: State, note: str) -> Finding:
    return Finding(
        kind=halo.hallucination, expected=halo.text, observed=reply, state=state, note=note
    )


def main_points(finding: Finding) -> tuple[str, str] | None:
    """Return the main point of the reply and that of the references.

    None where the reply was not graded.
    """
    first, _, second = finding.note.partition("\n")
    if not (first.startswith(_REPLY) and second.startswith(_REFERENCES)):
        return None
    return first.removeprefix(_REPLY), second.removeprefix(_REFERENCES)


def missing_picture_report(
    case: Case,
    halo: HaloQuestion,
    why: str,
    prompts: Path | None = None,
    auto_eval: AutoEval = REASONED,
) -> Report:
    """Return the report on a question whose picture is missing: left out and named.

    Its version is that of the case's line-up. `prompts` is as in `metric`.
    """
    asked = template("haloquest_ask", prompts).version
    version = _version(case, asked, template(auto_eval.template, prompts), auto_eval)
    return report(case, halo, _finding(halo, "", "failed", why), version)


def report(case: Case, halo: HaloQuestion, finding: Finding, version: str, *notes: str) -> Report:
    """Return the report of one question; `evidence.phrases` are the references.

    Unanswered counts as wrong under the published policy only.
    """
    answered = finding.state in ("correct", "incorrect")
    right = float(finding.state == "correct")
    score = Score(right, 1, 0) if answered else Score(None, 0, 1)
    evidence = Evidence(findings=(finding,), phrases=halo.references, notes=notes)
    return Report(
        metric=NAME,
        version=version,
        prompt=case.prompt,
        image=case.image.sha256,
        scores={"score": score},
        published={"score": right},
        evidence=evidence,
    )


def as_json(report: Report) -> dict[str, Any]:
    """Return one graded question as JSON-able values.

    They are question, type, reply, references, both main points, state, and why it was left out.
    """
    evidence = report.evidence or Evidence()
    if not evidence.findings:
        return {
            "metric": report.metric,
            "version": report.version,
            "state": None,
            "note": " ".join(evidence.notes),
        }
    finding = evidence.findings[0]
    points = main_points(finding)
    return {
        "metric": report.metric,
        "version": report.version,
        "image": report.image,
        "question": finding.expected,
        "hallucination_type": finding.kind,
        "reply": finding.observed,
        "references": list(evidence.phrases),
        "reply_main_point": points[0] if points else None,
        "reference_main_point": points[1] if points else None,
        "state": finding.state,
        "note": None if points else finding.note,
    }
