"""Measures the embedded segmenter and embedder on unseen drawings whose truth is known.

``python -m hallascope.backends.embedded.measure segmenter`` (or ``embedder``) prints what was
counted; ``--json`` prints one document. Any CLIPSeg or CLIP folder or Hub id can be measured the
same way; what is drawn does not depend on the model.
"""

from __future__ import annotations

import argparse
import io
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hallascope.backends.embedded.training.dataset import captions, labeled, phrases
from hallascope.backends.embedded.training.dataset.labeled import LabeledImage
from hallascope.backends.embedded.training.dataset.phrases import PictureContents, Referent
from hallascope.backends.quiet import quiet
from hallascope.data import masks
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import Drawing
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import Concept

if TYPE_CHECKING:
    import torch

FOLDERS = {
    "segmenter": Path(__file__).parent / "segmenter",
    "embedder": Path(__file__).parent / "embedder",
}
# The seeds of all drawings here begin with this; those of the trainings begin with "corpus" and
# "wrong".
SEED = "held out"
DRAWN_AT = 512  # px, as the draughtsmen draw; reduced to what the model reads
VIOLATED = (0.0, 0.0, 0.25, 0.5)  # shares of violated facts
PICTURES = 300
DRAWINGS = 4
# As in the entry of the segmenter; MIN_AREA is 98 px of 128 x 128.
THRESHOLD = 0.5
MIN_AREA = 0.006
JOIN = 0.03
ABSENT = 3  # phrases for what is not there, for a picture
FALSE = 3  # false captions for a picture
BATCH = 64  # pictures that go through an embedder at once


@dataclass(frozen=True)
class CaseMean:
    """Holds a mean over `n` cases in [0, 1]; `value` is None where nothing was counted."""

    value: float | None
    n: int

    @classmethod
    def from_values(cls, values: Sequence[float | bool]) -> CaseMean:
        return cls(float(np.mean(values)) if values else None, len(values))

    def __str__(self) -> str:
        return "nothing counted" if self.value is None else f"{self.value:.3f} of {self.n:,}"


@dataclass
class CaseCounts:
    """Holds cases by the name of what they are counted for, in the order of the names given."""

    cases: dict[str, list[float | bool]] = field(default_factory=dict)

    def add(self, name: str, *values: float | bool) -> None:
        self.cases.setdefault(name, []).extend(values)

    def means(self) -> dict[str, CaseMean]:
        return {name: CaseMean.from_values(values) for name, values in self.cases.items()}


# --- what is drawn ---


def sample_pictures(count: int, size: int) -> Iterator[LabeledImage]:
    """Draw pictures of the whole grammar, half of them factual, the others with violated facts."""
    for i in range(count):
        chance = random.Random(f"{SEED} {i}")
        scene = scenes.parse(scenes.sample_prompt(chance))
        values = scenes.violate(scene, VIOLATED[i % len(VIOLATED)], chance)
        yield labeled.label(scene, values, f"{SEED} {i}", size, DRAWN_AT)


def crowds(things: Sequence[Concept], size: int) -> Iterator[tuple[Referent, int, LabeledImage]]:
    """Draw for every thing one picture of each number from one to six.

    Plain shapes have a color of their own.
    """
    for concept in things:
        for count in range(1, labeled.CROWD + 1):
            seed = f"{SEED} {concept.name} {count}"
            color = random.Random(seed).choice(COLORS) if concept in SHAPES else ""
            scene, values = labeled.crowd(f"{color} {concept.plural}".strip(), count)
            picture = labeled.label(scene, values, seed, size, DRAWN_AT)
            yield Referent(concept.name, color=color), count, picture


def portraits(drawings: int) -> Iterator[tuple[Concept, Drawing]]:
    """Draw every concept alone and as it should be, so many times.

    All concepts come once, then all again.
    """
    for i in range(drawings):
        for concept in concepts():
            scene = scenes.parse(concept.phrase)
            yield concept, scene.draw(scene.truths(), f"{SEED} portrait {concept.name} {i}")


# --- segmenter ---

HeatMapper = Callable[[NDArray[np.uint8], Sequence[str]], NDArray[np.float32]]
"""Gives probabilities (phrases, size, size) for pixels (size, size, 3) and phrases."""


def measure_segmenter(
    heat_maps: HeatMapper,
    size: int,
    pictures: int = PICTURES,
    things: int | None = None,
    min_area: float = MIN_AREA,
) -> dict[str, CaseMean]:
    """Measure a segmenter by its heat maps.

    Overlap: mean intersection over union with what is drawn. Pointed at: the share of phrases for
    something absent with a piece of at least `min_area` of the picture. Counted: the share of
    pictures of one to six things with as many pieces, once for all things (the first `things` of
    them) and once for those whose drawing itself is one piece each.
    """
    tally = CaseCounts()
    drawn = list(sample_pictures(pictures, size))
    parts = phrases.parts_of_things(picture.drawn for picture in drawn)
    for i, picture in enumerate(drawn):
        chance = random.Random(f"{SEED} phrases {i}")
        _point_at_things(picture, heat_maps, parts, min_area, chance, tally=tally)
    for noun, count, picture in crowds([*SHAPES, *concepts()][:things], size):
        _count_things(picture, noun, count, heat_maps, min_area, tally=tally)
    return tally.means()


