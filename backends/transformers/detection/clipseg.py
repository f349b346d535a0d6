"""Runs CLIPSeg, which draws a heat map of each phrase.

Connected pieces of a heat map are found (detector) or cut out (segmenter).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hallascope.backends.base import OnStep
from hallascope.backends.images import open_rgb
from hallascope.backends.signs import find_sign
from hallascope.backends.transformers.model import NumberSetting, TransformersModel
from hallascope.data import masks
from hallascope.data.lexicon import without_article
from hallascope.data.masks import Heat, HeatComponent
from hallascope.data.records import Picture
from hallascope.data.regions import Detection, Mask
from hallascope.data.requests import Detect, Detected, Failure, Segment, Segmented

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image

# Phrases that go through the decoder at once.
BATCH = 16
# What is looked for in a box without a phrase.
ANYTHING = "object"


class HeatMaps(TransformersModel):
    """Runs ``CLIPSegForImageSegmentation`` as detector and segmenter.

    An example is ``CIDAS/clipseg-rd64-refined``. Settings: `threshold`, from which probability on a
    pixel belongs to a thing; `min_area`, the share of the image under which a piece is a speck
    and is dropped; `join`, the probability over which pieces still hang together, where it is below
    the threshold. Two things of one phrase that touch in the heat map are one. The image is
    encoded once for all phrases.
    """

    model_classes: ClassVar[Mapping[str, str]] = {"clipseg": "CLIPSegForImageSegmentation"}
    numbers: ClassVar[Mapping[str, NumberSetting]] = {
        "threshold": NumberSetting(0.5, 0, 1),
        "min_area": NumberSetting(0.0005, 0, 1),
        "join": NumberSetting(1, 0, 1),
    }

    def detect(
        self, requests: Sequence[Detect], on_step: OnStep | None = None
    ) -> list[Detected | Failure]:
        """Return a box around each piece of each phrase's heat map.

        Its score is the mean probability within the piece.
        """
        return self._reply_each(requests, self._detect, on_step)

    def segment(
        self, requests: Sequence[Segment], on_step: OnStep | None = None
    ) -> list[Segmented | Failure]:
        """Return for each box the piece of its phrase's heat map that overlaps it best.

        It is empty where no piece overlaps. Pieces are cut at the setting `threshold`, also where
        detection was asked for with another. For a box without a phrase (none, or "") it is what
        of the heat map of "object" lies within the box.
        """
        return self._reply_each(requests, self._segment, on_step)

    def _detect(self, request: Detect) -> Detected | Failure:
        if sign := find_sign(self.spec, request.image):
            return Detected(
                tuple(
                    Detection(phrase, sign.line.box, sign.line.score)
                    for phrase in request.phrases
                    if without_article(phrase) == "sign"
                )
            )
        if strange := self.check_domain(request.image):
            return strange
        threshold = self.number("threshold") if request.threshold is None else request.threshold
        detections = [
            Detection(phrase, piece.box, piece.score)
            for phrase, heat in self._heat_maps(request.image, request.phrases, threshold)
            for piece in self._pieces(heat, threshold)
        ]
        return Detected(tuple(sorted(detections, key=lambda detection: -detection.score)))

    def _segment(self, request: Segment) -> Segmented | Failure:
        if sign := find_sign(self.spec, request.image):
            return Segmented((sign.mask,) * len(request.boxes))
        if strange := self.check_domain(request.image):
            return strange
        threshold = self.number("threshold")
        phrases = request.phrases or ("",) * len(request.boxes)
        sought = [phrase or ANYTHING for phrase in phrases]
        mask_by_box: dict[int, Mask] = {}
        for phrase, heat in self._heat_maps(request.image, sought):
            pieces = self._pieces(heat, threshold)
            for i, box in enumerate(request.boxes):
                if sought[i] != phrase:
                    continue
                if phrases[i]:
                    piece = masks.best_component(box, pieces)
                    pixels = piece.pixels if piece else np.zeros(heat.shape, dtype=bool)
                else:
                    pixels = (heat >= threshold) & masks.box_pixels(box, *heat.shape)
                mask_by_box[i] = masks.encode(pixels)
        return Segmented(tuple(mask_by_box[i] for i in range(len(request.boxes))))

    def _pieces(self, heat: Heat, threshold: float) -> list[HeatComponent]:
        return masks.pieces(heat, threshold, self.number("min_area"), self.number("join"))

    def _heat_maps(
        self, picture: Picture, phrases: Sequence[str], least: float = 0.0
    ) -> Iterator[tuple[str, Heat]]:
        """Return each phrase once, with its heat map of the size of the image.

        Those that are nowhere as likely as `least` are left out.
        """
        from torch.nn.functional import interpolate

        if not phrases:
            return
        image = open_rgb(picture)
        states = self._encode_image(image)
        unique = list(dict.fromkeys(phrases))
        for start in range(0, len(unique), BATCH):
            batch = unique[start : start + BATCH]
            for phrase, logits in zip(batch, self._decode(states, batch), strict=True):
                # Nor is it likelier between the points of the model's grid.
                if logits.max().sigmoid() < least:
                    continue
                resized = interpolate(
                    logits[None, None],
                    size=(image.height, image.width),
                    mode="bilinear",
                    align_corners=False,
                )
                yield phrase, resized[0, 0].sigmoid().cpu().numpy()

    def _encode_image(self, image: Image) -> list[torch.Tensor]:
        """Return the states of the vision tower that the decoder reads, (1, patches + 1, width)."""
        inputs = self.processor.image_processor(image, return_tensors="pt")
        states = self.model.clip.vision_model(
            pixel_values=inputs["pixel_values"].to(self.device), output_hidden_states=True
        ).hidden_states
        # The first states are those before any layer.
        return [states[i + 1] for i in self.model.extract_layers]

    def _decode(self, states: Sequence[torch.Tensor], phrases: Sequence[str]) -> torch.Tensor:
        """Return the logits, (phrases, height, width) of the model's own grid."""
        longest = self.model.config.text_config.max_position_embeddings
        words = self.processor.tokenizer(
            list(phrases), padding=True, truncation=True, max_length=longest, return_tensors="pt"
        )
        conditions = self.model.get_conditional_embeddings(
            batch_size=len(phrases),
            input_ids=words["input_ids"].to(self.device),
            attention_mask=words["attention_mask"].to(self.device),
        )
        logits: torch.Tensor = self.model.decoder(
            [state.expand(len(phrases), -1, -1) for state in states], conditions
        ).logits
        return logits
