"""Each trainer makes, in small, the folder that its model is loaded from; a stopped run goes on."""

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from diffusers import AutoencoderKL, DiffusionPipeline
from transformers import (
    AutoProcessor,
    CLIPModel,
    CLIPSegForImageSegmentation,
)

from hallascope.backends.diffusers import folders
from hallascope.backends.embedded import measure
from hallascope.backends.embedded.training import (
    autoencoder,
    diffusion,
    embedder,
    enlarge,
    judge,
    loop,
    pair_judge,
    segmenter,
    tokenizer,
    vision,
)
from hallascope.backends.embedded.training.dataset import corpus
from hallascope.backends.transformers.vqa import VisualQuestionAnswering
from hallascope.data.models.specs import read_models

pytestmark = pytest.mark.full

SIDE = 64  # px
SEGMENTER = segmenter.SegmenterConfig(
    size=SIDE,
    width=64,
    layers=3,
    text_layers=1,
    steps=4,
    batch=4,
    text_width=32,
    reduced=32,
    samples=120,
    asked=2,
)
EMBEDDER = embedder.EmbedderConfig(
    width=64, layers=2, text_layers=1, steps=4, batch=4, projection=32, samples=12
)
AUTOENCODER = autoencoder.AutoencoderConfig(
    size=128, channels="8,8,8,8", latents=4, samples=24, steps=2, batch=8
)
DIFFUSION = replace(
    diffusion.RECIPES["tiny"],
    width=32,
    layers=2,
    heads=2,
    text_layers=1,
    samples=24,
    steps=2,
    batch=8,
)
JUDGE = judge.JudgeConfig(size=SIDE, width=32, text_layers=1, samples=24, steps=9, batch=8)


def load_judge(folder: Path) -> VisualQuestionAnswering:
    spec = replace(read_models()["primer/judge"], id="t", repository=str(folder))
    return VisualQuestionAnswering(spec)


@pytest.fixture(scope="module")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "pictures"
    corpus.write(folder, 24, workers=1, per_shard=12)
    return folder


@pytest.fixture(scope="module")
def judge_work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    judge.train(JUDGE, folder, folder / "out")
    return folder


def test_a_judge_and_its_weights_for_pairs_are_loaded_by_the_ordinary_adapter(
    judge_work: Path, tmp_path: Path
) -> None:
    assert load_judge(judge_work / "out").model.config.vision_config.image_size == SIDE
    config = replace(pair_judge.CONFIG, size=32, samples=16, epochs=1.0, batch=8)
    shutil.copytree(pair_judge.OUT.parent, tmp_path / "judge")
    pair_judge.train(config, tmp_path, tmp_path / "pairs", pair_judge.OUT)
    shutil.rmtree(tmp_path / "judge" / "pairs")
    shutil.move(tmp_path / "pairs", tmp_path / "judge" / "pairs")
    (tmp_path / "judge" / "hashes.json").unlink()
    comparing = load_judge(tmp_path / "judge").comparing
    assert comparing is not None
    assert comparing.model.config.pictures == 2


