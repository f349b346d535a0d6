"""Runs BLIP for image-text retrieval: vectors, and how likely a text fits an image.

The second is the head for image-text matching, which sees both together (Li et al., BLIP, ICML
2022, section 3.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from hallascope.backends.base import CallLimits, OnStep
from hallascope.backends.images import open_rgb
from hallascope.backends.transformers.embedder import DIGITS, cut_after, unit_vector
from hallascope.backends.transformers.model import TransformersModel
from hallascope.data.records import Picture
from hallascope.data.requests import Embed, Embedded, Failure, Match, Matched

if TYPE_CHECKING:
    import torch


class ImageTextRetrieval(TransformersModel):
    """Runs a model of ``BlipForImageTextRetrieval``, e.g. ``Salesforce/blip-itm-base-coco``.

    Texts that are longer than it reads are cut.
    """

    limits = CallLimits(batch=8, concurrency=1)

    model_classes: ClassVar[Mapping[str, str]] = {"": "BlipForImageTextRetrieval"}

    def match(
        self, requests: Sequence[Match], on_step: OnStep | None = None
    ) -> list[Matched | Failure]:
        """Return the probabilities in the order of the requests."""
        return self._reply_each(requests, self._match, on_step)

    def embed(
        self, requests: Sequence[Embed], on_step: OnStep | None = None
    ) -> list[Embedded | Failure]:
        """Return vectors in the order of the requests, in BLIP's space of images and texts."""
        return self._reply_each(requests, self._embed, on_step)

    def _match(self, request: Match) -> Matched | Failure:
        import torch

        patches = self._encode_image(request.image)
        mask = torch.ones(patches.shape[:-1], dtype=torch.long, device=self.device)
        states = self._encode_text(
            request.text, encoder_hidden_states=patches, encoder_attention_mask=mask
        )
        probability = float(self.model.itm_head(states[:, 0]).float().softmax(-1)[0, 1])
        # It may also be no number.
        if not 0 <= probability <= 1:
            return Failure(
                "broken",
                f"{self.spec.title} gives no probability: get its weights again, or choose"
                " another.",
            )
        return Matched(round(probability, DIGITS), cut_after=cut_after(self, request.text))

    def _embed(self, request: Embed) -> Embedded | Failure:
        if request.image:
            vector = self.model.vision_proj(self._encode_image(request.image)[0, 0])
            return unit_vector(vector, self.spec.title)
        text = request.text or ""
        vector = self.model.text_proj(self._encode_text(text)[0, 0])
        return unit_vector(vector, self.spec.title, cut_after(self, text))

    def _encode_image(self, picture: Picture) -> torch.Tensor:
        """Return the states of the patches, shape (1, patches, width)."""
        inputs = self.processor.image_processor(open_rgb(picture), return_tensors="pt")
        pixels = inputs["pixel_values"].to(self.device)
        states: torch.Tensor = self.model.vision_model(pixel_values=pixels).last_hidden_state
        return states

    def _encode_text(self, text: str, **picture: torch.Tensor) -> torch.Tensor:
        """Return the states of the words, (1, words, width), which may attend to an image."""
        words: Any = self.processor.tokenizer(
            [text],
            truncation=True,
            max_length=self.model.config.text_config.max_position_embeddings,
            return_tensors="pt",
        ).to(self.device)
        states: torch.Tensor = self.model.text_encoder(
            input_ids=words["input_ids"], attention_mask=words["attention_mask"], **picture
        ).last_hidden_state
        return states
