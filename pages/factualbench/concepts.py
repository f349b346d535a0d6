"""Turns stored runs into what the FactualBench tab shows: references, knowledge, domains."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from hallascope.components.comparison import domains
from hallascope.components.comparison.knowledge import TITLES
from hallascope.components.comparison.slider import ImagePair
from hallascope.components.evidence.exhibit import Exhibit
from hallascope.components.evidence.exhibits import factualbench
from hallascope.components.theme.model_colors import model_style
from hallascope.components.tiles.tile import Tile
from hallascope.data.models.specs import KNOWLEDGE, Knowledge
from hallascope.data.published import numbers as published
from hallascope.data.records import Domain
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, GeneratedPicture
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.engine.storage.evaluations import MetricHistoryEntry
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.factualbench import aggregate
from hallascope.metrics.factualbench.aggregate import FactualRow, LevelScore
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.known_models import known_models

METRIC = "factualbench"


class ConceptInputs(NamedTuple):
    """Holds the values of the tab's controls: one's own concept, and the knowledge to inject."""

    concept: str | None = ""
    definition: str | None = ""
    reference: str | None = None
    inject: Sequence[str] | None = ()


def add_concept(request: EvaluateRequest, values: Sequence[Any]) -> EvaluateRequest:
    """Return the request with what the controls hold.

    Raises BadRequest where a definition has no concept.
    """
    inputs = ConceptInputs(*values)
    concept = (inputs.concept or "").strip() or None
    definition = (inputs.definition or "").strip()
    if definition and not concept:
        raise BadRequest("The definition has no concept: type the concept in the field next to it.")
    knowledge = tuple(kind for kind in KNOWLEDGE if kind in (inputs.inject or ()))
    reference = Path(inputs.reference) if inputs.reference else request.reference
    return replace(
        request,
        concept=concept or request.concept,
        definition=definition,
        reference=reference,
        inject=knowledge,
    )


# --- one image ----------------------------------------------------------------------------------


def references(view: RunResult, image: GeneratedPicture) -> tuple[Exhibit, ...]:
    """Return the reference images of the concepts of a run, to show beside an image."""
    return tuple(
        factualbench.reference(concept, view.run, image.generation)
        for concept in run_pictures.compared_concepts(view, METRIC)
    )


def slides(view: RunResult, image: GeneratedPicture) -> tuple[ImagePair, ...]:
    """Return the image paired with each reference that is there."""
    if not image.path:
        return ()
    name = run_pictures.picture_name(image)
    return tuple(
        ImagePair(image.path, name, concept.reference.path, f"Reference: {concept.name}")
        for concept in run_pictures.compared_concepts(view, METRIC)
        if concept.reference
    )


# --- with and without knowledge -------------------------------------------------------------------


def knowledge_comparisons(view: RunResult) -> list[dict[Knowledge | None, Tile]]:
    """Return the images of a run by model and seed, with and without knowledge."""
    by_model_and_seed: dict[tuple[str, int], dict[Knowledge | None, Tile]] = {}
    for image in view.shots:
        by_model_and_seed.setdefault((image.model, image.seed), {})[image.injected] = (
            run_pictures.tile(view, image, metric=METRIC)
        )
    return list(by_model_and_seed.values())


def unable(services: Services) -> str:
    """Say which models cannot use which knowledge."""
    specs = [model.spec for model in services.registry.models("generator") if not model.spec.family]
    parts = []
    for kind in KNOWLEDGE:
        names = [spec.id for spec in specs if kind not in spec.knowledge]
        able = f"not {', '.join(names)}" if names else "every model"
        parts.append(f"{TITLES[kind]}: {able}")
    return f"{'; '.join(parts)}. Such an image is replaced by a sentence."


# --- all that was judged --------------------------------------------------------------------------


def rows(services: Services) -> list[FactualRow]:
    """Return what was judged in all runs by the rules and the judge of the newest.

    No other numbers compare with it.
    """
    history = services.store.metric_history(METRIC)
    comparable = [
        entry for entry in history if _rules_and_judge(entry) == _rules_and_judge(history[0])
    ]
    return [row for entry in comparable if (row := _row(entry))]


def _rules_and_judge(entry: MetricHistoryEntry) -> tuple[str, str | None]:
    return entry.evaluation.report.version, entry.evaluation.judge


def _row(entry: MetricHistoryEntry) -> FactualRow | None:
    """Return the report with its prompt; None where no concepts, and so no level, are known."""
    evaluation = entry.evaluation
    factual = entry.request.factual
    if factual is None:
        return None
    name = run_pictures.short_name(evaluation.model)
    if entry.injected:
        name = f"{name}, {TITLES[entry.injected]}"
    return FactualRow(evaluation.report, factual, name)


def by_domain(rows: Sequence[FactualRow]) -> dict[str, Mapping[Domain, Mean]]:
    """Return concept factuality of the first level by model and domain."""
    first = [row for row in rows if row.prompt.level == "SKCM"]
    return {
        model: aggregate.by_domain([row for row in first if row.model == model])
        for model in _models(first)
    }


def tables(rows: Sequence[FactualRow]) -> dict[str, Mapping[LevelScore, Mean]]:
    """Return the six numbers of table 3 for each model."""
    return {
        model: aggregate.table([row for row in rows if row.model == model])
        for model in _models(rows)
    }


def _models(rows: Sequence[FactualRow]) -> list[str]:
    return sorted({row.model for row in rows})


def colors_by_model(services: Services, models: Sequence[str]) -> dict[str, str]:
    """Return the color of each model; with knowledge it keeps its own."""
    known = [
        run_pictures.short_name(name) for name in known_models(services.registry, services.store)
    ]
    return {model: model_style(model.partition(",")[0], known).color for model in models}


def overview(services: Services) -> tuple[Any, str]:
    """Return the bars by domain over all runs, a summary in words, and the paper's table."""
    all_rows = rows(services)
    means = by_domain(all_rows)
    figure = domains.bars(
        means, published.factualbench_domains(), colors_by_model(services, list(means))
    )
    return figure, domains.figure_description(means) + domains.published_table(
        tables(all_rows), published.factualbench_levels(), published.factualbench_deltas()
    )
