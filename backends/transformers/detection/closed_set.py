"""Runs detectors with a fixed list of labels, such as RT-DETR and D-FINE on COCO.

Phrases go in, boxes come out. They stand where papers used YOLOv8, whose license (AGPL-3.0) does
not fit here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hallascope.backends.base import OnStep
from hallascope.backends.transformers.detection.label_names import label
from hallascope.backends.transformers.model import TransformersModel, load_complete, open_rgb
from hallascope.data.regions import Detection, clip
from hallascope.data.requests import Detect, Detected, Failure


class LabelDetector(TransformersModel):
    """Runs a model of ``AutoModelForObjectDetection``, e.g. ``PekingU/rtdetr_v2_r18vd``.

    Boxes are reported from the setting `threshold` on. A request with a phrase that names none of
    the labels is a failure: that nothing was found would say that it is not there.
    """

    shares: ClassVar[dict[str, float]] = {"threshold": 0.5}

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        from transformers import AutoImageProcessor, AutoModelForObjectDetection

        processor = AutoImageProcessor.from_pretrained(source, backend="pil", **options)
        return processor, load_complete(AutoModelForObjectDetection, source, options)

    def detect(
        self, requests: Sequence[Detect], on_step: OnStep | None = None
    ) -> list[Detected | Failure]:
        """Return the detections in the order of the requests, the best of each first."""
        return self._reply_each(requests, self._detect, on_step)

    def _detect(self, request: Detect) -> Detected | Failure:
        labels = self._labels
        label_of = {phrase: label(phrase, labels.values()) for phrase in request.phrases}
        unknown = [phrase for phrase, name in label_of.items() if name is None]
        if unknown:
            return Failure(
                "broken",
                f"{self.spec.title} knows {len(labels)} kinds of things and {unknown[0]!r} is none"
                " of them: choose a detector that looks for any phrase, such as Grounding DINO.",
            )
        if not label_of:
            return Detected(())
        detections = [
            Detection(phrase, box, score)
            for name, score, sides in self._detect_labels(request)
            for phrase, named in label_of.items()
            if named == name and (box := clip(*sides))
        ]
        return Detected(tuple(sorted(detections, key=lambda detection: -detection.score)))

    def _detect_labels(self, request: Detect) -> list[tuple[str, float, list[float]]]:
        """Return label, score and sides (shares of the picture) of all above the threshold."""
        import torch

        threshold = self.share("threshold") if request.threshold is None else request.threshold
        inputs = self.processor(images=open_rgb(request.image), return_tensors="pt").to(self.device)
        (result,) = self.processor.post_process_object_detection(
            self.model(**inputs), threshold=-1.0, target_sizes=torch.ones(1, 2)
        )
        labels = self._labels
        return [
            (labels[number], score, sides)
            for number, score, sides in zip(
                result["labels"].tolist(),
                result["scores"].tolist(),
                result["boxes"].tolist(),
                strict=True,
            )
            if score >= threshold and number in labels
        ]

    @property
    def _labels(self) -> dict[int, str]:
        return {int(number): str(name) for number, name in self.model.config.id2label.items()}
