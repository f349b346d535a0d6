"""Which class runs a model, and whether it can run here.

A backend's module is imported when it is first asked for.
"""

import os
import threading
from contextlib import nullcontext
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from hallascope.backends import memory, zero_gpu
from hallascope.backends.base import Backend, CallLimits, HallaScopeError, Unavailable
from hallascope.backends.hub import instructions
from hallascope.backends.keys import ApiKeys
from hallascope.data.models.specs import ModelSpec

NO_KEYS = ApiKeys()  # those of the environment alone
BACKENDS: dict[str, str] = {
    "clipseg": "hallascope.backends.transformers.clipseg:HeatMaps",
    "diffusers": "hallascope.backends.diffusers.adapter:TextToImage",
    "draughtsman": "hallascope.backends.draughtsman:Draughtsman",
    "inference-providers": "hallascope.backends.inference_providers:ProvidedPictures",
    "openai": "hallascope.backends.openai.adapter:OpenAICompatible",
    "rapidocr": "hallascope.backends.rapidocr:TextReader",
    "scripted": "hallascope.backends.scripted:Scripted",
    "transformers": "hallascope.backends.transformers.vqa:VisualQuestionAnswering",
    "transformers-captioner": "hallascope.backends.transformers.captioner:PromptedCaptioner",
    "transformers-chat": "hallascope.backends.transformers.chat:ChatModel",
    "transformers-detector": "hallascope.backends.transformers.detector:ZeroShotDetector",
    "transformers-embedder": "hallascope.backends.transformers.embedder:DualEncoder",
    "transformers-labels": "hallascope.backends.transformers.closed_set_detector:LabelDetector",
    "transformers-matcher": "hallascope.backends.transformers.matcher:ImageTextRetrieval",
    "transformers-segmenter": "hallascope.backends.transformers.segmenter:BoxSegmenter",
    "transformers-writer": "hallascope.backends.transformers.writer:TextWriter",
}
_WITH_KEYS = frozenset(
    {"inference-providers", "openai"}
)  # backends whose models are made with keys
_LIGHT = frozenset(
    {"draughtsman", "inference-providers", "openai", "rapidocr", "scripted"}
)  # backends without torch
# What transformers and diffusers set while they load (what stands for weights, how loud they are)
# holds for the whole process.
_LOADING = threading.RLock()


def backend_class(spec: ModelSpec) -> Any:
    """The class that runs the model, not yet made.

    Raises Unavailable where this version has none.
    """
    if spec.backend not in BACKENDS:
        raise Unavailable(_not_yet(spec))
    module, _, name = BACKENDS[spec.backend].partition(":")
    return getattr(import_module(module), name)


def load(spec: ModelSpec, keys: ApiKeys = NO_KEYS) -> Backend:
    """The model, ready to be asked; may take seconds and much memory.

    Raises Unavailable or BadWeights.

    Those that torch runs are loaded one after another, however many threads ask.
    """
    if reason := available(spec, keys):
        raise Unavailable(reason)
    with nullcontext() if spec.backend in _LIGHT else _LOADING:
        made = backend_class(spec)
        backend: Backend = made(spec, keys) if spec.backend in _WITH_KEYS else made(spec)
    return backend


def available(spec: ModelSpec, keys: ApiKeys = NO_KEYS) -> str | None:
    """None where the model can run here, else one sentence: why not and what to do. Loads nothing.

    For an entry that stands for every model of a service: whether the service can be used at all.
    """
    if spec.backend not in BACKENDS:
        return _not_yet(spec)
    for need in spec.needs:
        if reason := _missing(need, spec, keys):
            return f"{spec.title} cannot run here: {reason}"
    reason = _too_large(spec) or backend_class(spec).check(spec)
    return f"{spec.title} cannot run here: {reason}" if reason else None


def limits(spec: ModelSpec) -> CallLimits:
    """How the model likes to be asked, as its class says before it is loaded."""
    found = getattr(backend_class(spec), "limits", None)
    return found if isinstance(found, CallLimits) else CallLimits()


def revision(spec: ModelSpec) -> str | None:
    """The revision that the model will have, without loading it.

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
    """What a need lacks here and what to do, as the second half of a sentence."""
    kind, _, name = need.partition(":")
    match kind:
        case "gpu":
            return (
                None
                if has_gpu()
                else (
                    "it needs an NVIDIA GPU or an Apple chip and none was found; run it on such a"
                    " machine."
                )
            )
        case "key":
            return (
                None
                if keys.get(name)
                else (
                    f"the key {name} is not set; put it into the environment or type it into the"
                    " key field."
                )
            )
        case "env":
            return (
                None
                if os.environ.get(name)
                else f"the environment variable {name} is not set; set it and start again."
            )
        case "package":
            return (
                None
                if find_spec(name)
                else f"the package {name!r} is not installed; run `pip install {name}`."
            )
        case "download":
            return None if downloaded(spec) else instructions.missing(spec)
        case _:
            raise HallaScopeError(
                f"The model {spec.id!r} has the unknown need {need!r}: use gpu, download, key:NAME,"
                " env:NAME or package:NAME."
            )


def has_gpu() -> bool:
    """Whether an NVIDIA GPU or that of an Apple chip can be seen, without importing torch."""
    return zero_gpu.here() or memory.accelerator() is not None


def _too_large(spec: ModelSpec) -> str | None:
    """Why a model cannot fit into the memory of this machine.

    Where there is an NVIDIA GPU its library moves parts to and fro.
    """
    if (
        spec.kind != "local"
        or not spec.memory_gb
        or memory.accelerator() == "cuda"
        or zero_gpu.here()
    ):
        return None
    has = memory.host_total() / memory.GB
    if spec.memory_gb <= has:
        return None
    return (
        f"it takes about {spec.memory_gb:g} GB of memory and this machine has {has:.0f}; choose a"
        " smaller one, or run it on a larger one."
    )


def downloaded(spec: ModelSpec) -> bool:
    """Whether a model of the Hub, or a local folder, is there; looks at the disk only."""
    if not spec.repository or os.path.isdir(spec.repository):
        return bool(spec.repository)
    if not find_spec("huggingface_hub"):
        return False
    from huggingface_hub import try_to_load_from_cache

    files = ("model_index.json", "config.json")
    return any(
        isinstance(try_to_load_from_cache(spec.repository, file, revision=spec.revision), str)
        for file in files
    )
