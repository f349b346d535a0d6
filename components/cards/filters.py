"""Shows the filters above the images of a run: by outcome, question type and model.

`filters.js` counts and hides; the filters stand in the address as `state`, `coi` and `model`.
"""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from hallascope.components.html.markup import join, tag
from hallascope.components.tiles.tile import Tile
from hallascope.metrics.true_answers import judge_outcome

# The states of a fact by their name in the address; those but the last rest on the truth.
STATES: Mapping[str, str] = {
    "missed": "Missed",
    "found": "Found",
    "false-alarm": "False alarm",
    "not-asked": "Not asked",
    "unanswered": "Unanswered",
}
Fact = tuple[str, str]


def tile_facts(tile: Tile) -> tuple[Fact, ...]:
    """Return what a filter looks for in an image: pairs of a state and a question type.

    The state is "right" where the judge accepts a fact that holds, "" where the truth is not known.
    """
    facts: list[Fact] = []
    for index, verdict in enumerate(tile.verdicts):
        outcome = judge_outcome(verdict, tile.truth(index))
        state = "unanswered" if verdict.answer is None else (outcome or "").replace(" ", "-")
        facts.append((state, str(verdict.question.coi)))
    facts += [("not-asked", str(error.coi)) for error in tile.unasked]
    return tuple(dict.fromkeys(facts))


def filter_bar(tiles: Sequence[Tile], unfolded: bool = False) -> Markup:
    """Return the filters of the images, folded unless `unfolded`; nothing for a single image."""
    if len(tiles) < 2:
        return Markup()
    facts = [fact for tile in tiles for fact in tile_facts(tile)]
    states = {state for state, _ in facts}
    kinds = dict.fromkeys(kind for _, kind in facts)
    models = dict.fromkeys(tile.model for tile in tiles)
    groups = (
        ("state", "Outcome", {name: words for name, words in STATES.items() if name in states}),
        ("coi", "Question type", {kind: kind for kind in kinds} if len(kinds) > 1 else {}),
        ("model", "Model", {name: name for name in models} if len(models) > 1 else {}),
    )
    shown = [_group(name, title, values) for name, title, values in groups if values]
    if not shown:
        return Markup()
    clear = tag("button", "Clear filters", type="button", class_="filter-clear", hidden=True)
    return tag(
        "div",
        tag(
            "details",
            tag("summary", "Filter images"),
            tag("div", *shown, class_="filter-groups"),
            open=unfolded,
        ),
        tag("p", class_="filter-status", role="status"),
        clear,
        class_="filters",
        role="group",
        aria_label="Filter the images",
    )


def _group(name: str, title: str, values: Mapping[str, str]) -> Markup:
    chips = (_chip(name, value, words) for value, words in values.items())
    return tag("div", tag("span", title, class_="filter-title"), *chips, class_="filter-group")


def _chip(name: str, value: str, words: str) -> Markup:
    rests_on_truth = name == "state" and value != "unanswered"
    return tag(
        "button",
        join(words, " "),
        tag("span", class_="filter-count"),
        type="button",
        class_="filter-chip truth" if rests_on_truth else "filter-chip",
        aria_pressed="false",
        data_filter=name,
        data_value=value,
    )
