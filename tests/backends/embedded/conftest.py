"""Pictures to train on, and the folders of tiny trainings, each trained once."""

import json
from pathlib import Path

import numpy as np
import pytest

from hallascope.backends.embedded.training import autoencoder, embedder, judge, segmenter
from hallascope.backends.embedded.training.dataset import corpus, labeled
from hallascope.backends.embedded.training.dataset.labeled import LabeledImage
from tests.support.tiny_trainings import (
    AUTOENCODER_CONFIG,
    EMBEDDER_CONFIG,
    JUDGE_CONFIG,
    PROMPTS,
    SEGMENTER_CONFIG,
    SIDE,
    Train,
    draw_labeled,
)


@pytest.fixture(scope="session")
def labeled_pictures() -> list[LabeledImage]:
    return [draw_labeled(prompt) for prompt in PROMPTS]


@pytest.fixture(scope="session")
def labeled_folders(
    tmp_path_factory: pytest.TempPathFactory, labeled_pictures: list[LabeledImage]
) -> tuple[Path, Path]:
    """Two folders of twelve pictures: the first as the corpus writes them, the second as pictures
    with errors are written.
    """
    folder = tmp_path_factory.mktemp("shards")
    pictures, wrong = folder / "pictures", folder / "wrong"
    pictures.mkdir()
    names = [
        json.dumps([(drawn.thing, drawn.part, drawn.number) for drawn in one.drawn])
        for one in labeled_pictures
    ]
    pixels, index = (
        np.stack([one.pixels for one in labeled_pictures]),
        np.stack([one.index for one in labeled_pictures]),
    )
    np.savez(
        pictures / "shard-0000.npz",
        pixels=pixels,
        index=index,
        captions=np.array(PROMPTS),
        names=np.array(names),
    )
    labeled.write_wrong(wrong, 12, workers=1, per_shard=12, size=SIDE)
    return pictures, wrong


@pytest.fixture(scope="session")
def train_segmenter() -> Train:
    return lambda work: segmenter.train(SEGMENTER_CONFIG, work, work / "out")


@pytest.fixture(scope="session")
def train_embedder(labeled_folders: tuple[Path, Path]) -> Train:
    return lambda work: embedder.train(
        EMBEDDER_CONFIG, labeled_folders[0], work, work / "out", SIDE
    )


@pytest.fixture(scope="session")
def segmenter_work(tmp_path_factory: pytest.TempPathFactory, train_segmenter: Train) -> Path:
    folder = tmp_path_factory.mktemp("pointed")
    train_segmenter(folder)
    return folder


@pytest.fixture(scope="session")
def embedder_work(tmp_path_factory: pytest.TempPathFactory, train_embedder: Train) -> Path:
    folder = tmp_path_factory.mktemp("matched")
    train_embedder(folder)
    return folder


@pytest.fixture(scope="session")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "pictures"
    corpus.write(folder, 24, workers=1, per_shard=12)
    return folder


@pytest.fixture(scope="session")
def autoencoder_folder(corpus_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = tmp_path_factory.mktemp("vae")
    autoencoder.train(AUTOENCODER_CONFIG, corpus_folder, work)
    return work / "vae"


@pytest.fixture(scope="session")
def judge_work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    judge.train(JUDGE_CONFIG, folder, folder / "out")
    return folder
