"""Shows a picture with answered questions as an exhibit: parts, question cards and score.

The parts are those that it was asked about.

The parts come from the stored truth of a drawing and are shown to people only; no judge is given
them.
"""

from collections.abc import Mapping, Sequence

from hallascope.components.cards import cards
from hallascope.components.cards.cards import Tile
from hallascope.components.evidence.exhibit import EvidenceGroup, Exhibit, ImageRegion, key
from hallascope.components.html.markup import bar, text
from hallascope.data.outlines import Polygon
from hallascope.data.records import CoI, Question, Report, Verdict
from hallascope.metrics import aggregate

Regions = Mapping[str, Sequence[Polygon]]
_KNOWN = "Choose a question or a part of the picture: both light up."
_UNKNOWN = "Where in the picture the answers lie is not known here."


def exhibit(tile: Tile, regions: Regions | None = None) -> Exhibit:
    """The picture with the parts its questions are about.

    `regions`: outlines by the name of the part, where they are known.
    """
    known = regions or {}
    found = marks(tile.judge_questions, tile.verdicts, known)
    return Exhibit(
        run=tile.run,
        key=tile.key,
        name=tile.name,
        path=tile.path,
        alt=alt_text(tile),
        placeholder=tile.why or tile.doing,
        hint=_KNOWN if found else _UNKNOWN,
        revised=tile.revised,
        marks=found,
        groups=(_questions(tile, known),),
        numbers=_numbers(tile),
    )


def alt_text(tile: Tile) -> str:
    """Return the picture's alternative text: its prompt, and which answers are wrong.

    It says how many they are, too.
    """
    wrong = [
        f"{v.question.text} {_answer_comparison(v)}"
        for v in tile.verdicts
        if cards.SIGNS[v.state].kind == "incorrect"
    ]
    return tile.alt_text + (f". Wrong: {'; '.join(wrong)}" if wrong else "")


def _answer_comparison(verdict: Verdict) -> str:
    gold = verdict.question.choice(verdict.question.gold)
    said = verdict.question.choice(verdict.answer) if verdict.answer else "nothing"
    return f"{said}, not {gold}"


# --- parts of the picture
# --------------------------------------------------------------------------------------------------


def marks(
    questions: Sequence[Question], verdicts: Sequence[Verdict], regions: Regions
) -> tuple[ImageRegion, ...]:
    """The parts that questions are about and that are seen in the picture."""
    asked = [
        part for part in dict.fromkeys(p for q in questions for p in q.regions) if regions.get(part)
    ]
    return tuple(_mark(part, questions, verdicts, tuple(regions[part])) for part in asked)


def _mark(
    part: str,
    questions: Sequence[Question],
    verdicts: Sequence[Verdict],
    shapes: tuple[Polygon, ...],
) -> ImageRegion:
    about = [i for i, question in enumerate(questions) if part in question.regions]
    words = [
        f"question {i + 1}"
        + (f" {cards.SIGNS[verdicts[i].state].word}" if i < len(verdicts) else "")
        for i in about
    ]
    return ImageRegion(
        name=part,
        keys=tuple(key("question", i) for i in about),
        polygons=shapes,
        words="; ".join(words),
        quiet=True,
    )


def region_note(question: Question, regions: Regions) -> str:
    """Return what is said of a chosen question: which parts are marked or missing."""
    if not question.regions:
        return "This question is about the whole picture."
    if not regions:
        return _UNKNOWN
    seen = [part for part in question.regions if regions.get(part)]
    missing = ", ".join(part for part in question.regions if part not in seen)
    if not seen:
        return f"Not to be seen in this picture: {missing}."
    return f"Marked: {', '.join(seen)}." + (f" Not in this picture: {missing}." if missing else "")


# --- what stands beside it
# --------------------------------------------------------------------------------------------------


def _questions(tile: Tile, regions: Regions) -> EvidenceGroup:
    by_trial = [report.verdicts for report in tile.reports]
    items = "".join(
        cards.question_card(
            index=i,
            question=q,
            verdict=tile.verdicts[i] if tile.verdicts else None,
            trials=[verdicts[i] for verdicts in by_trial],
            key=key("question", i),
            said=region_note(q, regions),
        )
        for i, q in enumerate(tile.judge_questions)
    )
    score = (
        f"{cards.correct_of([v.state for v in tile.verdicts])} ·"
        f" {cards.score_with_counts(tile.reports[0].score)}"
        if tile.reports
        else ""
    )
    nothing = f"<p>{text(tile.notice or 'There are no questions for this picture.')}</p>"
    return EvidenceGroup(
        tile.metric, f'<ol class="cards">{items}</ol>' if items else nothing, score
    )


def _numbers(tile: Tile) -> str:
    if not tile.reports:
        return '<h2>Score</h2><p class="soft">Not judged yet.</p>'
    report = tile.reports[0]
    value = "–" if report.score.value is None else f"{report.score.value:.2f}"
    rows = [
        ("all correct (strict)", cards.yes_no(report.scores.get("strict"))),
        ("under the papers’ rule", _published(report)),
        *cards.trial_rows(tile.reports),
        ("judge", tile.judge or "none"),
        ("replies", "from the cache" if tile.cached else "asked anew"),
        ("rules", report.version),
    ]
    return (
        f'<h2>{text(tile.metric)} score</h2><p class="value">{value}</p><p class="soft">counted'
        f" {report.score.counted}, left out {report.score.left_out}</p>{cards.facts(rows)}<h2"
        ' class="second">By'
        f" composition</h2>{coi_bars(aggregate.by_coi([aggregate.ReportRow(report=report)]))}"
    )


def _published(report: Report) -> str:
    value = report.published.get("score")
    return "–" if value is None else f"{value:.2f}"


def coi_bars(means: Mapping[CoI, aggregate.Mean]) -> str:
    """One line a composition of interest: its name, a bar, how many of how many."""
    lines = "".join(
        f'<li><span class="called">{text(coi)}</span>{bar(mean.value)}<span'
        f' class="n">{_share(mean)}</span></li>'
        for coi, mean in means.items()
    )
    return f'<ul class="bars">{lines}</ul>'


def _share(mean: aggregate.Mean) -> str:
    left_out = f", {mean.left_out} left out" if mean.left_out else ""
    return f"{round((mean.value or 0) * mean.n)} of {mean.n}{left_out}"