def _point_at_things(
    picture: LabeledImage,
    heat_maps: HeatMapper,
    parts: phrases.World,
    min_area: float,
    chance: random.Random,
    *,
    tally: CaseCounts,
) -> None:
    """Point at all things and up to three parts of the picture, and at some that are absent."""
    contents = PictureContents(picture)
    things, colored, single_parts, owned_parts, _ = contents.nouns
    all_parts = [*single_parts, *owned_parts]
    some_parts = chance.sample(all_parts, min(3, len(all_parts)))
    absent = [phrases.sample_absent(contents, parts, chance) for _ in range(ABSENT)]
    present = [*things, *colored, *some_parts]
    texts = [phrases.phrase_text(noun, 1, chance) for noun in present]
    heats = heat_maps(picture.pixels, [*texts, *(phrase.text for phrase in absent)])
    for noun, heat in zip(present, heats, strict=False):
        kind = "overlap of things" if noun.thing and not noun.part else "overlap of parts"
        pointed = heat >= THRESHOLD
        truth = contents.instances(noun) > 0
        tally.add(kind, float((pointed & truth).sum() / (pointed | truth).sum()))
    for phrase, heat in zip(absent, heats[len(present) :], strict=True):
        pointed_at = bool(masks.pieces(heat, THRESHOLD, min_area, JOIN))
        tally.add("absent pointed at", pointed_at)
        tally.add(f"absent {_kind_of_noun(phrase.noun)} pointed at", pointed_at)


def _kind_of_noun(noun: Referent) -> str:
    if noun.color:
        return "colors of shapes"
    if noun.part:
        return "parts of things" if noun.thing else "parts"
    return "things"


def _count_things(
    picture: LabeledImage,
    noun: Referent,
    count: int,
    heat_maps: HeatMapper,
    min_area: float,
    *,
    tally: CaseCounts,
) -> None:
    (heat,) = heat_maps(picture.pixels, [f"{noun.color} {noun.thing}".strip()])
    right = len(masks.pieces(heat, THRESHOLD, min_area, JOIN)) == count
    tally.add("counted, all things", right)
    truth = (PictureContents(picture).instances(noun) > 0).astype(np.float32)
    if len(masks.pieces(truth, THRESHOLD, min_area)) == count:
        tally.add("counted, things of one piece", right)
        tally.add(f"counted, {count} of one piece", right)


def load_segmenter(source: str) -> tuple[HeatMapper, int]:
    """Load a stock CLIPSeg and return its heat maps, and the side of its pictures in px."""
    import torch
    from transformers import AutoProcessor, CLIPSegForImageSegmentation

    with quiet("transformers"):
        processor = AutoProcessor.from_pretrained(source)
        model = CLIPSegForImageSegmentation.from_pretrained(
            source, use_safetensors=True, dtype=torch.float32
        ).eval()

    def heat_maps(pixels: NDArray[np.uint8], texts: Sequence[str]) -> NDArray[np.float32]:
        images = [Image.fromarray(pixels)] * len(texts)
        inputs = processor(text=list(texts), images=images, padding=True, return_tensors="pt")
        with torch.inference_mode():
            logits = model(**inputs).logits.reshape(len(texts), *pixels.shape[:2])
        probabilities: NDArray[np.float32] = logits.sigmoid().numpy()
        return probabilities

    return heat_maps, int(model.config.vision_config.image_size)


# --- embedder ---

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Towers:
    """Embeds pictures and texts as vectors of unit length, (N, D)."""

    pictures: Callable[[Sequence[Image.Image]], Vectors]
    texts: Callable[[Sequence[str]], Vectors]


def measure_embedder(
    towers: Towers, drawings: int = DRAWINGS, pictures: int = PICTURES
) -> dict[str, CaseMean]:
    """Measure retrieval over the concepts, captions among false ones, and near-duplicates.

    Retrieval is top-1 in both directions. A near-duplicate is the same drawing, smaller and as a
    JPEG; it is recognized where it is nearer to its original than all other drawings of the concept
    are.
    """
    tally = CaseCounts()
    drawn = list(portraits(drawings))
    names = list(dict.fromkeys(concept.name for concept, _ in drawn))
    images = [drawing.image(DRAWN_AT) for _, drawing in drawn]
    vectors = towers.pictures(images)
    texts = towers.texts([concept.phrase for concept, _ in drawn[: len(names)]])
    cosines = vectors @ texts.T  # (drawings * concepts, concepts)
    right = np.arange(len(drawn)) % len(names)
    tally.add("concept of an image comes first", *(cosines.argmax(1) == right).tolist())
    for of_drawing in cosines.reshape(drawings, len(names), len(names)):
        first = of_drawing.argmax(0) == np.arange(len(names))
        tally.add("image of a concept comes first", *first.tolist())
    if drawings > 1:
        copies = towers.pictures([_near_duplicate(image) for image in images])
        _compare_near_duplicates(vectors, copies, right, tally)
    _compare_false_captions(towers, pictures, tally)
    return tally.means()


