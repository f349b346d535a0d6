"""MM-Grounding-DINO, detectors with the labels of COCO and SAM 3 say what the library's own models
say, in our words.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from hallascope.backends import registry
from hallascope.backends.base import BadWeights, Detector, Segmenter
from hallascope.backends.transformers.detection.closed_set import LabelDetector
from hallascope.data import masks
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Detect, Detected, Failure, Segment
from tests.support import damaged_model
from tests.support.tiny_models import vision

ENTRIES = {
    "mm-grounding-dino": "mm-grounding-dino-tiny",
    "rt-detr-v2": "rt-detr-v2",
    "d-fine": "d-fine",
    "sam3": "sam3",
}
LABELS = ("rt-detr-v2", "d-fine")
BOXES = (Box(0, 0, 0.5, 0.5), Box(0.25, 0.25, 1, 1), Box(0.4, 0.3, 0.95, 0.9))
Load = Callable[[str], Any]


def entry(kind: str, folder: Path, **settings: Any) -> ModelSpec:
    """The entry of the file with the folder in place of the repository."""
    spec = read_models()[ENTRIES[kind]]
    return replace(
        spec,
        repository=str(folder),
        needs=(),
        gated=False,
        settings={**spec.settings, "device": "cpu", **settings},
    )


@pytest.fixture(scope="module")
def load(tiny: Callable[[str], Path]) -> Load:
    return cache(lambda kind: registry.load(entry(kind, tiny(kind))))


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Picture:
    return vision.picture(tmp_path_factory.mktemp("pictures"))


def found(replies: list[Detected | Failure]) -> Detected:
    (reply,) = replies
    assert isinstance(reply, Detected), reply
    return reply


@pytest.mark.parametrize("kind", ENTRIES)
def test_a_model_fills_the_role_of_its_entry_and_its_revision_is_known_before(
    load: Load, tiny: Callable[[str], Path], kind: str
) -> None:
    spec, model = entry(kind, tiny(kind)), load(kind)
    assert registry.available(spec) is None
    assert isinstance(model, {"detector": Detector, "segmenter": Segmenter}[spec.roles[0]])
    assert model.revision == registry.revision(spec) != "unpinned"


@pytest.mark.parametrize("kind", ENTRIES)
@pytest.mark.parametrize("damage", damaged_model.DAMAGES)
def test_bad_weights_and_remote_code_are_refused(
    tiny: Callable[[str], Path], tmp_path: Path, kind: str, damage: str
) -> None:
    with pytest.raises(BadWeights, match="could not be loaded from") as caught:
        registry.load(entry(kind, damaged_model.damaged(tiny(kind), tmp_path / "broken", damage)))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("kind", ["mm-grounding-dino", *LABELS])
def test_many_pictures_are_searched_as_one_by_one_and_found_the_same_again(
    load: Load, picture: Picture, tmp_path: Path, kind: str
) -> None:
    model, tall = load(kind), vision.picture(tmp_path, "tall", (40, 90))
    asked = [Detect(one, ("a red cat", "dogs"), 0.0) for one in (picture, tall, picture)]
    together = model.detect(asked)
    assert together == [model.detect([one])[0] for one in asked]
    assert together[0] == together[2] != together[1]
    scores = [one.score for one in found(together[:1]).detections]
    assert scores == sorted(scores, reverse=True) != []


def test_mm_grounding_dino_finds_what_the_library_finds(load: Load, picture: Picture) -> None:
    model = load("mm-grounding-dino")
    reply = found(model.detect([Detect(picture, ("cat",), 0.0)]))
    with torch.inference_mode():
        seen = model.model(
            **model.processor(images=Image.open(picture.path), text="cat.", return_tensors="pt")
        )
    scores = seen.logits[0].sigmoid()[:, 1]  # [CLS] cat . [SEP]
    assert sorted(one.score for one in reply.detections) == pytest.approx(
        sorted(scores.tolist()), abs=1e-5
    )


# --- labels
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LABELS)
def test_a_phrase_gets_the_boxes_of_the_label_that_it_names(
    load: Load, picture: Picture, kind: str
) -> None:
    model = load(kind)
    assert isinstance(model, LabelDetector)
    phrases = ("a man", "two red cats", "the dogs in the park", "a motorcycle")
    reply = found(model.detect([Detect(picture, phrases, 0.0)]))
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
    shares = [
        side / length
        for side, length in zip(own["boxes"][best].tolist(), (96, 64, 96, 64), strict=True)
    ]
    assert reply.detections[0].box.sides == pytest.approx(
        [min(max(share, 0), 1) for share in shares], abs=1e-5
    )


def test_a_thing_that_it_cannot_know_is_a_failure_and_not_absent(
    load: Load, picture: Picture
) -> None:
    (reply,) = load("rt-detr-v2").detect([Detect(picture, ("a cat", "a dragon"))])
    said = "RT-DETR v2, ResNet-50 knows 4 kinds of things and 'a dragon' is none of them"
    assert reply == Failure(
        "broken", f"{said}: choose a detector that looks for any phrase, such as Grounding DINO."
    )


def test_no_phrases_find_nothing_and_the_setting_is_the_threshold_where_none_is_given(
    load: Load, tiny: Callable[[str], Path], picture: Picture
) -> None:
    assert found(load("rt-detr-v2").detect([Detect(picture, ())])).detections == ()
    strict = registry.load(entry("rt-detr-v2", tiny("rt-detr-v2"), threshold=1.0))
    assert isinstance(strict, LabelDetector)
    assert found(strict.detect([Detect(picture, ("a dog",))])).detections == ()
    assert found(strict.detect([Detect(picture, ("a dog",), 0.0)])).detections


# --- SAM 3
# --------------------------------------------------------------------------------------------------


def test_sam_3_is_shown_the_picture_as_a_square_and_the_boxes_in_its_pixels(
    load: Load, picture: Picture
) -> None:
    model = load("sam3")
    (reply,) = model.segment([Segment(picture, BOXES)])
    small = Image.open(picture.path).convert("RGB").resize((56, 56), Image.Resampling.BILINEAR)
    pixels = torch.tensor(
        (np.asarray(small) / 255 - 0.5).transpose(2, 0, 1)[None] / 0.5, dtype=torch.float32
    )
    with torch.inference_mode():
        places = torch.tensor([[[side * 56 for side in box.sides] for box in BOXES]])
        seen = model.model(
            pixel_values=pixels, input_boxes=places, multimask_output=False
        ).pred_masks[0]
    own = (
        torch.nn.functional.interpolate(seen, (64, 96), mode="bilinear", align_corners=False)[:, 0]
        > 0
    )
    cut = [masks.array(mask) for mask in reply.masks]
    assert len({mask.tobytes() for mask in cut}) > 1, (
        "every box gives the same mask: the test shows nothing"
    )
    for mask, expected in zip(cut, own.numpy(), strict=True):
        assert mask.shape == (64, 96)
        assert (mask == expected).mean() > 0.999


def test_sam_3_keeps_the_order_of_the_boxes(load: Load, picture: Picture) -> None:
    forwards, backwards, none = load("sam3").segment(
        [Segment(picture, boxes) for boxes in (BOXES, BOXES[::-1], ())]
    )
    assert forwards.masks == backwards.masks[::-1]
    assert none.masks == ()
