"""The training of the Primer diffusion models in small: what is drawn, what is held out, resuming,
and a stock folder in the end.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from diffusers import DiffusionPipeline

from hallascope.backends.diffusers import folders
from hallascope.backends.embedded.training import autoencoder, diffusion, loop
from hallascope.backends.embedded.training.dataset import shards
from tests.support.stopped_training import stopping_at

TINY = replace(
    diffusion.RECIPES["tiny"],
    width=32,
    layers=2,
    heads=2,
    text_layers=1,
    samples=24,
    steps=4,
    batch=8,
)


def test_the_corpus_is_encoded_once_and_cut_to_the_first_pictures(
    corpus_folder: Path, autoencoder_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = diffusion.LatentCorpus(corpus_folder, autoencoder_folder, 24, "cpu")
    assert len(whole) == 24
    monkeypatch.delattr(autoencoder, "encode_mean")
    part = diffusion.LatentCorpus(corpus_folder, autoencoder_folder, 15, "cpu")
    assert len(part) == len(part.latents) == 15
    assert torch.equal(part.latents, whole.latents[:15])
    assert torch.equal(part.tokens, whole.tokens[:15]), "the words are those of whole shards"


def test_pictures_that_are_drawn_later_are_taken_up(
    corpus_folder: Path, autoencoder_folder: Path, tmp_path: Path
) -> None:
    first, second = shards.files(corpus_folder)
    growing = tmp_path / "growing"
    growing.mkdir()
    (growing / first.name).hardlink_to(first)
    data = diffusion.LatentCorpus(growing, autoencoder_folder, 20, "cpu")
    assert len(data) == 12
    (growing / second.name).hardlink_to(second)
    data.add_new_shards()
    whole = diffusion.LatentCorpus(corpus_folder, autoencoder_folder, 20, "cpu")
    assert len(data) == len(whole) == 20
    assert torch.equal(data.latents, whole.latents)
    assert torch.equal(data.parts, whole.parts)


def weights(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*.safetensors"))
    }


def test_a_training_that_was_stopped_and_goes_on_ends_where_it_would_have_ended(
    corpus_folder: Path, autoencoder_folder: Path, tmp_path: Path
) -> None:
    diffusion.train(TINY, corpus_folder, autoencoder_folder, tmp_path / "whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diffusion, "CHECKPOINT_EVERY", 2)
        patch.setattr(loop, "save_checkpoint", stopping_at(2))
        with pytest.raises(KeyboardInterrupt):
            diffusion.train(TINY, corpus_folder, autoencoder_folder, tmp_path / "parts")
    diffusion.train(TINY, corpus_folder, autoencoder_folder, tmp_path / "parts")
    assert weights(tmp_path / "parts" / "pipeline") == weights(tmp_path / "whole" / "pipeline")


def test_what_comes_out_is_a_stock_folder_that_draws(
    corpus_folder: Path, autoencoder_folder: Path, tmp_path: Path
) -> None:
    diffusion.train(TINY, corpus_folder, autoencoder_folder, tmp_path)
    folder = tmp_path / "pipeline"
    assert (
        json.loads((folder / "model_index.json").read_text())["_class_name"]
        == "PixArtAlphaPipeline"
    )
    assert not list(folder.rglob("*.py"))
    assert not list(folder.rglob("*.bin"))
    folders.check_hashes(folder)
    pipeline = DiffusionPipeline.from_pretrained(folder, use_safetensors=True, dtype=torch.float32)
    pipeline.set_progress_bar_config(disable=True)
    one, again, other = (
        pipeline(
            "a ladybug",
            num_inference_steps=2,
            generator=torch.Generator().manual_seed(seed),
            use_resolution_binning=False,
            clean_caption=False,
        ).images[0]
        for seed in (1, 1, 2)
    )
    assert one.size == (128, 128)
    assert one.tobytes() == again.tobytes()
    assert one.tobytes() != other.tobytes()
