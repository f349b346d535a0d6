"""Shows an image with answered questions as an exhibit: parts, question cards and score.

The parts are those that it was asked about. They come from the stored truth of a drawing and are
shown to people only; no judge is given them.
"""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from hallascope.components.evidence.exhibit import EvidenceGroup, Exhibit, ImageRegion, key
from hallascope.components.evidence.exhibits import findings
from hallascope.components.evidence.exhibits.unasked import unasked_group
from hallascope.components.html.fact_table import fact_table
from hallascope.components.html.human_verdicts import HumanAnswers, human_place
from hallascope.components.html.jury import member_line, split_class
from hallascope.components.html.markup import bar, fold, icon, join, key_attributes, tag, undrawn
from hallascope.components.html.signs import SIGNS, sign
from hallascope.components.html.truth import (
    SOURCES,
    none_wrong,
    truth_count,
    truth_line,
    truth_scope,
    wrong_class,
)
from hallascope.components.tiles.scores import (
    correct_of,
    number_text,
    score_with_counts,
    trial_rows,
    yes_no,
)
from hallascope.components.tiles.tile import Tile
from hallascope.data.outlines import Polygon
from hallascope.data.records import LETTERS, CoI, Letter, Question, Verdict
from hallascope.data.wordings.packs import version_facts
from hallascope.metrics import aggregate
from hallascope.metrics.true_answers import TrueAnswer, UnaskedError

Regions = Mapping[str, Sequence[Polygon]]
_KNOWN = "Select a question or a region: both light up."
_UNKNOWN = "There is no region evidence for this image."


def exhibit(tile: Tile, regions: Regions | None = None) -> Exhibit:
    """Return the image with the parts its questions are about.

    `regions`: outlines by the name of the part, where they are known.
    """
    known = regions or {}
    parts = marks(tile.judge_questions, tile.verdicts, known, tile.unasked)
    groups = [_questions(tile, known)]
    if tile.unasked:
        groups.append(unasked_group(tile.unasked))
    if tile.report and tile.report.evidence:  # the questions follow from a reading of the prompt
        groups += findings.reading_groups(tile.report.evidence)
        groups += findings.other_notes(tile.report.evidence)
    return Exhibit(
        run=tile.run,
        key=tile.key,
        name=tile.name,
        path=tile.path,
        alt=alt_text(tile),
        placeholder=tile.why or tile.doing,
        hint=_KNOWN if parts else _UNKNOWN,
        revised=tile.revised,
        metric=tile.report.metric if tile.report else "",
        marks=parts,
        groups=tuple(groups),
        numbers=_numbers(tile),
        chosen=_first_error(tile.verdicts),
    )


def _first_error(verdicts: Sequence[Verdict]) -> str:
    """Return the key of the first question that the judge finds wrong, "" without one."""
    for i, verdict in enumerate(verdicts):
        if SIGNS[verdict.state].kind == "incorrect":
            return key("question", i)
    return ""


def alt_text(tile: Tile) -> str:
    """Return the alternative text: the prompt, how many answers are correct, which are wrong."""
    wrong = [
        f"{v.question.text} {_answer_comparison(v)}"
        for v in tile.verdicts
        if SIGNS[v.state].kind == "incorrect"
    ]
    return tile.alt_text + (f". Wrong: {'; '.join(wrong)}" if wrong else "")


def _answer_comparison(verdict: Verdict) -> str:
    gold = verdict.question.choice(verdict.question.gold)
    answer = verdict.question.choice(verdict.answer) if verdict.answer else "nothing"
    return f"{answer}, not {gold}"


# --- parts of the image ---


def marks(
    questions: Sequence[Question],
    verdicts: Sequence[Verdict],
    regions: Regions,
    unasked: Sequence[UnaskedError] = (),
) -> tuple[ImageRegion, ...]:
    """Return the parts that questions are about and that are seen in the image.

    Those of `unasked` errors are among them.
    """
    parts = dict.fromkeys(part for question in questions for part in question.regions)
    parts |= dict.fromkeys(part for error in unasked for part in error.parts)
    return tuple(
        _region(part, questions, verdicts, tuple(regions[part]), unasked)
        for part in parts
        if regions.get(part)
    )