def test_going_on_from_a_checkpoint_ends_where_an_undisturbed_run_ends(
    judge_work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = loop.save_checkpoint

    def save_and_stop(file: Path, stateful: Mapping[str, Any], step: int) -> None:
        save(file, stateful, step)
        if step == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(judge, "SCHEDULE", replace(judge.SCHEDULE, checkpoint_every=4))
    with monkeypatch.context() as once:
        once.setattr(loop, "save_checkpoint", save_and_stop)
        with pytest.raises(KeyboardInterrupt):
            judge.train(JUDGE, tmp_path, tmp_path / "out")
    judge.train(JUDGE, tmp_path, tmp_path / "out")
    one, two = (
        torch.load(folder / "checkpoint.pt", weights_only=True)["model"]
        for folder in (judge_work, tmp_path)
    )
    assert all(np.allclose(one[name], two[name], atol=1e-4) for name in one)


def test_a_segmenter_is_a_stock_folder_that_was_learned_through_its_own_forward(
    tmp_path: Path,
) -> None:
    segmenter.train(SEGMENTER, tmp_path, tmp_path / "out")
    model = CLIPSegForImageSegmentation.from_pretrained(
        tmp_path / "out", use_safetensors=True, dtype=torch.float32
    ).eval()
    processor, texts = AutoProcessor.from_pretrained(tmp_path / "out"), ["a ladybug", "wing cover"]
    pixels = corpus.draw_sample(0).pixels[:SIDE, :SIDE]
    given = processor(text=texts, images=[pixels] * 2, padding="max_length", return_tensors="pt")
    shown = vision.as_input(torch.from_numpy(pixels.copy())[None])
    assert torch.allclose(given["pixel_values"][:1], shown, atol=1e-5)
    with torch.inference_mode():
        logits = model(**given).logits
        seen = segmenter.forward(model, shown, tokenizer.as_tokens(processor.tokenizer, texts))
    assert logits.shape == (2, SIDE, SIDE)
    assert torch.allclose(logits, seen.logits, atol=1e-4)


def test_an_embedder_is_a_stock_folder_with_vectors_of_unit_length(
    corpus_folder: Path, tmp_path: Path
) -> None:
    embedder.train(EMBEDDER, corpus_folder, tmp_path, tmp_path / "out")
    towers = measure.load_embedder(str(tmp_path / "out"))
    vectors = towers.texts(["a ladybug", "two tulips"])
    assert vectors.shape == (2, 32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert CLIPModel.from_pretrained(tmp_path / "out", use_safetensors=True)


def test_an_autoencoder_and_a_diffusion_model_are_a_stock_pipeline_that_draws(
    corpus_folder: Path, tmp_path: Path
) -> None:
    autoencoder.train(AUTOENCODER, corpus_folder, tmp_path)
    vae = AutoencoderKL.from_pretrained(tmp_path / "vae")
    learned, held_out = autoencoder.load_pixels(corpus_folder, 20)
    assert (len(learned), len(held_out)) == (15, 5)
    latents = autoencoder.encode_mean(vae, learned) * vae.config.scaling_factor
    assert latents.std() == pytest.approx(1.0, abs=0.1)
    diffusion.train(DIFFUSION, corpus_folder, tmp_path / "vae", tmp_path / "diffusion")
    folder = tmp_path / "diffusion" / "pipeline"
    assert not [*folder.rglob("*.py"), *folder.rglob("*.bin")]
    folders.check_hashes(folder)
    pipeline = DiffusionPipeline.from_pretrained(folder, use_safetensors=True, dtype=torch.float32)
    image = pipeline(
        "a ladybug", num_inference_steps=2, use_resolution_binning=False, clean_caption=False
    ).images[0]
    assert image.size == (128, 128)


def test_the_larger_autoencoder_is_trained_in_its_outer_level_alone(tmp_path: Path) -> None:
    torch.manual_seed(0)
    small = autoencoder.make_model(replace(AUTOENCODER, size=64, channels="8,8,8")).eval()
    small.save_pretrained(tmp_path / "small")
    pipeline = tmp_path / "pipeline"
    config = enlarge.EnlargeConfig(samples=12, workers=1, steps=2, batch=2)
    enlarge.train(config, tmp_path / "small", pipeline, tmp_path / "pictures", tmp_path / "work")
    large, untrained = AutoencoderKL.from_pretrained(pipeline / "vae"), enlarge.add_level(small)
    assert large.config.sample_size == 128
    changed = {
        name
        for name, weights in untrained.named_parameters()
        if not torch.equal(weights.half().float(), large.get_parameter(name))
    }
    outer = {name for name, weights in untrained.named_parameters() if weights.requires_grad}
    assert {"encoder.conv_in.weight", "decoder.conv_out.weight"} <= changed <= outer
