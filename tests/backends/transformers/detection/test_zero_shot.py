"""Zero-shot detectors find what the library's own models find."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from PIL import Image

from hallascope.backends.transformers.detection.zero_shot import ZeroShotDetector
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Detect
from tests.support.tiny_models import vision
from tests.support.vision_entries import only_detection


@pytest.mark.parametrize("kind", ["grounding-dino", "owlv2", "clipseg"])
def test_detections_come_best_first_above_the_threshold_and_name_a_phrase_that_was_asked_for(
    load_vision: Any, picture: Picture, kind: str
) -> None:
    detector, phrases = load_vision(kind, min_area=0), ("a red circle", "The dog.", "a red circle")
    everything = only_detection(detector.detect([Detect(picture, phrases, 0.0)])).detections
    assert len(everything) > 1
    assert {one.phrase for one in everything} <= set(phrases)
    scores = [one.score for one in everything]
    assert scores == sorted(scores, reverse=True)
    if kind != "clipseg":  # where the threshold shapes the pieces
        middle = (scores[0] + scores[-1]) / 2
        assert only_detection(
            detector.detect([Detect(picture, phrases, middle)])
        ).detections == tuple(d for d in everything if d.score >= middle)
    assert only_detection(detector.detect([Detect(picture, phrases, 1.0)])).detections == ()


@pytest.mark.parametrize("kind", ["grounding-dino", "owlv2", "clipseg"])
def test_no_phrases_find_nothing_and_the_setting_is_the_threshold_where_none_is_given(
    load_vision: Any, picture: Picture, kind: str
) -> None:
    assert only_detection(load_vision(kind).detect([Detect(picture, ())])).detections == ()
    assert (
        only_detection(
            load_vision(kind, threshold=1.0).detect([Detect(picture, ("a cat",))])
        ).detections
        == ()
    )
    asked = only_detection(load_vision(kind, threshold=0.0).detect([Detect(picture, ("a cat",))]))
    assert asked.detections
    assert asked == only_detection(
        load_vision(kind, threshold=1.0).detect([Detect(picture, ("a cat",), 0.0)])
    )


def test_owl_finds_what_the_library_finds_on_a_picture_that_is_not_square(
    load_vision: Any, picture: Picture
) -> None:
    detector = load_vision("owlv2")
    reply = only_detection(detector.detect([Detect(picture, ("a cat", "a dog"), 0.0)]))
    image = Image.open(picture.path)
    inputs = detector.processor(images=image, text=[["a cat", "a dog"]], return_tensors="pt")
    with torch.inference_mode():
        seen = detector.model(**inputs)
    (own,) = detector.processor.post_process_grounded_object_detection(
        seen, threshold=0.0, target_sizes=[(64, 96)]
    )
    expected = own["boxes"][own["scores"].argmax()].clamp(
        torch.zeros(4), torch.tensor([96.0, 64.0, 96.0, 64.0])
    )
    assert reply.detections[0].score == pytest.approx(own["scores"].max().item(), abs=1e-5)
    assert [
        s * e for s, e in zip(reply.detections[0].box.sides, (96, 64, 96, 64), strict=True)
    ] == pytest.approx(expected.tolist(), abs=1e-3)


def test_grounding_dino_finds_what_the_library_finds(load_vision: Any, picture: Picture) -> None:
    detector = load_vision("grounding-dino")
    reply = only_detection(detector.detect([Detect(picture, ("cat",), 0.0)]))
    inputs = detector.processor(images=Image.open(picture.path), text="cat.", return_tensors="pt")
    with torch.inference_mode():
        seen = detector.model(**inputs)
    scores = seen.logits[0].sigmoid()[:, 1]  # [CLS] cat . [SEP]
    assert sorted(one.score for one in reply.detections) == pytest.approx(
        sorted(scores.tolist()), abs=1e-5
    )
    x, y, w, h = seen.pred_boxes[0][scores.argmax()].tolist()
    sides = [min(max(side, 0), 1) for side in (x - w / 2, y - h / 2, x + w / 2, y + h / 2)]
    assert reply.detections[0].box.sides == pytest.approx(sides, abs=1e-5)


def _sure_of(
    detector: ZeroShotDetector, word: str, monkeypatch: pytest.MonkeyPatch
) -> list[list[str]]:
    """A model that sees one thing, where it reads `word`; gives the texts it is going to read."""
    read: list[list[str]] = []

    class Sure(torch.nn.Module):
        config = detector.model.config

        def forward(self, input_ids: torch.Tensor, **rest: Any) -> SimpleNamespace:
            words = detector.processor.tokenizer.convert_ids_to_tokens(input_ids[0])
            read.append(words)
            logits = torch.tensor([[[9.0 if w == word else -9.0 for w in words]]])
            return SimpleNamespace(logits=logits, pred_boxes=torch.tensor([[[0.5, 0.5, 0.5, 0.5]]]))

    monkeypatch.setattr(detector, "model", Sure())
    return read


@pytest.mark.parametrize(
    ("word", "phrase"),
    [("cat", "a red cat"), ("dog", "The Dog."), ("circle", "circle of a. square")],
)
def test_grounding_dino_gives_a_box_to_the_phrase_of_the_word_it_is_sure_of(
    load_vision: Any, picture: Picture, monkeypatch: pytest.MonkeyPatch, word: str, phrase: str
) -> None:
    detector = load_vision("grounding-dino")
    _sure_of(detector, word, monkeypatch)
    (one,) = only_detection(
        detector.detect([Detect(picture, ("a red cat", "The Dog.", "circle of a. square"), 0.5)])
    ).detections
    assert (one.phrase, one.box) == (phrase, Box(0.25, 0.25, 0.75, 0.75))


def test_more_phrases_than_grounding_dino_reads_at_once_are_read_in_turns(
    load_vision: Any, picture: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    detector = load_vision("grounding-dino")
    read = _sure_of(detector, "cat", monkeypatch)
    phrases = (
        *(f"the {'red ' * n}circle" for n in range(5)),
        "a cat",
        *(f"the {'blue ' * n}square" for n in range(5)),
    )
    (one,) = only_detection(detector.detect([Detect(picture, phrases, 0.5)])).detections
    assert one.phrase == "a cat"
    assert len(read) > 1
    assert all(len(words) <= vision.LONGEST for words in read)
    assert sum(words.count(".") for words in read) == len(phrases)
