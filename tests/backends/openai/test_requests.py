"""A request holds what the entry and the request say, and leaves out what the service rejects."""

from dataclasses import replace
from pathlib import Path

from hallascope.backends.openai.requests import letters_schema
from hallascope.data.records import Picture
from hallascope.data.requests import Write
from tests.support.fake_service import SPEC, Service, chat, piece, stream
from tests.support.service_requests import choice_question, png_with_texts


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
