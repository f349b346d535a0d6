"""Open-vocabulary detectors of the transformers library (Grounding DINO, OWL-ViT and their like):
phrases in, boxes out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from hallascope.backends.base import OnStep
from hallascope.backends.transformers.model import TransformersModel, see, whole
from hallascope.data.regions import Detection, clip
from hallascope.data.requests import Detect, Detected, Failure

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image

RawDetection = tuple[str, float, tuple[float, ...]]  # phrase, score, sides as shares of the picture
GROUNDING = (
    "grounding-dino",
    "mm-grounding-dino",
)  # read all phrases as one text and score its words
OWL = ("owlvit", "owlv2")  # read phrase by phrase and score each


class ZeroShotDetector(TransformersModel):
    """A model of ``AutoModelForZeroShotObjectDetection``, e.g.

    ``IDEA-Research/grounding-dino-tiny``, ``google/owlv2-base-patch16``.

    Each box goes to the one phrase it fits best; boxes are told from the setting `threshold` on,
    0.25 where an entry says nothing (OWL models are less sure of themselves: theirs say 0.1). Boxes
    that overlap are all told: what counts as one thing is for the metric to say.
    """

    shares: ClassVar[dict[str, float]] = {"threshold": 0.25}

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        from transformers import AutoConfig, AutoModelForZeroShotObjectDetection, AutoProcessor

        kind = AutoConfig.from_pretrained(source, **options).model_type
        if kind not in (*GROUNDING, *OWL):
            raise ValueError(
                f"it is of the kind {kind!r}, and detectors are of {', '.join((*GROUNDING, *OWL))}"
            )
        return AutoProcessor.from_pretrained(source, **options), whole(
            AutoModelForZeroShotObjectDetection, source, options
        )

    def detect(
        self, requests: Sequence[Detect], on_step: OnStep | None = None
    ) -> list[Detected | Failure]:
        """What is found, in the order of the requests."""
        return self._reply_each(requests, self._detect, on_step)

    def _detect(self, request: Detect) -> Detected | Failure:
        image = see(request.image)
        threshold = self._threshold(request)
        phrases = list(dict.fromkeys(request.phrases))
        find = (
            self._grounded if self.model.config.model_type in GROUNDING else self._phrase_by_phrase
        )
        found = [one for one in find(image, phrases) if one[1] >= threshold] if phrases else []
        boxes = [
            Detection(phrase, box, score) for phrase, score, sides in found if (box := clip(*sides))
        ]
        return Detected(tuple(sorted(boxes, key=lambda one: -one.score)))

    def _threshold(self, request: Detect) -> float:
        return self.share("threshold") if request.threshold is None else request.threshold

    # --- Grounding DINO
    # ----------------------------------------------------------------------------------------------

    def _grounded(self, image: Image, phrases: Sequence[str]) -> Iterator[RawDetection]:
        """One box a query of the model.

        Its score for a phrase is that of the phrase's best word.
        """
        for group in self._groups(phrases):
            text, spans = _merged(group)
            inputs = self._inputs(image, text)
            seen = self.model(**inputs)
            words = self._words(text, spans)
            scores = seen.logits[0].sigmoid()
            each = _stack(
                [scores[:, rows].amax(-1) if rows else scores[:, 0] * 0 for rows in words]
            )
            yield from _best(group, each, seen.pred_boxes[0])

    def _inputs(self, image: Image, text: str) -> Any:
        longest = self._longest
        return self.processor(
            images=image, text=text, truncation=True, max_length=longest, return_tensors="pt"
        ).to(self.device)

    @property
    def _longest(self) -> int:
        config = self.model.config
        return int(min(config.max_text_len, config.text_config.max_position_embeddings))

    def _words(self, text: str, spans: Sequence[tuple[int, int]]) -> list[list[int]]:
        """For each phrase the places of its word pieces in the text as the model reads it."""
        pieces = self.processor.tokenizer(
            text, return_offsets_mapping=True, truncation=True, max_length=self._longest
        )["offset_mapping"]
        return [
            [i for i, (a, b) in enumerate(pieces) if start <= a < b <= end] for start, end in spans
        ]

    def _groups(self, phrases: Sequence[str]) -> Iterator[list[str]]:
        """The phrases in as few groups as the model can read at once."""
        group, used = list[str](), 2  # the words at both ends of every text
        for phrase in phrases:
            length = (
                len(self.processor.tokenizer(_plain(phrase), add_special_tokens=False)["input_ids"])
                + 1
            )
            if group and used + length > self._longest:
                yield group
                group = []
                used = 2
            group.append(phrase)
            used += length
        yield group

    # --- OWL-ViT
    # ----------------------------------------------------------------------------------------------

    def _phrase_by_phrase(self, image: Image, phrases: Sequence[str]) -> Iterator[RawDetection]:
        longest = self.model.config.text_config.max_position_embeddings
        inputs = self.processor(
            images=image,
            text=[list(phrases)],
            padding="max_length",
            truncation=True,
            max_length=longest,
            return_tensors="pt",
        ).to(self.device)
        seen = self.model(**inputs)
        (found,) = self.processor.post_process_grounded_object_detection(
            seen, threshold=0.0, target_sizes=[(image.height, image.width)]
        )
        width, height = image.size
        for box, score, index in zip(
            found["boxes"].tolist(), found["scores"].tolist(), found["labels"].tolist(), strict=True
        ):
            left, top, right, bottom = box
            yield (
                phrases[index],
                score,
                (left / width, top / height, right / width, bottom / height),
            )


def _plain(phrase: str) -> str:
    """Return a phrase as Grounding DINO was trained on it: in lower case, without a full stop."""
    return " ".join(phrase.lower().replace(".", " ").split())


def _merged(phrases: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """All phrases as one text, "a cat. a dog.", and where each lies in it."""
    text = ""
    spans = []
    for phrase in map(_plain, phrases):
        text += " " if text else ""
        spans.append((len(text), len(text) + len(phrase)))
        text += f"{phrase}."
    return text, spans


def _stack(columns: list[torch.Tensor]) -> torch.Tensor:
    import torch

    return torch.stack(columns, dim=-1)


def _best(
    phrases: Sequence[str], scores: torch.Tensor, boxes: torch.Tensor
) -> Iterator[RawDetection]:
    """The phrase that each box fits best.

    `scores` (boxes, phrases), `boxes` as centre, width and height in shares.
    """
    best = scores.max(dim=-1)
    for (x, y, w, h), score, index in zip(
        boxes.tolist(), best.values.tolist(), best.indices.tolist(), strict=True
    ):
        yield phrases[index], score, (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