def _near_duplicate(image: Image.Image) -> Image.Image:
    stream = io.BytesIO()
    image.resize((300, 300), Image.Resampling.BICUBIC).save(stream, "JPEG", quality=75)
    return Image.open(stream).convert("RGB")


def _compare_near_duplicates(
    vectors: Vectors, copies: Vectors, kinds: NDArray[np.int_], tally: CaseCounts
) -> None:
    own = (vectors * copies).sum(1)
    alike = (kinds[:, None] == kinds) & ~np.eye(len(kinds), dtype=bool)
    nearest = np.where(alike, vectors @ vectors.T, -1.0).max(1)
    tally.add("near-duplicate nearer than its like", *(own > nearest).tolist())
    tally.add("cosine of near-duplicates", *own.tolist())
    tally.add("cosine of the nearest like", *nearest.tolist())


def _compare_false_captions(towers: Towers, count: int, tally: CaseCounts) -> None:
    """Compare the captions of factual pictures with captions that are false by one word."""
    for i in range(count):
        chance = random.Random(f"{SEED} caption {i}")
        scene = scenes.parse(scenes.sample_prompt(chance))
        image = scene.draw(scene.truths(), f"{SEED} caption {i}").image(DRAWN_AT)
        texts = [captions.scene_prompt(scene), *captions.false_captions(scene, FALSE, chance)]
        cosines = towers.texts(texts) @ towers.pictures([image])[0]
        tally.add("caption comes before false ones", bool(cosines.argmax() == 0))


def load_embedder(source: str) -> Towers:
    """Load a stock CLIP and return its towers."""
    import torch
    from transformers import AutoProcessor, CLIPModel

    with quiet("transformers"):
        processor = AutoProcessor.from_pretrained(source)
        model = CLIPModel.from_pretrained(source, use_safetensors=True, dtype=torch.float32).eval()

    def embed_pictures(images: Sequence[Image.Image]) -> Vectors:
        vectors = []
        with torch.inference_mode():
            for start in range(0, len(images), BATCH):
                batch = list(images[start : start + BATCH])
                inputs = processor(images=batch, return_tensors="pt")
                vectors.append(model.get_image_features(**inputs).pooler_output)
        return _unit(torch.cat(vectors))

    def embed_texts(texts: Sequence[str]) -> Vectors:
        inputs = processor(text=list(texts), padding=True, return_tensors="pt")
        with torch.inference_mode():
            return _unit(model.get_text_features(**inputs).pooler_output)

    return Towers(embed_pictures, embed_texts)


def _unit(vectors: torch.Tensor) -> Vectors:
    unit: Vectors = (vectors / vectors.norm(dim=-1, keepdim=True)).numpy()
    return unit


# --- command ---


def document(model: str, source: str, means: Mapping[str, CaseMean]) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    return {
        "model": model,
        "source": source,
        "means": {name: {"value": mean.value, "n": mean.n} for name, mean in means.items()},
    }


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", choices=sorted(FOLDERS))
    parser.add_argument("--folder", help="another folder or Hub id of the same architecture")
    parser.add_argument(
        "--pictures", type=int, default=PICTURES, help="drawings of the whole grammar"
    )
    parser.add_argument(
        "--drawings", type=int, default=DRAWINGS, help="embedder: drawings of each concept alone"
    )
    parser.add_argument(
        "--things", type=int, help="segmenter: count only so many kinds of things, instead of all"
    )
    parser.add_argument(
        "--min-area",
        type=float,
        default=MIN_AREA,
        help="segmenter: pieces under this share of the image are specks",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    parser = make_parser()
    options = parser.parse_args(arguments)
    folder = FOLDERS[options.model]
    source = options.folder or str(folder)
    if not options.folder and not (folder / "model.safetensors").exists():
        parser.exit(
            2,
            f"There are no weights in {source!r}: train them, python -m"
            f" hallascope.backends.embedded.training.{options.model}.\n",
        )
    if options.model == "segmenter":
        heat_maps, size = load_segmenter(source)
        means = measure_segmenter(
            heat_maps, size, options.pictures, options.things, options.min_area
        )
    else:
        means = measure_embedder(load_embedder(source), options.drawings, options.pictures)
    if options.json:
        print(json.dumps(document(options.model, source, means), indent=2))
        return
    for name, mean in means.items():
        print(f"{name:<40} {mean}")


if __name__ == "__main__":
    main()
