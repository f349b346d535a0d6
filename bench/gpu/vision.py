"""Measures detectors, segmenters and embedders at real sizes against the bare library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

from bench.gpu.folders import (
    build_on_meta,
    check_replies,
    fill_randomly,
    in_folder,
    write_hollow,
)
from bench.gpu.rows import GpuRow, PeakMemory, Setup
from bench.gpu.timing import compare, median_seconds, peak_bytes, ratio_text, reset_peak
from hallascope.backends import registry
from hallascope.data.masks import encode
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Detect, Embed, Segment

BAR = "at most 1.05"
IMAGES = 32
PHRASES = ("a red cat", "a blue square", "the dog")
BOXES = (Box(0.0, 0.0, 0.4, 0.6), Box(0.4, 0.3, 1.0, 1.0))
_GROUNDING_DINO_BASE: dict[str, dict[str, Any]] = {
    "backbone_config": {
        "embed_dim": 128,
        "depths": [2, 2, 18, 2],
        "num_heads": [4, 8, 16, 32],
        "window_size": 12,
        "image_size": 384,
        "hidden_size": 1024,
    },
    "text_config": {
        "vocab_size": 30_522,
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "intermediate_size": 3072,
        "max_position_embeddings": 512,
    },
    "": {
        "d_model": 256,
        "encoder_layers": 6,
        "decoder_layers": 6,
        "encoder_attention_heads": 8,
        "decoder_attention_heads": 8,
        "encoder_ffn_dim": 2048,
        "decoder_ffn_dim": 2048,
        "num_queries": 900,
        "encoder_n_points": 4,
        "decoder_n_points": 4,
        "max_text_len": 256,
    },
}
_SAM_2_LARGE: dict[str, dict[str, Any]] = {
    "vision_config.backbone_config": {
        "hidden_size": 144,
        "image_size": [1024, 1024],
        "blocks_per_stage": [2, 6, 36, 4],
        "embed_dim_per_stage": [144, 288, 576, 1152],
        "num_attention_heads_per_stage": [2, 4, 8, 16],
        "window_size_per_stage": [8, 4, 16, 8],
        "global_attention_blocks": [23, 33, 43],
        "window_positional_embedding_background_size": [7, 7],
    },
    "vision_config": {
        "backbone_channel_list": [1152, 576, 288, 144],
        "backbone_feature_sizes": [[256, 256], [128, 128], [64, 64]],
        "fpn_hidden_size": 256,
    },
    "prompt_encoder_config": {
        "hidden_size": 256,
        "image_size": 1024,
        "patch_size": 16,
        "mask_input_channels": 16,
    },
    "mask_decoder_config": {
        "hidden_size": 256,
        "mlp_dim": 2048,
        "num_hidden_layers": 2,
        "num_attention_heads": 8,
        "iou_head_hidden_dim": 256,
        "iou_head_depth": 3,
    },
    "": {"image_size": 1024},
}
_CLIP_L: dict[str, dict[str, Any]] = {
    "text_config": {
        "vocab_size": 49_408,
        "hidden_size": 768,
        "intermediate_size": 3072,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "max_position_embeddings": 77,
    },
    "vision_config": {
        "hidden_size": 1024,
        "intermediate_size": 4096,
        "num_hidden_layers": 24,
        "num_attention_heads": 16,
        "patch_size": 14,
        "image_size": 224,
    },
    "": {"projection_dim": 768},
}
_DINO_V2_BASE: dict[str, dict[str, Any]] = {
    "": {
        "image_size": 518,
        "patch_size": 14,
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
    }
}


class _Loaded(NamedTuple):
    """Holds a loaded adapter, the number of its weights, and the images it is shown."""

    backend: Any
    weights: int
    pictures: list[Picture]


def measure_grounding_dino(setup: Setup) -> Iterator[GpuRow | PeakMemory]:
    """Measure a detector of the size of Grounding DINO base on images of 1,024 px."""
    loaded = _load(
        setup, "grounding-dino-base", "grounding-dino", _GROUNDING_DINO_BASE, _size_boxes
    )
    model = loaded.backend
    text = " ".join(f"{phrase}." for phrase in PHRASES)

    def adapted() -> None:
        check_replies(model.detect([Detect(image=loaded.pictures[0], phrases=PHRASES)]))

    def bare() -> None:
        image = _open(loaded.pictures[0])
        inputs = model.processor(images=image, text=text, return_tensors="pt").to(setup.device)
        output = _infer(lambda: model.model(**inputs))
        # its own post-processing names every box that random weights report, all 900 of them
        output.logits[0].sigmoid().amax(-1).tolist()
        output.pred_boxes[0].tolist()

    yield _ratio_row("Grounding DINO base: an image", adapted, bare, setup)
    yield _peak_row("grounding-dino-base", loaded, setup)


def measure_sam2(setup: Setup) -> Iterator[GpuRow | PeakMemory]:
    """Measure a segmenter of the size of SAM 2.1 large, two boxes an image of 1,024 px."""
    loaded = _load(setup, "sam2.1-large", "sam2", _SAM_2_LARGE, _size_square)
    model = loaded.backend

    def adapted() -> None:
        check_replies(model.segment([Segment(image=loaded.pictures[0], boxes=BOXES)]))

    def bare() -> Any:
        import torch
        from torch.nn.functional import interpolate

        image = _open(loaded.pictures[0])
        pixels = model.processor(image, return_tensors="pt")["pixel_values"]
        height, width = pixels.shape[-2:]
        boxes = [
            [box.left * width, box.top * height, box.right * width, box.bottom * height]
            for box in BOXES
        ]
        given = torch.tensor([boxes]).to(setup.device)
        logits = _infer(
            lambda: model.model(
                pixel_values=pixels.to(setup.device), input_boxes=given, multimask_output=False
            )
        ).pred_masks.cpu()
        size = (image.height, image.width)
        return interpolate(logits[0], size, mode="bilinear", align_corners=False)[:, 0] > 0

    masks = [mask.numpy() for mask in bare()]
    encoding = median_seconds(lambda: [encode(mask) for mask in masks], setup.device)
    yield _ratio_row("SAM 2.1 large: two masks of an image", adapted, bare, setup)
    yield GpuRow("SAM 2.1 large: of it, encoding the two masks", f"{encoding * 1000:.1f} ms")
    yield _peak_row("sam2.1-large", loaded, setup)


def measure_clip(setup: Setup) -> Iterator[GpuRow | PeakMemory]:
    """Measure an embedder of the size of CLIP ViT-L/14."""
    loaded = _load(setup, "clip-vit-large", "clip", _CLIP_L, _size_crop(224))
    yield from _measure_embedder("CLIP ViT-L/14", "clip-vit-large", loaded, setup)


def measure_dino(setup: Setup) -> Iterator[GpuRow | PeakMemory]:
    """Measure an embedder of the size of DINOv2 base."""
    loaded = _load(setup, "dinov2-base", "dinov2", _DINO_V2_BASE, _size_crop(224))
    yield from _measure_embedder("DINOv2 base", "dinov2-base", loaded, setup)


def _measure_embedder(
    title: str, entry: str, loaded: _Loaded, setup: Setup
) -> Iterator[GpuRow | PeakMemory]:
    model = loaded.backend
    requests = [Embed(image=picture) for picture in loaded.pictures]

    def bare() -> None:
        images = [_open(picture) for picture in loaded.pictures]
        process = getattr(model.processor, "image_processor", model.processor)
        inputs = process(images, return_tensors="pt").to(setup.device)
        encode_images = getattr(model.model, "get_image_features", model.model)
        vectors = _infer(lambda: encode_images(**inputs)).pooler_output
        (vectors / vectors.norm(dim=-1, keepdim=True)).tolist()

    yield _ratio_row(
        f"{title}: {len(requests)} images in a call", lambda: model.embed(requests), bare, setup
    )
    yield batching_row(title, model, loaded.pictures, setup)
    yield _peak_row(entry, loaded, setup)


def batching_row(title: str, model: Any, pictures: list[Picture], setup: Setup) -> GpuRow:
    """Compare vectors of images one by one with those of a call. Raises RuntimeError."""
    requests = [Embed(image=pictures[i % len(pictures)]) for i in range(IMAGES)]

    check_replies(model.embed(requests))

    def one_by_one() -> None:
        for request in requests:
            model.embed([request])

    return GpuRow(
        f"{title}: {IMAGES} images, one by one to together",
        ratio_text(*compare(one_by_one, lambda: model.embed(requests), setup.device)),
    )


def _load(
    setup: Setup,
    entry: str,
    maker: str,
    sizes: dict[str, dict[str, Any]],
    resize: Callable[[Any], None],
) -> _Loaded:
    """Load a model of an entry's size through its adapter, with random weights."""
    import transformers

    folder = setup.folder / maker
    from tests.support.tiny_models import vision_models

    vision_models.MAKERS[maker](folder)
    if not setup.is_tiny:
        _resize_processor(folder, resize)
    config = transformers.AutoConfig.from_pretrained(folder)
    for path, values in sizes.items() if not setup.is_tiny else ():
        part: Any = config
        for name in path.split(".") if path else ():
            part = getattr(part, name)
        for name, value in values.items():
            setattr(part, name, value)
    config.save_pretrained(folder)
    model = build_on_meta(getattr(transformers, config.architectures[0]), config)
    write_hollow(model, folder / "model.safetensors", "float32")
    pictures = _draw_pictures(setup, 8)
    reset_peak(setup)
    backend: Any = registry.load(in_folder(read_models()[entry], folder, {}, setup.device))
    return _Loaded(backend, fill_randomly([backend.model]), pictures)


