"""Draws the panel in which a person changes the facts of a drawing and hunts the judge's errors."""

from collections.abc import Sequence
from typing import NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import ServerFunction, input_html
from hallascope.components.html.markup import icon, join, side_note, tag
from hallascope.data.outlines import Polygon
from hallascope.data.teaching.judged_image import outline_path

SPARKS = 16
# the icon of an outcome; others have a question mark
_ICONS = {"right": "check", "missed": "cross", "false alarm": "warning", "found": "check"}


class FactSwitch(NamedTuple):
    """Holds a fact of a drawing with all that it can be switched to.

    `options` are values with the short and the long words for each; `value` is the one that is
    drawn. `truth` is the value of a factual drawing. `asked`: whether a question asks for it.
    `place`: outlines of where it is wrong, in [0, 1].
    """

    parameter: str
    question: str
    kind: str
    options: Sequence[tuple[str, str, str]]
    value: str
    truth: str
    asked: bool
    place: Sequence[Polygon] = ()

    @property
    def is_wrong(self) -> bool:
        return self.value != self.truth

    def words(self, value: str) -> str:
        """Return the long words of a value."""
        return next(words for each, _, words in self.options if each == value)


def break_it_panel(functions: list[ServerFunction], judge: str, elem_id: str) -> gr.HTML:
    """Return the panel; its event `select` carries the exercises that are added to a class set.

    `judge` is asked until a person chooses another, and the address need not name it. In the
    browser `functions` are called `begin`, `draw`, `ask`, `surprise`, `browse`.
    """
    return input_html(
        "learn/break_it",
        tag("div", _LAYOUT, class_="break-it outlined", data_judge=judge, hidden=True),
        None,
        server_functions=functions,
        elem_id=elem_id,
    )


_LAYOUT = Markup("""<div class="controls"><button type="button" class="concept-choice"\
 aria-haspopup="dialog"><span class="concept-name"></span><span class="change">Change</span>\
</button> <button type="button" class="surprise primary">Surprise me</button>
<button type="button" class="another">Draw it again</button>
<button type="button" class="reset">Reset the facts</button><p class="tally"></p></div>
<p class="told" role="status"></p>
<div class="bench-top"><section class="shown" aria-label="The drawing">
<div class="stage-band"><div class="stage"><img width="512" height="512" alt="" draggable="false">\
<svg class="overlay" viewBox="0 0 100 100" aria-hidden="true"></svg>\
<span class="burst" aria-hidden="true">{sparks}</span></div></div>
<div class="outcome-box" role="status" data-kind="waiting">\
<p class="outcome-title">The judge answers …</p><p class="outcome-words"></p></div>
<div class="under"><button type="button" class="add-to-set">Add to my class set</button>
<button type="button" class="outline-switch" aria-pressed="true">Outline errors</button>
<span class="seed soft"></span>
<label class="judge-label"><span>Judge</span><select class="judge-choice"></select></label></div>
<div class="shelf" hidden><p class="soft">Your finds in this visit</p><ul class="finds"></ul></div>
</section><section class="facts" aria-label="The facts: switch them"></section></div>
<div class="dialog-place"></div>""").format(
    sparks=join(*(tag("i", style=f"--turn:{360 * n // SPARKS}deg") for n in range(SPARKS)))
)


def judge_options(judges: Sequence[str], chosen: str) -> Markup:
    """Return the judges that can be asked, as options of a list."""
    return join(*(tag("option", name, value=name, selected=name == chosen) for name in judges))


# --- the facts


def fact_cards(switches: Sequence[FactSwitch]) -> Markup:
    """Return a card for each fact: what it can be, and room for truth and judge."""
    return join(*(_card(switch, index) for index, switch in enumerate(switches)))


_CARD = Markup("""<fieldset class="fact" data-index="{index}" data-parameter="{parameter}">\
<legend><span>{question}</span><span class="kind">{kind}</span></legend>\
<div class="options">{options}</div><div class="strips"></div></fieldset>""")
_OPTION = Markup("""<label class="option{kind}"><input type="radio" name="break-it-{index}"\
 value="{value}"><span>{label}</span>{icon}<span class="unseen">{words}</span></label>""")


def _card(switch: FactSwitch, index: int) -> Markup:
    options = [_option(switch, index, *option) for option in switch.options]
    return _CARD.format(
        index=index,
        parameter=switch.parameter,
        question=switch.question,
        kind=switch.kind,
        options=join(*options),
    )


def _option(switch: FactSwitch, index: int, value: str, label: str, words: str) -> Markup:
    is_true = value == switch.truth
    unseen = ("" if label == words else f", {words}") + (", true" if is_true else "")
    sign = icon("check") if is_true else ""
    kind = " true" if is_true else ""
    return _OPTION.format(kind=kind, index=index, value=value, label=label, icon=sign, words=unseen)


def fact_strips(switch: FactSwitch) -> Markup:
    """Return what is drawn of a fact, and that the judge has not answered yet."""
    note = (
        f"wrong, should be {switch.words(switch.truth)}" if switch.is_wrong else "as it should be"
    )
    truth = tag("strong", switch.words(switch.value))
    return join(_line("Truth", truth, side_note(note)), judge_line(switch))


def judge_line(switch: FactSwitch, outcome: str = "", answer: str = "", note: str = "") -> Markup:
    """Return what the judge says of a fact; without an outcome it is still answering."""
    if not switch.asked:
        words = (
            "No question asks about this error." if switch.is_wrong else "No question asks this."
        )
        return _line("Judge", _outcome("not asked"), side_note(words))
    if not outcome:
        return _line("Judge", tag("span", "answering …", class_="about waiting"))
    strong = tag("strong", answer) if answer else ""
    return _line("Judge", strong, _outcome(outcome), side_note(note))


def _line(who: str, *content: Markup | str) -> Markup:
    return tag("p", tag("span", who, class_="who"), *content, class_="answer-line")


def _outcome(outcome: str) -> Markup:
    kind = f"outcome {outcome.replace(' ', '-')}"
    return tag("span", icon(_ICONS.get(outcome, "question")), tag("span", outcome), class_=kind)


def error_outlines(switches: Sequence[FactSwitch]) -> Markup:
    """Return where each wrong fact is seen, as paths over the drawing."""
    return join(
        *(
            tag("path", class_=layer, data_fact=index, d=outline_path(switch.place))
            for index, switch in enumerate(switches)
            if switch.is_wrong and switch.place
            for layer in ("under", "over")
        )
    )
