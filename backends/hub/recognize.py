"""Recognizes by its configuration which backend runs a model of the Hub, and in which roles."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hallascope.backends.transformers import captioner
from hallascope.backends.transformers.detection import detectors, segmenter
from hallascope.data.requests import Role, Setting

SEES: tuple[Role, ...] = ("judge", "captioner")
EMBEDDERS = ("clip", "siglip", "siglip2", "dinov2", "dinov2_with_registers", "dinov3_vit")
_CAUSAL = "ForCausalLM"
_LABELS = "ForObjectDetection"
_CONVERSES = ("ForConditionalGeneration", "ForImageTextToText", "ForVision2Seq")


class ModelKind(NamedTuple):
    """Says which backend runs a model, in which roles, with which settings."""

    backend: str
    roles: tuple[Role, ...]
    settings: Mapping[str, Setting] = {}


class UnrecognizedModel(ValueError):
    """Says why no backend runs a model, as the middle of a sentence, and what to do.

    What to do comes after a semicolon.
    """


_BY_CLASS: Mapping[str, ModelKind] = {
    "BlipForQuestionAnswering": ModelKind("transformers", SEES),
    "BlipForImageTextRetrieval": ModelKind("transformers-matcher", ("embedder",)),
    "ViTModel": ModelKind("transformers-embedder", ("embedder",)),  # the first DINO
    "CLIPSegForImageSegmentation": ModelKind("clipseg", ("detector", "segmenter")),
}
_BY_TYPE: Mapping[str, ModelKind] = {
    **dict.fromkeys(
        (*detectors.GROUNDING, *detectors.OWL),
        ModelKind("transformers-detector", ("detector",)),
    ),
    **dict.fromkeys(segmenter.MODELS, ModelKind("transformers-segmenter", ("segmenter",))),
    **dict.fromkeys(EMBEDDERS, ModelKind("transformers-embedder", ("embedder",))),
    **dict.fromkeys(captioner.MODEL_TYPES, ModelKind("transformers-captioner", SEES)),
}


def recognize_model(index: Mapping[str, Any] | None, config: Mapping[str, Any] | None) -> ModelKind:
    """Return the kind of a model by its ``model_index.json``, else its ``config.json``.

    The index is that of a pipeline of diffusers. Raises UnrecognizedModel.
    """
    if index is not None:
        return _pipeline(index.get("_class_name"))
    if config is None:
        raise UnrecognizedModel(
            "it has neither model_index.json nor config.json, so that no library here loads it;"
            " choose another model"
        )
    return _model(config)


def _pipeline(kind: Any) -> ModelKind:
    from diffusers.pipelines.auto_pipeline import AUTO_TEXT2IMAGE_PIPELINES_MAPPING

    if not isinstance(kind, str):
        raise UnrecognizedModel(
            "its pipeline needs code of its own, which is never run; choose another model"
        )
    if kind not in {pipeline.__name__ for pipeline in AUTO_TEXT2IMAGE_PIPELINES_MAPPING.values()}:
        raise UnrecognizedModel(
            f"its pipeline {kind!r} is none of the installed diffusers that draws images from text;"
            " choose a text-to-image model"
        )
    return ModelKind("diffusers", ("generator",))


def _model(config: Mapping[str, Any]) -> ModelKind:
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

    kind = str(config.get("model_type") or "")
    listed = config.get("architectures")
    classes = [str(name) for name in listed] if isinstance(listed, list) else []
    if kind not in CONFIG_MAPPING_NAMES:
        why = (
            "needs code of its own, which is never run"
            if config.get("auto_map")
            else "is not in the installed transformers"
        )
        raise UnrecognizedModel(f"its kind {kind!r} {why}; choose another model")
    known = _known_kind(kind, classes, has_vision="vision_config" in config)
    if known is None:
        raise UnrecognizedModel(
            f"its kind {kind!r} fills no role here ({', '.join(classes) or 'no class named'});"
            " choose another model"
        )
    return known


def _known_kind(kind: str, classes: Sequence[str], has_vision: bool) -> ModelKind | None:
    """Return what a model is, by its classes, then its type, then the endings of its classes."""
    for name in classes:
        if name in _BY_CLASS:
            return _BY_CLASS[name]
    if kind in _BY_TYPE:
        return _BY_TYPE[kind]
    if has_vision and any(name.endswith(_CONVERSES) for name in classes):
        return ModelKind("transformers-chat", (*SEES, "writer"))
    if any(name.endswith(_CAUSAL) for name in classes):
        return ModelKind("transformers-writer", ("writer",))
    if any(name.endswith(_LABELS) for name in classes):
        return ModelKind("transformers-labels", ("detector",))
    return None
