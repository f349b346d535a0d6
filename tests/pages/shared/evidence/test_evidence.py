"""Every metric of a run is seen, each line-up beside the other, and people say what they see."""

import re
from typing import Any

import gradio as gr
import pytest

from hallascope import metrics
from hallascope.components.cards.cards import tile_card
from hallascope.data.requests import Failure, Reply, Request
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.storage.people.ratings import CHECK, QUESTION
from hallascope.metrics.functions import read_metric
from hallascope.pages import fig
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.evidence import metric_models, runs, tab
from hallascope.pages.shared.evidence.all_metrics import all_metrics_exhibit
from hallascope.pages.shared.evidence.handlers import evidence
from hallascope.pages.shared.evidence.metric_models import NO_MODEL
from hallascope.pages.shared.evidence.people_labels import keep_verdict, rate_finding
from hallascope.pages.shared.evidence.runs import EvidenceRuns
from hallascope.pages.shared.server_functions import server_functions
from tests.pages.conftest import Judged, chip
from tests.support.fake_vision import drawn
from tests.support.fig_evidence import FIRST, look

# --- numbers and scores ---


NUMBERS = ("clipscore", "dino", "blip-itm")
SPURIOUS = ("not judged yet", "0 of 0", "There are no questions", "not counted")


def fails(request: Request) -> Reply:
    return Failure("timeout", "The embedder took too long.")


@pytest.mark.parametrize("metric", NUMBERS)
def test_an_image_judged_by_a_number_says_this_number_wherever_it_is_shown(
    judged: Judged, metric: str
) -> None:
    services, view = judged(metric)
    (report,) = [evaluation.report for evaluation in view.evaluations]
    (tile,) = run_pictures.tiles(view)
    value, title = f"{report.score.value:.3f}", metrics.get(metric).title
    assert f"{title} {value}" in tile.alt_text, "the alternative text"
    assert f"{title} {value}" in tile.verdict_text
    viewer = evidence(services, view.run, tile.key)
    assert value in viewer
    low, high = metrics.score(metric, "score").bounds
    assert f"from {low:g} to {high:g}" in viewer
    for html in (tile_card(tile), viewer):
        assert [words for words in SPURIOUS if words in html] == []


@pytest.mark.parametrize("metric", NUMBERS)
def test_a_number_that_could_not_be_told_is_left_out_and_says_why(
    judged: Judged, metric: str
) -> None:
    services, view = judged(metric, compare=fails)
    (tile,) = run_pictures.tiles(view)
    assert "no score" in tile.verdict_text
    for html in (tile_card(tile), evidence(services, view.run, tile.key)):
        assert "The embedder took too long." in html
        assert "0.000" not in html, "what is left out is no zero"
        assert [words for words in SPURIOUS if words in html] == []


def test_every_chosen_metric_stands_on_the_card_and_in_the_panel(judged: Judged) -> None:
    names = ("ihalla", "clipscore", "clip-t", "blip-itm")
    services, view = judged(*names)
    (tile,) = run_pictures.tiles(view)
    card, panel = tile_card(tile), evidence(services, view.run, tile.key)
    assert [score.metric for score in tile.scores] == list(names)
    assert chip(card, "I-HallA") == "I-HallA 0.80: 5 of 5 questions answered"
    assert chip(card, "CLIP-T") == "CLIP-T 0.800: from -1 to 1"
    for evaluation in view.evaluations:
        decimals = 2 if evaluation.metric == "ihalla" else 3
        value = f"{evaluation.report.score.value:.{decimals}f}"
        for html in (card, panel):
            assert metrics.get(evaluation.metric).title in html
            assert value in html
    assert "4 of 5" in tile.verdict_text, "the answers go before the number"


