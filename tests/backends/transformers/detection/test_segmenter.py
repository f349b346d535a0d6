"""Segmenters cut out what the library's own models cut out."""

from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from transformers import SamProcessor

from hallascope.data.records import Picture
from hallascope.data.requests import Segment
from tests.support.vision_entries import BOXES, Tiny, only_masks


def test_sam_cuts_out_what_the_library_cuts_out_in_the_order_of_the_boxes(
    load_vision: Any, tiny: Tiny, picture: Picture
) -> None:
    segmenter = load_vision("sam")
    found_masks = only_masks(segmenter.segment([Segment(picture, BOXES)]))
    boxes = [
        [left * 96, top * 64, right * 96, bottom * 64]
        for left, top, right, bottom in (box.sides for box in BOXES)
    ]
    process = SamProcessor.from_pretrained(tiny("sam"))
    inputs = process(images=Image.open(picture.path), input_boxes=[boxes], return_tensors="pt")
    with torch.inference_mode():
        seen = segmenter.model(
            pixel_values=inputs["pixel_values"],
            input_boxes=inputs["input_boxes"].float(),
            multimask_output=False,
        ).pred_masks
    (own,) = process.post_process_masks(
        seen, inputs["original_sizes"], inputs["reshaped_input_sizes"]
    )
    assert len(found_masks) == 3
    assert len({mask.tobytes() for mask in found_masks}) > 1, (
        "every box gives the same mask: the test shows nothing"
    )
    for mask, expected in zip(found_masks, own[:, 0].numpy(), strict=True):
        assert mask.shape == (64, 96)
        assert (mask == expected).mean() > 0.999


def test_sam_2_is_shown_the_picture_as_a_square_and_the_boxes_in_its_pixels(
    load_vision: Any, picture: Picture
) -> None:
    segmenter = load_vision("sam2")
    found_masks = only_masks(segmenter.segment([Segment(picture, BOXES)]))
    small = Image.open(picture.path).convert("RGB").resize((64, 64), Image.Resampling.BILINEAR)
    pixels = (np.asarray(small) / 255 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    with torch.inference_mode():
        seen = segmenter.model(
            pixel_values=torch.tensor(pixels.transpose(2, 0, 1)[None], dtype=torch.float32),
            input_boxes=torch.tensor([[[side * 64 for side in box.sides] for box in BOXES]]),
            multimask_output=False,
        ).pred_masks[0]
    own = (
        torch.nn.functional.interpolate(seen, (64, 96), mode="bilinear", align_corners=False)[:, 0]
        > 0
    )
    assert len({mask.tobytes() for mask in found_masks}) > 1, (
        "every box gives the same mask: the test shows nothing"
    )
    for mask, expected in zip(found_masks, own.numpy(), strict=True):
        assert mask.shape == (64, 96)
        assert (mask == expected).mean() > 0.999


@pytest.mark.parametrize("kind", ["sam", "sam2", "clipseg"])
def test_no_boxes_have_no_masks_and_the_order_of_the_boxes_is_kept(
    load_vision: Any, picture: Picture, kind: str
) -> None:
    segmenter = load_vision(kind)
    assert only_masks(segmenter.segment([Segment(picture, ())])) == []
    forwards, backwards = segmenter.segment(
        [Segment(picture, BOXES), Segment(picture, BOXES[::-1])]
    )
    assert forwards.masks == backwards.masks[::-1]
