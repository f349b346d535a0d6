"""Shows several pictures or models side by side as tables."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from hallascope.components.evidence.exhibit import key
from hallascope.components.html.judge_chip import judge_chip
from hallascope.components.html.markup import bar, column_heads, image, join, scroll_region, tag
from hallascope.components.html.signs import SIGNS, sign
from hallascope.components.tiles.scores import yes_no
from hallascope.components.tiles.tile import Tile
from hallascope.data.records import LETTERS, CoI, Question, Report, Verdict
from hallascope.metrics.aggregate import Mean


def side_by_side(tiles: Sequence[Tile]) -> Markup:
    """Return the answers of several pictures: a line a question, a column a picture.

    Every answer leads to its evidence.
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
        tag("tbody", *(_question_line(i, one, tiles) for i, one in enumerate(questions))),
        tag("tfoot", *_feet(tiles)),
    )
    return tag(
        "div",
        scroll_region(table, "Answers side by side"),
        class_="compare",
        data_run=tiles[0].run,
    )


def _picture_head(tile: Tile) -> Markup:
    button = tag(
        "button",
        image(tile.path, "", 96) if tile.path else tag("span", class_="blank"),
        tag("span", tile.name, class_="called"),
        "" if tile.seed is None else tag("span", f"seed {tile.seed}", class_="about"),
        type="button",
        class_="head-cell",
        data_key=tile.key,
        aria_pressed="false",
    )
    return tag("th", button, scope="col")


def _question_line(index: int, question: Question, tiles: Sequence[Tile]) -> Markup:
    gold = question.choice(question.gold)
    about = tag("span", f"{question.coi} · gold: {gold}", class_="about")
    return tag(
        "tr",
        tag("th", question.text, about, scope="row"),
        *(_answer_cell(index, tile) for tile in tiles),
    )


def _answer_cell(index: int, tile: Tile) -> Markup:
    verdict = tile.verdicts[index] if index < len(tile.verdicts) else None
    state = verdict.state if verdict else None
    word = SIGNS[state].word if state else "not judged"
    answer = _answer(verdict)
    button = tag(
        "button",
        sign(state),
        tag("span", answer),
        type="button",
        class_="answer-cell",
        data_key=tile.key,
        data_chosen=key("question", index),
        aria_pressed="false",
        aria_label=f"{tile.name}, question {index + 1}: {word}. {answer}",
    )
    return tag("td", button)


def _answer(verdict: Verdict | None) -> str:
    if verdict is None:
        return "waiting"
    if verdict.answer:
        return verdict.question.choices[LETTERS.index(verdict.answer)]
    return SIGNS[verdict.state].word


def _feet(tiles: Sequence[Tile]) -> list[Markup]:
    """Return the last lines of the table: the scores of the pictures, and their judges."""
    reports = [tile.reports[0] if tile.reports else None for tile in tiles]
    lines: dict[str, list[str]] = {
        "score": [_score(report) for report in reports],
        "counted": [_count_text(report) for report in reports],
        "all correct (strict)": [
            yes_no(report.scores.get("strict")) if report else "–" for report in reports
        ],
        "under the papers’ rule": [
            _number(report.published.get("score") if report else None) for report in reports
        ],
        "judge": [judge_chip(tile.judge) for tile in tiles],
    }
    return [
        tag(
            "tr",
            tag("th", name, scope="row"),
            *(tag("td", value) for value in values),
            class_="foot",
        )
        for name, values in lines.items()
    ]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _score(report: Report | None) -> str:
    return _number(report.score.value if report else None)


def _count_text(report: Report | None) -> str:
    return f"{report.score.counted}, left out {report.score.left_out}" if report else "–"


def by_composition(means: Mapping[str, Mapping[CoI, Mean]]) -> Markup:
    """Return the share of right answers by composition of interest, a column a model.

    It is over all of a model's pictures and trials.
    """
    cois = list(dict.fromkeys(coi for column in means.values() for coi in column))
    if not cois:
        return Markup()
    head = tag("tr", tag("td", class_="corner"), column_heads(list(means)))
    lines = (
        tag(
            "tr",
            tag("th", coi, scope="row"),
            *(tag("td", _share(column.get(coi))) for column in means.values()),
        )
        for coi in cois
    )
    table = tag("table", tag("thead", head), tag("tbody", *lines))
    return tag(
        "section",
        tag("h2", "By composition of interest"),
        tag("div", table, class_="scroll"),
        class_="panel by-composition",
    )


def _share(mean: Mean | None) -> str:
    if mean is None:
        return "–"
    left_out = f", left out {mean.left_out}" if mean.left_out else ""
    about = tag("span", f"of {mean.n}{left_out}", class_="about")
    return bar(mean.value) + tag("span", f"{_number(mean.value)} ", about, class_="n")


def metric_comparison(pairs: Sequence[tuple[Tile, Tile]]) -> Markup:
    """Return the scores of the same pictures by two metrics, and how far they are apart.

    A picture is a column.
    """
    if not pairs:
        return Markup()
    first, second = pairs[0]
    head = tag("tr", tag("td", class_="corner"), *(_seed_head(tile) for tile, _ in pairs))
    lines = (
        _score_line(second.metric, [_score_with_count(tile) for _, tile in pairs]),
        _score_line(first.metric, [_score_with_count(tile) for tile, _ in pairs]),
        _score_line("difference", [_difference(one, other) for one, other in pairs]),
    )
    table = tag("table", tag("thead", head), tag("tbody", *lines))
    return tag("div", table, class_="scroll")


def _seed_head(tile: Tile) -> Markup:
    seed = "" if tile.seed is None else f"seed {tile.seed}"
    return tag("th", f"{tile.name} ", tag("span", seed, class_="about"), scope="col")


def _score_line(name: str, cells: Sequence[str]) -> Markup:
    return tag("tr", tag("th", name, scope="row"), *(tag("td", cell) for cell in cells))


def _score_with_count(tile: Tile) -> Markup:
    report = tile.reports[0] if tile.reports else None
    counted = tag("span", f"counted {_count_text(report)}", class_="about")
    return join(_score(report), " ", counted)


def _difference(one: Tile, other: Tile) -> str:
    values = [tile.reports[0].score.value if tile.reports else None for tile in (one, other)]
    if values[0] is None or values[1] is None:
        return "–"
    difference = values[0] - values[1]
    if abs(difference) < 0.005:
        words = "the same"
    else:
        direction = "lower" if difference < 0 else "higher"
        words = f"{one.metric} {abs(difference):.2f} {direction}"
    return tag("span", words, class_="less")
