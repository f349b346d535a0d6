"""Tables as HTML: several pictures or models side by side; it does not compute what it shows."""

from collections.abc import Mapping, Sequence

from hallascope.components.cards import cards
from hallascope.components.cards.cards import Tile
from hallascope.components.cards.judge_chip import judge_chip
from hallascope.components.evidence.exhibit import key
from hallascope.components.html.markup import bar, image, text
from hallascope.data.records import LETTERS, CoI, Verdict
from hallascope.metrics.aggregate import Mean


def side_by_side(tiles: Sequence[Tile]) -> str:
    """The answers of several pictures: a line a question, a column a picture.

    Every answer leads to its evidence.
    """
    if not tiles:
        return '<div class="compare none"></div>'
    questions = next((t.judge_questions for t in tiles if t.judge_questions), ())
    heads = "".join(_head(tile) for tile in tiles)
    lines = "".join(
        _line(i, question.text, question.coi, question.choice(question.gold), tiles)
        for i, question in enumerate(questions)
    )
    feet = "".join(
        f'<tr class="foot"><th scope="row">{text(name)}</th>'
        f"{''.join(f'<td>{text(show(tile))}</td>' for tile in tiles)}</tr>"
        for name, show in _FEET.items()
    )
    judges = "".join(f"<td>{judge_chip(tile.judge)}</td>" for tile in tiles)
    feet += f'<tr class="foot"><th scope="row">judge</th>{judges}</tr>'
    return (
        f'<div class="compare" data-run="{text(tiles[0].run)}">'
        '<div class="scroll" tabindex="0" role="region" aria-label="Answers side by side"><table>'
        '<thead><tr><th scope="col"'
        f' class="corner">{text(tiles[0].metric)}</th>{heads}</tr></thead>'
        f"<tbody>{lines}</tbody><tfoot>{feet}</tfoot></table></div></div>"
    )


def _score(tile: Tile) -> str:
    value = tile.reports[0].score.value if tile.reports else None
    return "–" if value is None else f"{value:.2f}"


def _count_text(tile: Tile) -> str:
    if not tile.reports:
        return "–"
    score = tile.reports[0].score
    return f"{score.counted}, left out {score.left_out}"


def _strict(tile: Tile) -> str:
    return cards.yes_no(tile.reports[0].scores.get("strict")) if tile.reports else "–"


def _published(tile: Tile) -> str:
    value = tile.reports[0].published.get("score") if tile.reports else None
    return "–" if value is None else f"{value:.2f}"


# the last lines of the table: a name and a function of the picture
_FEET = {
    "score": _score,
    "counted": _count_text,
    "all correct (strict)": _strict,
    "under the papers’ rule": _published,
}


def _head(tile: Tile) -> str:
    seed = "" if tile.seed is None else f'<span class="about">seed {tile.seed}</span>'
    small = image(tile.path, "", 96) if tile.path else '<span class="blank"></span>'
    return (
        f'<th scope="col"><button type="button" class="head-cell" data-key="{text(tile.key)}"'
        f' aria-pressed="false">{small}<span'
        f' class="called">{text(tile.name)}</span>{seed}</button></th>'
    )


def _line(index: int, question: str, coi: str, gold: str, tiles: Sequence[Tile]) -> str:
    cells = "".join(_cell(index, tile) for tile in tiles)
    return (
        f'<tr><th scope="row">{text(question)}<span class="about">{text(coi)} · gold:'
        f" {text(gold)}</span></th>{cells}</tr>"
    )


def _cell(index: int, tile: Tile) -> str:
    verdict = tile.verdicts[index] if index < len(tile.verdicts) else None
    state = verdict.state if verdict else None
    label = (
        f"{tile.name}, question {index + 1}: {cards.SIGNS[state].word if state else 'not judged'}."
        f" {_answer(verdict)}"
    )
    return (
        f'<td><button type="button" class="answer-cell" data-key="{text(tile.key)}"'
        f' data-chosen="{key("question", index)}" aria-pressed="false"'
        f' aria-label="{text(label)}">{cards.sign(state)}'
        f"<span>{text(_answer(verdict))}</span></button></td>"
    )


def _answer(verdict: Verdict | None) -> str:
    if verdict is None:
        return "waiting"
    return (
        verdict.question.choices[LETTERS.index(verdict.answer)]
        if verdict.answer
        else cards.SIGNS[verdict.state].word
    )


def by_composition(means: Mapping[str, Mapping[CoI, Mean]]) -> str:
    """Return the share of right answers by composition of interest, a column a model.

    It is over all of a model's pictures and trials.
    """
    cois = list(dict.fromkeys(coi for column in means.values() for coi in column))
    if not cois:
        return ""
    heads = "".join(f'<th scope="col">{text(name)}</th>' for name in means)
    lines = "".join(
        f'<tr><th scope="row">{text(coi)}</th>'
        f"{''.join(_mean(column.get(coi)) for column in means.values())}</tr>"
        for coi in cois
    )
    return (
        '<section class="panel by-composition"><h2>By composition of interest</h2><div'
        ' class="scroll"><table><thead><tr><td'
        f' class="corner"></td>{heads}</tr></thead><tbody>{lines}</tbody></table></div></section>'
    )


def _mean(mean: Mean | None) -> str:
    if mean is None:
        return "<td>–</td>"
    value = "–" if mean.value is None else f"{mean.value:.2f}"
    left_out = f", left out {mean.left_out}" if mean.left_out else ""
    return (
        f'<td>{bar(mean.value)}<span class="n">{value} <span class="about">of'
        f" {mean.n}{left_out}</span></span></td>"
    )


def metric_comparison(pairs: Sequence[tuple[Tile, Tile]]) -> str:
    """Return the scores of the same pictures by two metrics, and how far they are apart.

    A picture is a column.
    """
    if not pairs:
        return ""
    one, other = (tile.metric for tile in pairs[0])
    heads = "".join(
        f'<th scope="col">{text(tile.name)} <span class="about">{text(_seed(tile))}</span></th>'
        for tile, _ in pairs
    )
    lines = "".join(
        "<tr><th"
        f' scope="row">{text(name)}</th>{"".join(f"<td>{show(*pair)}</td>" for pair in pairs)}</tr>'
        for name, show in (
            (other, lambda _, b: _whole(b)),
            (one, lambda a, _: _whole(a)),
            ("difference", _apart),
        )
    )
    head = f'<thead><tr><td class="corner"></td>{heads}</tr></thead>'
    return f'<div class="scroll"><table>{head}<tbody>{lines}</tbody></table></div>'


def _seed(tile: Tile) -> str:
    return "" if tile.seed is None else f"seed {tile.seed}"


def _whole(tile: Tile) -> str:
    return f'{text(_score(tile))} <span class="about">counted {text(_count_text(tile))}</span>'


def _apart(one: Tile, other: Tile) -> str:
    values = [tile.reports[0].score.value if tile.reports else None for tile in (one, other)]
    if values[0] is None or values[1] is None:
        return "–"
    apart = values[0] - values[1]
    if abs(apart) < 0.005:
        words = "the same"
    else:
        words = f"{one.metric} {abs(apart):.2f} {'lower' if apart < 0 else 'higher'}"
    return f'<span class="less">{text(words)}</span>'
