"""Draws the rounds of "Which of these is not ...": four images, then the truth and the judge.

`odd_one_out.js` plays the rounds: it keeps the guesses and the scores.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import input_html
from hallascope.components.html.markup import data_address, icon, join, tag
from hallascope.components.learn.judged_image import (
    empty_strips,
    image_strips,
    judge_words,
    outline,
    word_chip,
)
from hallascope.data.teaching.judged_image import JudgedFact, JudgedImage
from hallascope.data.teaching.odd_one_out import OddOneOutRound, OddOneOutSet

# what the browser calls with the number of a round, from 0, and gets the round for
RoundFunction = Callable[[int], dict[str, Any]]


def rounds_panel(total: int, more: RoundFunction, elem_id: str) -> gr.HTML:
    """Return the panel of so many rounds; the browser calls `more` by its name for each of them."""
    body = tag(
        "section",
        class_="rounds",
        aria_label="Which of these is not as it should be?",
        data_total=total,
    )
    return input_html("learn/odd_one_out", body, None, server_functions=[more], elem_id=elem_id)


def round_view(rounds: OddOneOutSet, number: int, folder: Path) -> dict[str, Any]:
    """Return a round, from 0, as the browser plays it: its HTML before and after the guess.

    `said` is read out after the guess. After the last round comes the end, which is only `open`.
    """
    if number == len(rounds.rounds):
        return {"open": _end(rounds, folder)}
    game_round = rounds.rounds[number]
    total = len(rounds.rounds)
    images = list(enumerate(game_round.images))
    first = _example(rounds.example, folder) if number == 0 else _WAITING
    solved = [_solved_tile(game_round, place, image) for place, image in images]
    mistake = game_round.mistake
    return {
        "odd": game_round.odd,
        "judge": game_round.judge_choice,
        "open": _round(
            game_round, number, total, first, [_open_tile(n, image, folder) for n, image in images]
        ),
        "solved": _round(game_round, number, total, _result(game_round, number, total), solved),
        "said": f"{mistake.truth_sentence} {judge_sentence(game_round)}",
    }


_ROUND = Markup("""<header class="rounds-head"><div>\
<h2 tabindex="-1">Which of these is not {name}?</h2><p class="soft">One of these four drawings has\
 a mistake. Click it, and see whether the judge (an AI) finds it too.</p></div>\
