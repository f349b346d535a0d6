"""Explore: what is asked of the engine, and what the page shows of a run, moment by moment."""

import itertools
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.data.requests import Answer, Ask, Failure
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.pages.evaluate import run as running
from hallascope.pages.evaluate.run import EvaluateSettings
from hallascope.pages.shared.evidence.handlers import evidence
from tests.support import paid_models

PROMPT = "a molecule of methane"
MODELS = ("primer/exact", "primer/hasty")


def shown(services: Any, *, prompt: str = PROMPT, **changes: Any) -> list[running.EvaluateView]:
    asked = EvaluateRequest(prompt=prompt, **{"models": MODELS, **changes})
    return list(running.frames(services, asked, threading.Event(), clock=lambda: 0.0))


def spent(services: Any, said: EvaluateSettings, **caps: Any) -> running.EvaluateView:
    """The last moment of a run with these caps."""
    policy = SpendingPolicy(**caps)
    return list(running.frames(services, running.request(said), threading.Event(), policy))[-1]


@pytest.mark.parametrize(
    "models, seed, count, trials, words",
    [
        ([], 0, 1, 1, "No model is chosen"),
        (MODELS, -1, 1, 1, "The seed is -1"),
        (MODELS, 0, 1, 1.5, "The number of judge repetitions is 1.5"),
        ([f"m{i}" for i in range(20)], 0, 16, 1, "20 models with 16 images each"),
    ],
)
def test_controls_that_hold_nothing_to_run_give_one_sentence(
    models: Any, seed: Any, count: Any, trials: Any, words: str
) -> None:
    with pytest.raises(BadRequest, match=words):
        running.request(
            EvaluateSettings(
                prompt=PROMPT,
                models=models,
                judge="primer/judge",
                seed=seed,
                images=count,
                trials=trials,
            )
        )


def test_places_are_kept_from_the_first_moment_and_filled_to_the_last(services: Any) -> None:
    frames = shown(services)
    assert all(frame.cards.count("<article") == 2 for frame in frames)
    assert frames[0].cards.count("<img") == 0
    assert frames[-1].cards.count("<img") == 2
    assert "<progress" in frames[0].status
    assert "2 of 2 images, 2 judged" in frames[-1].status
    assert (frames[0].current.done, frames[-1].current.done) == (False, True)


def test_a_stored_run_shows_what_its_last_moment_showed(services: Any) -> None:
    last = shown(services)[-1]
    assert last.current.run
    again = running.stored_run_view(services, services.view(last.current.run))
    assert again.cards == last.cards
    assert again.current == last.current


def test_a_judge_that_times_out_on_two_questions_shows_a_score_over_three(
    make_services: Callable[..., Any],
) -> None:
    def slow(ask: Ask) -> Answer | Failure:
        late = any(word in ask.question for word in ("color", "larger"))
        return Failure("timeout", "The judge took longer than 120 s.") if late else Answer("B")

    services = make_services(slow)
    last = shown(services, models=("primer/exact",))[-1]
    html = evidence(services, str(last.current.run), None)
    assert "3 of 5 questions answered" in html
    assert "The judge took longer than 120 s." in html
    assert last.cards.count("left out: no reply") >= 2
    assert "The judge left 2 questions without an answer" in last.status


def test_what_cannot_be_run_is_refused_with_one_sentence(services: Any, tmp_path: Path) -> None:
    file = tmp_path / "no.png"
    file.write_text("<script>alert(1)</script>")
    wrong: dict[str, dict[str, Any]] = {
        "The prompt is empty": {"prompt": "   "},
        "The prompt has 10,000 characters": {"prompt": "x" * 10_000},
        "not an image that can be read": {"models": (), "images": (file,)},
    }
    for words, changes in wrong.items():
        with pytest.raises(HallaScopeError, match=words):
            shown(services, **changes)


def test_an_upload_is_judged_in_place_of_generated_pictures(services: Any, tmp_path: Path) -> None:
    Image.new("RGB", (64, 48), "green").save(tmp_path / "mine.png")
    said = EvaluateSettings(
        prompt=PROMPT, models=MODELS, judge="primer/judge", upload=str(tmp_path / "mine.png")
    )
    _, cards, current, *_ = spent(services, said)
    assert cards.count("<article") == 1
    assert "Uploaded image" in cards
    assert "no region evidence" in evidence(services, str(current.run), None)


