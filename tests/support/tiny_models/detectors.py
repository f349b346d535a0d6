"""Tiny detectors and segmenters of more architectures with random weights: MM-Grounding-DINO,
RT-DETR, D-FINE, SAM 3; it knows no test.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers as hf
from safetensors.torch import save_file

from tests.support.tiny_models.vision_models import LONGEST, bert_words, save, stir

COCO = {0: "person", 1: "cat", 2: "dog", 3: "motorbike"}


def mm_grounding_dino(folder: Path) -> Path:
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
    config = hf.MMGroundingDinoConfig(
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
    images = hf.GroundingDinoImageProcessorPil(size={"shortest_edge": 64, "longest_edge": 96})
    return save(
        hf.MMGroundingDinoForObjectDetection(config),
        hf.GroundingDinoProcessor(images, tokenizer),
        folder,
    )


_DETR: dict[str, Any] = {
    "encoder_hidden_dim": 16,
    "encoder_ffn_dim": 16,
    "encoder_attention_heads": 2,
    "d_model": 16,
    "num_queries": 6,
    "decoder_in_channels": [16, 16, 16],
    "decoder_ffn_dim": 16,
    "decoder_layers": 2,
    "decoder_attention_heads": 2,
    "decoder_n_points": 2,
    "num_denoising": 0,
    "anchor_image_size": None,
    "id2label": COCO,
    "label2id": {name: i for i, name in COCO.items()},
}


def _detr(model: Any, config: hf.PreTrainedConfig, folder: Path) -> Path:
    torch.manual_seed(0)
    return save(model(config), hf.RTDetrImageProcessorPil(size={"height": 64, "width": 64}), folder)


def rt_detr_v2(folder: Path) -> Path:
    resnet = hf.RTDetrResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 16, 16, 32],
        depths=[1, 1, 1, 1],
        layer_type="basic",
        out_features=["stage2", "stage3", "stage4"],
    )
    config = hf.RTDetrV2Config(backbone_config=resnet, encoder_in_channels=[16, 16, 32], **_DETR)
    return _detr(hf.RTDetrV2ForObjectDetection, config, folder)


def d_fine(folder: Path) -> Path:
    net = hf.HGNetV2Config(
        embedding_size=8,
        hidden_sizes=[8, 16, 16, 32],
        depths=[1, 1, 1, 1],
        stem_channels=[3, 8, 8],
        stage_in_channels=[8, 8, 16, 16],
        stage_mid_channels=[8, 8, 8, 8],
        stage_out_channels=[8, 16, 16, 32],
        stage_num_blocks=[1, 1, 1, 1],
        stage_downsample=[False, True, True, True],
        stage_light_block=[False, False, True, True],
        stage_kernel_size=[3, 3, 5, 5],
        stage_numb_of_layers=[1, 1, 1, 1],
        out_features=["stage2", "stage3", "stage4"],
    )
    config = hf.DFineConfig(
        backbone_config=net,
        encoder_in_channels=[16, 16, 32],
        eval_idx=-1,
        lqe_hidden_dim=8,
        **_DETR,
    )
    return _detr(hf.DFineForObjectDetection, config, folder)


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


DETECTORS: dict[str, Callable[[Path], Path]] = {
    "mm-grounding-dino": mm_grounding_dino,
    "rt-detr-v2": rt_detr_v2,
    "d-fine": d_fine,
    "sam3": sam3,
}
