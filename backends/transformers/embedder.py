"""Runs embedders of images and texts in one space (CLIP, SigLIP), or of images (DINO)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from hallascope.backends.base import CallLimits, OnStep
from hallascope.backends.images import open_rgb
from hallascope.backends.transformers.model import TransformersModel
from hallascope.data.requests import Embed, Embedded, Failure

if TYPE_CHECKING:
    import torch

# Digits after the point: what single precision holds of a component of a vector of unit length.
DIGITS = 8
FIRST_DINO = "vit"  # the first DINO (Caron et al., ICCV 2021) is a plain vision transformer


class DualEncoder(TransformersModel):
    """Runs a model of ``AutoModel`` with two towers, or one that gives an image one vector.

    Vectors have unit length. Texts that are longer than the model reads are cut. Images, and
    texts, of a call go through in one batch each.
    """

    limits = CallLimits(batch=32, concurrency=1)

    model_classes: ClassVar[Mapping[str, str]] = {"": "AutoModel"}

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        from transformers import AutoConfig

        if AutoConfig.from_pretrained(source, **options).model_type == FIRST_DINO:
            # its files hold no pooling layer, which would be made up
            options = {**options, "add_pooling_layer": False}
        return super()._load_model(source, options)

    def embed(
        self, requests: Sequence[Embed], on_step: OnStep | None = None
    ) -> list[Embedded | Failure]:
        """Return the vectors in the order of the requests."""
        import torch

        if on_step:
            on_step(0, 0)
        replies: dict[int, Embedded | Failure] = {}
        for i, request in enumerate(requests):
            if request.image and (strange := self.check_domain(request.image)):
                replies[i] = strange
        with_picture = [i for i, r in enumerate(requests) if r.image and i not in replies]
        with_text = [i for i, request in enumerate(requests) if request.text is not None]
        with self._lock, torch.inference_mode():
            if with_picture:
                vectors = self._embed_images([requests[i] for i in with_picture])
                replies |= zip(with_picture, vectors, strict=True)
            if with_text:
                vectors = self._embed_texts([requests[i].text or "" for i in with_text])
                replies |= zip(with_text, vectors, strict=True)
        return [replies[i] for i in range(len(requests))]

    @property
    def has_text_tower(self) -> bool:
        return hasattr(self.model, "get_text_features")

    def _embed_images(self, requests: Sequence[Embed]) -> list[Embedded | Failure]:
        images = [open_rgb(request.image) for request in requests if request.image]
        process = getattr(self.processor, "image_processor", self.processor)
        inputs = process(images, return_tensors="pt").to(self.device)
        encode = self.model.get_image_features if self.has_text_tower else self.model
        encoded = encode(**inputs)
        pooled = encoded.pooler_output
        if pooled is None:  # the first DINO: its vector is that of the class token
            pooled = encoded.last_hidden_state[:, 0]
        return [unit_vector(vector, self.spec.title) for vector in pooled]

    def _embed_texts(self, texts: Sequence[str]) -> list[Embedded | Failure]:
        if not self.has_text_tower:
            message = (
                f"{self.spec.title} looks at images and reads no text: choose an embedder with a"
                " text tower, e.g. CLIP."
            )
            return [Failure("broken", message)] * len(texts)
        words = self.processor.tokenizer(
            list(texts),
            padding="max_length",
            truncation=True,
            max_length=self.model.config.text_config.max_position_embeddings,
            return_tensors="pt",
        )
        features = self.model.get_text_features(**words.to(self.device)).pooler_output
        return [
            unit_vector(vector, self.spec.title, cut_after(self, text))
            for vector, text in zip(features, texts, strict=True)
        ]


def cut_after(model: TransformersModel, text: str) -> int | None:
    """Return how many tokens of a text a model reads; None where it reads all of it."""
    most: int = model.model.config.text_config.max_position_embeddings
    tokens = model.processor.tokenizer(text, verbose=False)["input_ids"]
    return most if len(tokens) > most else None


def unit_vector(
    vector: torch.Tensor, title: str, cut_after: int | None = None
) -> Embedded | Failure:
    """Return the vector at unit length; a failure where it has no direction.

    `title` is that of the model, `cut_after` as in `Embedded`.
    """
    length = vector.float().norm()
    if not 0 < float(length) < float("inf"):
        return Failure(
            "broken",
            f"{title} gives a vector without a direction: get its weights again, or choose"
            " another.",
        )
    values = tuple(round(x, DIGITS) for x in (vector.float() / length).tolist())
    return Embedded(values, cut_after=cut_after)
