"""Configurations of tiny trainings, and pictures to draw for them."""

from collections.abc import Callable
from pathlib import Path

from hallascope.backends.embedded.training import autoencoder, embedder, segmenter
from hallascope.backends.embedded.training.dataset import labeled
from hallascope.backends.embedded.training.dataset.labeled import LabeledImage
from hallascope.backends.embedded.training.judge import JudgeConfig
from hallascope.backends.embedded.training.vqa_model import VqaConfig
from hallascope.primer import scenes

SIDE = 64  # px
SEGMENTER_CONFIG = segmenter.SegmenterConfig(
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
EMBEDDER_CONFIG = embedder.EmbedderConfig(
    width=64, layers=2, text_layers=1, steps=4, batch=4, projection=32, samples=12
)
PROMPTS = (
    "a ladybug",
    "a flag of France",
    "a molecule of methane",
    "three red circles",
    "two tulips",
    "a blue square above a red square",
    "a blue star to the left of two green hearts",
    "a spider and a zebra",
    "a total solar eclipse",
    "four planets like Saturn",
    "a clover leaf",
    "Stonehenge",
)


def draw_labeled(prompt: str, seed: int = 0, size: int = SIDE) -> LabeledImage:
    scene = scenes.parse(prompt)
    return labeled.label(scene, scene.truths(), f"test {seed}", size)


Train = Callable[[Path], None]
AUTOENCODER_CONFIG = autoencoder.AutoencoderConfig(
    size=128, channels="8,8,8,8", latents=4, samples=24, steps=4, batch=8
)
JUDGE_CONFIG = JudgeConfig(size=64, width=32, text_layers=1, samples=24, steps=9, batch=8)
PAIR_CONFIG = VqaConfig(
    size=32, patch=8, width=32, vision_layers=1, text_layers=1, samples=24, epochs=3.0, batch=8
)