def _region(
    part: str,
    questions: Sequence[Question],
    verdicts: Sequence[Verdict],
    shapes: tuple[Polygon, ...],
    unasked: Sequence[UnaskedError],
) -> ImageRegion:
    about = [i for i, question in enumerate(questions) if part in question.regions]
    words = [
        f"question {i + 1}" + (f" {SIGNS[verdicts[i].state].word}" if i < len(verdicts) else "")
        for i in about
    ]
    errors = [i for i, error in enumerate(unasked) if part in error.parts]
    words += ["wrong, not asked" for _ in errors]
    return ImageRegion(
        name=part,
        keys=(*(key("question", i) for i in about), *(key("fact", i) for i in errors)),
        polygons=shapes,
        words="; ".join(words),
        quiet=True,
    )


def region_note(question: Question, regions: Regions) -> str:
    """Say which parts of a chosen question are marked or missing."""
    if not question.regions:
        return "This question is about the whole image."
    if not regions:
        return _UNKNOWN
    seen = [part for part in question.regions if regions.get(part)]
    missing = ", ".join(part for part in question.regions if part not in seen)
    if not seen:
        return f"Not to be seen in this image: {missing}."
    return f"Marked: {', '.join(seen)}." + (f" Not in this image: {missing}." if missing else "")


# --- what stands beside it ---


def _questions(tile: Tile, regions: Regions) -> EvidenceGroup:
    by_trial = [report.verdicts for report in tile.reports]
    items = [
        question_card(
            index=i,
            question=question,
            verdict=tile.verdicts[i] if tile.verdicts else None,
            trials=[verdicts[i] for verdicts in by_trial],
            key=key("question", i),
            said=region_note(question, regions),
            truth=tile.truth(i),
            human=tile.human[i] if tile.human and tile.verdicts else None,
        )
        for i, question in enumerate(tile.judge_questions)
    ]
    if items:
        body = tag("ol", *items, class_=f"cards {truth_scope(tile.truths)}".rstrip())
        if any(tile.truths) and not tile.errors.wrong:
            body = none_wrong() + body
    else:
        body = tag("p", tile.notice or "There are no questions for this image.")
    score = ""
    if tile.report:
        correct = correct_of([verdict.state for verdict in tile.verdicts])
        score = f"{correct} · {score_with_counts(tile.report.score)}"
        if count := truth_count(tile.errors):
            score = join(score, " ", count)
    return EvidenceGroup(tile.metric, body, score)


def _numbers(tile: Tile) -> Markup:
    report = tile.report
    if report is None:
        return Markup()
    rows = [
        ("judge", tile.judge or "none"),
        ("all questions correct", yes_no(report.scores.get("strict"))),
        ("papers’ rule: unanswered is wrong", number_text(report.published.get("score"))),
        *trial_rows(tile.reports),
        ("answers", "reused" if tile.cached else "asked now"),
        *version_facts(report.version),
        *([("parameters", tile.own_parameters)] if tile.own_parameters else ()),
        ("metric version", report.version),
    ]
    by_composition = aggregate.by_coi([report])
    return fold(
        f"Details of the {tile.metric} score",
        join(
            fact_table(rows, tile.reliability),
            tag("h2", "By composition", class_="second"),
            coi_bars(by_composition),
        ),
    )


def coi_bars(means: Mapping[CoI, aggregate.Mean]) -> Markup:
    """Return one line a composition of interest: its name, a bar, how many of how many."""
    lines = (
        tag(
            "li",
            tag("span", coi, class_="called"),
            bar(mean.value),
            tag("span", _share_text(mean), class_="n"),
        )
        for coi, mean in means.items()
    )
    return tag("ul", *lines, class_="bars")


def _share_text(mean: aggregate.Mean) -> str:
    left_out = f", {mean.left_out} left out" if mean.left_out else ""
    return f"{round((mean.value or 0) * mean.n)} of {mean.n}{left_out}"


# --- cards of questions ---


