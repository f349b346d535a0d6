"""Shows the images of a run as cards, each in the place that is kept for it."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.cards import score_chips
from hallascope.components.cards.matrix import is_matrix, matrix_table, tile_class
from hallascope.components.html.judge_chip import judge_mark
from hallascope.components.html.markup import icon, image, join, soft_line, tag
from hallascope.components.html.signs import verdict_strip
from hallascope.components.html.truth import (
    outcome_count,
    truth_bar,
    truth_mark,
    truth_scope,
    truth_strip,
)
from hallascope.components.tiles.tile import Tile
from hallascope.metrics.true_answers import JudgeErrors


def grid(tiles: Sequence[Tile], first: str = "", *, unnamed: bool = False) -> Markup:
    """Return all images of a run, each in the place kept for it.

    `first`: the key of the image that is chosen where the person chose none, "" while that is not
    known. Before the first run it is an empty place. Where a model has several images they stand in
    a table. Where the truth of answers is known, a bar
    below says how often the judge is wrong. `unnamed`: the address does not name what is shown.
    """
    if not tiles:
        return tag("div", class_="pictures none", data_run="")
    return _grid(tiles, first, is_previous=False, unnamed=unnamed)


def previous_run_grid(tiles: Sequence[Tile]) -> Markup:
    """Return the images of a run while another begins, or after it could not.

    The prompt that they are of stands above them.
    """
    return _grid(tiles, "", is_previous=True) if tiles else grid(())


def _grid(tiles: Sequence[Tile], first: str, is_previous: bool, unnamed: bool = False) -> Markup:
    """Return the images, and above them a note that they are of another prompt.

    Unless `is_previous`, the script shows the note while another prompt is typed.
    """
    prompt = tiles[0].prompt
    note = f"The images and the evidence below are from the last run: “{prompt}”."
    truths = [truth for tile in tiles for truth in tile.truths]
    has_matrix = is_matrix(tiles)
    shared = _shared_mark(tiles)
    classes = ("pictures", "matrix" if has_matrix else "", truth_scope(truths))
    cards = tag(
        "div",
        *([matrix_table(tiles)] if has_matrix else (tile_card(tile, shared) for tile in tiles)),
        class_=" ".join(filter(None, classes)),
        data_run=tiles[0].run,
        data_count=len(tiles),
        data_first=first,
        data_unnamed=unnamed,
        data_prompt=prompt,
        data_metrics=" ".join(score.metric for score in tiles[0].scores),
        data_previous="" if is_previous else None,
    )
    return join(
        tag("p", note, class_="earlier", role="status", hidden=not is_previous),
        soft_line(shared) if shared and not has_matrix else "",
        cards,
        truth_bar(sum((tile.errors for tile in tiles), JudgeErrors()), truths),
    )


def _shared_mark(tiles: Sequence[Tile]) -> Markup:
    """Return what to expect of the judge of all images; "" where that differs among them."""
    marks = {judge_mark(tile.judge, tile.reliability) for tile in tiles if tile.reports}
    return marks.pop() if len(marks) == 1 and len(tiles) > 1 else Markup()


def tile_card(tile: Tile, above: str = "") -> Markup:
    """Return one image with its model, seconds, seed and the strip of its answers.

    `above`: what stands above the cards of the judge of all of them.
    """
    name = ", ".join(filter(None, (tile.model, tile.seed_text)))
    button = tag(
        "button",
        _picture_frame(tile),
        class_="pick",
        aria_pressed="false",
        aria_label=f"{name}: {tile.verdict_text}. Show the evidence.",
    )
    return tag(
        "article",
        button,
        caption(tile),
        score_chips.chips(tile.scores) if len(tile.scores) > 1 else "",
        _judge_line(tile, above),
        class_=tile_class(tile),
        data_key=tile.key,
        data_sign="finding" if tile.findings and not tile.verdicts else "question",
        data_version=tile.version,
    )


def caption(tile: Tile) -> Markup:
    """Return what stands beside an image: its model, seconds, seed and its answers.

    Where the truth is known it stands as a strip above that of the judge.
    """
    words = tag(
        "div",
        tag("h3", tile.name),
        score_chips.chips(tile.scores) if len(tile.scores) == 1 else "",
        class_="tile-heading",
    )
    marks = [truth_mark(v, tile.truth(i)) for i, v in enumerate(tile.verdicts)]
    strip = verdict_strip(tile.answers, len(tile.questions), marks, "Answers of the judge")
    truth = truth_strip(tile.judge_questions, tile.truths)
    if truth:
        strip = tag(
            "div",
            tag("div", tag("span", "Truth", class_="strip-label"), truth, class_="strip-row truth"),
            tag("div", tag("span", "Judge", class_="strip-label"), strip, class_="strip-row"),
            class_="strips",
        )
    outcomes = outcome_count(tile.verdicts, tile.truths, len(tile.unasked)) if truth else Markup()
    about = " · ".join(filter(None, (seconds(tile.seconds), tile.seed_text)))
    line = tag("div", tag("p", about, class_="about"), outcomes, class_="tile-line")
    return tag("div", words, strip, line, class_="caption")


def _judge_line(tile: Tile, above: str) -> Markup:
    """Return the line of a card that says what to expect of its judge; "" before it has judged."""
    mark = judge_mark(tile.judge, tile.reliability) if tile.reports else Markup()
    own = tag("span", f" {tile.own_parameters}", class_="about") if tile.own_parameters else ""
    words = join("" if mark == above else mark, own) if mark else ""
    return tag("p", words, class_="tile-judge") if words else Markup()


def _picture_frame(tile: Tile) -> Markup:
    if tile.path:
        return tag("span", image(tile.path, tile.alt_text), class_="frame")
    mark = join(icon("cross"), " ") if tile.why else ""
    words = tag("span", mark, tile.doing, class_="doing failed" if tile.why else "doing")
    return tag("span", words, class_="frame empty")


def seconds(value: float | None) -> str:
    """Return a duration in words: "12.3 s", from a minute on "2 min"; "" where there is none."""
    if value is None:
        return ""
    return f"{value:.1f} s" if value < 60 else f"{value / 60:.0f} min"
