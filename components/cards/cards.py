"""Shows pictures and questions as cards: every state has a sign, a word and a color."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from markupsafe import Markup

from hallascope.components.cards import score_chips
from hallascope.components.cards.judge_chip import judge_chip
from hallascope.components.cards.score_chips import MetricScore
from hallascope.components.html.markup import icon, image, join, key_attributes, tag
from hallascope.data.evidence import Finding
from hallascope.data.records import LETTERS, Question, Report, Score, State, Verdict
from hallascope.metrics import aggregate
from hallascope.metrics.base import Presentation

SignKind = Literal["correct", "incorrect", "left-out"]
EXTRA = "extraneous"  # the kind of a finding that nobody asked for


@dataclass(frozen=True, kw_only=True)
class Tile:
    """Holds a picture of a run, or the place kept for it, with all that is shown of it.

    `reports`: one a trial, the first is shown in full. `doing`: words for the empty place. `why`:
    the sentence of a failure. `model` is its full name, `name` the short one; `seed` is None for an
    upload. `metric`: the title of the one that reports, `presents` what its reports rest on;
    `revised`: the prompt as the service drew it, where it changed it. `scores`: what every metric
    of the run gives the picture, the one that reports among them.
    """

    run: str
    key: str
    model: str
    name: str
    prompt: str
    seed: int | None = None
    path: Path | None = None
    seconds: float | None = None
    doing: str = ""
    why: str | None = None
    questions: tuple[Question, ...] = ()
    reports: tuple[Report, ...] = ()
    judge: str | None = None
    cached: bool = False
    notice: str | None = None
    metric: str = "I-HallA"
    revised: str | None = None
    presents: Presentation = "questions"
    scores: tuple[MetricScore, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return self.reports[0].verdicts if self.reports else ()

    @property
    def judge_questions(self) -> tuple[Question, ...]:
        """Return the questions as they were put to the judge, or as they are going to be."""
        return tuple(v.question for v in self.verdicts) or self.questions

    @property
    def findings(self) -> tuple[Finding, ...]:
        evidence = self.reports[0].evidence if self.reports else None
        return evidence.findings if evidence else ()

    @property
    def answers(self) -> tuple[tuple[str, State], ...]:
        """Return what was asked in a word or two, with a state for every question or finding.

        Behind a number there is neither.
        """
        if self.presents == "number":
            return ()
        if self.verdicts:
            return tuple(
                (f"Question {i}:", verdict.state) for i, verdict in enumerate(self.verdicts, 1)
            )
        return tuple(
            (f"{row.kind}, {row.expected or row.observed}:", row.state) for row in self.findings
        )

    @property
    def verdict_text(self) -> str:
        """Say how many answers are correct; of a metric that gives one number, say this number.

        What nobody asked for is no answer and is counted apart.
        """
        if self.presents == "number":
            return self._number
        states = [row.state for row in self.findings if row.kind != EXTRA] or [
            verdict.state for verdict in self.verdicts
        ]
        extras = sum(row.kind == EXTRA for row in self.findings)
        return verdict_summary(states) + (f", {extras} nobody asked for" if extras else "")

    @property
    def _number(self) -> str:
        if not self.reports:
            return "not evaluated yet"
        score = self.reports[0].score
        if score.value is not None:
            return f"{self.metric} {score_chips.value_text(score.value, self.presents)}"
        why = next((row.note for row in self.findings if row.note), "")
        return f"{self.metric}: no score" + (f". {why}" if why else "")

    @property
    def alt_text(self) -> str:
        """Return the alternative text: picture and verdict in one sentence."""
        return f"{self.prompt}, by {self.model}: {self.verdict_text}"


@dataclass(frozen=True)
class Sign:
    """Says how a state is shown: an icon, a color (by kind) and words."""

    icon: str
    kind: SignKind
    word: str


SIGNS: dict[State, Sign] = {
    "correct": Sign("check", "correct", "correct"),
    "incorrect": Sign("cross", "incorrect", "incorrect"),
    "abstained": Sign("cross", "incorrect", "incorrect, none fits"),
    "unreadable": Sign("question", "left-out", "left out: reply not readable"),
    "failed": Sign("question", "left-out", "left out: no reply"),
}


# --- words ---


def score_with_counts(score: Score) -> str:
    """Return a score with what it rests on: "0.60, counted 5, left out 0"."""
    value = "no score" if score.value is None else f"{score.value:.2f}"
    return f"{value}, counted {score.counted}, left out {score.left_out}"


def correct_of(states: Sequence[State]) -> str:
    """Say how many of the counted answers are correct: "3 of 5"."""
    kinds = [SIGNS[state].kind for state in states]
    return f"{kinds.count('correct')} of {len(kinds) - kinds.count('left-out')}"


def yes_no(score: Score | None) -> str:
    """Return the strict score of one picture in words."""
    if score is None or score.value is None:
        return "not counted"
    return "yes" if score.value == 1.0 else "no"


def seconds(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.1f} s" if value < 60 else f"{value / 60:.0f} min"


def verdict_summary(states: Sequence[State]) -> str:
    """Return the verdict in one sentence, for the alternative text of a picture."""
    if not states:
        return "not judged yet"
    left_out = sum(SIGNS[state].kind == "left-out" for state in states)
    return f"{correct_of(states)} correct" + (f", {left_out} left out" if left_out else "")


def facts(rows: Sequence[tuple[str, str]]) -> Markup:
    """Return a small table of names with a value each.

    A judge is a chip that leads to what is known of it.
    """
    lines = (
        tag(
            "tr",
            tag("th", name, scope="row"),
            tag("td", judge_chip(value) if name == "judge" else value),
        )
        for name, value in rows
    )
    return tag("table", tag("tbody", *lines), class_="facts")


def trial_rows(reports: Sequence[Report]) -> list[tuple[str, str]]:
    """Return the mean over the trials with its standard deviation, where there are several."""
    if len(reports) < 2:
        return []
    over = aggregate.trials(
        aggregate.ReportRow(report=report, trial=i) for i, report in enumerate(reports)
    ).over
    spread = "" if over.std is None else f" ± {over.std:.2f}"
    return [
        (f"mean of {len(reports)} trials", "–" if over.mean is None else f"{over.mean:.2f}{spread}")
    ]


# --- signs ---


def sign(state: State | None, label: str = "") -> Markup:
    """Return one small sign; `label` goes before its word in the accessible name.

    None: not answered yet.
    """
    if state is None:
        return tag(
            "span",
            icon("dot"),
            class_="sign waiting",
            role="img",
            aria_label=f"{label} not judged yet",
        )
    shown = SIGNS[state]
    words = f"{label} {shown.word}".strip()
    return tag(
        "span",
        icon(shown.icon),
        class_=f"sign {shown.kind}",
        role="img",
        aria_label=words,
        title=words,
    )


def verdict_strip(answers: Sequence[tuple[str, State]], places: int = 0) -> Markup:
    """Return the states of all answers as a row of signs.

    It has as many places as questions, so that nothing moves when answers come.
    """
    signs = [sign(state, label) for label, state in answers]
    signs += [sign(None, f"Question {i}:") for i in range(len(signs) + 1, places + 1)]
    if not signs:
        return Markup()
    return tag("ul", *(tag("li", one) for one in signs), class_="strip", aria_label="Answers")


# --- cards of pictures ---


def grid(tiles: Sequence[Tile], first: str = "") -> Markup:
    """Return all pictures of a run, each in the place kept for it.

    `first`: the key of the picture that is chosen where the person chose none, "" while that is not
    known. Before the first run it is an empty place.
    """
    if not tiles:
        return tag("div", class_="pictures none", data_run="")
    return tag(
        "div",
        *map(tile_card, tiles),
        class_="pictures",
        data_run=tiles[0].run,
        data_count=len(tiles),
        data_first=first,
    )


def previous_run_grid(tiles: Sequence[Tile]) -> Markup:
    """Return the pictures of a run while another begins, or after it could not.

    The prompt that they are of stands above them.
    """
    if not tiles:
        return grid(())
    note = f"The images and the evidence below are from the last run: “{tiles[0].prompt}”."
    return tag("p", note, class_="earlier", role="status") + grid(tiles)


def tile_card(tile: Tile) -> Markup:
    """Return one picture with its model, seconds, seed and the strip of its answers."""
    seed = "" if tile.seed is None else f"seed {tile.seed}"
    name = f"{tile.model}, {seed}" if seed else tile.model
    button = tag(
        "button",
        _picture_frame(tile),
        type="button",
        class_="pick",
        aria_pressed="false",
        aria_label=f"{name}: {tile.verdict_text}. Show the evidence.",
    )
    return tag(
        "article",
        button,
        caption(tile),
        score_chips.chips(tile.scores),
        class_="tile",
        data_key=tile.key,
        data_version=_tile_version(tile),
    )


def _tile_version(tile: Tile) -> str:
    """Return what changes whenever the card changes, by which the script draws it anew."""
    trials = sum(score.trials for score in tile.scores)
    return f"{tile.path is not None} {len(tile.reports)} {trials} {tile.why is not None}"


def caption(tile: Tile) -> Markup:
    """Return what stands below a picture: its model, seconds, seed and the strip of its answers."""
    seed = "" if tile.seed is None else f"seed {tile.seed}"
    about = " · ".join(filter(None, (seconds(tile.seconds), seed)))
    words = tag("div", tag("h3", tile.name), tag("p", about or Markup("&nbsp;"), class_="about"))
    return tag("div", words, verdict_strip(tile.answers, len(tile.questions)), class_="caption")


def _picture_frame(tile: Tile) -> Markup:
    if tile.path:
        return tag("span", image(tile.path, tile.alt_text), class_="frame")
    mark = join(icon("cross"), " ") if tile.why else ""
    words = tag("span", mark, tile.doing, class_="doing failed" if tile.why else "doing")
    return tag("span", words, class_="frame empty")


# --- cards of questions ---


def question_card(
    index: int,
    question: Question,
    verdict: Verdict | None,
    trials: Sequence[Verdict] = (),
    key: str = "",
    *,
    said: str = "",
) -> Markup:
    """Return a question with its choices, gold and answer in words, state and raw reply.

    `key`: choosing it marks what it is about ("": it leads nowhere), and `said` tells what that is.
    """
    kind = SIGNS[verdict.state].kind if verdict else "waiting"
    state = tag("span", _state(verdict), f" · {question.coi}", class_=f"state {kind}")
    choices = (_choice(question, verdict, i) for i in range(len(question.choices)))
    attributes: dict[str, str | bool] = {}
    if key:  # what the script must know of a card that leads somewhere
        attributes = {
            **key_attributes((key,)),
            "data_kind": kind,
            "data_said": said,
            "data_counts": question.coi == "counting",
            "data_whole": not question.regions,
        }
    return tag(
        "li",
        tag("div", _question_title(question, leads=bool(key)), state, class_="asked"),
        tag("ul", *choices, class_="choices"),
        _reason_left_out(verdict),
        _trial_strip(trials),
        _raw_reply(verdict),
        class_=f"question {kind}",
        data_question=index,
        **attributes,
    )


def _question_title(question: Question, leads: bool) -> Markup:
    if not leads:
        return tag("span", question.text, class_="question-title")
    return tag(
        "button",
        question.text,
        type="button",
        class_="question-title lead-button",
        aria_pressed="false",
    )


def _state(verdict: Verdict | None) -> str:
    if verdict is None:
        return "waiting for the judge"
    shown = SIGNS[verdict.state]
    return join(icon(shown.icon), " ", shown.word)


def _choice(question: Question, verdict: Verdict | None, i: int) -> Markup:
    letter = LETTERS[i]
    gold = letter == question.gold
    answered = verdict is not None and verdict.answer == letter
    roles = [word for word, holds in (("gold", gold), ("judge", answered)) if holds]
    states = {"gold": gold, "answered": answered, "wrong": answered and not gold}
    return tag(
        "li",
        tag("span", letter, class_="letter"),
        f" {question.choices[i]}",
        join(" ", tag("span", " and ".join(roles), class_="who")) if roles else "",
        class_=" ".join(["choice", *(state for state, holds in states.items() if holds)]),
    )


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
    sure = "" if verdict.probability is None else f" · the judge gives it {verdict.probability:.0%}"
    summary = tag("summary", f"Reply of the judge{sure}")
    return tag("details", summary, tag("pre", verdict.raw), class_="raw")
