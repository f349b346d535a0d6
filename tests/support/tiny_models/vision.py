"""Tiny detectors, segmenters and embedders of real architectures with random weights, and drawn
pictures to show them.

Built from the library's own configuration classes and saved by it; it knows no test.
"""

from collections.abc import Callable
from pathlib import Path

import torch
import transformers as hf

from tests.support.tiny_models.vision_models import (
    LONGEST,
    SIGHT,
    bert_words,
    clip,
    clip_text_config,
    clip_words,
    dino,
    grounding_dino,
    prompt_parts,
    sam2,
    save,
    stir,
)


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
