"""Trains the detector of images outside Primer's drawn style.

``python -m hallascope.backends.embedded.training.domain.train`` fetches Debian packages with
images, draws and generates images in the style, changes both as people change files, trains
`StyleNet` with checkpoints (the same command goes on where it was stopped) and writes the folder of
its weights. Images whose seeds begin with "measured" are never learned from.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import functional

from hallascope.backends import domain
from hallascope.backends.embedded.style_images import (
    drawings,
    file_changes,
    packages,
    synthetic,
)
from hallascope.backends.embedded.style_net import StyleNet, resize, to_pixels
from hallascope.backends.embedded.training import loop
from hallascope.backends.embedded.training.domain import other_images

WORK = Path("runs/domain")
LOOK_AGAIN = 500  # steps after which the images that are decided worst are found anew

Images = NDArray[np.uint8]
"""Holds images as the network reads them, (N, SIDE, SIDE, 3)."""


@dataclass(frozen=True, kw_only=True)
class DetectorConfig:
    """Holds all that decides the result.

    `drawings`, `altered` (drawings whose facts a person changed), `generated` (by each diffusion
    model) and `synthetic` are numbers of images. Of each drawing and generated image `versions` and
    `generated_versions` are made, of each image of a package `package_versions`, of a large one
    `large_versions`. `validated` images of each sort (drawings, altered, generated, synthetic) set
    the limit, with those of `packages.VALIDATED`.
    """

    drawings: int = 9_000
    versions: int = 3
    altered: int = 3_000
    generated: int = 768
    generated_versions: int = 5
    synthetic: int = 9_000
    collages: int = 400
    package_versions: int = 2
    large_versions: int = 8
    validated: int = 240
    steps: int = 12_000
    batch: int = 512
    rate: float = 3e-3
    average: float = 0.998
    seed: int = 0


class DetectorLosses(NamedTuple):
    """Holds the cross entropy of a batch and the share of it that is decided right."""

    entropy: Tensor
    right: Tensor


class TrainingImages(NamedTuple):
    """Holds images in the style and others."""

    inside: Images
    outside: Images


# --- the images


def draw_inside(config: DetectorConfig, work: Path) -> Iterator[Image.Image]:
    """Return drawings and generated images, each in a few versions."""
    for number in range(config.drawings):
        yield from draw_versions(number, config.versions)
    chance = random.Random("versions of altered drawings")
    for image in drawings.draw_altered(config.altered, "train"):
        yield _version(image, chance)
    for model in drawings.DIFFUSION:
        yield from generate_versions(model, config, work)


def draw_versions(number: int, versions: int) -> Iterator[Image.Image]:
    """Return a drawing as a few files."""
    _, image = drawings.draw_image(number, "train")
    chance = random.Random(f"versions of drawing {number}")
    for _ in range(versions):
        yield _version(image, chance)


def generate_versions(model: str, config: DetectorConfig, work: Path) -> Iterator[Image.Image]:
    """Return the images of a diffusion model, each as it is and as a few files."""
    chance = random.Random(f"versions of {model}")
    for image in _read_generated(model, config.generated, work):
        yield image
        for _ in range(config.generated_versions - 1):
            yield _version(image, chance)


def _version(image: Image.Image, chance: random.Random) -> Image.Image:
    """Return the image as a file; one in ten is a quarter of it or more."""
    if chance.random() < 0.1:
        image = file_changes.crop_part(image, chance, 0.5)
    return file_changes.change_file(image, chance, file_changes.TRAINED)


def _read_generated(model: str, count: int, work: Path) -> Iterator[Image.Image]:
    """Return the images of a diffusion model from their folder, where they are made once."""
    folder = work / model.partition("/")[2]
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"train-{i}.png" for i in range(count)]
    if not all(file.exists() for file in files):
        images = drawings.generate_images(model, count, "train")
        for file, image in zip(files, images, strict=True):
            image.save(file)
    for file in files:
        with Image.open(file) as image:
            yield image.convert("RGB")


def make_outside(config: DetectorConfig, work: Path) -> Iterator[Image.Image]:
    """Return images of packages, synthetic images and collages."""
    chance = random.Random("versions of other images")
    folder = work / "packages"
    packages.fetch_packages(folder)
    some: list[Image.Image] = []
    for image in packages.read_images(folder, "train"):
        large = packages.is_large(image)
        for _ in range(config.large_versions if large else config.package_versions):
            shown = other_images.show_image(image, chance)
            yield file_changes.change_file(shown, chance, file_changes.TRAINED)
        if chance.random() < 0.2:
            some.append(image)
    for i in range(config.synthetic):
        painted = synthetic.paint_image(i, "train", synthetic.TRAINED)
        yield file_changes.change_file(painted, chance, file_changes.TRAINED)
    for _ in range(config.collages):
        collage = other_images.make_collage(some, chance)
        yield file_changes.change_file(collage, chance, file_changes.TRAINED)


def _stack(images: Iterable[Image.Image], file: Path) -> Images:
    """Return images as the network reads them, from a file where they were stacked before."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        stacked = np.stack(list(map(resize, images)))
        np.save(file, stacked)
        print(f"{file}: {len(stacked):,} images", flush=True)
    loaded: Images = np.load(file, mmap_mode="r")
    return loaded


