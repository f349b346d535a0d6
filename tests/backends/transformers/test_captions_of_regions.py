"""Who describes a picture is shown the region that is asked about, and says of it what it would say
to the plain question.
"""

import base64
import io
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from PIL import Image

from hallascope.backends.base import Captioner, Transient
from hallascope.backends.transformers.vqa import DESCRIBE, VisualQuestionAnswering
from hallascope.data.models.specs import ModelSpec, Price, read_models
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Describe, Failure, Usage
from hallascope.engine.models import roles
from hallascope.engine.money.likely_costs import likely_usage
from hallascope.engine.run.calls.cache import key
from hallascope.primer.extra_questions import CAPTION
from tests.support.fake_service import Service, chat, piece, stream

TEXT = "Describe what is shown in a few words."
RIGHT = Box(0.5, 0, 1, 1)


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Picture:
    """Red on the left, blue on the right."""
    image = Image.new("RGB", (80, 40), "red")
    image.paste(Image.new("RGB", (40, 40), "blue"), (40, 0))
    path = tmp_path_factory.mktemp("pictures") / "both.png"
    image.save(path)
    return Picture("ab" * 32, path)


@pytest.fixture(scope="module")
def judge(tiny_blip: Path) -> VisualQuestionAnswering:
    return VisualQuestionAnswering(
        ModelSpec(
            id="test/judge",
            title="test",
            roles=("judge", "captioner"),
            backend="transformers",
            repository=str(tiny_blip),
        )
    )


def words(replies: list[Answer | Failure]) -> list[str]:
    assert all(isinstance(reply, Answer) for reply in replies), replies
    return [reply.text for reply in replies if isinstance(reply, Answer)]


# --- question answerers
# --------------------------------------------------------------------------------------------------


def test_a_question_answerer_describes_a_region_as_it_answers_the_question_it_learned(
    judge: VisualQuestionAnswering, picture: Picture
) -> None:
    assert isinstance(judge, Captioner)
    asked = [Describe(picture, TEXT), Describe(picture, TEXT, RIGHT)]
    plain = [
        Ask(images=(picture,), text="Another text.", question=DESCRIBE, region=request.region)
        for request in asked
    ]
    assert words(judge.describe(asked)) == words(judge.ask(plain))


def test_the_question_is_the_one_that_primer_s_captions_are_trained_with() -> None:
    assert DESCRIBE == CAPTION


# --- services
# --------------------------------------------------------------------------------------------------


def test_a_service_is_sent_the_whole_prompt_and_the_region_cut_out(picture: Picture) -> None:
    service = Service(stream(piece("A blue "), piece("square.", "stop")))
    model = service.model()
    assert isinstance(model, Captioner)
    steps: list[int] = []
    assert words(
        model.describe([Describe(picture, TEXT, RIGHT)], lambda step, of: steps.append(step))
    ) == ["A blue square."]
    seen, said = service.sent[0]["messages"][0]["content"]
    assert said == {"type": "text", "text": TEXT}
    with Image.open(
        io.BytesIO(base64.b64decode(seen["image_url"]["url"].partition(",")[2]))
    ) as shown:
        colours = {colour for _, colour in shown.convert("RGB").getcolors() or ()}
        assert shown.width < 60
    assert (0, 0, 255) in colours
    assert steps
    assert "response_format" not in service.sent[0]


def test_a_service_that_cannot_be_reached_is_for_the_engine_to_try_again(picture: Picture) -> None:
    with pytest.raises(Transient):
        Service(httpx.ConnectError("refused")).model().describe([Describe(picture, TEXT)])


def test_an_empty_description_is_a_failure(picture: Picture) -> None:
    (reply,) = Service(chat("")).model().describe([Describe(picture, TEXT)])
    assert isinstance(reply, Failure)
    assert reply.kind == "empty"


# --- the engine
# --------------------------------------------------------------------------------------------------


def test_the_engine_asks_a_captioner_and_tells_another_model_that_it_is_none(
    judge: VisualQuestionAnswering, picture: Picture
) -> None:
    asked = Describe(picture, TEXT)
    assert roles.call(judge, [asked], lambda step, of: None) == judge.describe([asked])

    class Blind:
        spec, limits, revision = (
            ModelSpec(id="blind/one", title="Blind one", roles=("detector",), backend="scripted"),
            judge.limits,
            "1",
        )

    assert roles.call(Blind(), [asked], lambda step, of: None) == [
        Failure("broken", "Blind one is no captioner: choose a model with that role.")
    ]


def test_a_description_is_kept_by_picture_region_text_and_template(picture: Picture) -> None:
    asked = Describe(picture, TEXT, RIGHT, "1")
    others = [
        replace(asked, region=None),
        replace(asked, region=Box(0.5, 0, 1, 0.9)),
        replace(asked, text="What is it?"),
        replace(asked, template="2"),
        replace(asked, image=Picture("cd" * 32, picture.path)),
    ]
    keys = {key(request, "m", "1", {}) for request in (asked, *others)}
    assert len(keys) == 6
    assert key(replace(asked, image=replace(picture, path=Path("moved.png"))), "m", "1", {}) in keys


def test_a_description_is_estimated_like_a_question_in_free_text(picture: Picture) -> None:
    price = Price(picture_tokens=100)
    assert (
        likely_usage(Describe(picture, TEXT), price)
        == likely_usage(Ask(images=(picture,), text=TEXT, question=TEXT), price)
        == Usage(100 + 10, 600)
    )


def test_every_model_that_judges_describes_too_but_the_jury_and_two_of_its_members() -> None:
    judges = [spec for spec in read_models().values() if "judge" in spec.roles]
    assert len(judges) > 20
    assert {spec.id for spec in judges if "captioner" not in spec.roles} == {
        "primer/jury",
        "primer/counter",
        "primer/caption-judge",
    }
