"""Detectors find, and segmenters cut out, what the library's own models do, in our words."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from transformers import SamProcessor

from hallascope.backends.transformers.detection.detectors import LabelDetector
from hallascope.backends.transformers.detection.label_names import label
from hallascope.data import masks
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Detect, Failure, Segment
from tests.support.tiny_entries import BOXES, Load, Tiny, detected, masks_of, quick
from tests.support.tiny_models.vision import LONGEST

SIDES = torch.tensor([96.0, 64.0, 96.0, 64.0])  # px of the wide image
ZERO_SHOT = ("grounding-dino", "owlv2", "clipseg")


@pytest.mark.parametrize("kind", quick((*ZERO_SHOT, "rt-detr-v2"), "owlv2"))
def test_detections_come_best_first_above_the_threshold_and_alone_as_together(
    load: Load, two_pictures: list[Picture], kind: str
) -> None:
    model, (picture, tall) = load(kind), two_pictures
    phrases = ("a red cat", "Dogs.", "a red cat")
    asked = [Detect(one, phrases, 0.0) for one in (picture, tall, picture)]
    together = model.detect(asked)
    assert together == [model.detect([one])[0] for one in asked]
    assert together[0] == together[2] != together[1]
    everything = detected(together[:1]).detections
    assert {one.phrase for one in everything} <= set(phrases)
    scores = [one.score for one in everything]
    assert scores == sorted(scores, reverse=True) != []
    if kind != "clipseg":  # where the threshold shapes the pieces
        middle = (scores[0] + scores[-1]) / 2
        above = detected(model.detect([Detect(picture, phrases, middle)])).detections
        assert above == tuple(one for one in everything if one.score >= middle)
    for nothing in (Detect(picture, phrases, 1.0), Detect(picture, (), 0.0)):
        assert detected(model.detect([nothing])).detections == ()
    for threshold, by_setting in ((1.0, ()), (0.0, everything)):
        (reply,) = load(kind, threshold=threshold).detect([Detect(picture, phrases)])
        assert reply.detections == by_setting


def test_owl_finds_what_the_library_finds_on_a_picture_that_is_not_square(
    load: Load, picture: Picture
) -> None:
    detector = load("owlv2")
    reply = detected(detector.detect([Detect(picture, ("a cat", "a dog"), 0.0)]))
    inputs = detector.processor(
        images=Image.open(picture.path), text=[["a cat", "a dog"]], return_tensors="pt"
    )
    with torch.inference_mode():
        seen = detector.model(**inputs)
    (own,) = detector.processor.post_process_grounded_object_detection(
        seen, threshold=0.0, target_sizes=[(64, 96)]
    )
    box = own["boxes"][own["scores"].argmax()].clamp(torch.zeros(4), SIDES) / SIDES
    assert reply.detections[0].score == pytest.approx(own["scores"].max().item(), abs=1e-5)
    assert reply.detections[0].box.sides == pytest.approx(box.tolist(), abs=1e-5)


def test_grounding_dino_finds_what_the_library_finds(load: Load, picture: Picture) -> None:
    detector = load("grounding-dino")
    reply = detected(detector.detect([Detect(picture, ("cat",), 0.0)]))
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


def test_grounding_dino_gives_a_box_to_the_phrase_of_its_word_and_reads_many_phrases_in_turns(
    load: Load, picture: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    detector = load("grounding-dino")
    read: list[list[str]] = []

    class Sure(torch.nn.Module):
        """Sees one thing, where it reads the word."""

        config, word = detector.model.config, "cat"

        def forward(self, input_ids: torch.Tensor, **rest: Any) -> SimpleNamespace:
            words = detector.processor.tokenizer.convert_ids_to_tokens(input_ids[0])
            read.append(words)
            logits = torch.tensor([[[9.0 if w == self.word else -9.0 for w in words]]])
            return SimpleNamespace(logits=logits, pred_boxes=torch.tensor([[[0.5, 0.5, 0.5, 0.5]]]))

    sure = Sure()
    monkeypatch.setattr(detector, "model", sure)
    asked = Detect(picture, ("a red cat", "The Dog.", "circle of a. square"), 0.5)
    for sure.word, phrase in zip(("cat", "dog", "circle"), asked.phrases, strict=True):
        (one,) = detected(detector.detect([asked])).detections
        assert (one.phrase, one.box) == (phrase, Box(0.25, 0.25, 0.75, 0.75))
    read.clear()
    sure.word = "cat"
    phrases = [f"the {'red ' * n}circle" for n in range(10)]
    asked = Detect(picture, (*phrases[:5], "a cat", *phrases[5:]), 0.5)
    (one,) = detected(detector.detect([asked])).detections
    assert one.phrase == "a cat"
    assert len(read) > 1
    assert all(len(words) <= LONGEST for words in read)
    assert sum(words.count(".") for words in read) == len(asked.phrases)


# --- detectors of labels ---


def test_a_phrase_gets_the_boxes_of_the_label_that_it_names(load: Load, picture: Picture) -> None:
    model = load("rt-detr-v2")
    assert isinstance(model, LabelDetector)
    phrases = ("a man", "two red cats", "the dogs in the park", "a motorcycle")
    reply = detected(model.detect([Detect(picture, phrases, 0.0)]))
    with torch.inference_mode():
        seen = model.model(**model.processor(images=Image.open(picture.path), return_tensors="pt"))
    (own,) = model.processor.post_process_object_detection(
        seen, threshold=0.0, target_sizes=[(64, 96)]
    )
    assert [one.score for one in reply.detections] == pytest.approx(
        own["scores"].sort(descending=True).values.tolist(), abs=1e-5
    )
    best = int(own["scores"].argmax())
    assert reply.detections[0].phrase == phrases[int(own["labels"][best])]
    box = (own["boxes"][best] / SIDES).clamp(0, 1)
    assert reply.detections[0].box.sides == pytest.approx(box.tolist(), abs=1e-5)
    (unknown,) = model.detect([Detect(picture, ("a cat", "a dragon"))])
    assert isinstance(unknown, Failure)
    assert "'a dragon' is none of them: choose a detector that" in unknown.message


COCO = (
    *("person", "bicycle", "car", "motorbike", "aeroplane", "hot dog", "dog", "cup", "knife"),
    *("sheep", "bus", "sofa", "tvmonitor", "teddy bear", "bear"),
)


def test_a_phrase_names_a_label_by_its_last_words() -> None:
    named = {
        "dog": "dog",
        "The Dog.": "dog",
        "two red cars": "car",
        "a hot dog": "hot dog",
        "buses": "bus",
        "three knives": "knife",
        "a cup of coffee": "cup",
        "a dog with a bicycle": "dog",
        "an old woman": "person",
        "men": "person",
        "airplanes": "aeroplane",
        "a motorcycle": "motorbike",
        "a couch": "sofa",
        "a TV": "tvmonitor",
        "a polar bear": "bear",
        "a teddy bear": "teddy bear",
        **dict.fromkeys(("a dragon", "dog house", "a carpet", "", "in")),
    }
    assert {phrase: label(phrase, COCO) for phrase in named} == named
    for form in ("a {}", "the {}.", "two red {}s", "{} in a park"):
        assert [label(form.format(name), COCO) for name in COCO] == [*COCO]


# --- segmenters ---


def shown_as_square(
    picture: Picture, side: int, mean: Any, deviation: Any
) -> dict[str, torch.Tensor]:
    """What SAM 2 and 3 are shown: the image as a square, the boxes in its pixels."""
    small = Image.open(picture.path).convert("RGB").resize((side, side), Image.Resampling.BILINEAR)
    pixels = ((np.asarray(small) / 255 - mean) / deviation).transpose(2, 0, 1)[None]
    return {
        "pixel_values": torch.tensor(pixels, dtype=torch.float32),
        "input_boxes": torch.tensor([[[edge * side for edge in box.sides] for box in BOXES]]),
    }


@pytest.mark.parametrize("kind", quick(("sam", "sam2", "sam3"), "sam2"))
def test_sam_cuts_out_what_the_library_cuts_out(
    load: Load, tiny: Tiny, picture: Picture, kind: str
) -> None:
    segmenter = load(kind)
    found = masks_of(segmenter.segment([Segment(picture, BOXES)]))
    if kind == "sam":
        process = SamProcessor.from_pretrained(tiny("sam"))
        boxes = [[edge * s for edge, s in zip(b.sides, SIDES.tolist(), strict=True)] for b in BOXES]
        inputs = process(images=Image.open(picture.path), input_boxes=[boxes], return_tensors="pt")
        shown = {name: inputs[name].float() for name in ("pixel_values", "input_boxes")}
    elif kind == "sam2":
        shown = shown_as_square(picture, 64, [0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
    else:
        shown = shown_as_square(picture, 56, 0.5, 0.5)
    with torch.inference_mode():
        seen = segmenter.model(**shown, multimask_output=False).pred_masks
    if kind == "sam":
        (own,) = process.post_process_masks(
            seen, inputs["original_sizes"], inputs["reshaped_input_sizes"]
        )
    else:
        own = (
            torch.nn.functional.interpolate(seen[0], (64, 96), mode="bilinear", align_corners=False)
            > 0
        )
    assert len({mask.tobytes() for mask in found}) > 1, "the test shows nothing"
    for mask, expected in zip(found, own[:, 0].numpy(), strict=True):
        assert mask.shape == (64, 96)
        assert (mask == expected).mean() > 0.999


def test_a_heat_map_is_cut_into_pieces_as_the_library_draws_it(
    load: Load, picture: Picture
) -> None:
    model, phrases = load("clipseg"), ["a red circle", "dog"]
    inputs = model.processor(
        text=phrases, images=[Image.open(picture.path)] * 2, padding=True, return_tensors="pt"
    )
    with torch.inference_mode():
        logits = model.model(**inputs).logits[:, None]
    sized = torch.nn.functional.interpolate(
        logits, size=(64, 96), mode="bilinear", align_corners=False
    )
    heats = sized[:, 0].sigmoid().numpy()
    threshold = float(np.quantile(heats, 0.7))
    found = detected(model.detect([Detect(picture, tuple(phrases), threshold)])).detections
    own = [
        (phrase, piece)
        for phrase, heat in zip(phrases, heats, strict=True)
        for piece in masks.pieces(heat, threshold, 0.0005)
    ]
    own.sort(key=lambda pair: -pair[1].score)
    assert len(own) > 1
    assert [(one.phrase, one.box) for one in found] == [(phrase, p.box) for phrase, p in own]
    assert [one.score for one in found] == pytest.approx([p.score for _, p in own], abs=1e-5)
    asked = Segment(picture, tuple(one.box for one in found), tuple(one.phrase for one in found))
    (reply,) = load("clipseg", threshold=threshold).segment([asked])
    assert [masks.box(mask) for mask in reply.masks] == [one.box for one in found]


@given(st.text())
def test_any_text_names_a_label_or_none(phrase: str) -> None:
    assert label(phrase, COCO) in (*COCO, None)
