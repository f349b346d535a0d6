"""Segmenters of the transformers library that are shown a box (SAM, SAM 2 and SAM 3).

They do not know what the thing in it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hallascope.backends.base import OnStep
from hallascope.backends.transformers.model import TransformersModel, see, whole
from hallascope.data.masks import encode
from hallascope.data.regions import Box
from hallascope.data.requests import Failure, Segment, Segmented

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image

# The checkpoints of SAM 2 and 3 are made for films; the half of them that is for pictures, and is
# shown a box, is what is loaded.
MODELS = {
    "sam": "SamModel",
    "sam2": "Sam2Model",
    "sam2_video": "Sam2Model",
    "sam3_tracker": "Sam3TrackerModel",
    "sam3_video": "Sam3TrackerModel",
}


class BoxSegmenter(TransformersModel):
    """SAM, SAM 2 or SAM 3, e.g.

    ``facebook/sam-vit-base``: one mask a box, of the size of the picture. Phrases are not read.
    """

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        import transformers

        kind = transformers.AutoConfig.from_pretrained(source, **options).model_type
        if kind not in MODELS:
            raise ValueError(
                f"it is of the kind {kind!r}, and segmenters are of {', '.join(MODELS)}"
            )
        # the library's own for SAM 2 and 3 needs torchvision, and does what this one does: it
        # stretches the picture to a square
        process = (
            transformers.AutoImageProcessor if kind == "sam" else transformers.ViTImageProcessorPil
        )
        return process.from_pretrained(source, **options), whole(
            getattr(transformers, MODELS[kind]), source, options
        )

    def segment(
        self, requests: Sequence[Segment], on_step: OnStep | None = None
    ) -> list[Segmented | Failure]:
        """Masks in the order of the boxes, in the order of the requests."""
        return self._reply_each(requests, self._segment, on_step)

    def _segment(self, request: Segment) -> Segmented | Failure:
        if not request.boxes:
            return Segmented(())
        image = see(request.image)
        inputs = self.processor(image, return_tensors="pt")
        pixels = inputs["pixel_values"]
        sizes = inputs.get("reshaped_input_sizes")
        shown = (
            pixels.shape[-2:] if sizes is None else sizes[0].tolist()
        )  # what of the pixels is the picture, and not its margin
        places = _places(request.boxes, *shown).to(self.device)
        logits = self.model(
            pixel_values=pixels.to(self.device), input_boxes=places, multimask_output=False
        ).pred_masks.cpu()
        return Segmented(tuple(encode(mask.numpy()) for mask in self._sized(logits, image, sizes)))

    def _sized(
        self, logits: torch.Tensor, image: Image, sizes: torch.Tensor | None
    ) -> torch.Tensor:
        """Return masks of the picture's size, (boxes, height, width).

        The logits are (1, boxes, 1, height, width).
        """
        from torch.nn.functional import interpolate

        size = (image.height, image.width)
        if sizes is None:
            return interpolate(logits[0], size, mode="bilinear", align_corners=False)[:, 0] > 0
        (masks,) = self.processor.post_process_masks(logits, [size], sizes)
        cut: torch.Tensor = masks[:, 0]
        return cut


def _places(boxes: Sequence[Box], height: int, width: int) -> torch.Tensor:
    """The boxes in pixels, (1, boxes, 4)."""
    import torch

    return torch.tensor(
        [
            [
                [box.left * width, box.top * height, box.right * width, box.bottom * height]
                for box in boxes
            ]
        ]
    )
