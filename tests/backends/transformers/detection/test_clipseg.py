"""Heat maps of CLIPSeg are cut into pieces, which are detected and segmented."""

from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from hallascope.backends.transformers.detection.clipseg import HeatMaps
from hallascope.data import masks
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Detect, Segment
from tests.support.vision_entries import only_detection, only_masks


def _heats(model: HeatMaps, picture: Picture, phrases: list[str]) -> Any:
    """The library's own heat maps, of the size of the picture."""
    image = Image.open(picture.path)
    inputs = model.processor(
        text=phrases, images=[image] * len(phrases), padding=True, return_tensors="pt"
    )
    with torch.inference_mode():
        logits = model.model(**inputs).logits
    sized = torch.nn.functional.interpolate(
        logits[:, None], size=(image.height, image.width), mode="bilinear", align_corners=False
    )
    return sized[:, 0].sigmoid().numpy()


def test_a_heat_map_is_cut_into_pieces_as_the_library_draws_it(
    load_vision: Any, picture: Picture
) -> None:
    model, phrases = load_vision("clipseg"), ["a red circle", "dog"]
    heats = _heats(model, picture, phrases)
    threshold = float(np.quantile(heats, 0.7))
    reply = only_detection(model.detect([Detect(picture, tuple(phrases), threshold)]))
    own = [
        (phrase, piece)
        for phrase, heat in zip(phrases, heats, strict=True)
        for piece in masks.pieces(heat, threshold, 0.0005)
    ]
    own.sort(key=lambda pair: -pair[1].score)
    assert len(own) > 1
    assert [(one.phrase, one.box) for one in reply.detections] == [
        (phrase, piece.box) for phrase, piece in own
    ]
    assert [one.score for one in reply.detections] == pytest.approx(
        [piece.score for _, piece in own], abs=1e-5
    )


def test_what_was_detected_is_cut_out_by_its_box_and_phrase(
    load_vision: Any, picture: Picture
) -> None:
    threshold = float(
        np.quantile(_heats(load_vision("clipseg"), picture, ["a red circle", "dog"]), 0.7)
    )
    model = load_vision("clipseg", threshold=threshold)
    detections = only_detection(model.detect([Detect(picture, ("a red circle", "dog"))])).detections
    asked = Segment(
        picture, tuple(one.box for one in detections), tuple(one.phrase for one in detections)
    )
    (reply,) = model.segment([asked])
    assert [masks.box(mask) for mask in reply.masks] == [one.box for one in detections]


def test_a_drawn_heat_map_is_found_and_cut_out_piece_by_piece(
    load_vision: Any, picture: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load_vision("clipseg", min_area=0.01)
    heat = np.zeros((64, 96), dtype=np.float32)
    heat[10:20, 10:30], heat[40:60, 50:90], heat[0, 0] = 0.8, 0.9, 1.0
    monkeypatch.setattr(
        model,
        "_heat_maps",
        lambda picture, phrases, least=0.0: ((phrase, heat) for phrase in dict.fromkeys(phrases)),
    )
    big, small = only_detection(model.detect([Detect(picture, ("a dog",))])).detections
    assert (big.box, small.box) == (
        Box(50 / 96, 40 / 64, 90 / 96, 60 / 64),
        Box(10 / 96, 10 / 64, 30 / 96, 20 / 64),
    )
    assert (big.score, small.score) == pytest.approx((0.9, 0.8))
    beside = Box(0.4, 0.05, 0.6, 0.1)
    one, other, none = only_masks(
        model.segment([Segment(picture, (small.box, Box(0.5, 0.5, 1, 1), beside), ("a dog",) * 3)])
    )
    assert (one.sum(), other.sum(), none.sum()) == (200, 800, 0)
    half, whole = only_masks(
        model.segment([Segment(picture, (Box(0, 0, 20 / 96, 1), small.box), ("", "object"))])
    )
    assert half.sum() == 101, "without a phrase all that is hot within the box counts, specks too"
    assert whole.sum() == 200
    assert [
        mask.sum()
        for mask in only_masks(
            model.segment([Segment(picture, (Box(0, 0, 20 / 96, 1), small.box))])
        )
    ] == [101, 200]