def question_card(
    index: int,
    question: Question,
    verdict: Verdict | None,
    trials: Sequence[Verdict] = (),
    key: str = "",
    *,
    said: str = "",
    truth: TrueAnswer | None = None,
    human: HumanAnswers | None = None,
) -> Markup:
    """Return a question with its choices, gold and answer in words, state and raw reply.

    `key`: choosing it marks what it is about ("": it leads nowhere), and `said` tells what that is.
    `truth`: what the image shows, where it is known. `human`: what people say, None where nobody
    can say it here.
    """
    shown = SIGNS[verdict.state] if verdict else None
    kind = shown.kind if shown else "waiting"
    words = join(icon(shown.icon), " ", shown.word) if shown else "awaiting the judge"
    state = tag("span", words, f" · {question.coi}", class_=f"state {kind}")
    listed = (_choice(question, verdict, truth, i) for i in range(len(question.choices)))
    choices = tag("ul", *listed, class_="choices")
    reasons = join(truth_line(verdict, truth), member_line(verdict), _reason_left_out(verdict))
    details = join(
        human_place(verdict, human) if verdict and human is not None else "",
        _trial_strip(trials),
        _raw_reply(verdict),
    )
    wrong_or_split = " ".join(filter(None, (wrong_class(verdict, truth), split_class(verdict))))
    open_parts, more = join(choices, reasons), details
    if not wrong_or_split and kind == "correct":
        open_parts, more = Markup(), join(choices, reasons, details)
    elif not wrong_or_split and kind == "incorrect":
        open_parts, more = choices, join(reasons, details)
    title = tag("span", question.text, class_="question-title")
    attributes: dict[str, str | bool] = {}
    if key:  # a card that leads somewhere has a button, and what the script must know
        title = tag(
            "button", question.text, class_="question-title lead-button", aria_pressed="false"
        )
        attributes = {
            **key_attributes((key,)),
            "data_kind": kind,
            "data_said": said,
            "data_counts": question.coi == "counting",
            "data_whole": not question.regions,
        }
    return tag(
        "li",
        tag("div", title, _short_answer(verdict), state, class_="asked"),
        # the script draws the rest where the card is chosen
        join(open_parts, undrawn(more)) if key and verdict else join(open_parts, more),
        class_=f"question {kind} {wrong_or_split}".rstrip(),
        data_question=index,
        **attributes,
    )


def _short_answer(verdict: Verdict | None) -> Markup:
    """Return the answer as it stands in the one line of a card that is not open."""
    if verdict is None or verdict.answer is None:
        return Markup()
    answer = verdict.question.choice(verdict.answer)
    return tag("span", answer, class_="short-answer", aria_hidden="true")


def _choice(
    question: Question, verdict: Verdict | None, truth: TrueAnswer | None, i: int
) -> Markup:
    letter = LETTERS[i]
    gold = letter == question.gold
    answered = verdict is not None and verdict.answer == letter
    roles = [word for word, holds in (("expected", gold), ("judge", answered)) if holds]
    states = {"gold": gold, "answered": answered, "wrong": answered and not gold}
    return tag(
        "li",
        tag("span", letter, class_="letter"),
        f" {question.choices[i]}",
        join(" ", tag("span", " and ".join(roles), class_="who")) if roles else "",
        _true_choice(letter, truth),
        class_=" ".join(["choice", *(state for state, holds in states.items() if holds)]),
    )


def _true_choice(letter: Letter, truth: TrueAnswer | None) -> Markup:
    if truth is None or truth.letter != letter:
        return Markup()
    return join(" ", tag("span", SOURCES[truth.source], class_="who truth"))


def _reason_left_out(verdict: Verdict | None) -> Markup:
    if verdict is None or verdict.answer is not None:
        return Markup()
    reason = (
        verdict.failure
        or "The reply names no single choice, so it counts neither as correct nor as incorrect."
    )
    return tag("p", reason, class_="why-left-out")


def _trial_strip(trials: Sequence[Verdict]) -> Markup:
    if len(trials) < 2:
        return Markup()
    signs = (tag("li", sign(v.state, f"Trial {i}:")) for i, v in enumerate(trials, 1))
    strip = tag("ul", *signs, class_="strip", aria_label="All trials")
    return tag("div", tag("span", "trials"), strip, class_="trials")


def _raw_reply(verdict: Verdict | None) -> Markup:
    if verdict is None:  # keeps the place, so that nothing moves when the reply comes
        return tag("p", "waiting", class_="raw pending", aria_hidden="true")
    if not verdict.raw:
        return Markup()
    sure = "" if verdict.probability is None else f" · confidence {100 * verdict.probability:.0f} %"
    summary = tag("summary", f"Raw reply{sure}")
    return tag("details", summary, tag("pre", verdict.raw), class_="raw")
