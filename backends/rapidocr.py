"""Reads what is written in an image, by RapidOCR (PP-OCR in ONNX, on the CPU)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallascope.backends.base import BadWeights, CallLimits, ModelSpec, OnStep, Unavailable
from hallascope.backends.images import crop, open_rgb
from hallascope.backends.loading import first_line, wrong_number
from hallascope.data.regions import Box, TextLine, clip, window
from hallascope.data.requests import Failure, ReadText, TextRead

if TYPE_CHECKING:
    from PIL.Image import Image

THRESHOLD = 0.5
# models: find lines of writing, tell whether they are upside down, and recognize their text
_PARTS = ("det", "cls", "rec")
_INSTALL = "install both with `pip install 'hallascope[ocr]'`"


class TextReader:
    """Runs the models that come with the package ``rapidocr``.

    Nothing is downloaded, and one image is read at a time.

    Settings: `threshold` in [0, 1], below which a line is left out; `threads` of the CPU, 1 where
    an entry says nothing.
    """

    limits = CallLimits()

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        if reason := self.check(spec):
            raise Unavailable(f"{spec.title} cannot run here: {reason}")
        self.revision = self.fingerprint(spec)
        self._read = _load(spec)
        self._lock = threading.Lock()

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """Return the version of the package, whose wheel carries the models."""
        return spec.revision or (
            metadata.version("rapidocr") if find_spec("rapidocr") else "missing"
        )

    @staticmethod
    def check(spec: ModelSpec) -> str | None:
        """Return which package is missing or which setting is wrong, or None."""
        for name in ("rapidocr", "onnxruntime"):
            if not find_spec(name):
                return (
                    f"the package {name!r}, which reads text in images, is not installed;"
                    f" {_INSTALL}."
                )
        if missing := [part for part in _PARTS if part not in _models()]:
            return (
                f"the package 'rapidocr' came without its model {missing[0]!r}; install version"
                " 3.10 of it."
            )
        settings = spec.settings
        return wrong_number(settings, "threshold", 0, 1) or wrong_number(
            settings, "threads", 1, 256, step=1
        )

    def read_text(
        self, requests: Sequence[ReadText], on_step: OnStep | None = None
    ) -> list[TextRead | Failure]:
        """Read the lines of each image, or of its region, from the top.

        An image that cannot be opened is a failure. Raises Stopped.
        """
        replies: list[TextRead | Failure] = []
        for request in requests:
            if on_step:
                on_step(len(replies), len(requests))
            replies.append(self._reply(request))
        return replies

    def _reply(self, request: ReadText) -> TextRead | Failure:
        try:
            image = open_rgb(request.image)
        # Pillow raises all three for damaged files
        except (OSError, ValueError, SyntaxError) as error:
            why = f"An image for {self.spec.title} cannot be read ({type(error).__name__})"
            return Failure("broken", f"{why}: make or upload it again.")
        return TextRead(tuple(self._lines(image, request.region)))

    def _lines(self, image: Image, region: Box | None) -> list[TextLine]:
        """Read the lines in the window of the region whose center lies in the region."""
        import numpy as np

        left, top, _, _ = window(region, *image.size) if region else (0, 0, 0, 0)
        # the library takes blue first, as OpenCV does
        pixels = np.asarray(crop(image, region))[:, :, ::-1]
        with self._lock:
            result = self._read(np.ascontiguousarray(pixels))
        if not getattr(result, "txts", None):  # what says nothing comes in several forms
            return []
        # shape (lines, 4 corners, 2), in shares of the image
        corners = (np.asarray(result.boxes) + np.array([left, top])) / image.size
        return [
            TextLine(text.strip(), box, float(score))
            for text, points, score in zip(result.txts, corners, result.scores, strict=True)
            if (box := clip(*points.min(axis=0), *points.max(axis=0)))
            and _center_inside(box, region)
        ]


def _load(spec: ModelSpec) -> Any:
    """Load the reader of the package with the models of its wheel.

    Raises BadWeights, Unavailable where the package lacks one of its own.
    """
    try:
        from rapidocr import RapidOCR

        # more threads wait for each other where other models run
        threads = int(spec.settings.get("threads") or 1)
        options: dict[str, Any] = {
            f"{part.title()}.model_path": str(path) for part, path in _models().items()
        }
        options |= {
            f"EngineConfig.onnxruntime.{kind}_op_num_threads": threads
            for kind in ("intra", "inter")
        }
        threshold = spec.settings.get("threshold")
        options |= {
            "Global.log_level": "critical",
            "Global.text_score": THRESHOLD if threshold is None else float(threshold),
        }
        return RapidOCR(params=options)
    except ImportError as error:
        raise Unavailable(
            f"{spec.title} cannot run here: {first_line(error)}: {_INSTALL}."
        ) from error
    except Exception as error:
        raise BadWeights(
            f"{spec.id} could not be loaded ({first_line(error)}): {_INSTALL} again."
        ) from error


def _models() -> dict[str, Path]:
    """Find the models in the installed package, which would download missing ones."""
    package = find_spec("rapidocr")
    if not package or not package.origin:
        return {}
    folder = Path(package.origin).parent / "models"
    files = {part: min(folder.glob(f"*_{part}_*.onnx"), default=None) for part in _PARTS}
    return {part: file for part, file in files.items() if file}


def _center_inside(box: Box, region: Box | None) -> bool:
    """Return whether the center of a box lies in a region."""
    if region is None:
        return True
    x = (box.left + box.right) / 2
    y = (box.top + box.bottom) / 2
    return region.left <= x <= region.right and region.top <= y <= region.bottom