<div class="rounds-place"><span>Round {number} of {total}</span></div></header>
<div class="rounds-body"><div class="rounds-side">{side}{tallies}</div>\
<ol class="rounds-tiles">{tiles}</ol></div>
<p class="rounds-said unseen" role="status"></p>""")
_TALLIES = Markup("""<div class="tallies"><p class="tally"><span class="who">You</span>\
<span class="pips" data-who="you" aria-hidden="true">{pips}</span>\
<strong data-score="you">0</strong></p><p class="tally"><span class="who">Judge</span>\
<span class="pips" data-who="judge" aria-hidden="true">{pips}</span>\
<strong data-score="judge">0</strong></p></div>""")


def _round(
    game_round: OddOneOutRound, number: int, total: int, side: Markup, tiles: list[Markup]
) -> Markup:
    return _ROUND.format(
        name=game_round.name,
        number=number + 1,
        total=total,
        side=side,
        tallies=_tallies(total),
        tiles=join(*tiles),
    )


def _tallies(total: int) -> Markup:
    return _TALLIES.format(pips=Markup('<span class="pip open"></span>') * total)


# --- the images


def _image(image: JudgedImage, folder: Path, alt: str = "") -> Markup:
    return tag("img", src=image_source(folder / image.file), alt=alt, width=320, height=320)


def image_source(file: Path) -> str:
    """Return an address that holds a whole WebP file: a few kB, and no request of its own."""
    return data_address(file.read_bytes(), "image/webp")


_OPEN_TILE = Markup("""<li class="round-tile open"><button type="button" class="round-pick"\
 aria-label="Image {place} of 4" data-image="{number}">{image}</button>{strips}</li>""")


def _open_tile(number: int, image: JudgedImage, folder: Path) -> Markup:
    return _OPEN_TILE.format(
        place=number + 1, number=number, image=_image(image, folder), strips=empty_strips()
    )


def _solved_tile(game_round: OddOneOutRound, number: int, image: JudgedImage) -> Markup:
    """Return an image with what is known of it; its address is that of the image before."""
    alt = f"Image {number + 1}, as expected"
    if image.wrong:
        alt = f"Image {number + 1}, wrong: {_instead(image.wrong)}"
    is_choice = game_round.judge_choice == number
    tags = tag("span", "Judge's guess", class_="round-tag") if is_choice else ""
    picked = tag(
        "div",
        tag("img", alt=alt, width=320, height=320),
        outline(image.outline, "round-outline") if image.outline else "",
        tag("span", tags, class_="round-tags"),
        class_="round-pick",
    )
    kind = "odd" if number == game_round.odd else "even"
    return tag("li", picked, image_strips(image), class_=f"round-tile {kind}")


def _instead(fact: JudgedFact) -> str:
    return f"{fact.drawn} instead of {fact.expected}"


def _framed(image: JudgedImage, folder: Path, alt: str = "") -> Markup:
    drawn = outline(image.outline, "round-outline") if image.outline else ""
    return tag("span", _image(image, folder, alt), drawn, class_="round-frame")


# --- beside the images

_EXAMPLE = Markup("""<div class="round-example">{image}<div class="round-reading">\
<h3>An example</h3><p>The outline shows the wrong part. <strong>Truth</strong>: what the drawing\
 really shows. <strong>Judge</strong>: what an AI says it sees.</p></div>{strips}</div>""")
_WAITING = Markup("""<div class="round-waiting"><h3>Your guess?</h3><p class="soft">Three drawings\
 are right, one has a mistake. The judge answers five questions about each; its guess is the image\
 with the lowest score.</p></div>""")
# with both headings: the script keeps one of them
_RESULT = Markup("""<div class="round-result"><h3 class="hit">{check}You found it</h3>\
<h3 class="miss">{cross}It is image {odd}</h3><p class="round-question">{question}</p>\
<p><span class="round-shown">Drawn: {drawn}</span> · \
<span class="round-expected">Expected: {expected}</span></p><p class="soft round-why">{why}</p>\
<p class="round-judge">{judge}</p>\
<button type="button" class="rounds-next primary">{next}</button></div>""")


def _example(game_round: OddOneOutRound, folder: Path) -> Markup:
    (image,) = game_round.images
    alt = f"{game_round.name}: {_instead(game_round.mistake)}"
    return _EXAMPLE.format(image=_framed(image, folder, alt), strips=image_strips(image))


def judge_sentence(game_round: OddOneOutRound) -> str:
    """Return which image the judge's lowest score is of, and whether that is the odd one."""
    if game_round.judge_choice is None:
        reason = "" if game_round.mistake.asked else "No question to the judge is about it. "
        return f"{reason}Several images share the judge's lowest score: a tie is not a hit."
    image = game_round.images[game_round.judge_choice]
    verdict = "right" if game_round.judge_is_right else "wrong"
    return (
        f"The judge is {verdict}: its lowest score, {image.correct} of {image.answered}, is that of"
        f" image {game_round.judge_choice + 1}."
    )


def _result(game_round: OddOneOutRound, number: int, total: int) -> Markup:
    mistake = game_round.mistake
    return _RESULT.format(
        check=icon("check"),
        cross=icon("cross"),
        odd=game_round.odd + 1,
        question=mistake.question,
        drawn=mistake.drawn,
        expected=mistake.expected,
        why=game_round.images[game_round.odd].why,
        judge=judge_sentence(game_round),
        next="See the result" if number == total - 1 else "Next round",
    )


# --- the end

_END = Markup("""<header class="rounds-head"><div><h2 tabindex="-1">You \
<span data-score="you">0</span>, judge <span data-score="judge">0</span></h2>\
<p class="soft">Of {total} rounds. The judge is {judge}.</p></div></header>
<div class="rounds-end"><div class="rounds-sum">{tallies}<p class="soft">The rounds are chosen, not\
 a random sample. In tests on Primer images this judge flagged {flagged:.1%} of the wrong facts and\
 accepted {accepted:.1%} of the right ones, where a question asked about them.</p>\
<div class="rounds-moves"><button type="button" class="primary" data-part="find">Find more errors\
</button><button type="button" class="rounds-again">Play again</button></div></div>\
<div><h3>What the judge missed</h3><ul class="round-errors">{errors}</ul></div></div>
<p class="rounds-said unseen" role="status"></p>""")
_ERROR = Markup("""<li>{image}<span>{chip}<strong>{name}</strong><span class="soft">{words}</span>\
</span></li>""")


def _end(rounds: OddOneOutSet, folder: Path) -> Markup:
    errors = (
        _ERROR.format(
            image=_framed(image, folder),
            chip=word_chip(fact.word),
            name=game_round.name,
            words=fact.truth_sentence if fact.is_wrong else f"{fact.question} {judge_words(fact)}",
        )
        for game_round in rounds.rounds
        for image in game_round.images
        for fact in image.facts
        if fact.word and fact.word != "found"
    )
    total = len(rounds.rounds)
    return _END.format(
        total=total,
        judge=rounds.judge,
        tallies=_tallies(total),
        flagged=rounds.sensitivity,
        accepted=rounds.specificity,
        errors=join(*errors),
    )