def test_a_link_to_a_run_sets_the_page_and_an_unknown_one_gives_one_sentence(services: Any) -> None:
    run = shown(services, seed=3)[-1].current.run
    said, frame = running.open_run(services, str(run))
    assert said == EvaluateSettings(
        prompt=PROMPT,
        models=list(MODELS),
        judge="primer/judge",
        metrics=["ihalla"],
        writer="none",
        upload=None,
        seed=3,
        images=1,
        trials=1,
        detector="primer/segmenter",
        segmenter="primer/segmenter",
        captioner="primer/judge",
        parser="none",
        reader="none",
    )
    assert frame.current.run == run
    with pytest.raises(HallaScopeError, match="No run"):
        running.open_run(services, "<b>nothing</b>")


@pytest.fixture
def paid(tmp_path: Path) -> Iterator[Any]:
    found = paid_models.build(tmp_path / "paid")
    yield found
    found.store.close()


COSTLY = EvaluateSettings(prompt=PROMPT, models=["paid/painter"], judge="paid/judge", images=2)


def estimate(services: Any, policy: SpendingPolicy | None = None, **changes: Any) -> str:
    said = COSTLY._replace(**changes)
    return running.estimate_html(services, said, policy or SpendingPolicy())


def test_what_a_run_is_likely_to_cost_is_said_before_it_and_nothing_where_it_costs_nothing(
    paid: Any,
) -> None:
    said = estimate(paid)
    for words in ("paid/painter 2 calls", "2 images, 0.0200 USD", "paid/judge 10 calls"):
        assert words in said
    assert estimate(paid, models=["primer/exact"], judge="primer/judge") == ""
    assert estimate(paid, prompt="") == "", "a request that cannot be run has no estimate"


def test_an_estimate_over_a_cap_or_without_a_price_says_what_to_do(paid: Any) -> None:
    over = estimate(paid, SpendingPolicy(run=0.01))
    assert "more than the budget of a run: raise it" in over
    assert "raise the budget of a day" in estimate(paid, SpendingPolicy(day=0.01))
    unknown = estimate(paid, judge="unknown/judge")
    for words in ("unknown/judge 10 calls", "unknown price", "must be allowed"):
        assert words in unknown
    allowed = estimate(paid, SpendingPolicy(unpriced=True), judge="unknown/judge")
    assert "must be allowed" not in allowed


def test_what_is_spent_is_shown_as_it_goes_and_in_the_end(tmp_path: Path) -> None:
    six_cents_shown = threading.Event()
    calls = itertools.count(1)

    def wait_after_four_answers() -> None:
        # costs of calls that end together are told together: without this, six cents may be skipped
        if next(calls) > 4:
            assert six_cents_shown.wait(timeout=20)

    paid = paid_models.build(tmp_path, wait_after_four_answers)
    last = None
    for last in running.frames(paid, running.request(COSTLY), threading.Event(), SpendingPolicy()):
        if "0.0600 USD of at most 5.00 USD spent" in last.status:
            six_cents_shown.set()
    assert six_cents_shown.is_set()
    assert last
    # two images, ten answers, and one before the first image is bought
    assert "0.13 USD of at most 5.00 USD spent." in last.status
    assert estimate(paid) == "", "what is there already costs nothing"
    paid.store.close()


def test_the_prompt_as_the_service_changed_it_stands_with_the_evidence(paid: Any) -> None:
    html = evidence(paid, str(spent(paid, COSTLY).current.run), None)
    assert "The provider rewrote the prompt" in html
    assert "A detailed &lt;b&gt;molecule&lt;/b&gt; of methane." in html


def test_a_prompt_without_questions_leads_to_the_making_of_some(paid: Any) -> None:
    unknown = COSTLY._replace(prompt="a harbour at dawn")
    with pytest.raises(BadRequest, match=r"no questions for this prompt yet.*No image was bought"):
        spent(paid, unknown)
    last = spent(paid, unknown._replace(judge=None))
    assert "2 of 2 images" in last.status
    assert not spent(paid, COSTLY).unasked


def test_a_stopped_run_says_how_to_go_on(services: Any) -> None:
    stop = threading.Event()
    stop.set()
    asked = EvaluateRequest(prompt=PROMPT, models=MODELS)
    *_, last = running.frames(services, asked, stop, clock=lambda: 0.0)
    assert "Generate resumes this run" in last.status
    stopped = services.view(last.current.run)
    assert "Generate resumes it" in running.stored_run_view(services, stopped).status
    own = replace(stopped, request=replace(asked, models=(), images=(Path("own.png"),)))
    assert "Upload the image again" in running.stored_run_view(services, own).status