def _resize_processor(folder: Path, resize: Callable[[Any], None]) -> None:
    """Change the sizes of images in the files of a processor."""
    import json

    for name in ("processor_config.json", "preprocessor_config.json"):
        file = folder / name
        if not file.exists():
            continue
        fields = json.loads(file.read_text(encoding="utf-8"))
        resize(fields.get("image_processor", fields))
        file.write_text(json.dumps(fields), encoding="utf-8")


def _size_boxes(fields: Any) -> None:
    fields["size"] = {"shortest_edge": 800, "longest_edge": 1333}


def _size_square(fields: Any) -> None:
    fields["size"] = {"height": 1024, "width": 1024}


def _size_crop(side: int) -> Callable[[Any], None]:
    def resize(fields: Any) -> None:
        fields["size"] = {"shortest_edge": side}
        fields["crop_size"] = {"height": side, "width": side}

    return resize


def _draw_pictures(setup: Setup, count: int) -> list[Picture]:
    """Return images of 1,024 px (tiny: 96 x 64) that differ, as files."""
    size = (96, 64) if setup.is_tiny else (1024, 1024)
    pictures = []
    for i in range(count):
        path = setup.folder / f"color-{i}.png"
        Image.new("RGB", size, (30 * i, 120, 255 - 30 * i)).save(path)
        pictures.append(Picture(f"color-{i}", path))
    return pictures


def _open(picture: Picture) -> Image.Image:
    with Image.open(picture.path) as image:
        return image.convert("RGB")


def _infer(call: Callable[[], Any]) -> Any:
    import torch

    with torch.inference_mode():
        return call()


def _ratio_row(
    title: str, adapted: Callable[[], object], bare: Callable[[], object], setup: Setup
) -> GpuRow:
    return GpuRow(
        f"{title} through the adapter to the bare library",
        ratio_text(*compare(adapted, bare, setup.device)),
        BAR,
    )


def _peak_row(entry: str, loaded: _Loaded, setup: Setup) -> PeakMemory:
    return PeakMemory(entry, read_models()[entry].memory_gb, peak_bytes(setup), loaded.weights)
