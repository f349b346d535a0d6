"""Holds what all models of the transformers library share: loading, precision, device, replies."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

from hallascope.backends import domain, weights
from hallascope.backends.base import BadWeights, CallLimits, ModelSpec, OnStep
from hallascope.backends.loading import (
    REMEDY,
    Flaw,
    choose_device,
    load_whole,
    loading_fault,
    wrong_number,
    wrong_placement,
)
from hallascope.backends.quiet import quiet
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Ask, Failure

# The files of a folder that decide what its model replies.
_FINGERPRINTED = (".json", ".model", ".safetensors", ".txt")
R = TypeVar("R")
A = TypeVar("A")


class NumberSetting(NamedTuple):
    """Says which numbers a setting of an entry may be, and which holds where it does not say.

    It is a multiple of `step`, where there is one.
    """

    default: float
    low: float
    high: float = math.inf
    step: int | None = None


class TransformersModel:
    """Runs a model of the transformers library, on the GPU where there is one.

    One call runs at a time. Only safetensors are read, and no remote code runs: a folder that is
    damaged, incomplete or of another architecture is refused with BadWeights.

    `model_classes` names the class of transformers that loads a model, by the model types that a
    backend runs ("": every type). `is_large`: its precision is that of the setting `dtype`, else
    half on an accelerator; others have single precision.
    """

    limits = CallLimits()
    model_classes: ClassVar[Mapping[str, str]]
    processor_class: ClassVar[str] = "AutoProcessor"
    is_large: ClassVar[bool] = False
    numbers: ClassVar[Mapping[str, NumberSetting]] = {}

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        if reason := self.check(spec):
            raise BadWeights(f"{spec.id} cannot be loaded: {reason}")
        self.device = choose_device(spec)
        self.processor, self.model = self._load()
        self.revision = self.fingerprint(spec)
        self._lock = threading.Lock()

    @staticmethod
    def fingerprint(spec: ModelSpec) -> str:
        """Return the revision that the loaded model will have, without loading it."""
        if spec.revision:
            return spec.revision
        source = weights.locate(spec.source)
        folder = Path(source)
        if folder.is_dir():
            files = [file for file in folder.iterdir() if file.suffix in _FINGERPRINTED]
            own = weights.fingerprint(folder, files)
            return f"{own}+{domain.fingerprint()}" if spec.is_embedded else own
        # The cache has a folder for each commit, of its name.
        commit = weights.cached_folder(source, None, "config.json")
        return commit.name if commit else "unpinned"

    @classmethod
    def check(cls, spec: ModelSpec) -> str | None:
        """Return why the settings make no sense or the folder is missing; None where all is well.

        A Hub model counts as there once it is downloaded.
        """
        problems = (
            wrong_number(spec.settings, name, *number[1:]) for name, number in cls.numbers.items()
        )
        return next(filter(None, problems), None) or wrong_placement(spec) or _missing_folder(spec)

    def check_domain(self, picture: Picture) -> Failure | None:
        """Return why nothing can be said of an image outside the style of the models that ship.

        None where it is inside, and for every other model.
        """
        return domain.check(self.spec, picture)

    def number(self, name: str) -> float:
        """Return a setting of `numbers`: what the entry says, else its default."""
        number = self.spec.settings.get(name)
        return self.numbers[name].default if number is None else float(number)

    @property
    def dtype(self) -> str:
        default = "bfloat16" if self.is_large and self.device != "cpu" else "float32"
        return str((self.is_large and self.spec.settings.get("dtype")) or default)

    def _load(self) -> tuple[Any, Any]:
        """Return the processor and the model in evaluation mode on its device.

        Raises BadWeights, NoRoom, and Unavailable where a package that they need is missing.
        """
        source = weights.locate(self.spec.source)
        options: dict[str, Any] = {"trust_remote_code": False}
        if self.spec.revision:
            options["revision"] = self.spec.revision
        try:
            if mismatch := weights.hash_mismatch(Path(source)):
                raise Flaw(f"{mismatch}: {REMEDY}")
            with quiet("transformers"):
                processor, model = self._load_model(source, options)
                return processor, model.to(self.device)
        except Exception as error:  # the library raises errors of any type over a folder
            raise loading_fault(self.spec, source, error) from error

    def _load_model(self, source: str, options: dict[str, Any]) -> tuple[Any, Any]:
        """Return the processor and the model of `source`; may raise the library's own errors."""
        import transformers

        model_class = self.model_classes.get("")
        if model_class is None:
            model_type = transformers.AutoConfig.from_pretrained(source, **options).model_type
            if model_type not in self.model_classes:
                raise Flaw(
                    f"it is of the kind {model_type!r}, and this backend is for"
                    f" {', '.join(self.model_classes)}: choose another model"
                )
            model_class = self.model_classes[model_type]
        processor = self._load_processor(source, options)
        model: Any = getattr(transformers, model_class)
        return processor, load_whole(model, source, self.dtype, **options)

    def _load_processor(self, source: str, options: dict[str, Any]) -> Any:
        import transformers

        return getattr(transformers, self.processor_class).from_pretrained(source, **options)

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

    def _reply_by_image(
        self,
        requests: Sequence[Ask],
        reply: Callable[[list[Ask]], Sequence[Answer | Failure]],
        on_step: OnStep | None,
    ) -> list[Answer | Failure]:
        """Return the replies to neighbors about the same images and region together.

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
            f"{self.spec.title} returned no text: rephrase the question, or choose another model.",
        )

    def _failure_of_no_probability(self) -> Failure:
        return Failure(
            "broken",
            f"{self.spec.title} gives no choice a probability: get its weights again, or choose"
            " another model.",
        )


def end_tokens(model: Any, tokenizer: Any) -> frozenset[int]:
    """Return the ids of the tokens that end an answer."""
    configured = model.generation_config.eos_token_id
    ends = configured if isinstance(configured, list) else [configured]
    return frozenset(int(end) for end in (*ends, tokenizer.eos_token_id) if end is not None)


def _missing_folder(spec: ModelSpec) -> str | None:
    folder = Path(weights.locate(spec.source))
    if spec.is_embedded and not (folder / "model.safetensors").exists():
        return f"its weights are not in {folder.name!r}: install the package again."
    if weights.is_path(str(folder)) and not folder.is_dir():
        return (
            f"the folder {str(folder)!r} is not there: give the path of a folder, or the id of"
            " a Hub model, as `repository`."
        )
    return None
