"""Holds what all models of the transformers library share: loading, precision, device, replies."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from hallascope.backends import domain, weights
from hallascope.backends.base import BadWeights, CallLimits, ModelSpec, NoRoom, OnStep, Unavailable
from hallascope.backends.pictures import to_rgb
from hallascope.backends.quiet import quiet
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Ask, Failure

if TYPE_CHECKING:
    from PIL.Image import Image

_DEVICE = re.compile(r"cpu|mps|cuda(:\d+)?")
DTYPES = ("float32", "bfloat16", "float16")
# The files of a folder that decide what its model replies.
_FINGERPRINTED = (".json", ".model", ".safetensors", ".txt")
R = TypeVar("R")
A = TypeVar("A")


class TransformersModel:
    """Runs a model of the transformers library, on the GPU where there is one.

    One call runs at a time. Only safetensors are read, and no remote code runs: a folder that is
    damaged, incomplete or of another architecture is refused with BadWeights.
    """

    limits = CallLimits(batch=1, concurrency=1)
    # The settings from 0 to 1, with the value that holds where an entry does not say.
    shares: ClassVar[dict[str, float]] = {}

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        reason = self.check(spec)
        if reason:
            raise BadWeights(f"{spec.id} cannot be loaded: {reason}")
        self.device = str(spec.settings.get("device") or _best_device())
        self.processor, self.model = self._load()
        self._move()
        self.revision = self.fingerprint(spec)
        self._lock = threading.Lock()

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """Return the revision that the loaded model will have, without loading it."""
        if spec.revision:
            return spec.revision
        source = _source(spec)
        folder = Path(source)
        if folder.is_dir():
            files = [file for file in folder.iterdir() if file.suffix in _FINGERPRINTED]
            own = weights.fingerprint(folder, files)
            return f"{own}+{domain.fingerprint()}" if domain.is_limited(spec) else own
        # The cache has a folder for each commit, of its name.
        commit = weights.cached_folder(source, None, "config.json")
        return commit.name if commit else "unpinned"

    @classmethod
    def check(cls, spec: ModelSpec) -> str | None:
        """Return why the settings make no sense or the folder is missing; None where all is well.

        A Hub model counts as there once it is downloaded.
        """
        for name in cls.shares:
            share = spec.settings.get(name)
            if share is not None and (isinstance(share, bool | str) or not 0 <= share <= 1):
                return f"its setting {name!r} is {share!r}: give a number from 0 to 1."
        device = spec.settings.get("device")
        if device and not _DEVICE.fullmatch(str(device)):
            return (
                f"its setting 'device' is {device!r}: give cpu, cuda, cuda:NUMBER or mps, or leave"
                " it out."
            )
        dtype = spec.settings.get("dtype")
        if dtype is not None and dtype not in DTYPES:
            return f"its setting 'dtype' is {dtype!r}: give {', '.join(DTYPES)}, or leave it out."
        return _missing_folder(spec)

    def check_domain(self, picture: Picture) -> Failure | None:
        """Return why nothing can be said of a picture outside the style of the models that ship.

        None where it is inside, and for every other model.
        """
        return domain.check(self.spec, picture)

    def share(self, name: str) -> float:
        """Return a setting from 0 to 1."""
        share = self.spec.settings.get(name)
        return self.shares[name] if share is None else float(share)

    @property
    def dtype(self) -> str:
        """Return a large model's precision: as its entry says, else half on an accelerator."""
        default = "float32" if self.device == "cpu" else "bfloat16"
        return str(self.spec.settings.get("dtype") or default)

    def _load(self) -> tuple[Any, Any]:
        """Return the processor and the model in evaluation mode.

        Raises BadWeights, NoRoom, and Unavailable where a package that they need is missing.
        """
        source = _source(self.spec)
        options: dict[str, Any] = {"trust_remote_code": False}
        if self.spec.revision:
            options["revision"] = self.spec.revision
        try:
            mismatch = weights.hash_mismatch(Path(source))
            if mismatch:
                raise ValueError(mismatch)
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
        """Return the processor and the model of `source`; may raise the library's own errors."""
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
        except (RuntimeError, AssertionError) as error:
            # There is no such device, or torch was built without it.
            raise Unavailable(
                f"{self.spec.title} cannot be moved to {self.device!r} ({first_line(error)}): "
                "name another device, or write `device: cpu` into the settings of its entry."
            ) from error

    def _reply_each(
        self, requests: Sequence[R], reply: Callable[[R], A], on_step: OnStep | None
    ) -> list[A]:
        """Return one reply a request; `on_step` may stop the call between two of them."""
        import torch

        replies: list[A] = []
        with self._lock, torch.inference_mode():
            for request in requests:
                if on_step:
                    on_step(len(replies), len(requests))
                replies.append(reply(request))
        return replies

    def _reply_by_picture(
        self,
        requests: Sequence[Ask],
        reply: Callable[[list[Ask]], Sequence[Answer | Failure]],
        on_step: OnStep | None,
    ) -> list[Answer | Failure]:
        """Return the replies to neighbors about the same pictures and region together.

        `on_step` may stop the call between two groups.
        """
        import torch

        replies: list[Answer | Failure] = []
        with quiet("transformers"), self._lock, torch.inference_mode():
            for _, group in groupby(requests, key=lambda r: (r.images, r.region)):
                if on_step:
                    on_step(len(replies), len(requests))
                replies.extend(reply(list(group)))
        return replies

    def _failure_of_empty_reply(self) -> Failure:
        return Failure(
            "empty",
            f"{self.spec.title} answers with nothing: ask it otherwise, or choose another model.",
        )

    def _failure_of_no_probability(self) -> Failure:
        return Failure(
            "broken",
            f"{self.spec.title} gives no choice a probability: get its weights again, or choose"
            " another model.",
        )


