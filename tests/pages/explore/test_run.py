"""Explore: what is asked of the engine, and what the page shows of a run, moment by moment."""

import itertools
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.data.requests import Answer, Ask, Failure
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.pages.explore import run as running
from hallascope.pages.explore.run import ExploreSettings
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence.handlers import evidence
from tests.support import paid_models

PROMPT = "a molecule of methane"
MODELS = ("primer/exact", "primer/hasty")


def shown(services: Any, *, prompt: str = PROMPT, **changes: Any) -> list[running.ExploreView]:
    asked = EvaluateRequest(prompt=prompt, **{"models": MODELS, **changes})
    return list(running.frames(services, asked, threading.Event(), clock=lambda: 0.0))


def test_an_answer_that_changes_nothing_that_is_shown_brings_no_frame(services: Any) -> None:
    found = shown(services)
    assert len(found) > 4, "images and evaluations are shown as they come"
    assert not [one for one, following in pairwise(found) if one == following]


def test_an_upload_takes_the_place_of_all_models() -> None:
    said = ExploreSettings(
        prompt=PROMPT, models=MODELS, judge=["primer/judge"], upload="/tmp/mine.png"
    )
    assert running.request(said) == EvaluateRequest(
        prompt=PROMPT, models=(), judge="primer/judge", images=(Path("/tmp/mine.png"),)
    )


def test_models_named_in_words_stand_beside_the_chips_and_a_judge_in_words_before_its_chip() -> (
    None
):
    said = ExploreSettings(
        prompt=PROMPT,
        models=MODELS,
        other_models=" openai/new, primer/exact ",
        judge=["primer/judge"],
        other_judge="ollama/llava ",
    )
    found = running.request(said)
    assert (found.models, found.judge) == ((*MODELS, "openai/new"), "ollama/llava")


def test_the_settings_are_named_in_a_few_words() -> None:
    several = ExploreSettings(
        "a ladybug", ["primer/exact", "primer/hasty"], "openai/some", ["primer/judge"], seed=3
    )
    assert running.settings_summary(several) == ["3 models", "primer/judge", "I-HallA", "seed 3"]
    repeated = several._replace(
        models=["primer/exact"], other_models="", metrics=("ihalla", "fig"), pictures=2, trials=3
    )
    assert running.settings_summary(repeated) == [
        "primer/exact",
        "primer/judge",
        "2 metrics",
        "seed 3",
        "2 images per model",
        "3 judge repetitions",
    ]
    own = ExploreSettings("a ladybug", upload="photo.png", metrics=(), seed=None)
    assert running.settings_summary(own) == ["your own image", "no judge", "no metrics"]


@pytest.mark.parametrize(
    ("metrics", "writer", "other", "expected"),
    [
        (["tifa"], ["none"], "", None),
        (["clipscore"], ["openai/gpt-4o"], "", None),
        (["ihalla"], ["openai/gpt-4o"], "", "openai/gpt-4o"),
        (["tifa", "ihalla"], ["openai/gpt-4o"], "", "openai/gpt-4o"),
        (["tifa"], ["none"], "ollama/qwen", "ollama/qwen"),
    ],
)
def test_a_writer_is_asked_only_where_a_metric_has_something_written(
    metrics: list[str], writer: list[str], other: str, expected: str
) -> None:
    found = running.request(
        ExploreSettings(
            prompt=PROMPT,
            models=MODELS,
            judge=["primer/judge"],
            metrics=metrics,
            writer=writer,
            other_writer=other,
        )
    )
    assert (found.writer, found.metrics) == (expected, tuple(metrics))


