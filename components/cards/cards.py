"""Cards of pictures and questions as HTML: every state has a sign, a word and a colour.

It makes no component and asks no one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hallascope.components.cards import score_chips
from hallascope.components.cards.judge_chip import judge_chip
from hallascope.components.cards.score_chips import MetricScore
from hallascope.components.html.markup import data, icon, image, text
from hallascope.data.evidence import Finding
from hallascope.data.records import LETTERS, Question, Report, Score, State, Verdict
from hallascope.metrics import aggregate
from hallascope.metrics.base import Presentation

SignKind = Literal["correct", "incorrect", "left-out"]
EXTRA = "extraneous"  # the kind of a finding that nobody asked for


@dataclass(frozen=True, kw_only=True)
class Tile:
    """A picture of a run, or the place kept for it, with all that is shown of it.

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
        """The questions as they were put to the judge, or as they are going to be."""
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
        found = tuple(
            (f"{row.kind}, {row.expected or row.observed}:", row.state) for row in self.findings
        )
        return (
            tuple((f"Question {i}:", verdict.state) for i, verdict in enumerate(self.verdicts, 1))
            or found
        )

    @property
    def verdict_text(self) -> str:
        """How many answers are correct, in words.

        What nobody asked for is no answer and is counted apart.

        Of a metric that gives one number, this number.
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
        why = next((row.note for row in self.findings if row.note), "")
        missing = f"{self.metric}: no score" + (f". {why}" if why else "")
        return (
            missing
            if score.value is None
            else f"{self.metric} {score_chips.value_text(score.value, self.presents)}"
        )

    @property
    def alt_text(self) -> str:
        """Picture and verdict in one breath, the alternative text."""
        return f"{self.prompt}, by {self.model}: {self.verdict_text}"


@dataclass(frozen=True)
class Sign:
    """How a state is shown: an icon, a colour (by kind) and words."""

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


# --- words
# --------------------------------------------------------------------------------------------------


def score_with_counts(score: Score) -> str:
    """A score with what it rests on: "0.60, counted 5, left out 0"."""
    value = "no score" if score.value is None else f"{score.value:.2f}"
    return f"{value}, counted {score.counted}, left out {score.left_out}"


def correct_of(states: Sequence[State]) -> str:
    """How many of the counted answers are correct: "3 of 5"."""
    kinds = [SIGNS[state].kind for state in states]
    return f"{kinds.count('correct')} of {len(kinds) - kinds.count('left-out')}"


def yes_no(score: Score | None) -> str:
    """The strict score of one picture in words."""
    if score is None or score.value is None:
        return "not counted"
    return "yes" if score.value == 1.0 else "no"


def seconds(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.1f} s" if value < 60 else f"{value / 60:.0f} min"


def verdict_summary(states: Sequence[State]) -> str:
    """The verdict in one breath, for the alternative text of a picture."""
    if not states:
        return "not judged yet"
    left_out = sum(SIGNS[state].kind == "left-out" for state in states)
    return f"{correct_of(states)} correct" + (f", {left_out} left out" if left_out else "")


def facts(rows: Sequence[tuple[str, str]]) -> str:
    """Names with what is to be said of each, as a small table.

    A judge is a chip that leads to what is known of it.
    """
    cells = ((name, judge_chip(value) if name == "judge" else text(value)) for name, value in rows)
    lines = "".join(
        f'<tr><th scope="row">{text(name)}</th><td>{cell}</td></tr>' for name, cell in cells
    )
    return f'<table class="facts"><tbody>{lines}</tbody></table>'


def trial_rows(reports: Sequence[Report]) -> list[tuple[str, str]]:
    """The mean over the trials with its standard deviation, where there are several."""
    if len(reports) < 2:
        return []
    over = aggregate.trials(
        aggregate.ReportRow(report=report, trial=i) for i, report in enumerate(reports)
    ).over
    spread = "" if over.std is None else f" ± {over.std:.2f}"
    return [
        (f"mean of {len(reports)} trials", "–" if over.mean is None else f"{over.mean:.2f}{spread}")
    ]


# --- signs
# --------------------------------------------------------------------------------------------------


def sign(state: State | None, label: str = "") -> str:
    """One small sign; `label` goes before its word in the accessible name.

    None: not answered yet.
    """
    if state is None:
        return (
            f'<span class="sign waiting" role="img" aria-label="{text(label)} not judged'
            f' yet">{icon("dot")}</span>'
        )
    shown = SIGNS[state]
    words = f"{label} {shown.word}".strip()
    return (
        f'<span class="sign {shown.kind}" role="img" aria-label="{text(words)}"'
        f' title="{text(words)}">{icon(shown.icon)}</span>'
    )


def verdict_strip(answers: Sequence[tuple[str, State]], places: int = 0) -> str:
    """The states of all answers as a row of signs.

    As many places as questions, so that nothing moves when they come.
    """
    asked: list[tuple[str, State | None]] = list(answers)
    asked += [(f"Question {i}:", None) for i in range(len(asked) + 1, places + 1)]
    if not asked:
        return ""
    signs = "".join(f"<li>{sign(state, label)}</li>" for label, state in asked)
    return f'<ul class="strip" aria-label="Answers">{signs}</ul>'


# --- cards of pictures
# ------------------------------------------------------------------------------------------------


def grid(tiles: Sequence[Tile], first: str = "") -> str:
    """All pictures of a run, each in the place kept for it; before the first run, an empty place.

    `first`: the key of the picture that is chosen where the person chose none, "" while that is not
    known.
    """
    if not tiles:
        return '<div class="pictures none" data-run=""></div>'
    about = f'data-run="{text(tiles[0].run)}" data-count="{len(tiles)}" data-first="{text(first)}"'
    return f'<div class="pictures" {about}>{"".join(map(tile_card, tiles))}</div>'


def previous_run_grid(tiles: Sequence[Tile]) -> str:
    """Return the pictures of a run while another begins, or after it could not.

    What they are of stands above them.
    """
    if not tiles:
        return grid(())
    note = f"The images and the evidence below are from the last run: “{tiles[0].prompt}”."
    return f'<p class="earlier" role="status">{text(note)}</p>{grid(tiles)}'


def tile_card(tile: Tile) -> str:
    """One picture with its model, seconds, seed and the strip of its answers."""
    came = sum(score.trials for score in tile.scores)
    version = f"{tile.path is not None} {len(tile.reports)} {came} {tile.why is not None}"
    seed = None if tile.seed is None else f"seed {tile.seed}"
    about = " · ".join(filter(None, (seconds(tile.seconds), seed)))
    label = f"{tile.model}{f', {seed}' if seed else ''}: {tile.verdict_text}. Show the evidence."
    return (
        f'<article class="tile" data-key="{text(tile.key)}" data-version="{text(version)}">'
        '<button type="button" class="pick" aria-pressed="false"'
        f' aria-label="{text(label)}">{_frame(tile)}</button>'
        f'<div class="caption"><div><h3>{text(tile.name)}</h3><p'
        f' class="about">{text(about) or "&nbsp;"}</p></div>'
        f"{verdict_strip(tile.answers, len(tile.questions))}</div>"
        f"{score_chips.chips(tile.scores)}</article>"
    )


def _frame(tile: Tile) -> str:
    if tile.path:
        return f'<span class="frame">{image(tile.path, tile.alt_text)}</span>'
    mark = f"{icon('cross')} " if tile.why else ""
    kind = "doing failed" if tile.why else "doing"
    return f'<span class="frame empty"><span class="{kind}">{mark}{text(tile.doing)}</span></span>'


# --- cards of questions
# ------------------------------------------------------------------------------------------------


def question_card(
    index: int,
    question: Question,
    verdict: Verdict | None,
    trials: Sequence[Verdict] = (),
    key: str = "",
    *,
    said: str = "",
) -> str:
    """Return a question with its choices, gold and answer in words, state and raw reply.

    `key`: choosing it marks what it is about ("": it leads nowhere), and `said` tells what that is.
    """
    kind = SIGNS[verdict.state].kind if verdict else "waiting"
    choices = "".join(_choice(question, verdict, i) for i in range(len(question.choices)))
    return (
        f'<li class="question {kind}" data-question="{index}"{_leads(question, kind, key, said)}>'
        f'<div class="asked">{_title(question, bool(key))}'
        f'<span class="state {kind}">{_state(verdict)} · {text(question.coi)}</span></div>'
        f'<ul class="choices">{choices}</ul>'
        f"{_unanswered(verdict)}{_trials(trials)}{_raw(verdict)}</li>"
    )


def _leads(question: Question, kind: str, key: str, said: str) -> str:
    """Return what the script must know of a card that leads somewhere.

    It is whether shapes are counted, and whether it is about the whole picture.
    """
    if not key:
        return ""
    flags = "".join(
        f" {flag}"
        for flag, holds in (
            ("data-counts", question.coi == "counting"),
            ("data-whole", not question.regions),
        )
        if holds
    )
    return f' data-keys="{data((key,))}" data-kind="{kind}" data-said="{text(said)}"{flags}'


def _title(question: Question, leads: bool) -> str:
    if not leads:
        return f'<span class="question-title">{text(question.text)}</span>'
    return (
        '<button type="button" class="question-title lead-button"'
        f' aria-pressed="false">{text(question.text)}</button>'
    )


def _state(verdict: Verdict | None) -> str:
    if verdict is None:
        return "waiting for the judge"
    shown = SIGNS[verdict.state]
    return f"{icon(shown.icon)} {text(shown.word)}"


def _choice(question: Question, verdict: Verdict | None, i: int) -> str:
    letter = LETTERS[i]
    gold = letter == question.gold
    answered = verdict is not None and verdict.answer == letter
    roles = " and ".join(word for word, holds in (("gold", gold), ("judge", answered)) if holds)
    named = f' <span class="who">{roles}</span>' if roles else ""
    states = {"gold": gold, "answered": answered, "wrong": answered and not gold}
    marks = "".join(f" {state}" for state, holds in states.items() if holds)
    return (
        f'<li class="choice{marks}"><span class="letter">{letter}</span>'
        f" {text(question.choices[i])}{named}</li>"
    )


def _unanswered(verdict: Verdict | None) -> str:
    if verdict is None or verdict.answer is not None:
        return ""
    why = (
        verdict.failure
        or "The reply names no single choice, so it counts neither as correct nor as incorrect."
    )
    return f'<p class="why-left-out">{text(why)}</p>'


def _trials(trials: Sequence[Verdict]) -> str:
    if len(trials) < 2:
        return ""
    signs = "".join(f"<li>{sign(v.state, f'Trial {i}:')}</li>" for i, v in enumerate(trials, 1))
    return (
        '<div class="trials"><span>trials</span><ul class="strip" aria-label="All'
        f' trials">{signs}</ul></div>'
    )


def _raw(verdict: Verdict | None) -> str:
    if verdict is None:  # keeps the place, so that nothing moves when the reply comes
        return '<p class="raw pending" aria-hidden="true">waiting</p>'
    if not verdict.raw:
        return ""
    sure = "" if verdict.probability is None else f" · the judge gives it {verdict.probability:.0%}"
    return (
        '<details class="raw"><summary>Reply of the'
        f" judge{text(sure)}</summary><pre>{text(verdict.raw)}</pre></details>"
    )