def load_complete(
    model_class: Any, source: str, options: dict[str, Any], dtype: str = "float32"
) -> Any:
    """Load a model with every weight out of its files, in single precision or `dtype`.

    Raises ValueError where a weight would be made up.
    """
    import torch

    model, report = model_class.from_pretrained(
        source,
        use_safetensors=True,
        dtype=getattr(torch, dtype),
        output_loading_info=True,
        **options,
    )
    missing = sorted(report["missing_keys"])
    if missing:
        raise ValueError(f"{len(missing)} of its weights are missing, {missing[0]!r} among them")
    return model.eval()


def open_rgb(picture: Picture) -> Image:
    """Return the picture in RGB."""
    from PIL import Image

    with Image.open(picture.path) as image:
        return to_rgb(image)


def end_tokens(model: Any, tokenizer: Any) -> frozenset[int]:
    """Return the ids of the tokens that end an answer."""
    configured = model.generation_config.eos_token_id
    ends = configured if isinstance(configured, list) else [configured]
    return frozenset(int(end) for end in (*ends, tokenizer.eos_token_id) if end is not None)


def first_line(error: Exception) -> str:
    """Return what an error says, in one line that no full stop ends."""
    message = str(error).strip() or type(error).__name__
    return message.splitlines()[0][:300].rstrip(" .:")


def _source(spec: ModelSpec) -> str:
    """Return the folder or Hub id to load from."""
    return weights.locate(spec.repository or spec.id)


def _missing_folder(spec: ModelSpec) -> str | None:
    folder = Path(_source(spec))
    embedded = (spec.repository or "").startswith("embedded:")
    if embedded and not (folder / "model.safetensors").exists():
        return f"its weights are not in {folder.name!r}: install the package again."
    if weights.is_path(str(folder)) and not folder.is_dir():
        return (
            f"the folder {str(folder)!r} is not there: give the path of a folder, or the id of"
            " a Hub model, as `repository`."
        )
    return None


def _best_device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    if torch.backends.mps.is_available():
        return "mps"
    return "cpu"
