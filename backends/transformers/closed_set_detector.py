"""Runs detectors with a fixed list of labels, such as RT-DETR and D-FINE on COCO.

Phrases go in, boxes come out.

They stand where papers used YOLOv8, whose licence (AGPL-3.0) does not fit here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hallascope.backends.base import OnStep
from hallascope.backends.transformers.label_names import label
from hallascope.backends.transformers.model import TransformersModel, see, whole
from hallascope.data.regions import Detection, clip
from hallascope.data.requests import Detect, Detected, Failure


class LabelDetector(TransformersModel):
    """A model of ``AutoModelForObjectDetection``, e.g.

    ``PekingU/rtdetr_v2_r18vd``; boxes are told from the setting `threshold` on.

    A request with a phrase that names none of the labels is a failure: that nothing was found would
    say that it is not there.
    """

    shares: ClassVar[dict[str, float]] = {"threshold": 0.5}

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        from transformers import AutoImageProcessor, AutoModelForObjectDetection

        processor = AutoImageProcessor.from_pretrained(source, backend="pil", **options)
        return processor, whole(AutoModelForObjectDetection, source, options)

    def detect(
        self, requests: Sequence[Detect], on_step: OnStep | None = None
    ) -> list[Detected | Failure]:
        """What is found, in the order of the requests."""
        return self._reply_each(requests, self._detect, on_step)

    def _detect(self, request: Detect) -> Detected | Failure:
        named = {phrase: label(phrase, self._labels.values()) for phrase in request.phrases}
        if unknown := [phrase for phrase, one in named.items() if one is None]:
            said = (
                f"{self.spec.title} knows {len(self._labels)} kinds of things and {unknown[0]!r} is"
                " none of them"
            )
            return Failure(
                "broken",
                f"{said}: choose a detector that looks for any phrase, such as Grounding DINO.",
            )
        found = [
            Detection(phrase, box, score)
            for name, score, sides in (self._raw_detections(request) if named else [])
            for phrase, one in named.items()
            if one == name and (box := clip(*sides))
        ]
        return Detected(tuple(sorted(found, key=lambda one: -one.score)))

    def _raw_detections(self, request: Detect) -> list[tuple[str, float, list[float]]]:
        """Label, score and sides (shares of the picture) of everything above the threshold."""
        import torch

        threshold = self.share("threshold") if request.threshold is None else request.threshold
        inputs = self.processor(images=see(request.image), return_tensors="pt").to(self.device)
        seen = self.model(**inputs)
        (found,) = self.processor.post_process_object_detection(
            seen, threshold=-1.0, target_sizes=torch.ones(1, 2)
        )
        each = zip(
            found["labels"].tolist(), found["scores"].tolist(), found["boxes"].tolist(), strict=True
        )
        return [
            (self._labels[number], score, sides)
            for number, score, sides in each
            if score >= threshold and number in self._labels
        ]

    @property
    def _labels(self) -> dict[int, str]:
        return {int(number): str(name) for number, name in self.model.config.id2label.items()}
