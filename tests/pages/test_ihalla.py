"""The page of I-HallA: answers side by side, and means by composition for each model of the run."""

import re
import threading
from typing import Any

from hallascope.engine.events import EvaluateRequest
from hallascope.pages import ihalla
from hallascope.pages.evaluate import run
from hallascope.pages.shared.context import CurrentRun

PROMPT = "a molecule of methane"


def evaluated(services: Any, **changes: Any) -> CurrentRun:
    """A run of two models that is over."""
    asked = EvaluateRequest(prompt=PROMPT, models=("primer/exact", "primer/careless"), **changes)
    return list(run.frames(services, asked, threading.Event()))[-1].current


def test_answers_of_a_run_stand_side_by_side(services: Any) -> None:
    current = evaluated(services, trials=2)
    table = ihalla.answers(services, current)
    assert table.count('class="answer-cell"') == 10
    assert "expected: Four" in table
    means = ihalla.compositions(services.view(current.run))
    assert list(means) == ["exact", "careless"]
    assert (means["exact"]["counting"].value, means["exact"]["counting"].n) == (0.0, 2)
    assert "color" in ihalla.by_coi(services, current)


def test_the_table_and_the_evidence_say_what_was_drawn_and_where_the_judge_is_wrong(
    services: Any,
) -> None:
    asked = EvaluateRequest(
        prompt=PROMPT, models=("primer/exact", "primer/careless"), metrics=("ihalla", "tifa")
    )
    frame = list(run.frames(services, asked, threading.Event()))[-1]
    shot = services.view(frame.current.run).shots[0]
    sentence = "The judge is wrong on 4 of 10 answers that can be checked."
    for html in (frame.cards, ihalla.answers(services, frame.current)):
        assert sentence in html
        assert 'data-truth-default="on"' in html
    assert ">drawn: Four · the judge is wrong<" in ihalla.answers(services, frame.current)
    evidence = ihalla.evidence(services, str(frame.current.run), shot.generation)
    assert ">Judge: None of the above · drawn: Four · the judge is wrong<" in evidence
    assert ">drawn: White · the judge is right<" in evidence
    assert "drawn: Methane" in ihalla.tifa_questions(
        services, str(frame.current.run), shot.generation
    )


def test_while_a_run_lasts_each_judged_image_shows_its_truth_and_where_most_errors_are(
    services: Any,
) -> None:
    asked = EvaluateRequest(prompt=PROMPT, models=("primer/careless", "primer/exact"))
    *before, last = run.frames(services, asked, threading.Event())
    judged = [frame for frame in before if "incorrect" in frame.cards]
    assert judged
    assert all("truth" in frame.cards for frame in judged)
    assert any("Most errors so far: careless" in frame.status for frame in judged)
    assert "truth-bar" in last.cards


def test_before_the_first_run_the_shipped_example_stands_there(services: Any) -> None:
    table = ihalla.answers(services, CurrentRun())
    assert "an example that ships with HallaScope: a molecule of methane" in table
    assert table.count('class="answer-cell"') == 5
    run, key = (re.search(f'data-{name}="([^"]+)"', table) for name in ("run", "key"))
    assert run
    assert key
    found = ihalla.evidence(services, run[1], key[1])
    assert "How many outer atoms" in found
    assert found.count("data-unnamed") == table.count("data-unnamed") == 1
    assert ihalla.by_coi(services, CurrentRun()) == ""


def test_tifa_stands_beside_with_its_scores_and_the_questions_of_the_chosen_picture(
    services: Any,
) -> None:
    current = evaluated(services, metrics=("ihalla", "tifa"))
    html = ihalla.metric_comparison(services, current)
    assert html.index("TIFA-style</th>") < html.index("I-HallA</th>")
    assert "difference" in html
    assert html.count('class="less"') == 2
    found = ihalla.tifa_questions(services, str(current.run), None)
    assert "TIFA-style questions of exact" in found
    assert "What is shown in the image?" in found
    assert "<button" not in found, "what leads nowhere is no button"
