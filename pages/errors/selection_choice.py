"""Reads the choice of judged images from controls or an address, and finds what can be chosen."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

import gradio as gr
import pandas as pd

from hallascope import metrics
from hallascope.components.html.judge_chip import percent
from hallascope.data.nouns import count_noun
from hallascope.engine.error_analysis.conditions import (
    Condition,
    format_conditions,
    parse_conditions,
)
from hallascope.engine.error_analysis.features import image_features
from hallascope.engine.error_analysis.selection import (
    ErrorSelection,
    JudgedImages,
    read_judged_images,
)
from hallascope.engine.image_tags import latest_tags
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.leaderboard.options import has_run_or_sweep, leaderboard_options
from hallascope.engine.leaderboard.queries import read_instruments
from hallascope.engine.run_history.history import RunHistory
from hallascope.engine.services import Services
from hallascope.engine.storage.scores import SEVERAL
from hallascope.pages.leaderboard.choice import instrument_text, unknown_run
from hallascope.pages.shared.run_pictures import short_name
from hallascope.pages.shared.visitor import services_of

PREFIX = "errors-"  # of all that the address says of the choice, except the conditions
CONDITIONS = "slice"
BETWEEN = ";"  # stands between written conditions
MOST_VALUES = 12  # of a feature that are offered as conditions
MOST_TAGS = 12  # that can be chosen: those given last
MOST_RUNS = 100  # that can be chosen
MOST_NAMED = 2  # models that the name of a run says
CONTROLS = {  # labels by name
    "metric": "Metric",
    "models": "Models (empty: all)",
    "run": "Run",
    CONDITIONS: "Only images with",
    "tags": "Tags",
    "instrument": "Judge",
}
FILTERS = (CONDITIONS, "tags", "instrument")  # those behind "Filter"
MANY = ("models", "tags", CONDITIONS)  # of which several can be chosen
EMPTY = "No judged images yet: generate images on the Evaluate tab, or run a sweep."


@dataclass(frozen=True, kw_only=True)
class SelectionChoice:
    """Holds what a person chose; "" is the default. `slice` are conditions in written form."""

    metric: str = ""
    models: tuple[str, ...] = ()
    run: str = ""
    instrument: str = ""
    tags: tuple[str, ...] = ()
    slice: str = ""

    @property
    def selection(self) -> ErrorSelection:
        """Return the selection. Raises BadRequest where the conditions cannot be read."""
        filters = Filters(
            models=self.models,
            runs=(self.run,) if self.run else (),
            instrument=self.instrument or None,
        )
        conditions = parse_conditions(self.slice)
        return ErrorSelection(
            metric=self.metric or "ihalla",
            filters=filters,
            conditions=conditions,
            tags=self.tags,
        )


def parse_choice(sent: object) -> SelectionChoice:
    """Return the choice in the controls or an address; impossible values are ignored."""
    given_values = sent if isinstance(sent, Mapping) else {}
    chosen: dict[str, Any] = {}
    for field in fields(SelectionChoice):
        value = given_values.get(field.name)
        listed = [value] if isinstance(value, str) else value
        values = tuple(map(str, listed)) if isinstance(listed, list | tuple) else ()
        if field.name == CONDITIONS:
            chosen[field.name] = BETWEEN.join(values)
        elif values:
            chosen[field.name] = values if field.name in MANY else values[0]
    return SelectionChoice(**chosen)


def parse_address(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the values of the parameters of an address that are about the choice."""
    names = {field.name for field in fields(SelectionChoice)} - {CONDITIONS}
    values = dict[str, list[str]]()
    for name, value in pairs:
        if name == CONDITIONS:
            values[CONDITIONS] = [value]
        elif name.startswith(PREFIX) and name.removeprefix(PREFIX) in names:
            values.setdefault(name.removeprefix(PREFIX), []).append(value)
    return values


def selection_fields(selection: ErrorSelection) -> dict[str, list[str]]:
    """Return a selection as the bar holds it: lists by name, without what is not chosen."""
    filters = selection.filters
    values = {
        "metric": [selection.metric],
        "models": list(filters.models),
        "run": list(filters.runs[:1]),
        "instrument": [filters.instrument] if filters.instrument else [],
        "tags": list(selection.tags),
        "slice": [format_conditions(selection.conditions)] if selection.conditions else [],
    }
    return {name: value for name, value in values.items() if value}


class OfferedChoice(NamedTuple):
    """Holds what can be chosen: words by value for each control, what is chosen, and in words."""

    selection: ErrorSelection
    options: Mapping[str, Mapping[str, str]]
    chosen: Mapping[str, Any]
    summary: str


