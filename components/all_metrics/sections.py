"""Shows what further metrics say of an image, below the questions: stages, graph and criteria."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from markupsafe import Markup

from hallascope.components.evidence.exhibit import EvidenceGroup, EvidenceSection
from hallascope.components.evidence.exhibits import factualbench, findings
from hallascope.components.html.markup import join, soft_line, tag
from hallascope.components.scene_graph.diagram import both_graphs
from hallascope.components.scene_graph.exhibit import grade_text
from hallascope.components.scene_graph.links import link_graphs
from hallascope.components.scene_graph.questions import questions
from hallascope.components.tiles.scores import MetricScore, direction_text, number_text
from hallascope.components.tiles.tile import EXTRA
from hallascope.data.evidence import Evidence
from hallascope.data.lexicon import capitalize
from hallascope.data.records import Report
from hallascope.metrics.base import Presentation

# what FiG calls its stages
OBJECTS = "Stage 1: objects"
EXTRAS = "Stage 3: not in the prompt"
SHOWN: tuple[Presentation, ...] = ("findings", "graph", "rounds")  # what has a section


def section(
    score: MetricScore, report: Report, fine: Collection[int] = ()
) -> EvidenceSection | None:
    """Return what one metric says, None where it has nothing but a number.

    `fine`: the findings that a person does not mind, by index.
    """
    make = _BODIES.get(score.presents)
    evidence = report.evidence
    if make is None or evidence is None:
        return None
    is_right = score.value == score.spec.bounds[score.spec.higher_is_better] and not score.left_out
    return EvidenceSection(
        score.metric, score.title, make(report, evidence, fine), score_text(score), is_right
    )


def score_text(score: MetricScore) -> str:
    """Return the score with its direction and what it rests on: "0.60, higher is better. ..."."""
    if score.value is None:
        return f"no score: {score.basis_text}"
    return f"{score.short}, {direction_text(score.spec)}: {score.basis_text}"


# --- FiG ---


def _stages(report: Report, evidence: Evidence, fine: Collection[int]) -> Markup:
    """Return a table for each stage: what was asked, what was found, and whether it is met."""
    groups = [_titled(group, report) for group in findings.tables(evidence.findings, fine)]
    if not groups:
        return soft_line("The prompt names nothing to look for.")
    has_stages = any(finding.kind in findings.TITLES for finding in evidence.findings)
    if has_stages and not any(finding.kind == EXTRA for finding in evidence.findings):
        groups.append(_group_html(EXTRAS, "", soft_line("Nothing else was found.")))
    return join(*groups)


def _titled(group: EvidenceGroup, report: Report) -> Markup:
    """Return the rows of one kind under the name of their stage."""
    if group.title == findings.TITLES["object"]:
        title = OBJECTS
    elif group.title == findings.TITLES[EXTRA]:
        title = EXTRAS
    elif group.title in findings.TITLES.values():
        title = f"Stage 2: {group.title.lower()}"
    else:  # of a metric without stages
        title = group.title
    return _group_html(title, _aside(group, report), group.body)


def _aside(group: EvidenceGroup, report: Report) -> str:
    """Return what stands beside a stage: how much is met, and its score."""
    names = {title: name for name, title in findings.TITLES.items()}
    score = report.scores.get(names.get(group.title, ""))
    if score is None:
        return group.aside
    return f"{group.aside} · score {number_text(score.value)}"


# --- graphs and rounds ---


def _graph(report: Report, evidence: Evidence, fine: Collection[int]) -> Markup:
    """Return both graphs, the questions put to them, and what no question tells."""
    links = link_graphs(evidence)
    if links is None or evidence.graphs is None:
        return join(*_groups(findings.tables(evidence.findings, fine)))
    asked = evidence.graphs.questions
    by_question = {question.finding for question in asked}
    rest = findings.tables(evidence.findings, fine, by_question, links.of_finding)
    return join(
        tag("p", f"{capitalize(grade_text(evidence.graphs))}. {evidence.graphs.sentence}"),
        both_graphs(links),
        *_groups([questions(asked, links, evidence.findings), *rest]),
    )


def _rounds(report: Report, evidence: Evidence, fine: Collection[int]) -> Markup:
    if not factualbench.are_rounds(evidence.findings):
        return join(*_groups(findings.tables(evidence.findings, fine)))
    return join(*_groups(factualbench.groups(evidence)))


_BODIES: Mapping[Presentation, Callable[[Report, Evidence, Collection[int]], Markup]] = {
    "findings": _stages,
    "graph": _graph,
    "rounds": _rounds,
}


def _groups(groups: Sequence[EvidenceGroup] | Iterator[EvidenceGroup]) -> Iterator[Markup]:
    for group in groups:
        yield _group_html(group.title, group.aside, group.body)


def _group_html(title: str, aside: str, body: Markup) -> Markup:
    beside = join(" ", tag("span", aside, class_="score")) if aside else ""
    return tag("div", tag("h3", title, beside), body, class_="group")
