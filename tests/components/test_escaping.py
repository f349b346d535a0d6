"""What comes from elsewhere stays text in every component, whatever it is."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast, get_type_hints

from hallascope.components.all_metrics.sections import section
from hallascope.components.cards import cards, matrix, score_chips, status
from hallascope.components.comparison import domains, jury, knowledge, slider, tables
from hallascope.components.evidence import image_tags
from hallascope.components.evidence.exhibits import (
    factualbench,
    number,
    score_table,
    unasked,
    verdicts,
)
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html import fact_table, human_verdicts, link_tags
from hallascope.components.html.fields.file_button import file_button
from hallascope.components.html.judge_chip import judge_chip
from hallascope.components.html.jury import member_line
from hallascope.components.html.markup import image, key_attributes, tag
from hallascope.components.judges import reasoning
from hallascope.components.labels import agreement
from hallascope.components.leaderboard import ranking_table
from hallascope.components.leaderboard.charts import Axis, Bar
from hallascope.components.leaderboard.published_tables import published_tables_html
from hallascope.components.learn import break_it, exercise
from hallascope.components.learn.judged_image import image_strips
from hallascope.components.learn.live import class_page
from hallascope.components.learn.live.sheets import answer_key, pupil_sheet
from hallascope.components.learn.live.step_html import projector_step, pupil_step
from hallascope.components.models import prompts
from hallascope.components.models.unavailable import unavailable_list
from hallascope.components.questions import review, saved_sets
from hallascope.components.scene_graph.diagram import diagram
from hallascope.components.scene_graph.links import link_graphs
from hallascope.components.tiles.scores import MetricScore
from hallascope.data.evidence import Evidence, Finding
from hallascope.data.published import numbers as published
from hallascope.data.records import MemberAnswer, Picture, QuestionSet
from hallascope.data.teaching.class_lesson import ClassLesson, LessonStep
from hallascope.data.teaching.exercise import Exercise
from hallascope.data.teaching.judged_image import JudgedFact, JudgedImage
from hallascope.engine.error_analysis.repair import RepairRound
from hallascope.engine.leaderboard.drilldown import (
    DrilldownEvaluation,
    MethodDisagreement,
    Page,
    PromptScore,
)
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.base import ScoreSpec
from hallascope.metrics.factualbench.aggregate import CELLS
from hallascope.metrics.ihalla.question_replies import RejectedQuestion
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning
from hallascope.metrics.statistics.paired_difference import ModelDifference
from hallascope.metrics.true_answers import JudgeErrors, TrueAnswer, UnaskedError
from hallascope.pages.judges import judge_tables
from hallascope.pages.leaderboard import lists
from hallascope.pages.repair import rounds
from tests.support import scene_graphs, viewer_app
from tests.support.tiles import CHOICES, EVIL, QUESTION, no_markup_of, report, tile, verdict

Record = TypeVar("Record")


def hostile(kind: type[Record], **given: Any) -> Record:
    """Return a record all of whose texts that are not given try to be markup."""
    texts = {name: EVIL for name, type_ in get_type_hints(kind).items() if type_ is str}
    return kind(**texts | given)


TEXTS: dict[str, Any] = dict.fromkeys(
    ("prompt", "name", "model", "key", "run", "judge", "notice", "why", "doing"), EVIL
)
PATH = Path(f"/tmp/{EVIL}.png")
ASKED = replace(
    QUESTION, text=EVIL, choices=(EVIL, *CHOICES[1:]), gold="A", coi="color", regions=(EVIL,)
)
MEMBERS = (MemberAnswer(member="m/one", answer="C"), MemberAnswer(member=EVIL, failure=EVIL))
JUDGED = tile(
    **TEXTS,
    path=PATH,
    questions=(ASKED,),
    reports=(report(verdict("correct", "A", question=ASKED, raw=EVIL, members=MEMBERS)),),
    truths=(TrueAnswer("B", EVIL, "drawn"),),
    errors=JudgeErrors(wrong=1, known=1),
    unasked=(UnaskedError(EVIL, EVIL, EVIL, "others", (EVIL,)),),
)
FAILED = replace(
    JUDGED, reports=(report(verdict("failed", None, question=ASKED, raw="", failure=EVIL)),)
)
FOUND = Evidence(
    findings=(Finding(kind=EVIL, expected=EVIL, observed=EVIL, state="incorrect", note=EVIL),),
    notes=(EVIL,),
    caption=EVIL,
)
FOUND_REPORT = replace(report(), evidence=FOUND)
ROUNDS = replace(
    report(), evidence=replace(FOUND, findings=(replace(FOUND.findings[0], kind="rating"),))
)
SCORE = MetricScore(
    metric="fig",
    title=EVIL,
    presents="findings",
    spec=ScoreSpec("score", "Score"),
    value=None,
    reason=EVIL,
)
MEAN = Mean(value=0.5, n=1, left_out=0, interval_method="clopper-pearson")
BAR = hostile(Bar, value=0.5, low=None, high=None, n=1, left_out=0)
CELL = judge_tables.JudgeTableCell(EVIL, EVIL, 0.5)
FACT = hostile(JudgedFact, drawn="another", asked=True, state="incorrect")
LESSON_IMAGE = hostile(JudgedImage, seed=1, facts=(FACT,))
STEP = hostile(
    LessonStep, minutes=1, choices=(EVIL,), marking=True, with_questions=True, image=LESSON_IMAGE
)
LESSON = hostile(ClassLesson, id="x", goals=(EVIL,), steps=(STEP,), discussion=((EVIL, EVIL),))
SWITCH = break_it.FactSwitch(EVIL, EVIL, EVIL, [(EVIL, EVIL, EVIL)], EVIL, EVIL, asked=True)


def cards_and_tables() -> list[str]:
    undrawn = replace(JUDGED, path=None)
    return [
        cards.grid([JUDGED, undrawn]),
        matrix.matrix_table([replace(shown, seed=seed) for seed in (0, 1) for shown in (JUDGED,)]),
        score_chips.chips([SCORE]) + score_chips.table([SCORE, SCORE]),
        tables.side_by_side([JUDGED, undrawn]),
        tables.by_composition({EVIL: {"color": MEAN}}),
        tables.metric_comparison([(JUDGED, replace(JUDGED, metric=EVIL))]),
        domains.published_table(
            {EVIL: dict.fromkeys(CELLS, MEAN)},
            published.factualbench_levels(),
            published.factualbench_deltas(),
        ),
        knowledge.changes([{None: undrawn, "text": undrawn}]),
        slider.sliders([slider.ImagePair(PATH, EVIL, PATH, EVIL)]),
        jury.jury_panel([JUDGED]),
        rounds.prompt_rounds(
            [hostile(RepairRound, number=n, wrong=JUDGED.verdicts) for n in (0, 1)]
        ),
        member_line(JUDGED.reports[0].verdicts[0]),
        human_verdicts.human_place(verdict("correct"), {EVIL: EVIL}),
        fact_table.fact_table([(EVIL, EVIL), ("judge", EVIL)]),
    ]


def evidence() -> list[str]:
    graphs = scene_graphs.hostile(EVIL)
    tied = link_graphs(graphs)
    judged = section(SCORE, replace(FOUND_REPORT, metric="fig"))
    assert tied
    assert judged
    four = (EVIL,) * 4
    return [
        judged.body + judged.aside,
        viewer([verdicts.exhibit(JUDGED, {EVIL: [((0.1, 0.1), (0.3, 0.1), (0.3, 0.3))]})]),
        viewer([verdicts.exhibit(FAILED, {})]),
        viewer([number.exhibit(replace(JUDGED, reports=(FOUND_REPORT,)), "clipscore", [])]),
        viewer([factualbench.exhibit(replace(JUDGED, reports=(ROUNDS,)))]),
        viewer([viewer_app.shown(viewer_app.hostile(), PATH, *four)]),
        viewer([scene_graphs.shown(graphs, PATH, *four)]),
        diagram(tied),
        score_table.score_table([score_table.ScoreTableRow(JUDGED, EVIL)]),
        unasked.unasked_group(JUDGED.unasked).body,
        image_tags.tag_row([EVIL]),
    ]


def runs_and_boards() -> list[str]:
    context = ranking_table.TableContext(EVIL, Axis(EVIL), {}, EVIL, [EVIL])
    differs = hostile(ModelDifference, value=0.1, low=None, high=None, p=None, n=3)
    behind = hostile(PromptScore, value=0.1, pictures=1, answered=1, unanswered=0)
    picture = hostile(
        DrilldownEvaluation, evaluation=1, image=None, seed=0, trial=0, value=0.1, thumbnail=PATH
    )
    differ = hostile(
        MethodDisagreement,
        image=None,
        scores={"ihalla": 0.5, "fig": 0.6},
        ranks={"ihalla": 0.1, "fig": 0.2},
        value=0.1,
        thumbnail=PATH,
    )
    number_ = hostile(published.PublishedNumber, value=0.5, deviation=None, n=0, raters=0)
    printed = hostile(
        published.PublishedTable,
        columns={EVIL: EVIL},
        rows={(EVIL, EVIL): {EVIL: number_}},
        digits=2,
    )
    return [
        ranking_table.table([BAR._replace(source="")], [BAR], context),
        ranking_table.figure_words([BAR._replace(source="")], [BAR], Axis(EVIL), has_bars=True),
        ranking_table.differences(EVIL, EVIL, [differs] * 2, EVIL, [EVIL]),
        lists.prompts(EVIL, Page((behind,), 1, 0, 10), {EVIL: [picture]}, redrawn=False),
        lists.disagreements(Page((differ,), 1, 0, 10), EVIL),
        lists.redrawn_picture(PATH, EVIL, EVIL, 0, {EVIL: None}),
        published_tables_html([printed]),
    ]


def people_judges_and_classes() -> list[str]:
    row = judge_tables.JudgeTableRow(EVIL, EVIL, {EVIL: CELL})
    made = hostile(
        Exercise, facts=(EVIL,), wrong=0, question=QUESTION, right_parts=frozenset({EVIL})
    )
    return [
        judge_tables.table(
            [row, judge_tables.JudgeTableRow(f"{EVIL}2", EVIL, reason=EVIL)], {EVIL: EVIL}
        ),
        judge_tables.detail(
            judge_tables.JudgeTableRow(EVIL, EVIL, {}, EVIL, EVIL),
            [judge_tables.Bars(EVIL, ((EVIL, CELL),), EVIL)],
        ),
        file_button(EVIL, lambda: {}, "file", EVIL).value,
        link_tags.link_tags(EVIL, EVIL),
        agreement.table(EVIL, (EVIL,), [(EVIL, EVIL)], EVIL, [EVIL]),
        agreement.left_out_rows([EVIL]),
        review.rejected_sets([RejectedQuestion(2, EVIL, EVIL)], EVIL),
        saved_sets.set_list([QuestionSet(prompt=EVIL, questions=(QUESTION,), source=EVIL)]),
        exercise.truth(made, Picture("ab", PATH), Picture("ab", PATH)),
        break_it.fact_cards([SWITCH]) + break_it.fact_strips(SWITCH),
        break_it.judge_line(SWITCH, "missed", EVIL, EVIL),
        exercise.sheet(made, Picture("ab", PATH), 0, 1)["html"],
        exercise.work([], EVIL)["html"],
        image_strips(LESSON_IMAGE),
        pupil_step(LESSON, 0, "truth", 1, 0, None, [1]),
        str(projector_step(LESSON.steps[0], with_class=True)["html"]["truth"]),
        pupil_sheet(LESSON) + answer_key(LESSON, EVIL),
        # the scripts of the page itself are taken out
        re.sub(
            r"<script.*?</script>",
            "",
            class_page.code_page(EVIL, EVIL)
            + class_page.pupil_page(EVIL)
            + class_page.start_page(EVIL, EVIL),
            flags=re.DOTALL,
        ),
    ]


def lines_and_controls() -> list[str]:
    material = LabeledPicture(Picture("aa", PATH), True)
    reasoned = [
        Reasoning(material=material, state="unreadable", raw=EVIL),
        Reasoning(material=material, state="failed", failure=EVIL),
    ]
    return [
        status.result_message(EVIL, [EVIL]),
        status.error_message(EVIL),
        status.progress(1, 2, EVIL, EVIL),
        status.result_message(EVIL),
        judge_chip(EVIL),
        domains.figure_description({EVIL: {"plant": MEAN}}),
        unavailable_list({EVIL: EVIL}, True, EVIL),
        prompts.example_row([EVIL]),
        image(PATH, EVIL),
        tag("i", **key_attributes([EVIL], [EVIL])),
        lists.prompts(EVIL, Page((), 0, 0, 10), {}, redrawn=False),
        reasoning.render_reasoning([material], reasoned, {"aa": cast(Any, EVIL)}, done=True),
    ]


GROUPS: tuple[Callable[[], list[str]], ...] = (
    cards_and_tables,
    evidence,
    runs_and_boards,
    people_judges_and_classes,
    lines_and_controls,
)


def test_no_text_from_elsewhere_becomes_markup() -> None:
    wrong = [
        f"{group.__name__}, {number}"
        for group in GROUPS
        for number, html in enumerate(group())
        if not no_markup_of(EVIL, html) or "&lt;" not in html
    ]
    assert wrong == []
