"""Whoever describes an image is shown the region that is asked about."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from hallascope.backends.base import CallLimits, Captioner
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Describe, Failure, Match
from hallascope.engine.models import roles
from tests.support.fake_service import Service, chat, piece, stream

TEXT = "Describe what is shown in a few words."
RIGHT = Box(0.5, 0, 1, 1)


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    """Red on the left, blue on the right."""
    image = Image.new("RGB", (80, 40), "red")
    image.paste(Image.new("RGB", (40, 40), "blue"), (40, 0))
    image.save(tmp_path / "both.png")
    return Picture("ab" * 32, tmp_path / "both.png")


def test_a_service_is_sent_the_whole_prompt_and_the_region_cut_out(picture: Picture) -> None:
    service = Service(stream(piece("A blue "), piece("square.", "stop")), chat(""))
    model = service.model()
    assert isinstance(model, Captioner)
    described, empty = model.describe([Describe(picture, TEXT, RIGHT), Describe(picture, TEXT)])
    assert getattr(described, "text", described) == "A blue square."
    assert isinstance(empty, Failure)
    assert empty.kind == "empty"
    seen, said = service.sent[0]["messages"][0]["content"]
    assert said == {"type": "text", "text": TEXT}
    encoded = seen["image_url"]["url"].partition(",")[2]
    with Image.open(io.BytesIO(base64.b64decode(encoded))) as shown:
        assert shown.width < 60
        assert (0, 0, 255) in {color for _, color in shown.convert("RGB").getcolors() or ()}
    assert "response_format" not in service.sent[0]


def test_a_model_that_describes_nothing_is_told_from_a_captioner(picture: Picture) -> None:
    class Blind:
        spec = ModelSpec(id="blind/one", title="Blind one", roles=("detector",), backend="scripted")
        limits, revision = CallLimits(), "1"

    (failed,) = roles.call(Blind(), [Describe(picture, TEXT)], lambda step, of: None)
    assert isinstance(failed, Failure)
    assert "Blind one is no captioner" in failed.message
    (unmatched,) = roles.call(Blind(), [Match(picture, TEXT)], lambda step, of: None)
    assert isinstance(unmatched, Failure)
    assert "choose an embedder with a head for it" in unmatched.message
