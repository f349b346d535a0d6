"""Runs BLIP for image-text retrieval: vectors, and how likely a text fits a picture.

The second is the head for image-text matching, which sees both together (Li et al., BLIP, ICML
2022, section 3.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hallascope.backends.base import CallLimits, OnStep
from hallascope.backends.transformers.embedder import DIGITS, unit
from hallascope.backends.transformers.model import TransformersModel, see, whole
from hallascope.data.records import Picture
from hallascope.data.requests import Embed, Embedded, Failure, Match, Matched

if TYPE_CHECKING:
    import torch


class ImageTextRetrieval(TransformersModel):
    """Any model of ``BlipForImageTextRetrieval``, e.g.

    ``Salesforce/blip-itm-base-coco``; texts that are longer than it reads are cut.
    """

    limits = CallLimits(batch=8, concurrency=1)

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        from transformers import AutoProcessor, BlipForImageTextRetrieval

        return AutoProcessor.from_pretrained(source, **options), whole(
            BlipForImageTextRetrieval, source, options
        )

    def match(
        self, requests: Sequence[Match], on_step: OnStep | None = None
    ) -> list[Matched | Failure]:
        """Probabilities in the order of the requests."""
        return self._reply_each(requests, self._match, on_step)

    def embed(
        self, requests: Sequence[Embed], on_step: OnStep | None = None
    ) -> list[Embedded | Failure]:
        """Return vectors in the order of the requests, in BLIP's space of pictures and texts."""
        return self._reply_each(requests, self._embed, on_step)

    def _match(self, request: Match) -> Matched | Failure:
        import torch

        seen = self._see(request.image)
        words = self._words(request.text)
        mask = torch.ones(seen.shape[:-1], dtype=torch.long, device=self.device)
        read = self.model.text_encoder(
            input_ids=words["input_ids"],
            attention_mask=words["attention_mask"],
            encoder_hidden_states=seen,
            encoder_attention_mask=mask,
        ).last_hidden_state
        chance = float(self.model.itm_head(read[:, 0]).float().softmax(-1)[0, 1])
        if not 0 <= chance <= 1:  # no number
            return Failure(
                "broken",
                f"{self.spec.title} gives no probability: get its weights again, or choose"
                " another.",
            )
        return Matched(round(chance, DIGITS))

    def _embed(self, request: Embed) -> Embedded | Failure:
        if request.image:
            return unit(self.model.vision_proj(self._see(request.image)[0, 0]), self.spec.title)
        words = self._words(request.text or "")
        read = self.model.text_encoder(
            input_ids=words["input_ids"], attention_mask=words["attention_mask"]
        ).last_hidden_state
        return unit(self.model.text_proj(read[0, 0]), self.spec.title)

    def _see(self, picture: Picture) -> torch.Tensor:
        """States of the patches, shape (1, patches, width)."""
        pixels = self.processor.image_processor(see(picture), return_tensors="pt")[
            "pixel_values"
        ].to(self.device)
        seen: torch.Tensor = self.model.vision_model(pixel_values=pixels).last_hidden_state
        return seen

    def _words(self, text: str) -> Any:
        longest = self.model.config.text_config.max_position_embeddings
        return self.processor.tokenizer(
            [text], truncation=True, max_length=longest, return_tensors="pt"
        ).to(self.device)
