"""Explore: what is asked of the engine, and what the page shows of a run, moment by moment."""

import struct
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from data.models import ModelSpec
from data.requests import Answer, Ask, Failure
from engine.errors import BadRequest, HallaScopeError
from engine.events import EvaluateRequest
from engine.services import Model
from pages import explore
from pages.evidence import evidence

PROMPT = "a molecule of methane"
MODELS = ("primer/exact", "primer/hasty")


def shown(services: Any, *, prompt: str = PROMPT, **changes: Any) -> list[explore.Frame]:
    asked = EvaluateRequest(prompt, **{"models": MODELS, **changes})
    return list(explore.frames(services, asked, threading.Event(), clock=lambda: 0.0))


def test_what_cannot_run_is_not_preferred() -> None:
    def model(name: str, reason: str | None = None) -> Model:
        return Model(ModelSpec(name, name, ("generator",), "scripted"), reason)

    models = [model("a", "no"), model("b"), model("c")]
    assert explore.preferred(models, ["a", "c"]) == ["c"]
    assert explore.preferred(models, ["a"]) == ["b"]
    assert explore.preferred(models[:1], ["a"]) == []


def test_an_upload_takes_the_place_of_all_models() -> None:
    assert explore.request(PROMPT, MODELS, ["primer/judge"], "/tmp/mine.png", 0, 1, 1) == EvaluateRequest(
        PROMPT, (), judge="primer/judge", images=(Path("/tmp/mine.png"),)
    )


@pytest.mark.parametrize(
    ("models", "seed", "count", "trials", "words"),
    [
        ([], 0, 1, 1, "No model is chosen"),
        (MODELS, -1, 1, 1, "The seed is -1"),
        (MODELS, None, 1, 1, "The seed is None"),
        (MODELS, 0, 0, 1, "The number of pictures is 0"),
        (MODELS, 0, 1, 1.5, "The number of trials is 1.5"),
        (["m"] * 20, 0, 16, 1, "20 models with 16 pictures each"),
    ],
)
def test_controls_that_hold_nothing_to_run_give_one_sentence(models: Any, seed: Any, count: Any, trials: Any, words: str) -> None:
    with pytest.raises(BadRequest, match=words):
        explore.request(PROMPT, models, ["primer/judge"], None, seed, count, trials)


def test_places_are_kept_from_the_first_moment_and_filled_to_the_last(services: Any) -> None:
    frames = shown(services)
    assert all(frame.cards.count("<article") == 2 for frame in frames)
    assert frames[0].cards.count("<img") == 0
    assert frames[-1].cards.count("<img") == 2
    assert "<progress" in frames[0].status
    assert "2 of 2 pictures, 2 judged" in frames[-1].status
    assert (frames[0].current.done, frames[-1].current.done) == (False, True)


def test_a_stored_run_shows_what_its_last_moment_showed(services: Any) -> None:
    last = shown(services)[-1]
    assert last.current.run
    again = explore.stored(services.view(last.current.run))
    assert again.cards == last.cards
    assert again.current == last.current


def test_the_evidence_has_regions_of_the_drawing_and_the_judges_answer(services: Any) -> None:
    run = shown(services)[-1].current.run
    html = evidence(services, str(run), None)
    assert 'data-part="hydrogen atom"' in html
    assert "gold and judge" in html
    assert "0.80, counted 5, left out 0" in html


def test_a_judge_that_times_out_on_two_questions_shows_a_score_over_three(make_services: Callable[..., Any]) -> None:
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
    [("", "The prompt is empty"), ("   ", "The prompt is empty"), ("x" * 10_000, "The prompt has 10,000 characters")],
)
def test_prompts_that_cannot_be_run_are_refused_with_one_sentence(services: Any, prompt: str, words: str) -> None:
    with pytest.raises(HallaScopeError, match=words):
        shown(services, prompt=prompt)
    [(line, *_)] = explore.run(services, threading.Event(), prompt, list(MODELS), ["primer/judge"], None, 0, 1, 1)
    assert 'role="alert"' in line
    assert words in line


@pytest.mark.parametrize("prompt", ["メタンの分子", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>"])
def test_prompts_outside_the_vocabulary_leave_empty_places_and_say_what_can_be_drawn(services: Any, prompt: str) -> None:
    last = shown(services, prompt=prompt)[-1]
    assert "cannot draw" in last.status
    assert last.cards.count("cannot draw this") == 2
    assert "<script" not in last.cards + last.status
    assert "<img" not in last.cards + last.status


def _truncated(folder: Path) -> Path:
    Image.effect_noise((256, 256), 90).save(folder / "whole.png")
    (folder / "cut.png").write_bytes((folder / "whole.png").read_bytes()[:20_000])
    return folder / "cut.png"


def _bomb(folder: Path) -> Path:
    """A small file whose head promises a picture of 900 million pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    (folder / "bomb.png").write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(90_001))) + chunk(b"IEND", b"")
    )
    return folder / "bomb.png"


def _text(folder: Path) -> Path:
    (folder / "no.png").write_text("<script>alert(1)</script>")
    return folder / "no.png"


@pytest.mark.parametrize(
    ("make", "words"), [(_truncated, "damaged or cut off"), (_bomb, "million are taken"), (_text, "no picture that can be read")]
)
def test_an_upload_that_is_no_picture_gives_one_sentence(services: Any, tmp_path: Path, make: Callable[[Path], Path], words: str) -> None:
    [(line, *_)] = explore.run(services, threading.Event(), PROMPT, [], ["primer/judge"], str(make(tmp_path)), 0, 1, 1)
    assert words in line


def test_an_upload_is_judged_in_place_of_generated_pictures(services: Any, tmp_path: Path) -> None:
    Image.new("RGB", (64, 48), "green").save(tmp_path / "mine.png")
    *_, (_, cards, current) = explore.run(
        services, threading.Event(), PROMPT, list(MODELS), ["primer/judge"], str(tmp_path / "mine.png"), 0, 1, 1
    )
    assert cards.count("<article") == 1
    assert "Your picture" in cards
    assert "is not known here" in evidence(services, current.run, None)


def test_a_link_to_a_run_sets_the_page_and_an_unknown_one_gives_one_sentence(services: Any) -> None:
    run = shown(services, seed=3)[-1].current.run
    prompt, models, judge, _, seed, *_, current = explore.opened(services, {"run": str(run)})
    assert (prompt, models, judge, seed, current.run) == (PROMPT, list(MODELS), ["primer/judge"], 3, run)
    line = explore.opened(services, {"run": "<b>nothing</b>"})[-3]
    assert "No run" in line
    assert "<b>" not in line


def test_a_visitor_has_one_run_at_a_time_and_stop_reaches_it() -> None:
    runs = explore.Runs()
    stop = runs.start("me")
    assert stop is not None
    assert runs.start("me") is None
    assert runs.start("you") is not None
    runs.stop("me")
    assert stop.is_set()
    runs.end("me")
    assert runs.start("me") is not None


def test_a_stopped_run_says_how_to_go_on(services: Any) -> None:
    stop = threading.Event()
    stop.set()
    last = list(explore.frames(services, EvaluateRequest(PROMPT, MODELS), stop, clock=lambda: 0.0))[-1]
    assert "Generate goes on where it was" in last.status


def test_the_document_holds_addresses_and_not_paths(services: Any) -> None:
    found = explore.document(services, EvaluateRequest(PROMPT, ("primer/exact",)))
    assert found["evaluations"][0]["image"].startswith("gradio_api/file=")
    assert found["evaluations"][0]["score"] == {"value": 0.8, "counted": 5, "left_out": 0}