@pytest.mark.parametrize(
    ("models", "seed", "count", "trials", "words"),
    [
        ([], 0, 1, 1, "No model is chosen"),
        (MODELS, -1, 1, 1, "The seed is -1"),
        (MODELS, None, 1, 1, "The seed is missing"),
        (MODELS, 0, 0, 1, "The number of images is 0"),
        (MODELS, 0, 1, 1.5, "The number of trials is 1.5"),
        ([f"m{i}" for i in range(20)], 0, 16, 1, "20 models with 16 images each"),
    ],
)
def test_controls_that_hold_nothing_to_run_give_one_sentence(
    models: Any, seed: Any, count: Any, trials: Any, words: str
) -> None:
    with pytest.raises(BadRequest, match=words):
        running.request(
            ExploreSettings(
                prompt=PROMPT,
                models=models,
                judge=["primer/judge"],
                seed=seed,
                pictures=count,
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


def test_the_evidence_has_regions_of_the_drawing_and_the_judges_answer(services: Any) -> None:
    run = shown(services)[-1].current.run
    html = evidence(services, str(run), None)
    assert 'data-part="hydrogen atom"' in html
    assert "expected and judge" in html
    assert "0.80, counted 5, left out 0" in html


def test_a_judge_that_times_out_on_two_questions_shows_a_score_over_three(
    make_services: Callable[..., Any],
) -> None:
    def slow(ask: Ask) -> Answer | Failure:
        late = any(word in ask.question for word in ("color", "larger"))
        return Failure("timeout", "The judge took longer than 120 s.") if late else Answer("B")

    services = make_services(slow)
    last = shown(services, models=("primer/exact",))[-1]
    html = evidence(services, str(last.current.run), None)
    assert "counted 3, left out 2" in html
    assert "The judge took longer than 120 s." in html
    assert last.cards.count("left out: no reply") >= 2
    assert "The judge left 2 questions without an answer" in last.status


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("", "The prompt is empty"),
        ("   ", "The prompt is empty"),
        ("x" * 10_000, "The prompt has 10,000 characters"),
    ],
)
def test_prompts_that_cannot_be_run_are_refused_with_one_sentence(
    services: Any, prompt: str, words: str
) -> None:
    with pytest.raises(HallaScopeError, match=words):
        shown(services, prompt=prompt)


