"""Tiny detectors, segmenters and embedders of real architectures with random weights, and drawn
pictures to show them.

Built from the library's own configuration classes and saved by it; it knows no test.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers as hf
from PIL import Image, ImageDraw

from hallascope.data.records import Picture

WORDS = ("a", "red", "blue", "cat", "dog", "circle", "square", ".", "the", "of")
LONGEST = 24  # pieces of a text


def picture(folder: Path, name: str = "shapes", size: tuple[int, int] = (96, 64)) -> Picture:
    """A red disc and a blue square, left and right."""
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    width, height = size
    draw.ellipse((4, 4, width // 3, height // 2), fill="red")
    draw.rectangle((width // 2, height // 3, width - 8, height - 8), fill="blue")
    image.save(folder / f"{name}.png")
    return Picture(name, folder / f"{name}.png")


def save(
    model: hf.PreTrainedModel,
    processor: hf.ProcessorMixin | hf.BaseImageProcessor,
    folder: Path,
    spread: float = 0.1,
) -> Path:
    """The model with weights far enough from zero that what it says hangs on what it sees."""
    stir(model, spread)
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def stir(model: hf.PreTrainedModel, spread: float) -> None:
    torch.manual_seed(0)
    for weights in model.parameters():
        weights.data.add_(torch.randn_like(weights) * spread)


def bert_words() -> hf.BertTokenizer:
    return hf.BertTokenizer(
        {word: i for i, word in enumerate(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS))}
    )


def clip_words(length: int = LONGEST) -> hf.CLIPTokenizer:
    """Letter by letter: no merges."""
    letters = "abcdefghijklmnopqrstuvwxyz."
    pieces = (
        "!",
        *letters,
        *(f"{letter}</w>" for letter in letters),
        "<|startoftext|>",
        "<|endoftext|>",
    )
    return hf.CLIPTokenizer(
        {piece: i for i, piece in enumerate(pieces)}, [], model_max_length=length
    )


def clip_text_config(tokenizer: hf.CLIPTokenizer, length: int = LONGEST) -> dict[str, int]:
    ends = {
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    small = {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
    }
    return {"vocab_size": len(tokenizer), "max_position_embeddings": length, **small, **ends}


SIGHT = {
    "hidden_size": 32,
    "intermediate_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "patch_size": 8,
}


def grounding_dino(folder: Path) -> Path:
    tokenizer = bert_words()
    swin = hf.SwinConfig(
        window_size=7,
        embed_dim=8,
        depths=[1, 1, 1, 1],
        num_heads=[1, 1, 1, 1],
        image_size=64,
        out_features=["stage2", "stage3", "stage4"],
    )
    text = hf.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=LONGEST,
    )
    config = hf.GroundingDinoConfig(
        backbone_config=swin,
        text_config=text,
        d_model=32,
        encoder_layers=1,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        num_queries=6,
        num_feature_levels=4,
        encoder_n_points=2,
        decoder_n_points=2,
        max_text_len=LONGEST,
    )
    torch.manual_seed(0)
    images = hf.GroundingDinoImageProcessor(size={"shortest_edge": 64, "longest_edge": 96})
    return save(
        hf.GroundingDinoForObjectDetection(config),
        hf.GroundingDinoProcessor(images, tokenizer),
        folder,
    )


def prompt_parts() -> dict[str, dict[str, Any]]:
    """What SAM and SAM 2 read boxes and draw masks with."""
    decoder = {
        "hidden_size": 16,
        "mlp_dim": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "attention_downsample_rate": 2,
    }
    return {
        "prompt_encoder_config": {
            "hidden_size": 16,
            "image_size": 64,
            "patch_size": 8,
            "mask_input_channels": 4,
        },
        "mask_decoder_config": {**decoder, "iou_head_hidden_dim": 16, "iou_head_depth": 2},
    }


def sam2(folder: Path) -> Path:
    """As the Hub has it: the model for films, whose half for pictures is to be loaded."""
    stages = {
        "embed_dim_per_stage": [8, 16, 32, 64],
        "num_attention_heads_per_stage": [1, 1, 2, 4],
        "blocks_per_stage": [1, 1, 2, 1],
        "window_size_per_stage": [4, 4, 4, 4],
    }
    hiera = {"hidden_size": 8, "image_size": [64, 64], "global_attention_blocks": [3], **stages}
    sight = hf.Sam2VisionConfig(
        backbone_config=hf.Sam2HieraDetConfig(
            **hiera, window_positional_embedding_background_size=[4, 4]
        ),
        backbone_channel_list=[64, 32, 16, 8],
        backbone_feature_sizes=[[16, 16], [8, 8], [4, 4]],
        fpn_hidden_size=16,
    )
    parts = prompt_parts()
    parts["prompt_encoder_config"] |= {"patch_size": 16}
    memory = {
        "memory_attention_hidden_size": 16,
        "memory_attention_feed_forward_hidden_size": 16,
        "memory_attention_num_layers": 1,
        "mask_downsampler_embed_dim": 16,
        "memory_fuser_embed_dim": 16,
        "memory_fuser_intermediate_dim": 16,
        "memory_encoder_hidden_size": 16,
        "memory_encoder_output_channels": 8,
    }
    config = hf.Sam2VideoConfig(vision_config=sight, **parts, **memory, image_size=64)
    torch.manual_seed(0)
    images = hf.ViTImageProcessor(
        size={"height": 64, "width": 64},
        resample=2,
        image_mean=[0.485, 0.456, 0.406],
        image_std=[0.229, 0.224, 0.225],
    )
    return save(hf.Sam2VideoModel(config), images, folder, 0.3)


def clip(folder: Path) -> Path:
    tokenizer = clip_words()
    config = hf.CLIPConfig(
        text_config=clip_text_config(tokenizer),
        vision_config={**SIGHT, "image_size": 32},
        projection_dim=16,
    )
    torch.manual_seed(0)
    images = hf.CLIPImageProcessor(
        size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}
    )
    return save(hf.CLIPModel(config), hf.CLIPProcessor(images, tokenizer), folder)


def dino(folder: Path) -> Path:
    config = hf.Dinov2Config(
        image_size=32, patch_size=8, hidden_size=32, num_hidden_layers=2, num_attention_heads=2
    )
    torch.manual_seed(0)
    images = hf.BitImageProcessor(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    return save(hf.Dinov2Model(config), images, folder)


def owl(folder: Path) -> Path:
    tokenizer = clip_words(16)
    config = hf.Owlv2Config(
        text_config=clip_text_config(tokenizer, 16),
        vision_config={**SIGHT, "image_size": 32, "patch_size": 8},
        projection_dim=16,
    )
    torch.manual_seed(0)
    images = hf.Owlv2ImageProcessor(size={"height": 32, "width": 32})
    return save(
        hf.Owlv2ForObjectDetection(config), hf.Owlv2Processor(images, tokenizer), folder, 0.02
    )


def sam(folder: Path) -> Path:
    windows = {"window_size": 4, "global_attn_indexes": [1], "mlp_dim": 32}
    config = hf.SamConfig(
        vision_config={
            **SIGHT,
            **windows,
            "image_size": 64,
            "output_channels": 16,
            "num_pos_feats": 8,
        },
        **prompt_parts(),
    )
    torch.manual_seed(0)
    images = hf.SamImageProcessor(size={"longest_edge": 64}, pad_size={"height": 64, "width": 64})
    return save(hf.SamModel(config), hf.SamProcessor(images), folder, 0.3)


def clipseg(folder: Path) -> Path:
    tokenizer = clip_words()
    config = hf.CLIPSegConfig(
        text_config=clip_text_config(tokenizer),
        vision_config={**SIGHT, "image_size": 32},
        projection_dim=16,
        reduce_dim=16,
        extract_layers=[0, 1, 2],
        decoder_num_attention_heads=2,
        decoder_intermediate_size=32,
        use_complex_transposed_convolution=True,
    )
    torch.manual_seed(0)
    images = hf.ViTImageProcessor(size={"height": 32, "width": 32})
    model = hf.CLIPSegForImageSegmentation(config)
    stir(model, 0.1)
    model.decoder.transposed_convolution[-1].weight.data.mul_(0.01)  # so that it is sure of nothing
    return save(model, hf.CLIPSegProcessor(images, tokenizer), folder, 0.0)


def first_dino(folder: Path) -> Path:
    """A vision transformer without a pooling layer, as the files of the first DINO are."""
    config = hf.ViTConfig(
        image_size=32, patch_size=8, hidden_size=32, num_hidden_layers=2, num_attention_heads=2
    )
    torch.manual_seed(0)
    images = hf.ViTImageProcessor(size={"height": 32, "width": 32})
    return save(hf.ViTModel(config, add_pooling_layer=False), images, folder)


def blip_itm(folder: Path) -> Path:
    tokenizer = bert_words()
    text = {
        "vocab_size": len(tokenizer),
        "hidden_size": 16,
        "encoder_hidden_size": 32,
        "intermediate_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "max_position_embeddings": LONGEST,
        "bos_token_id": 2,
        "pad_token_id": 0,
        "sep_token_id": 3,
        "eos_token_id": 3,
    }
    config = hf.BlipConfig(
        text_config=text,
        vision_config={**SIGHT, "image_size": 32},
        projection_dim=16,
        image_text_hidden_size=16,
    )
    torch.manual_seed(0)
    images = hf.BlipImageProcessor(size={"height": 32, "width": 32})
    return save(hf.BlipForImageTextRetrieval(config), hf.BlipProcessor(images, tokenizer), folder)


MAKERS: dict[str, Callable[[Path], Path]] = {
    "grounding-dino": grounding_dino,
    "owlv2": owl,
    "sam": sam,
    "sam2": sam2,
    "clipseg": clipseg,
    "clip": clip,
    "dinov2": dino,
    "dino": first_dino,
    "blip-itm": blip_itm,
}
