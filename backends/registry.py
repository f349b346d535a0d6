"""Finds the class that runs a model, and whether it can run here.

The module of a backend is imported at its first use.
"""

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from hallascope.backends import memory, weights, zero_gpu
from hallascope.backends.base import Backend, CallLimits, HallaScopeError, Unavailable
from hallascope.backends.hub import instructions
from hallascope.backends.keys import ApiKeys
from hallascope.data.models.specs import GB, ModelSpec

NO_KEYS = ApiKeys()  # those of the environment alone
_TRANSFORMERS = "hallascope.backends.transformers"
BACKENDS: dict[str, str] = {
    "clipseg": f"{_TRANSFORMERS}.detection.clipseg:HeatMaps",
    "diffusers": "hallascope.backends.diffusers.adapter:TextToImage",
    "draughtsman": "hallascope.backends.draughtsman:Draughtsman",
    "inference-providers": "hallascope.backends.inference_providers:ProvidedImages",
    "openai": "hallascope.backends.openai.adapter:OpenAICompatible",
    "rapidocr": "hallascope.backends.rapidocr:TextReader",
    "signs": "hallascope.backends.signs:SignReader",
    "transformers": f"{_TRANSFORMERS}.vqa:VisualQuestionAnswering",
    "transformers-captioner": f"{_TRANSFORMERS}.captioner:PromptedCaptioner",
    "transformers-chat": f"{_TRANSFORMERS}.chat:ChatModel",
    "transformers-detector": f"{_TRANSFORMERS}.detection.detectors:ZeroShotDetector",
    "transformers-embedder": f"{_TRANSFORMERS}.embedder:DualEncoder",
    "transformers-labels": f"{_TRANSFORMERS}.detection.detectors:LabelDetector",
    "transformers-matcher": f"{_TRANSFORMERS}.matcher:ImageTextRetrieval",
    "transformers-segmenter": f"{_TRANSFORMERS}.detection.segmenter:BoxSegmenter",
    "transformers-writer": f"{_TRANSFORMERS}.writer:TextWriter",
}
# backends whose models need keys
_WITH_KEYS = frozenset({"inference-providers", "openai"})
# backends without torch
_LIGHT = frozenset({"draughtsman", "inference-providers", "openai", "rapidocr", "signs"})
# What transformers and diffusers set while they load (what stands for weights, how loud they are)
# holds for the whole process.
_LOADING = threading.RLock()


def backend_class(spec: ModelSpec) -> Any:
    """Return the class that runs the model.

    Raises Unavailable where this version has none.
    """
    if spec.backend not in BACKENDS:
        raise Unavailable(_not_yet(spec))
    module, _, name = BACKENDS[spec.backend].partition(":")
    return getattr(import_module(module), name)


def load(spec: ModelSpec, keys: ApiKeys = NO_KEYS) -> Backend:
    """Load a model; may take seconds and much memory. Raises Unavailable or BadWeights.

    Models that torch runs are loaded one after another, however many threads load them.
    """
    if reason := available(spec, keys):
        raise Unavailable(reason)
    with nullcontext() if spec.backend in _LIGHT else _LOADING, _collect_later(spec):
        kind = backend_class(spec)
        backend: Backend = kind(spec, keys) if spec.backend in _WITH_KEYS else kind(spec)
    return backend


@contextmanager
def _collect_later(spec: ModelSpec) -> Iterator[None]:
    """Look for no garbage while a model that ships is loaded, which is small.

    What its libraries import stays, and to search it takes a sixth of the time.
    """
    collects = gc.isenabled() and spec.is_shipped and spec.backend not in _LIGHT
    if collects:
        gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def available(spec: ModelSpec, keys: ApiKeys = NO_KEYS) -> str | None:
    """Return None where the model can run here, else one sentence: why not and what to do.

    Nothing is loaded. For an entry that stands for every model of a service it says whether the
    service can be used at all.
    """
    if spec.backend not in BACKENDS:
        return _not_yet(spec)
    for need in spec.needs:
        if reason := _missing(need, spec, keys):
            return f"{spec.title} cannot run here: {reason}"
    check = getattr(backend_class(spec), "check", None)  # without one it runs anywhere
    reason = _too_large(spec) or (check and check(spec))
    return f"{spec.title} cannot run here: {reason}" if reason else None


def limits(spec: ModelSpec) -> CallLimits:
    """Return the call limits of the model, as its class says before it is loaded, if it does."""
    stated = getattr(backend_class(spec), "limits", None)
    return stated if isinstance(stated, CallLimits) else CallLimits()


def revision(spec: ModelSpec) -> str | None:
    """Return the revision that the model will have, without loading it.

    None where only the loaded model knows.
    """
    kind = backend_class(spec)
    if fingerprint := getattr(kind, "fingerprint", None):
        return str(fingerprint(spec))
    stated = getattr(kind, "revision", None)
    return stated if isinstance(stated, str) else spec.revision


def _not_yet(spec: ModelSpec) -> str:
    return (
        f"{spec.title} cannot run here: this version has no {spec.backend!r} backend yet; choose"
        " another model."
    )


def _missing(need: str, spec: ModelSpec, keys: ApiKeys) -> str | None:
    """Return why a need is not met and what to do, as the second half of a sentence."""
    kind, _, name = need.partition(":")
    match kind:
        case "gpu":
            met = has_gpu()
            reason = (
                "it needs an NVIDIA GPU or an Apple chip and none was found; run it on such a"
                " machine."
            )
        case "key":
            met = bool(keys.get(name))
            reason = (
                f"the key {name} is not set; put it into the environment or type it into the key"
                " field."
            )
        case "env":
            met = bool(os.environ.get(name))
            reason = f"the environment variable {name} is not set; set it and start again."
        case "package":
            met = find_spec(name) is not None
            reason = f"the package {name!r} is not installed; run `pip install {name}`."
        case "download":
            met = is_downloaded(spec)
            reason = instructions.not_downloaded_reason(spec)
        case _:
            raise HallaScopeError(
                f"The model {spec.id!r} has the unknown need {need!r}: use gpu, download, key:NAME,"
                " env:NAME or package:NAME."
            )
    return None if met else reason


def has_gpu() -> bool:
    """Return whether there is an NVIDIA GPU or an Apple chip, without importing torch."""
    return zero_gpu.is_zero_gpu() or memory.accelerator() is not None


def _too_large(spec: ModelSpec) -> str | None:
    """Return why a model cannot fit into the memory of this machine, or None.

    Where there is an NVIDIA GPU its library moves parts between GPU and host.
    """
    if (
        spec.kind != "local"
        or not spec.memory_gb
        or memory.accelerator() == "cuda"
        or zero_gpu.is_zero_gpu()
    ):
        return None
    total = memory.host_total() / GB
    if spec.memory_gb <= total:
        return None
    return (
        f"it takes about {spec.memory_gb:g} GB of memory and this machine has {total:.0f}; choose a"
        " smaller one, or run it on a larger one."
    )


def is_downloaded(spec: ModelSpec) -> bool:
    """Return whether a model of the Hub, or a local folder, is on the disk."""
    if not spec.repository or os.path.isdir(spec.repository):
        return bool(spec.repository)
    return any(
        weights.cached_folder(spec.repository, spec.revision, file)
        for file in ("model_index.json", "config.json")
    )
