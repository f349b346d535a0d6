"""Puts together what prepares pictures and words for a model that reads both.

Films, and packages that only they need, are left aside.
"""

from __future__ import annotations

from typing import Any

FILMS = "video_processor"
ALIKE = {
    "SmolVLMProcessor": "Idefics3Processor"
}  # prepares pictures alike, without the package num2words that tells the times of films


def of_pictures(source: str, options: dict[str, Any]) -> Any:
    """The processor of a vision-language model without its part for films, which wants torchvision.

    Pictures are prepared by Pillow, so that a model sees the same whatever else is installed.
    Raises ValueError where the model takes no pictures, and what the library raises.
    """
    import transformers
    from transformers import AutoConfig, AutoImageProcessor, AutoProcessor, AutoTokenizer
    from transformers.models.auto.processing_auto import PROCESSOR_MAPPING

    config = AutoConfig.from_pretrained(source, **options)
    if type(config) not in PROCESSOR_MAPPING:
        raise ValueError(f"it is of the kind {config.model_type!r}, which looks at no pictures")
    kind = PROCESSOR_MAPPING[type(config)]
    kind = getattr(transformers, ALIKE.get(kind.__name__, kind.__name__))
    if [part for part in kind.get_attributes() if part != FILMS] != [
        "image_processor",
        "tokenizer",
    ]:
        return AutoProcessor.from_pretrained(source, **options)
    said, _ = kind.get_processor_dict(source, **options)
    parts = [
        AutoImageProcessor.from_pretrained(source, backend="pil", **options),
        AutoTokenizer.from_pretrained(source, **options),
    ]
    return _without_films(kind).from_args_and_dict(
        [*parts, None] if FILMS in kind.get_attributes() else parts, said
    )


def _without_films(kind: Any) -> Any:
    """The same processor, which counts no processor of films among its parts."""
    if FILMS not in kind.get_attributes():
        return kind
    return type(
        kind.__name__,
        (kind,),
        {"get_attributes": classmethod(lambda _: ["image_processor", "tokenizer"])},
    )
