"""Runs segmenters that are shown a box (SAM, SAM 2 and SAM 3).

They do not know what the thing in it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hallascope.backends.base import OnStep
from hallascope.backends.images import open_rgb
from hallascope.backends.transformers.model import TransformersModel
from hallascope.data.masks import encode
from hallascope.data.requests import Failure, Segment, Segmented

if TYPE_CHECKING:
    import torch

# The checkpoints of SAM 2 and 3 are made for videos; the half of them that is for images, and is
# shown a box, is what is loaded.
MODELS: Mapping[str, str] = {
    "sam": "SamModel",
    "sam2": "Sam2Model",
    "sam2_video": "Sam2Model",
    "sam3_tracker": "Sam3TrackerModel",
    "sam3_video": "Sam3TrackerModel",
}


class BoxSegmenter(TransformersModel):
    """Runs SAM, SAM 2 or SAM 3, e.g. ``facebook/sam-vit-base``.

    It gives one mask a box, of the size of the image. Phrases are not read.
    """

    model_classes = MODELS

    def _load_processor(self, source: str, options: dict[str, Any]) -> Any:
        import transformers

        # The library's own for SAM 2 and 3 needs torchvision, and does what this one does: it
        # stretches the image to a square.
        config = transformers.AutoConfig.from_pretrained(source, **options)
        processor_class = (
            transformers.AutoImageProcessor
            if config.model_type == "sam"
            else transformers.ViTImageProcessorPil
        )
        return processor_class.from_pretrained(source, **options)

    def segment(
        self, requests: Sequence[Segment], on_step: OnStep | None = None
    ) -> list[Segmented | Failure]:
        """Return the masks in the order of the boxes, in the order of the requests."""
        return self._reply_each(requests, self._segment, on_step)

    def _segment(self, request: Segment) -> Segmented | Failure:
        import torch

        if not request.boxes:
            return Segmented(())
        image = open_rgb(request.image)
        inputs = self.processor(image, return_tensors="pt")
        pixels = inputs["pixel_values"]
        sizes = inputs.get("reshaped_input_sizes")
        # The part of the pixels that is the image, and not its margin.
        height, width = pixels.shape[-2:] if sizes is None else sizes[0].tolist()
        boxes = [
            [box.left * width, box.top * height, box.right * width, box.bottom * height]
            for box in request.boxes
        ]
        logits = self.model(
            pixel_values=pixels.to(self.device),
            input_boxes=torch.tensor([boxes]).to(self.device),
            multimask_output=False,
        ).pred_masks.cpu()
        masks = self._resize(logits, (image.height, image.width), sizes)
        return Segmented(tuple(encode(mask.numpy()) for mask in masks))

    def _resize(
        self, logits: torch.Tensor, size: tuple[int, int], sizes: torch.Tensor | None
    ) -> torch.Tensor:
        """Return masks of the picture's size, (boxes, height, width).

        The logits are (1, boxes, 1, height, width).
        """
        from torch.nn.functional import interpolate

        if sizes is None:
            return interpolate(logits[0], size, mode="bilinear", align_corners=False)[:, 0] > 0
        (masks,) = self.processor.post_process_masks(logits, [size], sizes)
        first: torch.Tensor = masks[:, 0]
        return first
