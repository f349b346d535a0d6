"""Runs detectors: those that look for any phrase (Grounding DINO, OWL-ViT and their like), and
those with a fixed list of labels (RT-DETR and D-FINE on COCO).

Phrases go in, boxes come out. The latter stand where papers used YOLOv8, whose license (AGPL-3.0)
does not fit here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from hallascope.backends.base import OnStep
from hallascope.backends.images import open_rgb
from hallascope.backends.transformers.detection.label_names import label
from hallascope.backends.transformers.model import NumberSetting, TransformersModel
from hallascope.data.regions import Detection, clip
from hallascope.data.requests import Detect, Detected, Failure

if TYPE_CHECKING:
    from PIL.Image import Image

# They read all phrases as one text and score its words.
GROUNDING = ("grounding-dino", "mm-grounding-dino")
# They read phrase by phrase and score each.
OWL = ("owlvit", "owlv2")


class RawDetection(NamedTuple):
    """Holds a box as the model gives it; `sides` are left, top, right and bottom.

    They are shares of the image, and may lie outside it.
    """

    phrase: str
    score: float
    sides: Sequence[float]


class UnknownPhrase(ValueError):
    """Tells that a detector cannot look for a phrase: one sentence."""


class BoxDetector(TransformersModel):
    """Reports the boxes that a model finds from the setting `threshold` on.

    Boxes that overlap are all reported: what counts as one thing is for the metric to say.
    """

    def detect(
        self, requests: Sequence[Detect], on_step: OnStep | None = None
    ) -> list[Detected | Failure]:
        """Return the detections in the order of the requests, the best of each first."""
        return self._reply_each(requests, self._detect, on_step)

    def _detect(self, request: Detect) -> Detected | Failure:
        phrases = list(dict.fromkeys(request.phrases))
        if not phrases:
            return Detected(())
        threshold = self.number("threshold") if request.threshold is None else request.threshold
        try:
            raw = [*self._find(open_rgb(request.image), phrases)]
        except UnknownPhrase as error:
            return Failure("broken", str(error))
        detections = [
            Detection(phrase, box, score)
            for phrase, score, sides in raw
            if score >= threshold and (box := clip(*sides))
        ]
        return Detected(tuple(sorted(detections, key=lambda detection: -detection.score)))

    def _find(self, image: Image, phrases: Sequence[str]) -> Iterable[RawDetection]:
        """Find boxes of any score. Raises UnknownPhrase."""
        raise NotImplementedError(type(self).__name__)


class LabelDetector(BoxDetector):
    """Runs a model of ``AutoModelForObjectDetection``, e.g. ``PekingU/rtdetr_v2_r18vd``.

    A request with a phrase that names none of the labels is a failure: that nothing was found would
    say that it is not there.
    """

    model_classes: ClassVar[Mapping[str, str]] = {"": "AutoModelForObjectDetection"}
    numbers: ClassVar[Mapping[str, NumberSetting]] = {"threshold": NumberSetting(0.5, 0, 1)}

    def _load_processor(self, source: str, options: dict[str, Any]) -> Any:
        from transformers import AutoImageProcessor

        return AutoImageProcessor.from_pretrained(source, backend="pil", **options)

    def _find(self, image: Image, phrases: Sequence[str]) -> Iterator[RawDetection]:
        import torch

        labels = self.model.config.id2label
        label_of = {phrase: label(phrase, labels.values()) for phrase in phrases}
        unknown = [phrase for phrase, name in label_of.items() if name is None]
        if unknown:
            raise UnknownPhrase(
                f"{self.spec.title} knows {len(labels)} kinds of things and {unknown[0]!r} is none"
                " of them: choose a detector that looks for any phrase, such as Grounding DINO."
            )
        inputs = self.processor(images=image, return_tensors="pt").to(self.device)
        (result,) = self.processor.post_process_object_detection(
            self.model(**inputs), threshold=-1.0, target_sizes=torch.ones(1, 2)
        )
        for number, score, sides in zip(
            *(result[name].tolist() for name in ("labels", "scores", "boxes")), strict=True
        ):
            for phrase, name in label_of.items():
                if name == labels.get(number):
                    yield RawDetection(phrase, score, sides)


class ZeroShotDetector(BoxDetector):
    """Runs a model of ``AutoModelForZeroShotObjectDetection``.

    Examples are ``IDEA-Research/grounding-dino-tiny`` and ``google/owlv2-base-patch16``. Each box
    goes to the one phrase it fits best. OWL models are less sure of themselves: their entries have
    a lower threshold.
    """

    model_classes: ClassVar[Mapping[str, str]] = dict.fromkeys(
        (*GROUNDING, *OWL), "AutoModelForZeroShotObjectDetection"
    )
    numbers: ClassVar[Mapping[str, NumberSetting]] = {"threshold": NumberSetting(0.25, 0, 1)}

    def _find(self, image: Image, phrases: Sequence[str]) -> Iterator[RawDetection]:
        if self.model.config.model_type in GROUNDING:
            return self._detect_grounded(image, phrases)
        return self._detect_by_phrase(image, phrases)

    # --- Grounding DINO ---

    def _detect_grounded(self, image: Image, phrases: Sequence[str]) -> Iterator[RawDetection]:
        """Return one box a query of the model, for the phrase it fits best.

        Its score for a phrase is that of the phrase's best word.
        """
        import torch

        for group in self._groups(phrases):
            text, spans = _join_phrases(group)
            inputs = self.processor(
                images=image,
                text=text,
                truncation=True,
                max_length=self._longest,
                return_tensors="pt",
            ).to(self.device)
            output = self.model(**inputs)
            word_scores = output.logits[0].sigmoid()
            # The scores of a phrase are 0 where it was cut off.
            phrase_scores = [
                word_scores[:, words].amax(-1) if words else word_scores[:, 0] * 0
                for words in self._words_of_spans(text, spans)
            ]
            best = torch.stack(phrase_scores, dim=-1).max(dim=-1)
            for (x, y, width, height), score, index in zip(
                output.pred_boxes[0].tolist(),
                best.values.tolist(),
                best.indices.tolist(),
                strict=True,
            ):
                sides = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
                yield RawDetection(group[index], score, sides)

    @property
    def _longest(self) -> int:
        config = self.model.config
        return int(min(config.max_text_len, config.text_config.max_position_embeddings))

    def _words_of_spans(self, text: str, spans: Sequence[tuple[int, int]]) -> list[list[int]]:
        """Return for each phrase the places of its word pieces in the tokens of the text."""
        pieces = self.processor.tokenizer(
            text, return_offsets_mapping=True, truncation=True, max_length=self._longest
        )["offset_mapping"]
        return [
            [i for i, (a, b) in enumerate(pieces) if start <= a < b <= end] for start, end in spans
        ]

    def _groups(self, phrases: Sequence[str]) -> Iterator[list[str]]:
        """Return the phrases in as few groups as the model can read at once."""
        tokenizer = self.processor.tokenizer
        # The tokens at both ends of every text.
        ends = 2
        group: list[str] = []
        used = ends
        for phrase in phrases:
            # One more for the full stop.
            length = len(tokenizer(_plain(phrase), add_special_tokens=False)["input_ids"]) + 1
            if group and used + length > self._longest:
                yield group
                group = []
                used = ends
            group.append(phrase)
            used += length
        yield group

    # --- OWL-ViT ---

    def _detect_by_phrase(self, image: Image, phrases: Sequence[str]) -> Iterator[RawDetection]:
        inputs = self.processor(
            images=image,
            text=[list(phrases)],
            padding="max_length",
            truncation=True,
            max_length=self.model.config.text_config.max_position_embeddings,
            return_tensors="pt",
        ).to(self.device)
        width, height = image.size
        (result,) = self.processor.post_process_grounded_object_detection(
            self.model(**inputs), threshold=0.0, target_sizes=[(height, width)]
        )
        for (left, top, right, bottom), score, index in zip(
            *(result[name].tolist() for name in ("boxes", "scores", "labels")), strict=True
        ):
            sides = (left / width, top / height, right / width, bottom / height)
            yield RawDetection(phrases[index], score, sides)


def _plain(phrase: str) -> str:
    """Return a phrase as Grounding DINO was trained on it: in lower case, without a full stop."""
    return " ".join(phrase.lower().replace(".", " ").split())


def _join_phrases(phrases: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Return all phrases as one text, "a cat. a dog.", and where each lies in it."""
    text = ""
    spans = []
    for phrase in map(_plain, phrases):
        text += " " if text else ""
        spans.append((len(text), len(text) + len(phrase)))
        text += f"{phrase}."
    return text, spans
