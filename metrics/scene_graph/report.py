"""Builds the report of scene-graph QA: scores, grade, findings and both graphs."""

from collections.abc import Mapping, Sequence

from hallascope.data.evidence import Evidence, Finding
from hallascope.data.graphs import (
    AnswerValue,
    ErrorType,
    GraphError,
    GraphQuestion,
    Node,
    SceneGraphs,
)
from hallascope.data.records import Report, Score
from hallascope.metrics.base import COUNT, Case, ScoreSpec
from hallascope.metrics.reading.words.language import plural
from hallascope.metrics.scene_graph import grade as grading
from hallascope.metrics.scene_graph.errors import errors
from hallascope.metrics.scene_graph.image_graph import ImageGraph, InspectionFailure
from hallascope.metrics.scene_graph.matching import Matches, matches
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph
from hallascope.metrics.scene_graph.questions import SceneQuestion
from hallascope.metrics.scene_graph.scene_answers import SceneAnswer, answers, replace_answer

EXTRANEOUS = "extraneous"
SCORES = (
    ScoreSpec("score", "Normalized grade (our rule)"),
    ScoreSpec("grade", "Grade (our rule)", bounds=(1.0, 7.0)),
    ScoreSpec("correct", "Questions answered correctly"),
    ScoreSpec("answered", "Questions answered"),
    ScoreSpec("attribute", "Attribute errors", COUNT, higher_is_better=False),
    ScoreSpec("count", "Count errors", COUNT, higher_is_better=False),
    ScoreSpec("relation", "Relation errors", COUNT, higher_is_better=False),
    ScoreSpec("omission", "Omissions", COUNT, higher_is_better=False),
    ScoreSpec(EXTRANEOUS, "Extraneous objects", COUNT, higher_is_better=False),
)


def report(
    name: str,
    case: Case,
    version: str,
    prompt: PromptGraph,
    image: ImageGraph,
    *,
    questions: Sequence[SceneQuestion],
    written_answers: Mapping[int, AnswerValue | InspectionFailure] | None = None,
) -> Report:
    """Return the scores of one picture and the evidence they rest on.

    `written_answers`: what a writer answered to the questions of these places.

    Scores: "score" is the normalized grade, "grade" the grade itself (none while a question that
    was left out could lower it), "correct" and "answered" are
    shares of the questions, and each type of error has how many there are. `published` counts what
    was left out as wrong.
    """
    matched = matches(prompt, image.graph)
    answered = answers(prompt, image, questions, matched)
    for place, value in (written_answers or {}).items():
        answered[place] = replace_answer(answered[place], value)
    found_errors = errors(prompt, image, answered)
    strict_errors = errors(prompt, image, answered, strictly=True)
    strict_grade = _grade(prompt, strict_errors)
    is_graded = any(answer.is_judged for answer in answered)
    is_certain = is_graded and strict_grade == _grade(prompt, found_errors)
    grade = strict_grade if is_certain else None
    return Report(
        metric=name,
        version=version,
        prompt=case.prompt,
        image=case.image.sha256,
        scores=_scores(
            answered,
            grade,
            grading.counts(found_errors) if is_graded else {},
            grading.counts(strict_errors),
            unreadable=bool(prompt.reading.unreadable),
        ),
        published={"score": grading.normalized(strict_grade) if answered else None},
        evidence=Evidence(
            segments=image.segments,
            findings=_findings(answered, found_errors, image),
            phrases=image.phrases,
            caption=image.caption,
            notes=image.notes,
            reading=prompt.reading,
            graphs=SceneGraphs(
                asked=prompt.graph,
                seen=image.graph,
                matches=_matched_pairs(matched, answered),
                questions=tuple(
                    _graph_question(answer, place) for place, answer in enumerate(answered)
                ),
                errors=found_errors,
                grade=grade,
                sentence="" if grade is None else grading.SENTENCES[grade],
            ),
        ),
    )


def _grade(prompt: PromptGraph, found_errors: Sequence[GraphError]) -> int:
    return grading.grade(found_errors, sum(not node.absent for node in prompt.graph.nodes))


