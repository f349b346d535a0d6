"""CLIPSeg draws a heat map of each phrase.

What hangs together in it is found (detector) or cut out (segmenter).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from hallascope.backends.base import OnStep
from hallascope.backends.transformers.model import TransformersModel, see, whole
from hallascope.data import masks
from hallascope.data.masks import Heat, HeatComponent
from hallascope.data.records import Picture
from hallascope.data.regions import Box, Detection, Mask
from hallascope.data.requests import Detect, Detected, Failure, Segment, Segmented

if TYPE_CHECKING:
    import torch

TOGETHER = 16  # phrases that go through the decoder at once
ANYTHING = "object"  # what is looked for in a box without a phrase


class HeatMaps(TransformersModel):
    """``CLIPSegForImageSegmentation``, e.g.

    ``CIDAS/clipseg-rd64-refined``, as detector and segmenter.

    Settings: `threshold`, from which probability on a pixel belongs to a thing; `min_area`, the
    share of the picture under which a piece is a speck and is dropped; `join`, the probability over
    which pieces still hang together, where it is below the threshold. Two things of one phrase that
    touch in the heat map are one. The picture is seen once for all phrases.
    """

    shares: ClassVar[dict[str, float]] = {"threshold": 0.5, "min_area": 0.0005, "join": 1.0}

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        from transformers import AutoConfig, AutoProcessor, CLIPSegForImageSegmentation

        kind = AutoConfig.from_pretrained(source, **options).model_type
        if kind != "clipseg":
            raise ValueError(f"it is of the kind {kind!r}, and this backend is for 'clipseg'")
        return AutoProcessor.from_pretrained(source, **options), whole(
            CLIPSegForImageSegmentation, source, options
        )

    def detect(
        self, requests: Sequence[Detect], on_step: OnStep | None = None
    ) -> list[Detected | Failure]:
        """A box around each piece of each phrase's heat map.

        Its score is the mean probability within the piece.
        """
        return self._reply_each(requests, self._detect, on_step)

    def segment(
        self, requests: Sequence[Segment], on_step: OnStep | None = None
    ) -> list[Segmented | Failure]:
        """Return for each box the piece of the heat map that overlaps it best, if any does.

        It is that of the box's phrase; it is empty where no piece overlaps.

        Pieces are cut at the setting `threshold`, also where detection was asked for with another.
        Without a phrase (none, or ""): what of the heat map of "object" lies within the box.
        """
        return self._reply_each(requests, self._segment, on_step)

    def _detect(self, request: Detect) -> Detected | Failure:
        threshold = self.share("threshold") if request.threshold is None else request.threshold
        found = [
            Detection(phrase, piece.box, piece.score)
            for phrase, heat in self._heats(request.image, request.phrases, threshold)
            for piece in self._pieces(heat, threshold)
        ]
        return Detected(tuple(sorted(found, key=lambda one: -one.score)))

    def _segment(self, request: Segment) -> Segmented | Failure:
        wanted = list(
            zip(request.boxes, request.phrases or ("",) * len(request.boxes), strict=True)
        )
        cut: dict[int, Mask] = {}
        for phrase, heat in self._heats(
            request.image, [phrase or ANYTHING for _, phrase in wanted]
        ):
            found = self._pieces(heat, self.share("threshold"))
            for i, (box, named) in enumerate(wanted):
                if (named or ANYTHING) == phrase:
                    cut[i] = _piece(heat, box, found) if named else self._mask_in_box(heat, box)
        return Segmented(tuple(cut[i] for i in range(len(wanted))))

    def _pieces(self, heat: Heat, threshold: float) -> list[HeatComponent]:
        return masks.pieces(heat, threshold, self.share("min_area"), self.share("join"))

    def _mask_in_box(self, heat: Heat, box: Box) -> Mask:
        return masks.encode((heat >= self.share("threshold")) & masks.inside(box, *heat.shape))

    def _heats(
        self, picture: Picture, phrases: Sequence[str], least: float = 0.0
    ) -> Iterator[tuple[str, Heat]]:
        """Each phrase once, with its heat map of the size of the picture.

        Those that are nowhere as likely as `least` are left out.
        """
        from torch.nn.functional import interpolate

        image = see(picture)
        each = list(dict.fromkeys(phrases))
        seen = self._see(image) if each else []
        for start in range(0, len(each), TOGETHER):
            group = each[start : start + TOGETHER]
            for phrase, logits in zip(group, self._decode(seen, group), strict=True):
                if logits.max().sigmoid() < least:  # nor would it be between its points
                    continue
                sized = interpolate(
                    logits[None, None],
                    size=(image.height, image.width),
                    mode="bilinear",
                    align_corners=False,
                )
                yield phrase, sized[0, 0].sigmoid().cpu().numpy()

    def _see(self, image: Any) -> list[torch.Tensor]:
        """The states of the vision tower that the decoder reads, each (1, patches + 1, width)."""
        pixels = self.processor.image_processor(image, return_tensors="pt")["pixel_values"].to(
            self.device
        )
        states = self.model.clip.vision_model(
            pixel_values=pixels, output_hidden_states=True
        ).hidden_states
        return [
            states[i + 1] for i in self.model.extract_layers
        ]  # the first are those before any layer

    def _decode(self, seen: Sequence[torch.Tensor], phrases: Sequence[str]) -> torch.Tensor:
        """Logits, (phrases, height, width) of the model's own grid."""
        longest = self.model.config.text_config.max_position_embeddings
        words = self.processor.tokenizer(
            list(phrases), padding=True, truncation=True, max_length=longest, return_tensors="pt"
        )
        about = self.model.get_conditional_embeddings(
            batch_size=len(phrases),
            input_ids=words["input_ids"].to(self.device),
            attention_mask=words["attention_mask"].to(self.device),
        )
        logits: torch.Tensor = self.model.decoder(
            [state.expand(len(phrases), -1, -1) for state in seen], about
        ).logits
        return logits


def _piece(heat: Heat, box: Box, found: Sequence[HeatComponent]) -> Mask:
    chosen = masks.best_component(box, found)
    return masks.encode(chosen.pixels if chosen else np.zeros(heat.shape, dtype=bool))
