"""A request holds what the entry and the request say, and leaves out what the service rejects."""

from dataclasses import replace
from pathlib import Path

import httpx2

from hallascope.backends.openai.requests import letters_schema
from hallascope.data.records import Picture
from hallascope.data.requests import Write
from tests.support.fake_service import SPEC, Service, chat, error, piece, stream
from tests.support.service_requests import choice_question, only, png_with_texts


def test_a_choice_is_asked_with_pictures_first_a_form_and_probabilities(
    picture: Picture, tmp_path: Path
) -> None:
    (tmp_path / "two.png").write_bytes(png_with_texts(5))
    service = Service(chat())
    spec = replace(SPEC, settings={"temperature": 0, "detail": "high"})
    service.model(spec).ask([choice_question(picture, Picture("bb", tmp_path / "two.png"))])
    (sent,) = service.sent
    (message,) = sent.pop("messages")
    assert [part["type"] for part in message["content"]] == ["image_url", "image_url", "text"]
    assert message["role"] == "user"
    assert {part["image_url"]["detail"] for part in message["content"][:2]} == {"high"}
    assert message["content"][2]["text"] == "Look at the picture. Reply with a letter."
    form = {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": letters_schema(5)},
    }
    assert sent == {
        "model": "pretend-1",
        "max_tokens": 300,
        "temperature": 0,
        "response_format": form,
        "logprobs": True,
        "top_logprobs": 20,
    }
    assert form["json_schema"]["schema"]["properties"]["answer"]["enum"] == list("ABCDE")  # type: ignore[index]


def test_free_text_is_asked_in_pieces_with_more_room_and_without_a_form() -> None:
    service = Service(stream(piece("Red", "stop")))
    service.model().write([Write("Describe.")])
    (sent,) = service.sent
    assert sent == {
        "model": "pretend-1",
        "messages": [{"role": "user", "content": "Describe."}],
        "max_tokens": 4000,
        "temperature": 0,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_the_request_s_temperature_and_seed_go_before_the_entry_s_and_null_leaves_them_out() -> (
    None
):
    service = Service(chat())
    service.model().ask([choice_question(temperature=0.7, seed=5)])
    service.model(replace(SPEC, settings={"temperature": None, "seed": 3})).ask(
        [choice_question(temperature=0.7)]
    )
    service.model(replace(SPEC, settings={})).ask([choice_question()])
    assert [(sent.get("temperature"), sent.get("seed")) for sent in service.sent] == [
        (0.7, 5),
        (None, 3),
        (None, None),
    ]


def test_form_and_probabilities_can_be_turned_off() -> None:
    service = Service(chat())
    service.model(
        replace(SPEC, settings={"structured": False, "logprobs": False, "max_tokens": 9})
    ).ask([choice_question()])
    assert sorted(service.sent[0]) == ["max_tokens", "messages", "model"]
    assert service.sent[0]["max_tokens"] == 9


def test_what_it_complains_of_is_left_out_at_once_and_from_then_on() -> None:
    form, seed, chances = {"response_format"}, {"seed"}, {"logprobs", "top_logprobs"}
    unknown = {"error": {"code": 400, "message": 'Unknown name "seed": Cannot find field.'}}
    extra = {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs"}]}
    for complaint, gone in (
        (error(400, "Unsupported parameter", param="response_format"), form),
        (error(400, "Invalid schema", param="response_format.json_schema"), form),
        (httpx2.Response(400, json={"error": "'response_format.type' must be 'text'"}), form),
        (error(400, "Logprobs is not enabled for models/x"), chances),
        (error(403, "You are not allowed to request logprobs from this model."), chances),
        (httpx2.Response(400, json=[unknown]), seed),
        (httpx2.Response(422, json=extra), seed),
    ):
        service = Service(complaint, chat("A"), chat("B"))
        model = service.model()
        assert [only(model.ask([choice_question(seed=1)])).text for _ in range(2)] == ["A", "B"]
        first, second, third = service.sent
        assert set(first) - set(second) == gone
        assert second == third


def test_tokens_are_limited_under_the_name_the_service_knows() -> None:
    complaint = error(
        400,
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        param="max_tokens",
    )
    service = Service(complaint, chat())
    model = service.model()
    model.ask([choice_question(), choice_question()])
    assert [
        (sent.get("max_tokens"), sent.get("max_completion_tokens")) for sent in service.sent
    ] == [(300, None), (None, 300), (None, 300)]


def test_fewer_probabilities_are_asked_for_before_none_are() -> None:
    service = Service(
        error(400, "top_logprobs must be at most 5", param="top_logprobs"),
        error(400, "No logprobs at all"),
        chat(),
    )
    service.model().ask([choice_question()])
    assert [sent.get("top_logprobs") for sent in service.sent] == [20, 5, None]


def test_a_guess_that_did_not_help_is_not_remembered() -> None:
    service = Service(
        error(400, "Something."), error(400, "Something."), error(400, "Something."), chat()
    )
    model = service.model()
    assert only(model.ask([choice_question()])).kind == "broken"
    model.ask([choice_question()])
    assert "response_format" in service.sent[3]


def test_one_stray_complaint_that_names_nothing_takes_no_form_and_no_probabilities_away() -> None:
    for stray in (httpx2.Response(400, text="Bad Request"), error(422, "Something.")):
        service = Service(stray, chat("A"))
        model = service.model()
        assert [only(model.ask([choice_question()])).text for _ in range(3)] == ["A"] * 3
        kept = {"response_format", "logprobs", "top_logprobs"}
        assert all(kept <= set(sent) for sent in service.sent)
        assert len(service.sent) == 4