def _scores(
    answered: Sequence[SceneAnswer],
    grade: int | None,
    found: Mapping[ErrorType, int],
    strict: Mapping[ErrorType, int],
    unreadable: bool,
) -> dict[str, Score]:
    """Return the scores by name; a prompt that cannot be read counts as left out itself.

    `found` and `strict` count the errors without and with what was left out: where they differ, the
    number of errors is not known.
    """
    judged = [answer for answer in answered if answer.is_judged]
    total = 1 if unreadable else len(answered)

    def score(value: float | None) -> Score:
        counted = 0 if value is None else len(judged)
        return Score(value, counted, total - counted)

    def share(count: int) -> Score:
        return score(count / len(judged) if judged else None)

    scores = {
        "score": score(None if grade is None else grading.normalized(grade)),
        "grade": score(None if grade is None else float(grade)),
        "correct": share(sum(answer.state == "correct" for answer in judged)),
        "answered": share(sum(answer.answer.value != "unknown" for answer in judged)),
    }
    for error_type, count in strict.items():
        scores[error_type] = score(float(count) if found.get(error_type) == count else None)
    return scores


# --- graphs


def _matched_pairs(
    matched: Matches, answered: Sequence[SceneAnswer]
) -> tuple[tuple[str, str], ...]:
    """Return the asked nodes with the seen ones that are it, then so the edges that are met."""
    pairs = [(asked, seen) for asked, nodes in matched.items() for seen in nodes]
    for answer in answered:
        if answer.question.edge and answer.state == "correct":
            pairs += [(answer.question.edge, triple.edge) for triple in answer.met_triples]
    return tuple(pairs)


def _graph_question(answer: SceneAnswer, place: int) -> GraphQuestion:
    question = answer.question
    return GraphQuestion(
        text=question.text,
        kind=question.kind,
        wanted=question.wanted,
        answer=answer.answer.value,
        asked=(*question.nodes, question.edge) if question.edge else question.nodes,
        memory=answer.recalled.triples,
        finding=place,
        asked_value=question.value,
        seen_value=answer.answer.observed,
    )


# --- findings


def _findings(
    answered: Sequence[SceneAnswer], found_errors: Sequence[GraphError], image: ImageGraph
) -> tuple[Finding, ...]:
    """Return a finding for each question, then one for each kind of thing nobody asked for."""
    nodes = {node.name: node for node in image.graph.nodes}
    findings = [_question_finding(answer, nodes) for answer in answered]
    for error in found_errors:
        if error.type == EXTRANEOUS and not error.asked:
            findings.append(
                Finding(
                    kind=EXTRANEOUS,
                    expected="",
                    observed=error.seen,
                    state="incorrect",
                    segments=_segments(error.seen_in, nodes),
                )
            )
    return tuple(findings)


def _question_finding(answer: SceneAnswer, nodes: Mapping[str, Node]) -> Finding:
    question = answer.question
    about = answer.nodes
    if question.kind == "relation" and answer.state == "correct":
        met = [name for triple in answer.met_triples for name in triple.nodes]
        about = tuple(dict.fromkeys(met)) or about
    return Finding(
        kind="object" if question.kind == "existence" else question.kind,
        expected=f"no {question.words}" if question.wanted == "no" else question.words,
        observed=_observed_words(answer, nodes[about[0]].label if about else ""),
        state=answer.state,
        prompt_spans=question.spans,
        segments=_segments(about, nodes),
        note=answer.note,
    )


def _observed_words(answer: SceneAnswer, label: str) -> str:
    """Return what is observed, with the name of the thing: "red circle", "two circles"."""
    observed = answer.answer.observed
    if not observed or answer.question.kind not in ("attribute", "number"):
        return observed
    if answer.question.kind == "number" and observed != "one":
        label = plural(label)
    return f"{observed} {label}"


def _segments(names: Sequence[str], nodes: Mapping[str, Node]) -> tuple[str, ...]:
    return tuple(nodes[name].segment for name in names if name in nodes and nodes[name].segment)
