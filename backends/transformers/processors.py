"""Builds what prepares images and words for a model that reads both.

Videos, and packages that only they need, are left aside.
"""

from __future__ import annotations

from typing import Any

VIDEOS = "video_processor"
# Processors that prepare images alike, without the package num2words that tells the times of
# videos.
EQUIVALENTS = {"SmolVLMProcessor": "Idefics3Processor"}


def load_image_processor(source: str, options: dict[str, Any]) -> Any:
    """Load the processor of a vision-language model without its part for videos.

    That part needs torchvision. Images are prepared by Pillow, so that a model sees the same
    whatever else is installed. Raises ValueError where the model takes no images, and what the
    library raises.
    """
    import transformers
    from transformers import AutoConfig, AutoImageProcessor, AutoProcessor, AutoTokenizer
    from transformers.models.auto.processing_auto import PROCESSOR_MAPPING

    config = AutoConfig.from_pretrained(source, **options)
    if type(config) not in PROCESSOR_MAPPING:
        raise ValueError(f"it is of the kind {config.model_type!r}, which looks at no images")
    name = PROCESSOR_MAPPING[type(config)].__name__
    processor_class = getattr(transformers, EQUIVALENTS.get(name, name))
    attributes = processor_class.get_attributes()
    if [part for part in attributes if part != VIDEOS] != ["image_processor", "tokenizer"]:
        return AutoProcessor.from_pretrained(source, **options)
    settings, _ = processor_class.get_processor_dict(source, **options)
    parts = [
        AutoImageProcessor.from_pretrained(source, backend="pil", **options),
        AutoTokenizer.from_pretrained(source, **options),
    ]
    if VIDEOS in attributes:
        processor_class = without_videos(processor_class)
        parts.append(None)
    return processor_class.from_args_and_dict(parts, settings)


def without_videos(processor_class: Any) -> Any:
    """Return a class of processors that counts no processor of videos among its parts."""
    return type(
        processor_class.__name__,
        (processor_class,),
        {"get_attributes": classmethod(lambda _: ["image_processor", "tokenizer"])},
    )
