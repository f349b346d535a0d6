"""The segmenter begins with the vision tower of the judge."""

from pathlib import Path
from typing import Any

import numpy as np
import torch

from hallascope.backends.embedded.training import segmenter, tower_transfer, vision
from hallascope.backends.embedded.training import tokenizer as words
from hallascope.backends.embedded.training.dataset.labeled import LabeledImage
from tests.support.tiny_trainings import SEGMENTER_CONFIG


def test_the_segmenter_begins_with_what_the_judge_sees(
    judge_folder: Path, labeled_pictures: list[LabeledImage]
) -> None:
    tower: Any
    tower, processor = tower_transfer.load_tower(judge_folder)
    model = segmenter.make_model(
        SEGMENTER_CONFIG, words.make_tokenizer(["a ladybug"]), tower_transfer.clip_config(tower)
    ).clip.vision_model.eval()
    pixels = torch.from_numpy(np.stack([one.pixels for one in labeled_pictures]))
    tower_transfer.copy_tower(model, tower, processor, vision.as_input(pixels))
    judges = processor(images=list(pixels.numpy()), return_tensors="pt")["pixel_values"]
    with torch.inference_mode():
        mine, theirs = model.embeddings(vision.as_input(pixels)), tower.embeddings(judges)
        assert torch.allclose(mine, theirs, atol=1e-4)
        assert torch.allclose(
            model.encoder(mine).last_hidden_state,
            tower.encoder(theirs).last_hidden_state,
            atol=1e-3,
        )
        assert float((model.pre_layrnorm(mine) - mine).std() / mine.std()) < 0.7
