"""Notes which pictures the embedded judge knows.

Run it by ``python -m hallascope.backends.embedded.training.domain``.

The features of Primer drawings, right and wrong, and of the labelled pictures of the diffusion
models, each also as a file that was made smaller or saved as JPEG. What lies much farther from them
than any of these is of another kind, e.g. a photograph.
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

from hallascope.backends import domain, registry
from hallascope.backends.embedded.training import loop
from hallascope.backends.weights import locate
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from hallascope.primer import scenes

JUDGE = "primer/judge"
LABELLED = Path(__file__).parents[3] / "data" / "labelled" / "primer-diffusion" / "pictures"
PROMPTS = 240
VIOLATED = (0.0, 0.25, 0.5, 0.85)
# of the farthest picture that was seen: others are farther, parts of drawings among them, and none
# may be refused
MARGIN = 1.82


def drawings(prompts: int, seed: str = "domain") -> Iterator[Image.Image]:
    """Draw every benchmark prompt right, and with each of three shares of its facts violated."""
    for prompt in scenes.benchmark(prompts):
        scene = scenes.parse(prompt)
        for violated in VIOLATED:
            name = f"{seed} {prompt} {violated}"
            yield scene.draw(scenes.violate(scene, violated, random.Random(name)), name).image(512)


def labelled() -> Iterator[Image.Image]:
    for path in sorted(LABELLED.glob("*.webp")):
        with Image.open(path) as image:
            yield image.convert("RGB")


def sent(image: Image.Image, chance: random.Random) -> Image.Image:
    """The picture as somebody may have kept it: smaller or larger, and saved as JPEG."""
    side = chance.randrange(64, 400)
    how = chance.choice(
        (Image.Resampling.NEAREST, Image.Resampling.BILINEAR, Image.Resampling.LANCZOS)
    )
    image.convert("RGB").resize((side, side), how).save(
        stream := io.BytesIO(), "JPEG", quality=chance.randrange(20, 96)
    )
    return Image.open(stream)


def pictures(folder: Path, prompts: int) -> Iterator[Picture]:
    chance = random.Random("domain")
    for number, image in enumerate(chain(drawings(prompts), labelled())):
        for kind, shown in (("whole", image), ("sent", sent(image, chance))):
            path = folder / f"{number}-{kind}.png"
            shown.save(path)
            yield Picture(path.stem, path)


def features(model: object, seen: Sequence[Picture]) -> torch.Tensor:
    """Of each picture, (pictures, width)."""
    with torch.inference_mode():
        vectors = [
            model.features(picture).cpu()  # type: ignore[attr-defined]
            for picture in seen
        ]
        return torch.stack(vectors)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prompts", type=int, default=PROMPTS, help="of Primer's benchmark")
    chosen = parser.parse_args()
    spec = read_models()[JUDGE]
    with tempfile.TemporaryDirectory() as folder:
        seen = list(pictures(Path(folder), chosen.prompts))
        print(f"{len(seen)} pictures", flush=True)
        found = domain.fit(features(registry.load(spec), seen), MARGIN)
    where = Path(locate(spec.repository or spec.id))
    domain.write(found, where)
    loop.write_hashes(where)
    print(f"{spec.id}: inside up to {found.limit:.3f}", flush=True)


if __name__ == "__main__":
    main()
