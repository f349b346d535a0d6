"""Notes which pictures the embedded judge knows.

Run it by ``python -m hallascope.backends.embedded.training.domain.features``. It takes the
features of Primer drawings, right and wrong, and of the labeled pictures of the diffusion models,
each also as a file that was resized and saved as JPEG. What lies much farther from them than any of
these is of another kind, e.g. a photograph.
"""

import argparse
import io
import random
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import torch
from PIL import Image

from hallascope.backends import feature_domain
from hallascope.backends.embedded.training import loop
from hallascope.backends.transformers.vqa import VisualQuestionAnswering
from hallascope.backends.weights import locate
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from hallascope.primer import scenes

JUDGE = "primer/judge"
LABELED = Path(__file__).parents[4] / "data" / "labelled" / "primer-diffusion" / "pictures"
PROMPTS = 240
VIOLATED = (0.0, 0.25, 0.5, 0.85)
# Of the farthest of these pictures: others are farther, parts of drawings among them, and none may
# be refused.
MARGIN = 2.73


def drawings(prompts: int, seed: str = "domain") -> Iterator[Image.Image]:
    """Draw every benchmark prompt right, and with each of three shares of its facts violated."""
    for prompt in scenes.benchmark(prompts):
        scene = scenes.parse(prompt)
        for violated in VIOLATED:
            name = f"{seed} {prompt} {violated}"
            yield scene.draw(scenes.violate(scene, violated, random.Random(name)), name).image(512)


def labeled_pictures() -> Iterator[Image.Image]:
    """Return the labeled pictures of the diffusion models."""
    for path in sorted(LABELED.glob("*.webp")):
        with Image.open(path) as image:
            yield image.convert("RGB")


def recompress(image: Image.Image, chance: random.Random) -> Image.Image:
    """Return the picture as somebody may have saved it: smaller or larger, and as a JPEG."""
    side = chance.randrange(64, 400)
    resampling = chance.choice(
        (Image.Resampling.NEAREST, Image.Resampling.BILINEAR, Image.Resampling.LANCZOS)
    )
    quality = chance.randrange(20, 96)
    stream = io.BytesIO()
    image.convert("RGB").resize((side, side), resampling).save(stream, "JPEG", quality=quality)
    return Image.open(stream)


def pictures(folder: Path, prompts: int) -> Iterator[Picture]:
    """Write every drawing and labeled picture into a folder, as it is and recompressed."""
    chance = random.Random("domain")
    for number, image in enumerate(chain(drawings(prompts), labeled_pictures())):
        for kind, version in (("whole", image), ("sent", recompress(image, chance))):
            path = folder / f"{number}-{kind}.png"
            version.save(path)
            yield Picture(path.stem, path)


def features(model: VisualQuestionAnswering, shown: Sequence[Picture]) -> torch.Tensor:
    """Return the features of each picture, (pictures, width)."""
    return torch.stack([model.features(picture).cpu() for picture in shown])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prompts", type=int, default=PROMPTS, help="of Primer's benchmark")
    options = parser.parse_args()
    spec = read_models()[JUDGE]
    with tempfile.TemporaryDirectory() as folder:
        shown = list(pictures(Path(folder), options.prompts))
        print(f"{len(shown)} images", flush=True)
        fitted = feature_domain.fit(features(VisualQuestionAnswering(spec), shown), MARGIN)
    weights = Path(locate(spec.repository or spec.id))
    feature_domain.write(fitted, weights)
    loop.write_hashes(weights)
    print(f"{spec.id}: inside up to {fitted.limit:.3f}", flush=True)


if __name__ == "__main__":
    main()