@pytest.mark.parametrize(
    "prompt", ["メタンの分子", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>"]
)
def test_prompts_outside_the_vocabulary_leave_empty_places_and_say_what_can_be_drawn(
    services: Any, prompt: str
) -> None:
    last = shown(services, prompt=prompt)[-1]
    assert "cannot draw" in last.status
    assert last.cards.count("outside the model’s vocabulary") == 2
    assert "<script" not in last.cards + last.status
    assert "<img" not in last.cards + last.status


def _truncated(folder: Path) -> Path:
    Image.effect_noise((256, 256), 90).save(folder / "whole.png")
    (folder / "cut.png").write_bytes((folder / "whole.png").read_bytes()[:20_000])
    return folder / "cut.png"


def _bomb(folder: Path) -> Path:
    """A small file whose head promises a picture of 900 million pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    (folder / "bomb.png").write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(90_001)))
        + chunk(b"IEND", b"")
    )
    return folder / "bomb.png"


def _text(folder: Path) -> Path:
    (folder / "no.png").write_text("<script>alert(1)</script>")
    return folder / "no.png"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_truncated, "damaged or cut off"),
        (_bomb, "million are taken"),
        (_text, "no image that can be read"),
    ],
)
def test_an_upload_that_is_no_picture_gives_one_sentence(
    services: Any, tmp_path: Path, make: Callable[[Path], Path], words: str
) -> None:
    with pytest.raises(HallaScopeError, match=words):
        shown(services, models=(), images=(make(tmp_path),))


def test_an_upload_is_judged_in_place_of_generated_pictures(services: Any, tmp_path: Path) -> None:
    Image.new("RGB", (64, 48), "green").save(tmp_path / "mine.png")
    said = ExploreSettings(
        prompt=PROMPT, models=MODELS, judge=["primer/judge"], upload=str(tmp_path / "mine.png")
    )
    *_, (_, cards, current, *_) = running.frames(services, running.request(said), threading.Event())
    assert cards.count("<article") == 1
    assert "Uploaded image" in cards
    assert "no region evidence" in evidence(services, str(current.run), None)


def test_a_link_to_a_run_sets_the_page_and_an_unknown_one_gives_one_sentence(services: Any) -> None:
    run = shown(services, seed=3)[-1].current.run
    said, frame = running.open_run(services, str(run))
    assert said == ExploreSettings(
        prompt=PROMPT,
        models=list(MODELS),
        other_models="",
        judge=["primer/judge"],
        other_judge="",
        metrics=["ihalla"],
        writer=["none"],
        other_writer="",
        upload=None,
        seed=3,
        pictures=1,
        trials=1,
    )
    assert frame.current.run == run
    with pytest.raises(HallaScopeError, match="No run"):
        running.open_run(services, "<b>nothing</b>")


@pytest.fixture
def paid(tmp_path: Path) -> Iterator[Any]:
    found = paid_models.build(tmp_path / "paid")
    yield found
    found.store.close()


COSTLY = ExploreSettings(prompt=PROMPT, models=["paid/painter"], judge=["paid/judge"], pictures=2)


def test_what_a_run_is_likely_to_cost_is_said_before_it_and_nothing_where_it_costs_nothing(
    paid: Any,
) -> None:
    said = running.estimate_html(paid, COSTLY, SpendingPolicy())
    assert "paid/painter 2 calls" in said
    assert "2 images, 0.0200 USD" in said
    assert "paid/judge 10 calls" in said
    assert (
        running.estimate_html(
            paid, COSTLY._replace(models=["primer/exact"], judge=["primer/judge"]), SpendingPolicy()
        )
        == ""
    )
    assert running.estimate_html(paid, COSTLY._replace(prompt=""), SpendingPolicy()) == "", (
        "a request that cannot be run has no estimate"
    )


def test_an_estimate_over_a_cap_or_without_a_price_says_what_to_do(paid: Any) -> None:
    assert "more than the budget of a run: raise it" in running.estimate_html(
        paid, COSTLY, SpendingPolicy(run=0.01)
    )
    assert "raise the budget of a day" in running.estimate_html(
        paid, COSTLY, SpendingPolicy(day=0.01)
    )
    unknown = COSTLY._replace(judge=["unknown/judge"])
    assert "unknown/judge 10 calls" in running.estimate_html(paid, unknown, SpendingPolicy())
    assert "unknown price" in running.estimate_html(paid, unknown, SpendingPolicy())
    assert "must be allowed" in running.estimate_html(paid, unknown, SpendingPolicy())
    assert "must be allowed" not in running.estimate_html(
        paid, unknown, SpendingPolicy(unpriced=True)
    )


def test_what_is_spent_is_shown_as_it_goes_and_in_the_end(tmp_path: Path) -> None:
    six_cents_shown = threading.Event()
    calls = itertools.count(1)

    def wait_after_four_answers() -> None:
        # costs of calls that end together are told together: without this, six cents may be skipped
        if next(calls) > 4:
            assert six_cents_shown.wait(timeout=120)

    paid = paid_models.build(tmp_path, wait_after_four_answers)
    last = None
    for last in running.frames(paid, running.request(COSTLY), threading.Event(), SpendingPolicy()):
        if "0.0600 USD of at most 5.00 USD spent" in last.status:
            six_cents_shown.set()
    assert six_cents_shown.is_set()
    assert last
    assert "0.12 USD of at most 5.00 USD spent." in last.status
    assert running.estimate_html(paid, COSTLY, SpendingPolicy()) == "", (
        "what is there already costs nothing"
    )
    paid.store.close()


def test_a_run_over_its_cap_says_so_and_goes_on_after_the_cap_is_raised(paid: Any) -> None:
    last = list(
        running.frames(paid, running.request(COSTLY), threading.Event(), SpendingPolicy(run=0.04))
    )[-1]
    assert (
        "The run has spent 0.0400 USD of at most 0.0400 USD: raise the budget of a run"
        in last.status
    )
    assert "Stopped. Generate resumes this run" in last.status
    more = list(
        running.frames(paid, running.request(COSTLY), threading.Event(), SpendingPolicy(run=1.0))
    )[-1]
    assert "2 of 2 images, 2 judged" in more.status


def test_a_model_without_a_price_is_asked_only_where_that_is_allowed(paid: Any) -> None:
    asked = running.request(COSTLY._replace(judge=["unknown/judge"]))
    with pytest.raises(BadRequest, match="It is unknown what 'unknown/judge' costs"):
        list(running.frames(paid, asked, threading.Event(), SpendingPolicy()))
    assert (
        "2 judged"
        in list(running.frames(paid, asked, threading.Event(), SpendingPolicy(unpriced=True)))[
            -1
        ].status
    )


def test_the_prompt_as_the_service_changed_it_stands_with_the_evidence(paid: Any) -> None:
    last = list(running.frames(paid, running.request(COSTLY), threading.Event(), SpendingPolicy()))[
        -1
    ]
    html = evidence(paid, str(last.current.run), None)
    assert "The provider rewrote the prompt" in html
    assert "A detailed &lt;b&gt;molecule&lt;/b&gt; of methane." in html


def test_a_prompt_without_questions_leads_to_the_making_of_some(paid: Any) -> None:
    free = COSTLY._replace(prompt="a harbour at dawn")
    last = list(running.frames(paid, running.request(free), threading.Event(), SpendingPolicy()))[
        -1
    ]
    assert last.unasked
    assert "There are no questions for this prompt yet" in last.status
    assert not list(
        running.frames(paid, running.request(COSTLY), threading.Event(), SpendingPolicy())
    )[-1].unasked


def test_tifa_alone_needs_no_questions_and_is_shown_on_the_cards(services: Any) -> None:
    last = shown(services, metrics=("tifa",))[-1]
    html = evidence(services, str(last.current.run), None)
    assert "<h2>TIFA-style " in html
    assert "What is shown in the image?" in html
    assert "2 of 2 images, 2 judged" in last.status


def test_a_stopped_run_says_how_to_go_on(services: Any) -> None:
    stop = threading.Event()
    stop.set()
    last = list(
        running.frames(
            services, EvaluateRequest(prompt=PROMPT, models=MODELS), stop, clock=lambda: 0.0
        )
    )[-1]
    assert "Generate resumes this run" in last.status


def test_the_worst_picture_is_named_for_the_choice_once_the_run_is_over_and_of_a_stored_one(
    services: Any,
) -> None:
    found = shown(services)
    worst = run_pictures.worst_picture(services.view(found[-1].current.run or ""))
    assert worst
    assert f'data-first="{worst.generation}"' in found[-1].cards
    assert all('data-first=""' in one.cards for one in found[:-1])
    assert running.open_run(services, found[-1].current.run or "")[1].cards == found[-1].cards


def test_the_pictures_of_the_run_before_say_of_what_prompt_they_are(services: Any) -> None:
    current = shown(services)[-1].current
    marked = running.previous_run_html(services, current)
    assert marked
    assert f"from the last run: “{PROMPT}”" in marked
    assert marked.count("<article") == len(MODELS)
    assert running.previous_run_html(services, CurrentRun()) is None
    assert running.previous_run_html(services, CurrentRun("unknown")) is None


def test_a_chosen_wording_is_named_and_asked_for_and_found_again(services: Any) -> None:
    said = ExploreSettings(PROMPT, MODELS, judge=["primer/judge"], wording=["as-published"])
    asked = running.request(said)
    assert asked.wording == "as-published"
    assert "wording as-published" in running.settings_summary(said)
    assert running.settings(services, asked).wording == ("as-published",)
