"""Reads what is written in a picture, by RapidOCR (PP-OCR in ONNX, on the processor).

It knows nothing of what should be there.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallascope.backends.base import BadWeights, CallLimits, ModelSpec, OnStep, Unavailable
from hallascope.backends.cropping import cut
from hallascope.backends.transformers.model import first_line, see
from hallascope.data.regions import Box, TextLine, clip, window
from hallascope.data.requests import Failure, ReadText, TextRead

if TYPE_CHECKING:
    from PIL.Image import Image

THRESHOLD = 0.5
_PARTS = (
    "det",
    "cls",
    "rec",
)  # where a line of writing is, whether it stands on its head, and what it says
_INSTALL = "install both with `pip install 'hallascope[ocr]'`"


class TextReader:
    """The models that come with the package ``rapidocr``.

    Nothing is downloaded, and one picture is read at a time.

    Settings: `threshold` in [0, 1], below which a line is not told; `threads` of the processor, 1
    where an entry says nothing.
    """

    limits = CallLimits(batch=1, concurrency=1)

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        if reason := self.check(spec):
            raise Unavailable(f"{spec.title} cannot run here: {reason}")
        self.revision = self.fingerprint(spec)
        self._read = _load(spec)
        self._lock = threading.Lock()

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """The version of the package, whose wheel carries the models."""
        return spec.revision or (
            metadata.version("rapidocr") if find_spec("rapidocr") else "missing"
        )

    @staticmethod
    def check(spec: ModelSpec) -> str | None:
        """Whether both packages are installed and the settings make sense."""
        for name in ("rapidocr", "onnxruntime"):
            if not find_spec(name):
                return (
                    f"the package {name!r}, which reads text in pictures, is not installed;"
                    f" {_INSTALL}."
                )
        if missing := [part for part in _PARTS if part not in _models()]:
            return (
                f"the package 'rapidocr' came without its model {missing[0]!r}; install version"
                " 3.10 of it."
            )
        for name, low, high in (("threshold", 0, 1), ("threads", 1, 256)):
            said = spec.settings.get(name)
            if said is not None and (isinstance(said, bool | str) or not low <= said <= high):
                return f"its setting {name!r} is {said!r}: give a number from {low} to {high}."
        return None

    def read_text(
        self, requests: Sequence[ReadText], on_step: OnStep | None = None
    ) -> list[TextRead | Failure]:
        """The lines of each picture, or of its region, from the top.

        A picture that cannot be opened is a failure. Raises Stopped.
        """
        replies: list[TextRead | Failure] = []
        for request in requests:
            if on_step:
                on_step(len(replies), len(requests))
            replies.append(self._reply(request))
        return replies

    def _reply(self, request: ReadText) -> TextRead | Failure:
        try:
            image = see(request.image)
        except (
            OSError,
            ValueError,
            SyntaxError,
        ) as error:  # Pillow raises all three for damaged files
            why = f"A picture for {self.spec.title} cannot be read ({type(error).__name__})"
            return Failure("broken", f"{why}: make or upload it again.")
        return TextRead(tuple(self._lines(image, request.region)))

    def _lines(self, image: Image, region: Box | None) -> list[TextLine]:
        """What is written in the window of the region.

        Of what stands at its border that whose middle lies in the region.
        """
        import numpy as np

        left, top, _, _ = window(region, *image.size) if region else (0, 0, 0, 0)
        pixels = np.asarray(cut(image, region))[
            :, :, ::-1
        ]  # the library takes blue first, as OpenCV does
        with self._lock:
            said = self._read(np.ascontiguousarray(pixels))
        if not getattr(said, "txts", None):  # what says nothing comes in several forms
            return []
        corners = (np.asarray(said.boxes) + np.array([left, top])) / image.size
        boxes = [_around(points) for points in corners]
        lines = zip(said.txts, boxes, said.scores, strict=True)
        return [
            TextLine(text.strip(), box, float(score))
            for text, box, score in lines
            if box and _center_inside(box, region)
        ]


def _load(spec: ModelSpec) -> Any:
    """The reader of the package with the models of its wheel.

    Raises BadWeights, Unavailable where the package lacks one of its own.
    """
    try:
        from rapidocr import RapidOCR

        threads = int(
            spec.settings.get("threads") or 1
        )  # more wait for each other where other models run
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
    """The models that lie in the installed package, by part.

    The package would download what is missing.
    """
    found = find_spec("rapidocr")
    if not found or not found.origin:
        return {}
    named = {
        part: sorted((Path(found.origin).parent / "models").glob(f"*_{part}_*.onnx"))
        for part in _PARTS
    }
    return {part: paths[0] for part, paths in named.items() if paths}


def _around(points: Any) -> Box | None:
    """The box around the four corners of a line, in shares.

    None where nothing of it lies in the picture.
    """
    left, top = points.min(axis=0)
    right, bottom = points.max(axis=0)
    return clip(left, top, right, bottom)


def _center_inside(box: Box, region: Box | None) -> bool:
    """Whether the middle of a box lies in a region."""
    if region is None:
        return True
    x = (box.left + box.right) / 2
    y = (box.top + box.bottom) / 2
    return region.left <= x <= region.right and region.top <= y <= region.bottom
