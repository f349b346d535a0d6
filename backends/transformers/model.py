"""Holds what models of transformers share: loading, precision, place, and asking one by one.

It knows no architecture.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from hallascope.backends import weights
from hallascope.backends.base import BadWeights, CallLimits, ModelSpec, NoRoom, OnStep, Unavailable
from hallascope.backends.quiet import quiet
from hallascope.data.records import Picture

if TYPE_CHECKING:
    from PIL.Image import Image

_DEVICE = re.compile(r"cpu|mps|cuda(:\d+)?")
DTYPES = ("float32", "bfloat16", "float16")
_PRINTED = (".json", ".model", ".safetensors", ".txt")  # the files that what it says depends on
R = TypeVar("R")
A = TypeVar("A")


class TransformersModel:
    """A model of the transformers library that looks at pictures, on the GPU where there is one.

    One call at a time.

    Safetensors only and no remote code: what is damaged, incomplete or of another architecture is
    refused with BadWeights.
    """

    limits = CallLimits(batch=1, concurrency=1)
    shares: ClassVar[
        dict[str, float]
    ] = {}  # settings from 0 to 1, with what holds where an entry does not say

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        if reason := self.check(spec):
            raise BadWeights(f"{spec.id} cannot be loaded: {reason}")
        self.device = str(spec.settings.get("device") or _device())
        self.processor, self.model = self._load()
        self._move()
        self.revision = self.fingerprint(spec)
        self._lock = threading.Lock()

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """The revision that the loaded model will have, found without loading it."""
        if spec.revision:
            return spec.revision
        source = _source(spec)
        if (folder := Path(source)).is_dir():
            return weights.fingerprint(
                folder, [file for file in folder.iterdir() if file.suffix in _PRINTED]
            )
        commit = weights.cached(source, None, "config.json")  # the cache has a folder a commit
        return commit.name if commit else "unpinned"

    @classmethod
    def check(cls, spec: ModelSpec) -> str | None:
        """Whether the settings make sense and the folder is there.

        A Hub model counts as there once it is downloaded.
        """
        for name in cls.shares:
            said = spec.settings.get(name)
            if said is not None and (isinstance(said, bool | str) or not 0 <= said <= 1):
                return f"its setting {name!r} is {said!r}: give a number from 0 to 1."
        device = spec.settings.get("device")
        if device and not _DEVICE.fullmatch(str(device)):
            return (
                f"its setting 'device' is {device!r}: give cpu, cuda, cuda:NUMBER or mps, or leave"
                " it out."
            )
        dtype = spec.settings.get("dtype")
        if dtype is not None and dtype not in DTYPES:
            return f"its setting 'dtype' is {dtype!r}: give {', '.join(DTYPES)}, or leave it out."
        folder = Path(_source(spec))
        if (spec.repository or "").startswith("embedded:") and not (
            folder / "model.safetensors"
        ).exists():
            return f"its weights are not in {folder.name!r}: install the package again."
        if weights.is_path(str(folder)) and not folder.is_dir():
            return (
                f"the folder {str(folder)!r} is not there: give the path of a folder, or the id of"
                " a Hub model, as `repository`."
            )
        return None

    def share(self, name: str) -> float:
        """A setting from 0 to 1."""
        said = self.spec.settings.get(name)
        return self.shares[name] if said is None else float(said)

    @property
    def dtype(self) -> str:
        """Return a large model's precision: as its entry says, else half on an accelerator."""
        return str(
            self.spec.settings.get("dtype") or ("float32" if self.device == "cpu" else "bfloat16")
        )

    def _load(self) -> tuple[Any, Any]:
        """The processor and the model in evaluation mode.

        Raises BadWeights, NoRoom, Unavailable where a package of theirs is missing.
        """
        source = _source(self.spec)
        options: dict[str, Any] = {"trust_remote_code": False}
        if self.spec.revision:
            options["revision"] = self.spec.revision
        try:
            if wrong := weights.unlike(Path(source)):
                raise ValueError(wrong)
            with quiet("transformers"):
                return self._load_model(source, options)
        except ImportError as error:
            raise Unavailable(
                f"{self.spec.title} cannot run here: {first_line(error)}: install it and start"
                " again."
            ) from error
        except MemoryError as error:
            raise NoRoom(
                f"{self.spec.title} cannot run here: this machine has too little memory for it; use"
                " a smaller model."
            ) from error
        except Exception as error:
            raise BadWeights(
                f"{self.spec.id} could not be loaded from {source!r} ({first_line(error)}): get the"
                " folder again, or remove the entry."
            ) from error

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        """The processor and the model of `source`; the library's own errors may come out of it."""
        raise NotImplementedError(type(self).__name__)

    def _move(self) -> None:
        import torch

        try:
            self.model.to(self.device)
        except torch.OutOfMemoryError as error:
            raise NoRoom(
                f"{self.spec.title} cannot run here: {self.device!r} has too little memory for it;"
                " use a smaller model."
            ) from error
        except (RuntimeError, AssertionError) as error:  # no such device
            raise Unavailable(
                f"{self.spec.title} cannot be moved to {self.device!r} ({first_line(error)}): "
                "name another device, or write `device: cpu` into the settings of its entry."
            ) from error

    def _reply_each(
        self, requests: Sequence[R], reply: Callable[[R], A], on_step: OnStep | None
    ) -> list[A]:
        """A reply a request, one after the other; a stop is heard between two of them."""
        import torch

        replies: list[A] = []
        with self._lock, torch.inference_mode():
            for request in requests:
                if on_step:
                    on_step(len(replies), len(requests))
                replies.append(reply(request))
        return replies


def whole(kind: Any, source: str, options: dict[str, Any], dtype: str = "float32") -> Any:
    """A model with every weight out of its files, in single precision or `dtype`.

    Raises ValueError where a weight would be made up.
    """
    import torch

    model, told = kind.from_pretrained(
        source,
        use_safetensors=True,
        dtype=getattr(torch, dtype),
        output_loading_info=True,
        **options,
    )
    if missing := sorted(told["missing_keys"]):
        raise ValueError(f"{len(missing)} of its weights are missing, {missing[0]!r} among them")
    return model.eval()


def see(picture: Picture) -> Image:
    """The picture in RGB."""
    from PIL import Image

    with Image.open(picture.path) as image:
        return image.convert("RGB")


def first_line(error: Exception) -> str:
    """What an error says, in one line that no full stop ends."""
    said = str(error).strip() or type(error).__name__
    return said.splitlines()[0][:300].rstrip(" .:")


def _source(spec: ModelSpec) -> str:
    """The folder or Hub id to load from."""
    return weights.locate(spec.repository or spec.id)


def _device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    if torch.backends.mps.is_available():
        return "mps"
    return "cpu"
