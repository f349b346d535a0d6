"""Turns stored runs into what the FactualBench tab shows; tested without Gradio.

It shows references, changes by knowledge, and means by domain.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from hallascope.components.comparison import domains
from hallascope.components.comparison.knowledge import TITLES, KnowledgeComparison
from hallascope.components.comparison.slider import ImagePair
from hallascope.components.evidence import factualbench
from hallascope.components.evidence.exhibit import Exhibit
from hallascope.data.concepts import ConceptRef
from hallascope.data.models.specs import KNOWLEDGE, Knowledge
from hallascope.data.published import factualbench as published
from hallascope.data.records import Domain
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, GeneratedPicture, RunView
from hallascope.engine.services import Services
from hallascope.engine.storage.store import MetricHistoryEntry
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.factualbench import aggregate
from hallascope.metrics.factualbench.aggregate import FactualRow, LevelScore
from hallascope.pages.shared import run_progress

METRIC = "factualbench"


class ConceptInputs(NamedTuple):
    """Holds the controls of the tab: one's own concept, and the knowledge to be injected.

    A concept has a definition and a picture.
    """

    concept: str | None = ""
    definition: str | None = ""
    reference: str | None = None
    inject: Sequence[str] | None = ()


def add_concept(request: EvaluateRequest, values: Sequence[Any]) -> EvaluateRequest:
    """The request with what the controls hold.

    Raises BadRequest where a definition has no concept.
    """
    own = ConceptInputs(*values)
    concept = (own.concept or "").strip() or None
    definition = (own.definition or "").strip()
    if definition and not concept:
        raise BadRequest(
            "A definition is given and no concept: say in the field beside it what is defined."
        )
    ways = tuple(way for way in KNOWLEDGE if way in (own.inject or ()))
    reference = Path(own.reference) if own.reference else request.reference
    return replace(
        request,
        concept=concept or request.concept,
        definition=definition,
        reference=reference,
        inject=ways,
    )


# --- one picture
# --------------------------------------------------------------------------------------------------


def references(view: RunView, shot: GeneratedPicture) -> tuple[Exhibit, ...]:
    """The reference pictures of the concepts of a run, to stand beside one of its pictures."""
    return tuple(
        factualbench.reference(concept, view.run, shot.generation) for concept in _concepts(view)
    )


def slides(view: RunView, shot: GeneratedPicture) -> tuple[ImagePair, ...]:
    """The picture with each reference that is there."""
    if not shot.path:
        return ()
    shown = [(concept, concept.reference) for concept in _concepts(view) if concept.reference]
    return tuple(
        ImagePair(
            shot.path, run_progress.picture_name(shot), picture.path, f"Reference: {concept.name}"
        )
        for concept, picture in shown
    )


def _concepts(view: RunView) -> tuple[ConceptRef, ...]:
    return view.request.factual.concepts if view.request.factual else ()


# --- with and without knowledge
# --------------------------------------------------------------------------------------------------


def knowledge_comparisons(view: RunView) -> list[KnowledgeComparison]:
    """The pictures of a run by model and seed, with and without knowledge."""
    found: dict[tuple[str, int], dict[Knowledge | None, Any]] = {}
    for shot in view.shots:
        found.setdefault((shot.model, shot.seed), {})[shot.injected] = run_progress.tile(
            view, shot, metric=METRIC
        )
    return [KnowledgeComparison(tiles) for tiles in found.values()]


def unable(services: Services) -> str:
    """Which models cannot use which knowledge, in words."""
    specs = [model.spec for model in services.generators() if not model.spec.family]
    parts = []
    for way, title in ((way, TITLES[way]) for way in KNOWLEDGE):
        names = [spec.id for spec in specs if way not in spec.knowledge]
        parts.append(f"{title}: not {', '.join(names)}" if names else f"{title}: every model")
    return f"{'; '.join(parts)}. In the place of such a picture the model says so."


# --- all that was judged
# --------------------------------------------------------------------------------------------------


def rows(services: Services) -> list[FactualRow]:
    """Return what was judged in all runs by the rules and the judge of the newest.

    No other numbers compare with it.
    """
    told = services.metric_history(METRIC)
    alike = [one for one in told if _rules_and_judge(one) == _rules_and_judge(told[0])]
    return [row for one in alike if (row := _row(one))]


def _rules_and_judge(one: MetricHistoryEntry) -> tuple[str, str | None]:
    return one.evaluation.report.version, one.evaluation.judge


def _row(one: MetricHistoryEntry) -> FactualRow | None:
    """The report with its prompt; None where no concepts were known, so that there is no level."""
    said = one.evaluation
    factual = one.request.factual
    name = run_progress.short_name(said.model) + (
        f", {TITLES[one.injected]}" if one.injected else ""
    )
    return FactualRow(said.report, factual, name, said.judge or "", said.trial) if factual else None


def by_domain(found: Sequence[FactualRow]) -> dict[str, Mapping[Domain, Mean]]:
    """Concept factuality of the first level by model and domain."""
    first = [row for row in found if row.prompt.level == "SKCM"]
    return {
        model: aggregate.by_domain([row for row in first if row.model == model])
        for model in _models(first)
    }


def tables(found: Sequence[FactualRow]) -> dict[str, Mapping[LevelScore, Mean]]:
    """The six numbers of table 3 for each model."""
    return {
        model: aggregate.table([row for row in found if row.model == model])
        for model in _models(found)
    }


def _models(found: Sequence[FactualRow]) -> list[str]:
    return sorted({row.model for row in found})


def colors_by_model(services: Services, models: Sequence[str]) -> dict[str, str]:
    """A colour for each model by its place among all: the same in every figure.

    With knowledge as without.
    """
    known = [run_progress.short_name(model.spec.id) for model in services.generators()]
    places = {
        name: known.index(name) if name in known else len(known)
        for name in (model.partition(",")[0] for model in models)
    }
    return {
        model: domains.COLOURS[places[model.partition(",")[0]] % len(domains.COLOURS)]
        for model in models
    }


def overview(services: Services) -> tuple[Any, str]:
    """Return the bars by domain over all runs, a summary in words, and the paper's table."""
    found = rows(services)
    ours = by_domain(found)
    figure = domains.bars(ours, published.by_domain(), colors_by_model(services, list(ours)))
    return figure, domains.figure_description(ours) + domains.published_table(
        tables(found), published.table(), published.deltas()
    )
