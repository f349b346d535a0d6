"""Shows the truth beside a judge's verdicts: a line, a mark, and the bar that switches them.

`truth.js` hides all of it where a person does not want to see it, and everything but the judge's
errors where a person wants to see these alone.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from hallascope.components.html.markup import icon, tag
from hallascope.components.html.signs import named_sign
from hallascope.data.nouns import count_noun
from hallascope.data.records import Question, Verdict
from hallascope.metrics.true_answers import (
    JudgeErrors,
    TrueAnswer,
    TruthSource,
    is_judge_wrong,
    is_violated,
    judge_outcome,
)

KNOWN = "truth-known"  # the class of what a filter on the judge's errors applies to
WRONG = "judge-wrong"  # the class of what such a filter keeps
SOURCES: Mapping[TruthSource, str] = {
    "drawn": "drawn",
    "reference": "reference",
    "label": "labeled",
    "people": "labeled",
}
_NONE_WRONG = "The judge is wrong on none of these answers."


def truth_text(verdict: Verdict | None, truth: TrueAnswer, *, with_judge: bool = True) -> str:
    """Say what is true and whether the judge sees it: "drawn: Four · the judge is right".

    `with_judge`: where it is wrong, its own answer comes first.
    """
    known = f"{SOURCES[truth.source]}: {truth.text}"
    if verdict and truth.letter and verdict.question.choice(truth.letter) != truth.text:
        known += " (none of the choices)"
    if verdict is None:
        return known
    if verdict.answer is None:
        return f"{known} · the judge gave no answer"
    if not is_judge_wrong(verdict, truth):
        return f"{known} · the judge is right"
    judge = f"Judge: {verdict.question.choice(verdict.answer)} · " if with_judge else ""
    return f"{judge}{known} · the judge is wrong"


def truth_line(
    verdict: Verdict | None, truth: TrueAnswer | None, *, with_judge: bool = True
) -> Markup:
    """Return the truth of one question as a line with an icon; nothing where it is not known."""
    if truth is None:
        return Markup()
    words = truth_text(verdict, truth, with_judge=with_judge)
    kind = _kind(verdict, truth)
    return tag("p", _icon(kind), " ", tag("span", words), class_=f"truth truth-line {kind}")


def truth_mark(verdict: Verdict, truth: TrueAnswer | None) -> Markup:
    """Return a small mark where the judge is wrong, with the truth as its name."""
    if truth is None or not is_judge_wrong(verdict, truth):
        return Markup()
    words = truth_text(verdict, truth)
    return tag(
        "span",
        icon("warning"),
        class_="truth truth-mark",
        role="img",
        aria_label=words,
        title=words,
    )


def truth_strip(questions: Sequence[Question], truths: Sequence[TrueAnswer | None]) -> Markup:
    """Return whether each fact holds in the image, as a row of signs; nothing where none is known.

    A question mark stands where the truth of a question is not known.
    """
    if not any(truths):
        return Markup()
    items = [
        tag("li", _truth_sign(i, question, truth))
        for i, (question, truth) in enumerate(zip(questions, truths, strict=False), 1)
    ]
    return tag("ul", *items, class_="strip", aria_label="Truth")


def _truth_sign(number: int, question: Question, truth: TrueAnswer | None) -> Markup:
    violated = is_violated(question, truth)
    if truth is None or violated is None:
        name, kind, words = "question", "left-out", "not known"
    elif violated:
        name, kind, words = "cross", "incorrect", f"wrong in the image ({truth.text})"
    else:
        name, kind, words = "check", "correct", "right in the image"
    return named_sign(name, kind, f"Question {number}: {words}")


def outcome_count(
    verdicts: Sequence[Verdict], truths: Sequence[TrueAnswer | None], unasked: int = 0
) -> Markup:
    """Say what the judge found, missed and took for an error; nothing where there is none of it.

    `unasked`: the errors that no question asks for.
    """
    outcomes = Counter(map(judge_outcome, verdicts, truths))
    alarms = outcomes["false alarm"]
    counts = (
        (outcomes["found"], f"{outcomes['found']} found", "right"),
        (outcomes["missed"], f"{outcomes['missed']} missed", "wrong"),
        (alarms, count_noun(alarms, "false alarm"), "wrong"),
        (unasked, f"{unasked} not asked", "open"),
    )
    parts = [tag("span", words, class_=f"outcome {kind}") for count, words, kind in counts if count]
    return tag("p", "Errors:", *parts, class_="truth outcomes") if parts else Markup()


def truth_count(errors: JudgeErrors) -> Markup:
    """Return in a few words how often the judge is wrong; nothing where no truth is known."""
    if not errors.known:
        return Markup()
    kind = "wrong" if errors.wrong else "right"
    words = f"the judge is wrong on {errors.wrong} of {errors.known}"
    return tag("span", _icon(kind), " ", words, class_=f"truth truth-count {kind}")


def truth_bar(errors: JudgeErrors, truths: Iterable[TrueAnswer | None]) -> Markup:
    """Return how often the judge is wrong, with the switch of the truth and the filter.

    It is empty where no truth is known. The truth of a drawing is shown from the start, that which
    people give is not: who looks may want to judge without it.
    """
    known = [truth for truth in truths if truth]
    if not known:
        return Markup()
    default = "on" if any(truth.is_drawn for truth in known) else "off"
    rate = Markup()
    if errors.known:
        kind = "wrong" if errors.wrong else "right"
        words = tag("span", errors.sentence)
        rate = tag("p", _icon(kind), " ", words, class_=f"truth truth-rate {kind}")
    switch = _button("Show the truth", default == "on", data_truth_switch=True)
    keep = _button(f"Judge is wrong ({errors.wrong})", False, data_wrong_filter=True)
    empty = Markup() if errors.wrong else none_wrong()
    return tag(
        "div",
        rate,
        tag("div", switch, keep, class_="truth-switches"),
        empty,
        class_="truth-bar",
        data_truth_default=default,
    )


def none_wrong() -> Markup:
    """Return what stands in the place of answers where a filter on the judge's errors leaves none.

    It is hidden without that filter.
    """
    return tag("p", _NONE_WRONG, class_="truth none-wrong")


def truth_scope(truths: Iterable[TrueAnswer | None]) -> str:
    """Return the classes of an element that holds answers with these truths, "" without any.

    They say that a filter applies, and that nothing is shown of it before a person wants it.
    """
    known = [truth for truth in truths if truth]
    if not known:
        return ""
    return KNOWN if any(truth.is_drawn for truth in known) else f"{KNOWN} truth-by-people"


def wrong_class(verdict: Verdict | None, truth: TrueAnswer | None) -> str:
    """Return the class of an answer that the filter keeps, "" of others."""
    return WRONG if verdict and is_judge_wrong(verdict, truth) else ""


def _button(words: str, pressed: bool, **attributes: str | bool) -> Markup:
    return tag(
        "button",
        icon("check"),
        tag("span", words),
        class_="truth-switch",
        aria_pressed=str(pressed).lower(),
        **attributes,
    )


def _kind(verdict: Verdict | None, truth: TrueAnswer) -> str:
    wrong = is_judge_wrong(verdict, truth) if verdict else None
    if wrong is None:
        return "open"
    return "wrong" if wrong else "right"


def _icon(kind: str) -> Markup:
    return icon({"wrong": "warning", "right": "check"}.get(kind, "question"))
