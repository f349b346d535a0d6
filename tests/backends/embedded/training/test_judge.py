"""Training the embedded judge: a stopped run goes on, and the ordinary adapter loads the result."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from diffusers import AutoencoderKL

from hallascope.backends.embedded.conv_blip import CELL, ConvBlipForQuestionAnswering
from hallascope.backends.embedded.training import judge, loop
from hallascope.backends.embedded.training.dataset import judge_samples, samples
from hallascope.backends.embedded.training.judge_model import load_start
from hallascope.backends.transformers.vqa import VisualQuestionAnswering
from hallascope.data.models.specs import ModelSpec
from tests.support.stopped_training import stopping_at
from tests.support.tiny_trainings import JUDGE_CONFIG

VAE = judge.OUT.with_name("diffusion-tiny") / "vae"


@pytest.fixture(scope="module")
def trainer(judge_work: Path) -> judge.JudgeTrainer:
    model, tokenizer = load_start(judge_work / "out", 64, [])
    return judge.JudgeTrainer(JUDGE_CONFIG, model, tokenizer)


def test_training_writes_a_folder_that_the_ordinary_adapter_loads(judge_work: Path) -> None:
    spec = ModelSpec(
        id="t",
        title="t",
        roles=("judge",),
        backend="transformers",
        repository=str(judge_work / "out"),
    )
    assert VisualQuestionAnswering(spec).model.config.vision_config.image_size == 64


def test_going_on_from_a_checkpoint_ends_where_an_undisturbed_run_ends(
    judge_work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "SCHEDULE", replace(judge.SCHEDULE, checkpoint_every=4))
    with monkeypatch.context() as once:
        once.setattr(loop, "save_checkpoint", stopping_at(4))
        with pytest.raises(KeyboardInterrupt):
            judge.train(JUDGE_CONFIG, tmp_path, tmp_path / "out")
    judge.train(JUDGE_CONFIG, tmp_path, tmp_path / "out")
    one, two = (
        torch.load(folder / "checkpoint.pt", weights_only=True)["model"]
        for folder in (judge_work, tmp_path)
    )
    assert all(np.allclose(one[name], two[name], atol=1e-4) for name in one)


def test_pictures_grow_to_their_full_size(trainer: judge.JudgeTrainer) -> None:
    sizes = [trainer.size_at(step / 20) for step in range(21)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1] == JUDGE_CONFIG.size


@pytest.mark.parametrize("seed", range(12))
def test_a_varied_picture_keeps_its_labels_on_what_they_label(
    trainer: judge.JudgeTrainer, seed: int
) -> None:
    pixels = torch.zeros(1, 64, 64, 3, dtype=torch.uint8)
    pixels[:, 36:52, 12:28] = 255
    parts = torch.zeros(1, 16, 16, dtype=torch.int16)
    parts[:, 9:13, 3:7] = 5
    centers = torch.zeros(1, samples.CENTERS, 4, dtype=torch.long)
    centers[0, 0] = torch.tensor([43, 19, 5, 2])
    nothing = torch.zeros(1, 1, 1, dtype=torch.long)
    batch = judge.JudgeBatch(pixels, parts, centers, nothing, nothing)
    generator = torch.Generator().manual_seed(seed)
    shown, labels, moved = trainer.vary(batch, 64, generator)
    y, x, number, color = moved[0, 0].tolist()
    assert (number, color) == (5, 2)
    assert labels[0, y, x] == 5
    cells = torch.nn.functional.avg_pool2d(shown[0].mean(0)[None], CELL)[0]
    assert cells[y, x] > cells.median() + 0.5


def test_pictures_that_are_drawn_later_are_taken_up_while_there_is_room(
    judge_work: Path, tmp_path: Path
) -> None:
    _, tokenizer = load_start(judge_work / "out", 64, [])
    drawn = tmp_path / "pictures"
    judge_samples.write(drawn, 4, 64, workers=1, per_shard=2)
    second = drawn / "shard-0001.npz"
    second.rename(tmp_path / "later.npz")
    corpus = judge.JudgeCorpus(drawn, 100, "cpu")
    corpus.add_new_shards(tokenizer)
    before = len(corpus)
    (tmp_path / "later.npz").rename(second)
    full = judge.JudgeCorpus(drawn, before + 1, "cpu")
    for either in (corpus, full):
        either.add_new_shards(tokenizer)
        either.add_new_shards(tokenizer)
    assert len(corpus) == sum(len(s.pixels) for s in judge_samples.read_judge_shards(drawn))
    assert len(full) == before + 1 < len(corpus)
    last = judge_samples.read_judge_shard(second)
    batch = corpus.batch(torch.tensor([before]))
    assert batch.pixels[0].equal(torch.from_numpy(last.pixels[0]))
    asked = tokenizer.batch_decode(batch.questions[0, :1], skip_special_tokens=True)
    assert asked == [last.asked[0][0][0].lower()]


def test_a_redrawn_picture_keeps_its_place_and_its_colors() -> None:
    autoencoder = AutoencoderKL.from_pretrained(VAE)
    picture = torch.full((1, 3, 96, 96), 0.9)
    picture[:, :, 30:60, 40:70] = torch.tensor([0.8, 0.1, 0.1])[:, None, None]
    generator = torch.Generator().manual_seed(3)
    redrawn = judge.redraw(autoencoder, judge.bend(picture, generator), generator)
    assert redrawn.shape == picture.shape
    assert not redrawn.equal(picture)
    assert (redrawn - picture).abs().mean() < 0.05


def test_the_centers_are_likeliest_where_they_are_and_as_many_as_they_are() -> None:
    centers = torch.zeros(1, 6, 4, dtype=torch.long)
    centers[0, :3] = torch.tensor([[1, 1, 3, 1], [1, 1, 3, 1], [0, 2, 4, 2]])
    right = torch.full((1, 5, 3, 3), -9.0)
    right[0, 3, 1, 1] = np.log(2)
    right[0, 4, 0, 2] = 0.0
    elsewhere = right.roll(1, dims=3)
    too_few = right.clone()
    too_few[0, 3, 1, 1] = 0.0
    best = judge.center_loss(right, centers)
    assert best < judge.center_loss(too_few, centers)
    assert best < judge.center_loss(elsewhere, centers)


def test_the_folder_says_that_pairs_may_be_shown(judge_work: Path) -> None:
    assert json.loads((judge_work / "out" / "config.json").read_text())["pictures"] == 2


def test_going_on_from_older_weights_ends_as_a_folder_that_knows_the_new_words(
    judge_work: Path, tmp_path: Path
) -> None:
    shutil.copytree(judge_work / "pictures-64", tmp_path / "pictures-64")
    judge.train(
        replace(JUDGE_CONFIG, steps=2, rate=1e-5),
        tmp_path,
        tmp_path / "out",
        start=judge_work / "out",
    )
    spec = ModelSpec(
        id="t",
        title="t",
        roles=("judge",),
        backend="transformers",
        repository=str(tmp_path / "out"),
    )
    loaded = VisualQuestionAnswering(spec)
    started_from = ConvBlipForQuestionAnswering.from_pretrained(
        judge_work / "out", use_safetensors=True, dtype=torch.float32
    )
    for one, other in zip(loaded.model.parameters(), started_from.parameters(), strict=True):
        assert torch.allclose(one, other, atol=2e-3)
