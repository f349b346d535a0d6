"""Builds the report of scene-graph QA: questions, errors by type, grade and graphs.

Our reading, where a thing is missing: what the prompt says of it is answered "unknown" and not
correct, and makes no further error.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hallascope.data.evidence import Evidence, Finding, State
from hallascope.data.graphs import AnswerValue, GraphError, GraphQuestion, Node, SceneGraphs
from hallascope.data.records import Report, Score
from hallascope.metrics.base import COUNT, Case, ScoreSpec
from hallascope.metrics.parsing.words.language import plural
from hallascope.metrics.parsing.words.position_words import INVERSE
from hallascope.metrics.scene_graph import grade as grading
from hallascope.metrics.scene_graph.answering import (
    RecalledTriples,
    TripleAnswer,
    answer,
    recall,
    triples,
    twins,
)
from hallascope.metrics.scene_graph.image_graph import ImageGraph, InspectionFailure
from hallascope.metrics.scene_graph.matching import Matches, extraneous, matches
from hallascope.metrics.scene_graph.prompt_graph import PromptGraph
from hallascope.metrics.scene_graph.questions import SceneQuestion
from hallascope.metrics.scene_graph.relations import meets

EXTRANEOUS = "extraneous"
SCORES = (
    ScoreSpec("score", "Normalised grade"),
    ScoreSpec("grade", "Grade", bounds=(1.0, 7.0)),
    ScoreSpec("correct", "Questions answered correctly"),
    ScoreSpec("answered", "Questions answered"),
    ScoreSpec("attribute", "Attribute errors", COUNT, higher_is_better=False),
    ScoreSpec("relation", "Relation errors", COUNT, higher_is_better=False),
    ScoreSpec("omission", "Omissions", COUNT, higher_is_better=False),
    ScoreSpec(EXTRANEOUS, "Extraneous objects", COUNT, higher_is_better=False),
)
_KINDS = {"existence": "object"}  # what findings are called beside what questions are


@dataclass(frozen=True)
class SceneAnswer:
    """A question with its memory, its answer and its state.

    `note`: why it was left out, or what is missing.
    """

    question: SceneQuestion
    recalled: RecalledTriples
    told: TripleAnswer
    state: State
    note: str = ""


def answers(
    asked: PromptGraph, seen: ImageGraph, questions: Sequence[SceneQuestion], matched: Matches
) -> list[SceneAnswer]:
    """Return every question answered from its memory.

    What could not be looked at is left out, all of it where nothing could be seen.
    """
    known = triples(seen.graph)
    same = twins(asked)
    found = []
    for question in questions:
        recalled = recall(question, matched, known, same)
        told = answer(question, asked, recalled, seen.lost)
        if seen.failure:
            found.append(
                SceneAnswer(
                    question, recalled, TripleAnswer("unknown", lost=True), "failed", seen.failure
                )
            )
        else:
            found.append(_judge_answer(question, recalled, told, seen))
    return found


def _judge_answer(
    question: SceneQuestion, recalled: RecalledTriples, told: TripleAnswer, seen: ImageGraph
) -> SceneAnswer:
    if told.lost:
        left = next(left for key, left in seen.lost.items() if _is_about(key, question, recalled))
        return SceneAnswer(question, recalled, told, left.state, left.why)
    gone = (
        []
        if question.kind == "existence" or all(recalled.groups)
        else ["What it asks about was not found."]
    )
    return SceneAnswer(
        question,
        recalled,
        told,
        "correct" if told.answer == question.wanted else "incorrect",
        "".join(gone),
    )


def _is_about(key: tuple[str, ...], question: SceneQuestion, recalled: RecalledTriples) -> bool:
    ends = all(name in group for name, group in zip(key[:-1], recalled.groups, strict=False))
    return (
        ends and len(key) == 1 + len(recalled.groups) and key[-1] in (question.of, question.value)
    )


def replace_answer(found: SceneAnswer, said: AnswerValue | InspectionFailure) -> SceneAnswer:
    """Return the same question with an answer of somebody else, from the same memory.

    Left out where there is none.
    """
    if isinstance(said, InspectionFailure):
        return replace(
            found, told=TripleAnswer("unknown", lost=True), state=said.state, note=said.why
        )
    state: State = "correct" if said == found.question.wanted else "incorrect"
    return replace(
        found,
        told=TripleAnswer(said, found.told.observed),
        state=found.state if found.told.lost else state,
    )


# --- errors


def errors(
    asked: PromptGraph, seen: ImageGraph, found: Sequence[SceneAnswer], strictly: bool = False
) -> tuple[GraphError, ...]:
    """Return the errors of the questions in their order, then things nobody asked for.

    Of these there is one error a kind.

    `strictly`: what was left out counts, too.
    """
    wrong = [
        at
        for at, one in enumerate(found)
        if one.state == "incorrect" or (strictly and one.state != "correct")
    ]
    of_questions = [error for at in wrong if (error := _error(asked, found[at], at)) is not None]
    return (*of_questions, *_extras(asked, seen, len(found)))


def _error(asked: PromptGraph, one: SceneAnswer, at: int) -> GraphError | None:
    question = one.question
    told = one.told
    label = next(node.label for node in asked.graph.nodes if node.name == question.nodes[0])
    nodes = tuple(dict.fromkeys(name for triple in one.recalled.triples for name in triple.nodes))
    match question.kind:
        case "existence" if question.wanted == "no":
            return GraphError(
                type="extraneous",
                subject=label,
                asked=f"no {label}",
                seen=told.observed or label,
                asked_in=question.nodes,
                seen_in=nodes,
                finding=at,
            )
        case "existence":
            return GraphError(
                type="omission",
                subject=label,
                asked=label,
                seen="",
                asked_in=question.nodes,
                seen_in=(),
                finding=at,
            )
        case "relation" if all(one.recalled.groups):
            edges = tuple(triple.edge for triple in one.recalled.triples if triple.edge)
            return GraphError(
                type="relation",
                subject=label,
                asked=question.words.removeprefix(f"{label} "),
                seen=told.observed,
                asked_in=(question.edge,),
                seen_in=edges,
                finding=at,
            )
        case "attribute" | "number" if all(one.recalled.groups):
            return GraphError(
                type="attribute",
                subject=label,
                asked=question.value,
                seen=told.observed,
                asked_in=question.nodes,
                seen_in=nodes,
                finding=at,
            )
        case _:
            return None


def _extras(asked: PromptGraph, seen: ImageGraph, first: int) -> list[GraphError]:
    labels: dict[str, list[str]] = {}
    for node in extraneous(asked, seen.graph):
        labels.setdefault(node.label, []).append(node.name)
    return [
        GraphError(
            type="extraneous",
            subject=label,
            asked="",
            seen=label,
            asked_in=(),
            seen_in=tuple(nodes),
            finding=at,
        )
        for at, (label, nodes) in enumerate(labels.items(), first)
    ]


# --- scores and graphs


def report(
    name: str,
    case: Case,
    version: str,
    asked: PromptGraph,
    seen: ImageGraph,
    *,
    questions: Sequence[SceneQuestion],
    said: Mapping[int, AnswerValue | InspectionFailure] | None = None,
) -> Report:
    """Return the scores of one picture and the evidence they rest on.

    `said`: what a writer answered to the questions of these places.

    Scores: "score" is the normalised grade, "grade" the grade itself, "correct" and "answered" are
    shares of the questions, and each type of error has how many there are. `published` counts what
    was left out as wrong.
    """
    matched = matches(asked, seen.graph)
    found = answers(asked, seen, questions, matched)
    found = [
        replace_answer(one, said[at]) if said and at in said else one
        for at, one in enumerate(found)
    ]
    wrong = errors(asked, seen, found)
    grade = _grade(asked, found, wrong)
    graphs = _graphs(asked=asked, seen=seen, matched=matched, found=found, wrong=wrong, grade=grade)
    evidence = Evidence(
        segments=seen.segments,
        findings=_findings(found, wrong, seen),
        phrases=seen.phrases,
        caption=seen.caption,
        notes=seen.notes,
        graphs=graphs,
    )
    strict = _grade(asked, found, errors(asked, seen, found, strictly=True), left_out=True)
    published = {"score": None if strict is None else grading.normalized(strict)}
    return Report(
        metric=name,
        version=version,
        prompt=case.prompt,
        image=case.image.sha256,
        scores=_scores(found, wrong, grade),
        verdicts=(),
        published=published,
        evidence=evidence,
    )


def _grade(
    asked: PromptGraph,
    found: Sequence[SceneAnswer],
    wrong: Sequence[GraphError],
    left_out: bool = False,
) -> int | None:
    """Return the grade, None where no question was answered.

    `left_out`: those that were left out count as answered.
    """
    if not any(left_out or one.state in ("correct", "incorrect") for one in found):
        return None
    return grading.grade(wrong, sum(not node.absent for node in asked.graph.nodes))


def _scores(
    found: Sequence[SceneAnswer], wrong: Sequence[GraphError], grade: int | None
) -> dict[str, Score]:
    judged = [one for one in found if one.state in ("correct", "incorrect")]
    left = len(found) - len(judged)

    def share(met: int) -> Score:
        return Score(met / len(judged) if judged else None, len(judged), left)

    scores = {
        "score": Score(None if grade is None else grading.normalized(grade), len(judged), left),
        "grade": Score(None if grade is None else float(grade), len(judged), left),
        "correct": share(sum(one.state == "correct" for one in judged)),
        "answered": share(sum(one.told.answer != "unknown" for one in judged)),
    }
    counts = grading.counts(wrong)
    return scores | {
        each: Score(None if grade is None else float(many), len(judged), left)
        for each, many in counts.items()
    }


def _graphs(
    asked: PromptGraph,
    seen: ImageGraph,
    matched: Matches,
    found: Sequence[SceneAnswer],
    wrong: Sequence[GraphError],
    *,
    grade: int | None,
) -> SceneGraphs:
    pairs = [(name, one) for name, ones in matched.items() for one in ones]
    for one in found:
        if one.question.edge and one.state == "correct":
            met = (
                triple
                for triple in one.recalled.triples
                if triple.edge and _says(one, triple.predicate, triple.nodes)
            )
            pairs += [(one.question.edge, triple.edge) for triple in met]
    told = tuple(_question(one, at) for at, one in enumerate(found))
    sentence = "" if grade is None else grading.SENTENCES[grade]
    return SceneGraphs(
        asked=asked.graph,
        seen=seen.graph,
        matches=tuple(pairs),
        questions=told,
        errors=tuple(wrong),
        grade=grade,
        sentence=sentence,
    )


def _says(one: SceneAnswer, relation: str, nodes: Sequence[str]) -> bool:
    """Return whether a seen edge is the asked one, also read the other way round."""
    forward = nodes[0] in one.recalled.groups[0] and nodes[1] in one.recalled.groups[1]
    said = relation if forward else INVERSE.get(relation, "")
    return meets(one.question.value, said)


def _question(one: SceneAnswer, at: int) -> GraphQuestion:
    question = one.question
    asked = (*question.nodes, *filter(None, (question.edge,)))
    return GraphQuestion(
        text=question.text,
        kind=question.kind,
        wanted=question.wanted,
        answer=one.told.answer,
        asked=asked,
        memory=one.recalled.triples,
        finding=at,
        asked_value=question.value,
        seen_value=one.told.observed,
    )


def _findings(
    found: Sequence[SceneAnswer], wrong: Sequence[GraphError], seen: ImageGraph
) -> tuple[Finding, ...]:
    nodes = {node.name: node for node in seen.graph.nodes}
    told = [_finding(one, nodes) for one in found]
    extras = [error for error in wrong if error.type == EXTRANEOUS and not error.asked]
    return (
        *told,
        *(
            Finding(
                kind=EXTRANEOUS,
                expected="",
                observed=error.seen,
                state="incorrect",
                segments=_segments(error.seen_in, nodes),
            )
            for error in extras
        ),
    )


def _finding(one: SceneAnswer, nodes: Mapping[str, Node]) -> Finding:
    question = one.question
    about = tuple(dict.fromkeys(name for triple in one.recalled.triples for name in triple.nodes))
    if question.kind == "relation" and one.state == "correct":
        met = [t.nodes for t in one.recalled.triples if t.edge and _says(one, t.predicate, t.nodes)]
        about = tuple(dict.fromkeys(name for pair in met for name in pair)) or about
    label = next((nodes[name].label for name in about), "")
    name = plural(label) if question.kind == "number" and one.told.observed != "one" else label
    shown = (
        f"{one.told.observed} {name}"
        if question.kind in ("attribute", "number") and one.told.observed
        else one.told.observed
    )
    kind = _KINDS.get(question.kind, question.kind)
    words = f"no {question.words}" if question.wanted == "no" else question.words
    return Finding(
        kind=kind,
        expected=words,
        observed=shown,
        state=one.state,
        prompt_spans=question.spans,
        segments=_segments(about, nodes),
        note=one.note,
    )


def _segments(names: Sequence[str], nodes: Mapping[str, Node]) -> tuple[str, ...]:
    return tuple(nodes[name].segment for name in names if name in nodes and nodes[name].segment)
