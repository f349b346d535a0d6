"""Reads the choice of judged images from controls or an address, and lays out the options."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import pandas as pd
from markupsafe import Markup

from hallascope import metrics
from hallascope.components.error_analysis.selection_bar import ConditionGroup, selection_bar
from hallascope.components.html.judge_chip import percent
from hallascope.components.leaderboard.controls import Chips, Select
from hallascope.components.models.pickers import Option
from hallascope.engine.error_analysis.conditions import (
    Condition,
    format_conditions,
    parse_conditions,
)
from hallascope.engine.error_analysis.features import image_features
from hallascope.engine.error_analysis.selection import ErrorSelection, JudgedImages
from hallascope.engine.leaderboard.filters import Filters
from hallascope.engine.leaderboard.options import LeaderboardOptions
from hallascope.engine.leaderboard.queries import Instrument
from hallascope.engine.storage.scores import SEVERAL
from hallascope.pages.leaderboard.choice import instrument_text
from hallascope.pages.shared.run_pictures import short_name

PREFIX = "errors-"  # of all that the address says of the choice, except the conditions
CONDITIONS = "slice"
MOST_VALUES = 12  # of a feature that are offered as conditions
_MANY = ("models", "tags")


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
        values = tuple(map(str, value)) if isinstance(value, list | tuple) else ()
        if values:
            chosen[field.name] = values if field.name in _MANY else values[0]
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


def resolve_choice(choice: SelectionChoice, offered: LeaderboardOptions) -> SelectionChoice:
    """Return the choice with defaults in place of what the store does not have."""
    metric = choice.metric
    if metric not in offered.metrics:
        metric = next(iter(offered.metrics), choice.metric)
    return replace(
        choice,
        metric=metric,
        models=tuple(model for model in choice.models if model in offered.models),
        run=choice.run if choice.run in offered.runs else "",
    )


def bar_html(
    choice: SelectionChoice,
    offered: LeaderboardOptions,
    instruments: Sequence[Instrument],
    judged: JudgedImages,
    tags: Sequence[str] = (),
) -> Markup:
    """Return the bar for a choice that is resolved; `tags` are those that can be chosen."""
    conditions = parse_conditions(choice.slice)
    return selection_bar(
        _chips(choice, offered, tags),
        _lists(choice, offered, instruments),
        [condition_words(condition) for condition in conditions],
        condition_groups(judged),
        summary(judged),
    )


def _chips(
    choice: SelectionChoice, offered: LeaderboardOptions, tags: Sequence[str]
) -> list[Chips]:
    titles = (Option(name, name, called=metrics.title(name)) for name in offered.metrics)
    models = (Option(name, name, called=short_name(name)) for name in offered.models)
    shown_tags = dict.fromkeys([*choice.tags, *tags])
    tag_options = tuple(Option(name, name, called=name) for name in shown_tags)
    rows = [
        Chips(name="metric", label="Metric", options=tuple(titles), chosen=(choice.metric,)),
        Chips(
            name="models",
            label="Models",
            options=tuple(models),
            chosen=choice.models,
            sort="checkbox",
        ),
        Chips(name="tags", label="Tags", options=tag_options, chosen=choice.tags, sort="checkbox"),
    ]
    return [row for row in rows if row.options]


def _lists(
    choice: SelectionChoice, offered: LeaderboardOptions, instruments: Sequence[Instrument]
) -> list[Select]:
    judges = {instrument.key: instrument_text(instrument) for instrument in instruments}
    return [
        Select("run", "Run", {"": "all", **offered.runs}, choice.run),
        Select(
            "instrument",
            "Judged by",
            {"": "who judged most", **judges} if len(judges) > 1 else {},
            choice.instrument,
        ),
    ]


def condition_words(condition: Condition) -> str:
    """Return a condition for people, such as `model: hasty`."""
    value = short_name(condition.value) if condition.feature == "model" else condition.value
    return f"{condition.feature}: {value or 'not known'}"


def condition_groups(judged: JudgedImages) -> list[ConditionGroup]:
    """Return the conditions that narrow these images further: the most frequent values first."""
    if judged.images.empty:
        return []
    features = image_features(judged.images)
    groups = []
    for feature in features.columns:
        counts = count_values(features[feature].astype(str))
        if len(counts) < 2:
            continue
        offered = {
            format_conditions([Condition(feature, value)]): f"{value} ({count:,})"
            for value, count in counts.most_common(MOST_VALUES)
        }
        groups.append(ConditionGroup(feature, offered))
    return groups


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
    noun = "judged image" if len(images) == 1 else "judged images"
    wrong = percent(images["error"].mean())
    with_errors = percent((images["error"] > 0).mean())
    return (
        f"{len(images):,} {noun}: error rate {wrong}; {with_errors} of the images have an error."
        f"{unanswered}"
    )
