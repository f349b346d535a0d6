"""Tiny detectors and segmenters with random weights: RT-DETR and SAM 3; it knows no test."""

from collections.abc import Callable
from pathlib import Path

import torch
import transformers as hf
from safetensors.torch import save_file

from tests.support.tiny_models.vision import save, stir

COCO = {0: "person", 1: "cat", 2: "dog", 3: "motorbike"}


def rt_detr_v2(folder: Path) -> Path:
    resnet = hf.RTDetrResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 16, 16, 32],
        depths=[1, 1, 1, 1],
        layer_type="basic",
        out_features=["stage2", "stage3", "stage4"],
    )
    config = hf.RTDetrV2Config(
        backbone_config=resnet,
        encoder_in_channels=[16, 16, 32],
        encoder_hidden_dim=16,
        encoder_ffn_dim=16,
        encoder_attention_heads=2,
        d_model=16,
        num_queries=6,
        decoder_in_channels=[16, 16, 16],
        decoder_ffn_dim=16,
        decoder_layers=2,
        decoder_attention_heads=2,
        decoder_n_points=2,
        num_denoising=0,
        anchor_image_size=None,
        id2label=COCO,
        label2id={name: i for i, name in COCO.items()},
    )
    torch.manual_seed(0)
    images = hf.RTDetrImageProcessorPil(size={"height": 64, "width": 64})
    return save(hf.RTDetrV2ForObjectDetection(config), images, folder)


def sam3(folder: Path) -> Path:
    """As the Hub has it: a detector of concepts and a model for films, whose half for pictures is
    to be loaded.
    """
    vit = {
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "image_size": 56,
        "patch_size": 14,
        "window_size": 2,
        "global_attn_indexes": [1],
        "pretrain_image_size": 28,
    }
    sight = {
        "backbone_config": {"model_type": "sam3_vit_model", **vit},
        "fpn_hidden_size": 16,
        "backbone_feature_sizes": [[16, 16], [8, 8], [4, 4]],
    }
    small = {"hidden_size": 16, "num_attention_heads": 2, "intermediate_size": 16}
    text = {
        "vocab_size": 100,
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "projection_dim": 16,
        "max_position_embeddings": 8,
        "bos_token_id": 98,
        "eos_token_id": 99,
    }
    finds = hf.Sam3Config(
        vision_config=sight,
        text_config=text,
        geometry_encoder_config={**small, "num_layers": 1},
        detr_encoder_config={**small, "num_layers": 1},
        detr_decoder_config={**small, "num_layers": 1, "num_queries": 4},
        mask_decoder_config={"hidden_size": 16, "num_attention_heads": 2},
    )
    follows = hf.Sam3TrackerVideoConfig(
        vision_config=sight,
        prompt_encoder_config={
            "hidden_size": 16,
            "image_size": 56,
            "patch_size": 14,
            "mask_input_channels": 4,
        },
        mask_decoder_config={
            "hidden_size": 16,
            "mlp_dim": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "attention_downsample_rate": 2,
            "iou_head_hidden_dim": 16,
            "iou_head_depth": 2,
        },
        image_size=56,
        memory_attention_hidden_size=16,
        memory_attention_feed_forward_hidden_size=16,
        memory_attention_num_layers=1,
        mask_downsampler_embed_dim=16,
        memory_fuser_embed_dim=16,
        memory_fuser_intermediate_dim=16,
        memory_encoder_hidden_size=16,
        memory_encoder_output_channels=8,
    )
    torch.manual_seed(0)
    model = hf.Sam3VideoModel(hf.Sam3VideoConfig(detector_config=finds, tracker_config=follows))
    images = hf.ViTImageProcessorPil(
        size={"height": 56, "width": 56}, resample=2, image_mean=[0.5] * 3, image_std=[0.5] * 3
    )
    stir(model, 0.3)
    torch.manual_seed(1)
    for name, weights in model.tracker_model.named_parameters():
        # These weights are further from zero, so that a mask depends on its box.
        if name.startswith(("prompt_encoder", "mask_decoder")):
            weights.data.add_(torch.randn_like(weights) * 0.6)
    save(model, images, folder, 0.0)
    # the library's own `save_pretrained` writes the prefix of the tracker twice; the Hub's file has
    # it once, as the model itself
    save_file(
        {name: weights.clone() for name, weights in model.state_dict().items()},
        folder / "model.safetensors",
        {"format": "pt"},
    )
    return folder


DETECTORS: dict[str, Callable[[Path], Path]] = {"rt-detr-v2": rt_detr_v2, "sam3": sam3}
