"""Shows several images or models side by side as tables."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from hallascope.components.evidence.exhibit import key
from hallascope.components.html.judge_chip import judge_chip
from hallascope.components.html.markup import (
    bar,
    html_table,
    image,
    join,
    panel,
    scroll_region,
    table_row,
    tag,
)
from hallascope.components.html.signs import SIGNS, sign
from hallascope.components.html.truth import WRONG, truth_bar, truth_line, truth_scope, wrong_class
from hallascope.components.tiles.scores import counted_text, number_text, yes_no
from hallascope.components.tiles.tile import Tile
from hallascope.data.records import CoI, Question, Report, Verdict
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.true_answers import JudgeErrors


def side_by_side(tiles: Sequence[Tile], *, unnamed: bool = False) -> Markup:
    """Return the answers of several images: a line a question, a column an image.

    Every answer leads to its evidence. Where the truth of answers is known, it stands below them,
    and a bar above the table says how often the judge is wrong. `unnamed`: the address names
    neither run nor image.
    """
    if not tiles:
        return tag("div", class_="compare none")
    questions = next((tile.judge_questions for tile in tiles if tile.judge_questions), ())
    table = tag(
        "table",
        tag(
            "thead",
            tag(
                "tr",
                tag("th", tiles[0].metric, scope="col", class_="corner"),
                *map(_picture_head, tiles),
            ),
        ),
        tag("tbody", *(_question_line(i, question, tiles) for i, question in enumerate(questions))),
        tag("tfoot", *_feet(tiles)),
    )
    truths = [truth for tile in tiles for truth in tile.truths]
    compare = tag(
        "div",
        scroll_region(table, "Answers side by side"),
        class_=f"compare {truth_scope(truths)}".rstrip(),
        data_run=tiles[0].run,
        data_unnamed=unnamed,
    )
    return truth_bar(sum((tile.errors for tile in tiles), JudgeErrors()), truths) + compare


def _picture_head(tile: Tile) -> Markup:
    button = tag(
        "button",
        image(tile.path, "", 96) if tile.path else tag("span", class_="blank"),
        tag("span", tile.name, class_="called"),
        tag("span", tile.seed_text, class_="about") if tile.seed_text else "",
        class_="head-cell",
        data_key=tile.key,
        aria_pressed="false",
    )
    return tag("th", button, scope="col", class_=_column(tile))


def _column(tile: Tile) -> str | None:
    """Return the class of the cells of an image on which the judge is wrong."""
    return WRONG if tile.errors.wrong else None


def _question_line(index: int, question: Question, tiles: Sequence[Tile]) -> Markup:
    gold = question.choice(question.gold)
    about = tag("span", f"{question.coi} · expected: {gold}", class_="about")
    is_wrong = any(wrong_class(_verdict(index, tile), tile.truth(index)) for tile in tiles)
    return table_row(
        join(question.text, about),
        *(_answer_cell(index, tile) for tile in tiles),
        class_=WRONG if is_wrong else None,
    )


def _verdict(index: int, tile: Tile) -> Verdict | None:
    return tile.verdicts[index] if index < len(tile.verdicts) else None


def _answer_cell(index: int, tile: Tile) -> Markup:
    verdict = _verdict(index, tile)
    state = verdict.state if verdict else None
    word = SIGNS[state].word if state else "not judged"
    answer = _answer(verdict)
    button = tag(
        "button",
        sign(state),
        tag("span", answer),
        class_="answer-cell",
        data_key=tile.key,
        data_chosen=key("question", index),
        aria_pressed="false",
        aria_label=f"{tile.name}, question {index + 1}: {word}. {answer}",
    )
    truth = truth_line(verdict, tile.truth(index), with_judge=False)
    return tag("td", button, truth, class_=_column(tile))


def _answer(verdict: Verdict | None) -> str:
    if verdict is None:
        return "queued"
    if verdict.answer:
        return verdict.question.choice(verdict.answer)
    return SIGNS[verdict.state].word


def _feet(tiles: Sequence[Tile]) -> list[Markup]:
    """Return the last lines of the table: the scores of the images, and their judges."""
    reports = [tile.report for tile in tiles]
    lines: dict[str, list[str]] = {
        "score": [_score(report) for report in reports],
        "questions answered": [_count_text(report) for report in reports],
        "all questions correct": [
            yes_no(report.scores.get("strict")) if report else "–" for report in reports
        ],
        "papers’ rule: unanswered is wrong": [
            number_text(report.published.get("score") if report else None) for report in reports
        ],
        "judge": [judge_chip(tile.judge, tile.reliability) for tile in tiles],
    }
    feet = [_foot(name, values, tiles) for name, values in lines.items()]
    if any(tile.errors.known for tile in tiles):
        feet.append(_foot("judge is wrong", [_errors(tile) for tile in tiles], tiles, "foot truth"))
    return feet


def _foot(name: str, values: Sequence[str], tiles: Sequence[Tile], class_: str = "foot") -> Markup:
    cells = (
        tag("td", value, class_=_column(tile)) for value, tile in zip(values, tiles, strict=True)
    )
    return table_row(name, *cells, class_=class_)


def _errors(tile: Tile) -> str:
    return f"{tile.errors.wrong} of {tile.errors.known}" if tile.errors.known else "–"


def _score(report: Report | None) -> str:
    return number_text(report.score.value if report else None)


def _count_text(report: Report | None) -> str:
    if report is None:
        return "–"
    score = report.score
    return f"{score.counted} of {score.counted + score.left_out}"


def by_composition(means: Mapping[str, Mapping[CoI, Mean]]) -> Markup:
    """Return the share of right answers by composition of interest, a column a model.

    It is over all of a model's images and trials.
    """
    cois = list(dict.fromkeys(coi for column in means.values() for coi in column))
    if not cois:
        return Markup()
    head = (tag("td", class_="corner"), *means)
    lines = (
        table_row(coi, *(_share(column.get(coi)) for column in means.values())) for coi in cois
    )
    table = html_table(head, lines)
    shares = scroll_region(table, "Shares by composition of interest")
    return panel("By composition of interest", shares, class_="by-composition")


def _share(mean: Mean | None) -> str:
    if mean is None:
        return "–"
    about = tag("span", counted_text(mean.n, mean.left_out), class_="about")
    return bar(mean.value) + tag("span", f"{number_text(mean.value)} ", about, class_="n")


def metric_comparison(pairs: Sequence[tuple[Tile, Tile]]) -> Markup:
    """Return the scores of the same images by two metrics, and how far they are apart.

    An image is a column.
    """
    if not pairs:
        return Markup()
    first, second = pairs[0]
    heads = (
        tag("th", f"{tile.name} ", tag("span", tile.seed_text, class_="about"), scope="col")
        for tile, _ in pairs
    )
    lines = (
        table_row(second.metric, *(_score_with_count(tile) for _, tile in pairs)),
        table_row(first.metric, *(_score_with_count(tile) for tile, _ in pairs)),
        table_row("difference", *(_difference(*tiles) for tiles in pairs)),
    )
    head = (tag("td", class_="corner"), *heads)
    return scroll_region(html_table(head, lines), "Scores of two metrics")


def _score_with_count(tile: Tile) -> Markup:
    counted = tag("span", f"{_count_text(tile.report)} answered", class_="about")
    return join(_score(tile.report), " ", counted)


def _difference(first: Tile, second: Tile) -> str:
    value = first.report.score.value if first.report else None
    other = second.report.score.value if second.report else None
    if value is None or other is None:
        return "–"
    difference = value - other
    if abs(difference) < 0.005:
        words = "the same"
    else:
        direction = "lower" if difference < 0 else "higher"
        words = f"{first.metric} {abs(difference):.2f} {direction}"
    return tag("span", words, class_="less")
