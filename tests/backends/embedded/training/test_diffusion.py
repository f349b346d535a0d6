"""The training of the Primer diffusion models in small: what is drawn, what is held out, resuming,
and a stock folder in the end.
"""

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from diffusers import DiffusionPipeline

from hallascope.backends.diffusers import folders
from hallascope.backends.embedded.training import autoencoder, diffusion, loop
from hallascope.backends.embedded.training.dataset import corpus, shards
from hallascope.primer import scenes
from tests.support.stopped_training import stopping_at

VAE = autoencoder.AutoencoderConfig(channels="8,8,8,8", latents=4, samples=24, steps=4, batch=8)
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


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "pictures"
    corpus.write(folder, 24, workers=1, per_shard=12)
    return folder


@pytest.fixture(scope="module")
def vae(pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = tmp_path_factory.mktemp("vae")
    autoencoder.train(VAE, pictures, work)
    return work / "vae"


# --- what is drawn
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_sample_is_the_same_for_the_same_seed_and_shows_what_it_says(seed: int) -> None:
    one, again = corpus.draw_sample(seed), corpus.draw_sample(seed)
    assert np.array_equal(one.pixels, again.pixels)
    assert one.caption == again.caption
    assert one.pixels.shape == (128, 128, 3)
    assert one.index.max() <= len(one.names)
    things = {number for _, _, number in one.names}
    assert things == set(range(1, len(things) + 1)), "things are numbered from 1 on"


def test_the_parts_of_two_things_of_a_kind_are_told_apart() -> None:
    chance = random.Random(0)
    scene = next(
        s
        for s in (scenes.parse(corpus.training_prompt(chance)) for _ in range(500))
        if s.groups[0].count == 3
    )
    drawing = scene.draw(scene.truths(), "three")
    named = corpus.part_names(scene, drawing)
    assert len({number for _, _, number in named}) == sum(group.count for group in scene.groups)


def test_what_is_held_out_is_never_drawn_and_there_is_enough_of_it() -> None:
    chance = random.Random(1)
    assert not any(corpus.held_out(corpus.training_prompt(chance)) for _ in range(300))
    prompts = {scenes.sample_prompt(chance) for _ in range(600)}
    put_together = [prompt for prompt in prompts if corpus.compositions(prompt)]
    share = sum(map(corpus.held_out, put_together)) / len(put_together)
    assert 0.05 < share < 0.3


def test_a_lone_thing_puts_nothing_together_and_is_never_held_out() -> None:
    assert corpus.compositions("a ladybug") == ()
    assert corpus.compositions("three ladybugs") == ("number 3 ladybug",)
    assert not corpus.held_out("a ladybug")


def test_shards_that_are_there_are_kept(pictures: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in shards.files(pictures)}
    corpus.write(pictures, 24, workers=1, per_shard=12)
    assert {file: file.stat().st_mtime_ns for file in shards.files(pictures)} == before
    shard = next(corpus.read_shards(pictures))
    assert shard.pixels.shape == (12, 128, 128, 3)
    assert shard.captions[0] == corpus.draw_sample(0).caption


# --- words
# --------------------------------------------------------------------------------------------------


def test_every_word_of_the_grammar_is_one_token_and_another_is_spelled() -> None:
    tokenizer = diffusion.make_tokenizer(["a drawing of a ladybug."])
    chance = random.Random(2)
    for prompt in ("A ladybug.", *(scenes.sample_prompt(chance) for _ in range(50))):
        words = prompt.lower().rstrip(".").split()
        pieces = tokenizer.convert_ids_to_tokens(tokenizer(prompt.lower())["input_ids"])
        assert pieces[: len(words)] == [f"▁{word}" for word in words]
    strange = tokenizer.convert_ids_to_tokens(tokenizer("zygote")["input_ids"])
    assert "<unk>" not in strange
    assert len(strange) > 3


# --- the autoencoder
# --------------------------------------------------------------------------------------------------


def test_evening_out_the_latents_leaves_the_pictures_as_they_were(pictures: Path) -> None:
    torch.manual_seed(0)
    model = autoencoder.make(VAE).eval()
    torch.nn.init.normal_(model.quant_conv.bias)
    pixels, _ = autoencoder.load_pixels(pictures, 16)
    with torch.inference_mode():
        shown = autoencoder.as_input(pixels)
        before = model.decode(model.encode(shown).latent_dist.mean).sample
        autoencoder.even_out(model, pixels)
        after = model.decode(model.encode(shown).latent_dist.mean).sample
    assert torch.allclose(before, after, atol=1e-3)
    latents = autoencoder.encoded(model, pixels) * model.config.scaling_factor
    assert latents.mean(dim=(0, 2, 3)).abs().max() < 0.05
    assert latents.std() == pytest.approx(1.0, abs=0.05)


def test_pictures_set_aside_are_not_learned_from(pictures: Path) -> None:
    learned, aside = autoencoder.load_pixels(pictures, 20)
    assert (len(learned), len(aside)) == (15, 5)
    assert not {a.numpy().tobytes() for a in learned} & {a.numpy().tobytes() for a in aside}


# --- the whole way
# --------------------------------------------------------------------------------------------------


def weights(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*.safetensors"))
    }


def test_a_training_that_was_stopped_and_goes_on_ends_where_it_would_have_ended(
    pictures: Path, vae: Path, tmp_path: Path
) -> None:
    diffusion.train(TINY, pictures, vae, tmp_path / "whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diffusion, "CHECKPOINT_EVERY", 2)
        patch.setattr(loop, "keep", stopping_at(2))
        with pytest.raises(KeyboardInterrupt):
            diffusion.train(TINY, pictures, vae, tmp_path / "parts")
    diffusion.train(TINY, pictures, vae, tmp_path / "parts")
    assert weights(tmp_path / "parts" / "pipeline") == weights(tmp_path / "whole" / "pipeline")


def test_what_comes_out_is_a_stock_folder_that_draws(
    pictures: Path, vae: Path, tmp_path: Path
) -> None:
    diffusion.train(TINY, pictures, vae, tmp_path)
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
