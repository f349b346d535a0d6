"""Requests to a service, and pictures that carry texts, for tests of the OpenAI adapter."""

import io
from dataclasses import replace
from typing import Any

import httpx2
from PIL import Image, PngImagePlugin

from hallascope.data.records import NONE_OF_THE_ABOVE, Picture
from hallascope.data.requests import Ask
from tests.support.fake_service import SPEC

CHOICES = ("Red", "Blue", "Green", "Grey", NONE_OF_THE_ABOVE)


PROMPT = "the secret prompt of this picture"


def png_with_texts(size: int = 4, mode: str = "RGB", form: str = "PNG") -> bytes:
    stream = io.BytesIO()
    texts = PngImagePlugin.PngInfo()
    texts.add_itxt("prompt", PROMPT)
    image = Image.new(mode, (size, size), (200, 30, 30, 0)[: len(mode)])
    image.save(stream, form, **({"pnginfo": texts} if form == "PNG" else {}))
    return stream.getvalue()


def choice_question(*images: Picture, choices: tuple[str, ...] = CHOICES, **more: Any) -> Ask:
    return Ask(
        images=images,
        text="Look at the picture. Reply with a letter.",
        question="What colour is it?",
        choices=choices,
        **more,
    )


def only(replies: list[Any]) -> Any:
    (reply,) = replies
    return reply


PICTURES = replace(SPEC, repository="dall-e-3", settings={"size": 1024, "quality": "standard"})


def picture_reply(**picture: Any) -> httpx2.Response:
    return httpx2.Response(
        200,
        json={
            "created": 0,
            "data": [picture],
            "usage": {"input_tokens": 12, "output_tokens": 1056},
        },
    )