def offered_choice(services: Services, asker: gr.Request, wanted: SelectionChoice) -> OfferedChoice:
    """Return what can be chosen, with defaults in place of what the store does not have.

    Raises BadRequest where the conditions cannot be read.
    """
    store = services.store
    offered = leaderboard_options(store, wanted.metric)
    runs = run_names(services, asker)
    if wanted.run not in runs and has_run_or_sweep(store, wanted.run):
        runs[wanted.run] = wanted.run  # an older one, or another visitor's, by its link
    choice = replace(
        wanted,
        metric=wanted.metric
        if wanted.metric in offered.metrics
        else next(iter(offered.metrics), wanted.metric),
        models=tuple(model for model in wanted.models if model in offered.models),
        run=wanted.run if wanted.run in runs else "",
    )
    filters = Filters(runs=choice.selection.filters.runs)
    judges = {
        instrument.key: instrument_text(instrument)
        for instrument in read_instruments(store, Query(choice.metric, filters=filters))
    }
    if choice.instrument not in judges:
        choice = replace(choice, instrument="")
    judged = read_judged_images(store, choice.selection)
    unknown = f"{unknown_run(wanted.run)} " if wanted.run != choice.run else ""
    held = choice.selection.conditions
    conditions = {format_conditions([each]): condition_label(each) for each in held}
    tags = dict.fromkeys([*choice.tags, *latest_tags(store, MOST_TAGS)])
    return OfferedChoice(
        choice.selection,
        options={
            "metric": {name: metrics.title(name) for name in offered.metrics},
            "models": {name: short_name(name) for name in offered.models},
            "run": {"": "all", **runs},
            "slice": offered_conditions(judged) | conditions,
            "tags": {tag: tag for tag in tags},
            "instrument": {"": "the judge with the most images", **judges}
            if len(judges) > 1
            else {},
        },
        chosen={
            **{name: getattr(choice, name) for name in CONTROLS},
            "slice": tuple(conditions),
        },
        summary=f"{unknown}{summary(judged)}" if offered.metrics else EMPTY,
    )


def run_names(services: Services, asker: gr.Request) -> dict[str, str]:
    """Return what the runs are called by id: name, models and date, the newest first."""
    history = RunHistory(services_of(services, asker))
    newest = sorted(history.list(limit=MOST_RUNS).runs, key=lambda run: -run.created)
    names = {}
    for run in newest:
        models = [short_name(model) for model in run.models]
        more = f" and {len(models) - MOST_NAMED} more" if len(models) > MOST_NAMED else ""
        date = f"{datetime.fromtimestamp(run.created, UTC):%Y-%m-%d %H:%M}"
        names[run.id] = f"{run.name} · {', '.join(models[:MOST_NAMED])}{more} · {date}"
    return names


def condition_label(condition: Condition) -> str:
    """Return a condition for people, such as `model: hasty`."""
    value = short_name(condition.value) if condition.feature == "model" else condition.value
    return f"{condition.feature}: {value or 'not known'}"


def offered_conditions(judged: JudgedImages) -> dict[str, str]:
    """Return the conditions that narrow these images, in words: the most frequent values first."""
    offered: dict[str, str] = {}
    if judged.images.empty:
        return offered
    features = image_features(judged.images)
    for feature in features.columns:
        counts = count_values(features[feature].astype(str))
        if len(counts) < 2:
            continue
        for value, count in counts.most_common(MOST_VALUES):
            condition = Condition(feature, value)
            words = f"{condition_label(condition)} ({count:,})"
            offered[format_conditions([condition])] = words
    return offered


def count_values(texts: pd.Series) -> Counter[str]:
    """Count the values of a feature; each of several in one text counts."""
    counts: Counter[str] = Counter()
    for text, number in texts.value_counts().items():
        counts.update({value: int(number) for value in str(text).split(SEVERAL) if value})
    return counts


def summary(judged: JudgedImages) -> str:
    """Return how many images are chosen and how far they are wrong, in words."""
    images = judged.images
    unanswered = ""
    if judged.unanswered:
        unanswered = f" {judged.unanswered:,} more have no answer and are left out."
    if images.empty:
        return f"No judged image meets this choice.{unanswered}"
    wrong = percent(images["error"].mean())
    with_errors = percent((images["error"] > 0).mean())
    return (
        f"{count_noun(len(images), 'judged image')}: mean error rate {wrong};"
        f" {with_errors} have at least one error.{unanswered}"
    )