def read_images(config: DetectorConfig, work: Path) -> TrainingImages:
    """Make all images of a training, or read those that were made before."""
    return TrainingImages(
        _stack(draw_inside(config, work), work / "inside.npy"),
        _stack(make_outside(config, work), work / "outside.npy"),
    )


# --- the training


class Batches:
    """Gives the images of each step, half of them in the style, varied by chance.

    Half of each sort are drawn from the tenth that the network decided worst when it last looked.
    """

    def __init__(self, images: TrainingImages, config: DetectorConfig) -> None:
        self.config = config
        self.images = images
        self.rows = [torch.arange(len(some)) for some in images]
        self.hard = self.rows
        self.has_hard = False

    def find_hard(self, net: StyleNet) -> None:
        """Find the images that a network decides worst."""
        inside, outside = (torch.from_numpy(score_images(net, some)) for some in self.images)
        self.has_hard = True
        self.hard = [margins.argsort()[: len(margins) // 10] for margins in (inside, -outside)]

    def pixels(self, step: int) -> tuple[Tensor, Tensor]:
        """Return pixels (B, 3, SIDE, SIDE) in [0, 1] and whether each is in the style, (B,)."""
        half = self.config.batch // 2
        chosen = []
        for some, rows, hard in zip(self.images, self.rows, self.hard, strict=True):
            for part in (rows, hard):
                places = loop.batch_rows(len(part), half // 2, step, self.config.seed)
                chosen.append(some[part[places].numpy()])
        pixels = to_pixels(np.concatenate(chosen))
        random_numbers = loop.step_generator(self.config.seed, step)
        labels = torch.cat([torch.ones(half), torch.zeros(half)])
        return _vary(pixels, random_numbers), labels


def _vary(pixels: Tensor, random_numbers: torch.Generator) -> Tensor:
    """Mirror half of the images, and change the light and contrast of each a little."""
    count = len(pixels)
    mirrored = torch.rand(count, generator=random_numbers) < 0.5
    pixels = torch.where(mirrored[:, None, None, None], pixels.flip(3), pixels)
    contrast = 1 + 0.12 * (torch.rand(count, 1, 1, 1, generator=random_numbers) - 0.5)
    light = 0.08 * (torch.rand(count, 3, 1, 1, generator=random_numbers) - 0.5)
    return ((pixels - 0.5) * contrast + 0.5 + light).clamp(0, 1)


def train(config: DetectorConfig, images: TrainingImages, work: Path) -> StyleNet:
    """Train a network and return the average of its weights."""
    torch.manual_seed(config.seed)
    net = StyleNet().train()
    print(loop.describe_size(net), flush=True)
    optimizer = torch.optim.AdamW(net.parameters(), lr=config.rate, weight_decay=0.02)
    schedule = loop.TrainingSchedule(average=config.average, warmup=100, checkpoint_every=300)
    trainer = loop.Trainer(net, [optimizer], schedule, steps=config.steps, pictures=config.batch)
    averaged = trainer.average.model
    assert isinstance(averaged, StyleNet)
    batches = Batches(images, config)

    def losses_at(step: int) -> tuple[Tensor, DetectorLosses]:
        if step and (step % LOOK_AGAIN == 0 or not batches.has_hard):
            batches.find_hard(averaged)
        pixels, labels = batches.pixels(step)
        pixels = pixels.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            scores = net(pixels).float()
        entropy = functional.binary_cross_entropy_with_logits(scores, labels)
        right = ((scores > 0) == (labels > 0.5)).float().mean()
        return entropy, DetectorLosses(entropy, right)

    trainer.run(work / "checkpoint.pt", losses_at, lambda step: None)
    return averaged.eval()


def score_images(net: StyleNet, images: Images) -> NDArray[np.float32]:
    """Return the score of each image, (N,)."""
    scores = []
    with torch.inference_mode():
        for start in range(0, len(images), 256):
            scores.append(net(to_pixels(images[start : start + 256])).numpy())
    joined: NDArray[np.float32] = np.concatenate(scores)
    return joined


def make_validation(config: DetectorConfig, work: Path) -> TrainingImages:
    """Return images in the style and others that are not learned from, and set the limit."""
    chance = random.Random("validation")
    inside: list[Image.Image] = [
        *(image for _, image in drawings.draw_images(config.validated, "validation")),
        *drawings.draw_altered(config.validated, "validation"),
    ]
    for model in drawings.DIFFUSION:
        inside += drawings.generate_images(model, config.validated // 2, "validation")
    changed = [file_changes.change_file(one, chance, file_changes.FileChanges()) for one in inside]
    outside = [
        other_images.show_image(image, chance, backdrops=False)
        for image in packages.read_images(work / "packages", "validation", packages.VALIDATED)
        for _ in range(config.package_versions)
    ]
    for number in range(config.validated):
        outside.append(synthetic.paint_image(number, "validation", synthetic.TRAINED))
    return TrainingImages(
        np.stack(list(map(resize, inside + changed))), np.stack(list(map(resize, outside)))
    )


def choose_limit(inside: NDArray[np.float32], outside: NDArray[np.float32]) -> float:
    """Return the limit with the smallest sum of both shares of errors.

    `inside` and `outside` are scores of validation images. Of equals it is the highest: a score
    that means nothing is worse than a refusal.
    """
    limits = np.arange(3.0, -3.01, -0.5)
    errors = [np.mean(inside < limit) + np.mean(outside >= limit) for limit in limits]
    return float(limits[int(np.argmin(errors))])


def write(net: StyleNet, limit: float, folder: Path) -> None:
    """Write the weights in 16 bits, and the score from which on an image is in the style."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {
        name: weights.half() if weights.is_floating_point() else weights
        for name, weights in net.state_dict().items()
    }
    save_file(tensors | {domain.LIMIT: torch.tensor(limit)}, folder / domain.WEIGHTS)
    (folder / domain.WEIGHTS).chmod(0o644)
    loop.write_hashes(folder)


def main() -> None:
    config, folders = loop.read_arguments(
        __doc__,
        DetectorConfig(),
        {
            "out": (domain.FOLDER, "where the weights are written"),
            "work": (WORK, "where images and checkpoints are kept"),
        },
    )
    images = read_images(config, folders["work"])
    net = train(config, images, folders["work"])
    validation = make_validation(config, folders["work"])
    inside, outside = (score_images(net, some) for some in validation)
    limit = choose_limit(inside, outside)
    write(net, limit, folders["out"])
    print(
        f"An image is in the style from {limit:.2f} on. Of {len(inside):,} validation images in it"
        f" {np.mean(inside < limit):.2%} are refused, of {len(outside):,} others"
        f" {np.mean(outside >= limit):.2%} are not.",
        flush=True,
    )


if __name__ == "__main__":
    main()
