"""Runs embedders of pictures and texts in one space (CLIP, SigLIP), or pictures (DINO)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hallascope.backends.base import CallLimits, OnStep
from hallascope.backends.transformers.model import TransformersModel, see, whole
from hallascope.data.requests import Embed, Embedded, Failure

if TYPE_CHECKING:
    import torch

DIGITS = 8  # after the point: what single precision holds of a component of a vector of unit length


class DualEncoder(TransformersModel):
    """A model of ``AutoModel`` with two towers, or one that gives a picture one pooled vector.

    Vectors have unit length.

    Texts that are longer than the model reads are cut. Pictures, and texts, of a call go through in
    one batch each.
    """

    limits = CallLimits(batch=32, concurrency=1)

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        from transformers import AutoModel, AutoProcessor

        return AutoProcessor.from_pretrained(source, **options), whole(AutoModel, source, options)

    def embed(
        self, requests: Sequence[Embed], on_step: OnStep | None = None
    ) -> list[Embedded | Failure]:
        """Vectors in the order of the requests."""
        import torch

        if on_step:
            on_step(0, 0)
        pictures = [i for i, request in enumerate(requests) if request.image]
        texts = [i for i, request in enumerate(requests) if request.text is not None]
        replies: dict[int, Embedded | Failure] = {}
        with self._lock, torch.inference_mode():
            if pictures:
                replies |= zip(
                    pictures,
                    map(self._unit, self._pictures([requests[i] for i in pictures])),
                    strict=True,
                )
            if texts:
                replies |= zip(
                    texts, self._texts([requests[i].text or "" for i in texts]), strict=True
                )
        return [replies[i] for i in range(len(requests))]

    @property
    def reads(self) -> bool:
        """Whether it has a tower for texts."""
        return hasattr(self.model, "get_text_features")

    def _pictures(self, requests: Sequence[Embed]) -> torch.Tensor:
        images = [see(request.image) for request in requests if request.image]
        process = getattr(self.processor, "image_processor", self.processor)
        inputs = process(images, return_tensors="pt").to(self.device)
        seen = self.model.get_image_features(**inputs) if self.reads else self.model(**inputs)
        vectors: torch.Tensor = seen.pooler_output
        return vectors

    def _texts(self, texts: Sequence[str]) -> list[Embedded | Failure]:
        if not self.reads:
            message = (
                f"{self.spec.title} looks at pictures and reads no text: choose an embedder with a"
                " text tower, e.g. CLIP."
            )
            return [Failure("broken", message)] * len(texts)
        longest = self.model.config.text_config.max_position_embeddings
        words = self.processor.tokenizer(
            list(texts),
            padding="max_length",
            truncation=True,
            max_length=longest,
            return_tensors="pt",
        )
        return [
            self._unit(vector)
            for vector in self.model.get_text_features(**words.to(self.device)).pooler_output
        ]

    def _unit(self, vector: torch.Tensor) -> Embedded | Failure:
        return unit(vector, self.spec.title)


def unit(vector: torch.Tensor, title: str) -> Embedded | Failure:
    """The vector at unit length; a failure where it has no direction.

    `title` is that of the model.
    """
    length = vector.float().norm()
    if not 0 < float(length) < float("inf"):
        return Failure(
            "broken",
            f"{title} gives a vector without a direction: get its weights again, or choose"
            " another.",
        )
    return Embedded(tuple(round(x, DIGITS) for x in (vector.float() / length).tolist()))