def test_a_run_by_a_metric_of_another_process_shows_its_score(
    judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as here:
        here.setattr(metrics, "_REGISTERED", {})
        metrics.register(read_metric("mine", lambda image, prompt: 0.625, "1"))
        services, view = judged("mine")
    metrics.find.cache_clear()
    (tile,) = run_pictures.tiles(view)
    for html in (tile_card(tile), evidence(services, view.run, tile.key)):
        assert "0.625" in html


# --- all metrics ---


def test_findings_and_graphs_stand_in_sections_whose_keys_begin_with_the_metric(
    services: Any,
) -> None:
    current = drawn(services, "fig", "scene-graph")
    view = services.view(current.run)
    shown = all_metrics_exhibit(services, view, view.shots[0])
    assert [section.metric for section in shown.sections] == ["scene-graph"]
    assert shown.metric == "fig"
    assert "higher is better" in shown.sections[0].aside
    links = {key for key in shown.same if key.startswith("scene-graph.")}
    assert links, "what the graph says is linked with what FiG says"
    for key in links:
        assert all(not other.startswith("scene-graph.") for other in shown.same[key])


# --- in every tab ---


def test_the_findings_of_a_run_stand_on_the_cards_and_in_the_viewer_of_every_tab(
    services: Any,
) -> None:
    current = drawn(services, "fig")
    html = evidence(services, str(current.run), None)
    assert 'data-metric="fig"' in html
    assert "Not in the prompt" in html
    assert "Step by step" in html


# --- line-ups ---


def test_results_of_other_models_stand_beneath_those_before_and_side_by_side_in_the_viewer(
    services: Any,
) -> None:
    current = drawn(services)
    _, table, looked = look(services, current, {"captioner": "eyes/grey"})[-1]
    assert len(looked.runs) == 2
    assert table.count('class="head-cell"') == 4
    assert table.index("captioner primer/judge") < table.index("captioner eyes/grey")
    one, other = runs.exhibits(services, looked, None, fig.TAB)
    assert one.name == "eyes/painter, captioner primer/judge"
    assert ("captioner", "primer/judge") in _facts(one.numbers)
    assert ("captioner", "eyes/grey") in _facts(other.numbers)
    assert one.key == other.key
    assert one.run != other.run
    _, table, again = look(services, current, {"captioner": "primer/judge"})[-1]
    assert len(again.runs) == 1, "the same models once more are no comparison"
    assert "captioner" not in table


def _facts(html: str) -> list[tuple[str, str]]:
    return re.findall(r'<th scope="row">([^<]*)</th><td>([^<]*)</td></tr>', html)


def test_what_an_evaluation_costs_is_said_where_it_costs_anything(services: Any) -> None:
    current = drawn(services)
    handlers = tab.TabHandlers(services, fig.TAB)

    def estimate(captioner: str) -> str:
        picked = [(FIRST | {"captioner": captioner}).get(role) for role in metric_models.ROLES]
        return handlers.estimate(services, SpendingPolicy(), current, *picked, OURS, "")

    said = estimate("eyes/paid")
    assert "Estimated cost: about" in said
    assert "eyes/paid" in said
    assert estimate("primer/judge") == "", "it costs nothing"


def test_a_metric_gets_the_models_of_the_roles_that_it_asks() -> None:
    picked = {
        "judge": "openai/gpt-4o",
        "writer": " openai/gpt-4o ",
        "detector": "primer/segmenter",
        "segmenter": "grounding-dino",
        "captioner": "",
        "parser": NO_MODEL,
        "reader": NO_MODEL,
    }
    values = [picked[role] for role in metric_models.ROLES]
    found = metric_models.chosen_roles([*values, "ours"], ["fig"])
    assert found["judge"] is None, "FiG asks no judge"
    assert found["writer"] == "openai/gpt-4o", "a typed name"
    assert found["segmenter"] == "grounding-dino"
    assert found["detector"] is found["captioner"] is found["parser"] is None, "the defaults"
    assert not any(metric_models.chosen_roles(values, ["clipscore"]).values())


# --- verdicts, tags and extras of people ---


ASKER = gr.Request()  # on one's own machine nobody asks who it is


def sent(view: Any, **changes: Any) -> dict[str, Any]:
    shot = view.shots[0]
    request = {"run": view.run, "key": shot.generation, "metric": "ihalla", "question": 0}
    return {**request, "mark": "B", "rater": "Ann", **changes}


def test_a_verdict_is_kept_as_one_that_was_given_with_the_judge_in_sight(judged: Judged) -> None:
    services, view = judged("ihalla")
    (keep,) = server_functions(services, keep_verdict)
    question = view.questions[0]
    reply = keep(sent(view), ASKER)
    assert question.choices[1] in reply["html"]
    (rating,) = services.store.ratings.all()
    assert rating.subject.metric == CHECK, "no correction of scores counts it"
    assert rating.subject.finding == f"{QUESTION}{question.text}"
    assert (rating.subject.rater, rating.value) == ("Ann", question.choices[1])
    shown = all_metrics_exhibit(services, view, view.shots[0])
    assert "<b>Ann</b>" in shown.groups[0].body


def test_the_example_that_ships_asks_nobody_for_verdicts_or_tags(
    services: Any, judged: Judged
) -> None:
    (example,) = runs.example_runs(services).runs
    shown = evidence(services, example, None)
    own, view = judged("ihalla")
    for control in ('class="human"', 'class="image-tags"'):
        assert control not in shown
        assert control in evidence(own, view.run, None)


def test_what_cannot_be_kept_is_refused_with_a_sentence(judged: Judged) -> None:
    services, view = judged("ihalla")
    (keep,) = server_functions(services, keep_verdict)
    assert "type your name" in keep(sent(view, rater=" "), ASKER)["wrong"]
    assert "No run" in keep(sent(view, run="nothing"), ASKER)["wrong"]
    wrong: tuple[dict[str, Any], ...] = (
        {"question": 99},
        {"question": "0"},
        {"mark": "Z"},
        {"mark": None},
        {"metric": "fig"},
    )
    for changes in wrong:
        reply = keep(sent(view, **changes), ASKER)
        assert "not a question of this image" in reply["wrong"], changes
    assert services.store.ratings.all() == []


def extra(services: Any, looked: EvidenceRuns) -> tuple[str, str]:
    """The key of the first picture, and that of its finding that nobody asked for."""
    view = services.view(looked.runs[0])
    rows = view.evaluations[0].report.evidence.findings
    return view.shots[0].generation, f"finding={[row.kind for row in rows].index('extraneous') + 1}"


def test_an_extra_that_a_person_calls_fine_is_so_for_every_line_up_and_changes_no_score(
    services: Any,
) -> None:
    looked = look(services, drawn(services), {"captioner": "eyes/grey"})[-1][2]
    key, about = extra(services, looked)
    before = services.view(looked.runs[0]).evaluations[0].report.scores
    rate_finding(services, looked.runs[0], key, "fig", about, "fine")
    first, second = runs.exhibits(services, looked, key, fig.TAB)
    assert "1 of 1 extras are fine" in first.numbers
    assert 'aria-pressed="true"' in "".join(group.body for group in first.groups)
    assert "extras are fine" in second.numbers
    assert services.view(looked.runs[0]).evaluations[0].report.scores == before
    rate_finding(services, looked.runs[0], key, "fig", about)
    assert "0 of 1 extras are fine" in runs.exhibits(services, looked, key, fig.TAB)[0].numbers


def test_only_what_nobody_asked_for_can_be_called_fine(services: Any) -> None:
    looked = look(services, drawn(services))[-1][2]
    key, _ = extra(services, looked)
    wrong = ("finding=1", "finding=0", "finding=99", "finding=²", "segment=1", "", "finding")
    for about in wrong:
        with pytest.raises(BadRequest, match="open the image again"):
            rate_finding(services, looked.runs[0], key, "fig", about, "fine")
