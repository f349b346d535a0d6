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

from hallascope.backends.embedded.training.dataset import captions, labelled, phrases
from hallascope.backends.embedded.training.dataset.labelled import LabeledImage
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
# what the seeds of all drawings here begin with; those of the trainings begin with "corpus" and
# "wrong"
SEED = "held out"
DRAWN_AT = 512  # px, as the draughtsmen draw; reduced to what the model reads
VIOLATED = (0.0, 0.0, 0.25, 0.5)  # shares of violated facts
PICTURES = 300
DRAWINGS = 4
THRESHOLD, MIN_AREA, JOIN = 0.5, 0.006, 0.03  # as in the entry of the segmenter; 98 px of 128 x 128
ABSENT = 3  # phrases for what is not there, for a picture
FALSE = 3  # false captions for a picture


@dataclass(frozen=True)
class CaseMean:
    """A mean over `n` cases in [0, 1]; `value` is None where nothing was counted."""

    value: float | None
    n: int

    @classmethod
    def from_values(cls, values: Sequence[float | bool]) -> CaseMean:
        return cls(float(np.mean(values)) if values else None, len(values))

    def __str__(self) -> str:
        return "nothing counted" if self.value is None else f"{self.value:.3f} of {self.n:,}"


@dataclass
class CaseCounts:
    """Cases by the name of what they are counted for, in the order of the names given."""

    cases: dict[str, list[float | bool]] = field(default_factory=dict)

    def add(self, name: str, *values: float | bool) -> None:
        self.cases.setdefault(name, []).extend(values)

    def means(self) -> dict[str, CaseMean]:
        return {name: CaseMean.from_values(values) for name, values in self.cases.items()}


# --- what is drawn
# --------------------------------------------------------------------------------------------------


def sample_pictures(count: int, size: int) -> Iterator[LabeledImage]:
    """Pictures of the whole grammar, half of them factual, the others with violated facts."""
    for i in range(count):
        chance = random.Random(f"{SEED} {i}")
        scene = scenes.parse(scenes.sample_prompt(chance))
        values = scenes.violate(scene, VIOLATED[i % len(VIOLATED)], chance)
        yield labelled.label(scene, values, f"{SEED} {i}", size, DRAWN_AT)


def crowds(things: Sequence[Concept], size: int) -> Iterator[tuple[Referent, int, LabeledImage]]:
    """For every thing one picture of each number from one to six.

    Plain shapes in a color of their own.
    """
    for concept in things:
        for count in range(1, labelled.CROWD + 1):
            colour = (
                random.Random(f"{SEED} {concept.name} {count}").choice(COLORS)
                if concept in SHAPES
                else ""
            )
            scene, values = labelled.crowd(f"{colour} {concept.plural}".strip(), count)
            picture = labelled.label(
                scene, values, f"{SEED} {concept.name} {count}", size, DRAWN_AT
            )
            yield Referent(concept.name, colour=colour), count, picture


def portraits(drawings: int) -> Iterator[tuple[Concept, Drawing]]:
    """Every concept alone and as it should be, so many times; all concepts once, then all again."""
    for i in range(drawings):
        for concept in concepts():
            scene = scenes.parse(concept.phrase)
            yield concept, scene.draw(scene.truths(), f"{SEED} portrait {concept.name} {i}")


# --- segmenter
# --------------------------------------------------------------------------------------------------

Heats = Callable[[NDArray[np.uint8], Sequence[str]], NDArray[np.float32]]


def measure_segmenter(
    heats: Heats,
    size: int,
    pictures: int = PICTURES,
    things: int | None = None,
    min_area: float = MIN_AREA,
) -> dict[str, CaseMean]:
    """Measure a segmenter whose `heats(pixels, phrases)` are (phrases, size, size).

    They are probabilities for pixels (size, size, 3).

    Overlap: mean intersection over union with what is drawn. Pointed at: the share of phrases for
    something absent with a piece of at least `min_area` of the picture. Counted: the share of
    pictures of one to six things with as many pieces, once for all things (the first `things` of
    them) and once for those whose drawing itself is one piece each.
    """
    tally = CaseCounts()
    shown = list(sample_pictures(pictures, size))
    parts = phrases.world(picture.drawn for picture in shown)
    for i, picture in enumerate(shown):
        _look(
            picture=picture,
            heats=heats,
            parts=parts,
            min_area=min_area,
            chance=random.Random(f"{SEED} phrases {i}"),
            tally=tally,
        )
    for noun, count, picture in crowds([*SHAPES, *concepts()][:things], size):
        _count(picture=picture, noun=noun, count=count, heats=heats, min_area=min_area, tally=tally)
    return tally.means()


def _look(
    picture: LabeledImage,
    heats: Heats,
    parts: phrases.World,
    min_area: float,
    chance: random.Random,
    *,
    tally: CaseCounts,
) -> None:
    """All things and up to three parts of the picture, and some that are absent."""
    view = PictureContents(picture)
    things, coloured, single, owned, _ = view.nouns
    inner = chance.sample([*single, *owned], min(3, len(single) + len(owned)))
    absent = [phrases.absent(view, parts, chance) for _ in range(ABSENT)]
    there = [*things, *coloured, *inner]
    texts = [phrases.phrase_text(noun, 1, chance) for noun in there] + [
        asked.text for asked in absent
    ]
    found = heats(picture.pixels, texts)
    for noun, heat in zip(there, found, strict=False):
        tally.add(
            "overlap of things" if noun.thing and not noun.part else "overlap of parts",
            _overlap(heat, view.instances(noun) > 0),
        )
    for asked, heat in zip(absent, found[len(there) :], strict=True):
        pointed = bool(masks.pieces(heat, THRESHOLD, min_area, JOIN))
        tally.add("absent pointed at", pointed)
        tally.add(f"absent {_kind(asked.noun)} pointed at", pointed)


def _overlap(heat: NDArray[np.float32], truth: NDArray[np.bool_]) -> float:
    found = heat >= THRESHOLD
    return float((found & truth).sum() / (found | truth).sum())


def _kind(noun: Referent) -> str:
    if noun.colour:
        return "colors of shapes"
    if noun.part:
        return "parts of things" if noun.thing else "parts"
    return "things"


def _count(
    picture: LabeledImage,
    noun: Referent,
    count: int,
    heats: Heats,
    min_area: float,
    *,
    tally: CaseCounts,
) -> None:
    truth = (PictureContents(picture).instances(noun) > 0).astype(np.float32)
    text = f"{noun.colour} {noun.thing}".strip()
    right = len(masks.pieces(heats(picture.pixels, [text])[0], THRESHOLD, min_area, JOIN)) == count
    tally.add("counted, all things", right)
    if len(masks.pieces(truth, THRESHOLD, min_area)) == count:
        tally.add("counted, things of one piece", right)
        tally.add(f"counted, {count} of one piece", right)


def load_segmenter(source: str) -> tuple[Heats, int]:
    """The probabilities that a stock CLIPSeg gives, and the side of its pictures in px."""
    import torch
    from transformers import AutoProcessor, CLIPSegForImageSegmentation

    with quiet("transformers"):
        processor = AutoProcessor.from_pretrained(source)
        model = CLIPSegForImageSegmentation.from_pretrained(
            source, use_safetensors=True, dtype=torch.float32
        ).eval()

    def heats(pixels: NDArray[np.uint8], texts: Sequence[str]) -> NDArray[np.float32]:
        images = [Image.fromarray(pixels)] * len(texts)
        inputs = processor(text=list(texts), images=images, padding=True, return_tensors="pt")
        with torch.inference_mode():
            logits = model(**inputs).logits.reshape(len(texts), *pixels.shape[:2])
        shares: NDArray[np.float32] = logits.sigmoid().numpy()
        return shares

    return heats, int(model.config.vision_config.image_size)


# --- embedder
# --------------------------------------------------------------------------------------------------

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Towers:
    """Pictures and texts as vectors of unit length, (N, D)."""

    pictures: Callable[[Sequence[Image.Image]], Vectors]
    texts: Callable[[Sequence[str]], Vectors]


def measure_embedder(
    towers: Towers, drawings: int = DRAWINGS, pictures: int = PICTURES
) -> dict[str, CaseMean]:
    """Measure retrieval over the concepts, captions among false ones, and near-duplicates.

    Retrieval is top-1 in both directions; near-duplicates are found among their like.

    A near-duplicate is the same drawing, smaller and as a JPEG; it is told apart where it is nearer
    to its original than all other drawings of the concept are.
    """
    tally = CaseCounts()
    shown = list(portraits(drawings))
    names = list(dict.fromkeys(concept.name for concept, _ in shown))
    images = [drawing.image(DRAWN_AT) for _, drawing in shown]
    vectors = towers.pictures(images)
    cosines = (
        vectors @ towers.texts([concept.phrase for concept, _ in shown[: len(names)]]).T
    )  # (drawings * concepts, concepts)
    right = np.arange(len(shown)) % len(names)
    tally.add("concept of a picture comes first", *(cosines.argmax(1) == right).tolist())
    for one in cosines.reshape(drawings, len(names), len(names)):
        tally.add(
            "picture of a concept comes first", *(one.argmax(0) == np.arange(len(names))).tolist()
        )
    if drawings > 1:
        _duplicates(vectors, towers.pictures([_again(image) for image in images]), right, tally)
    _among_false(towers, pictures, tally)
    return tally.means()


def _duplicates(
    vectors: Vectors, again: Vectors, kinds: NDArray[np.int_], tally: CaseCounts
) -> None:
    own = (vectors * again).sum(1)
    others = np.where(
        (kinds[:, None] == kinds) & ~np.eye(len(kinds), dtype=bool), vectors @ vectors.T, -1.0
    )
    tally.add("near-duplicate nearer than its like", *(own > others.max(1)).tolist())
    tally.add("cosine of near-duplicates", *own.tolist())
    tally.add("cosine of the nearest like", *others.max(1).tolist())


def _again(image: Image.Image) -> Image.Image:
    held = io.BytesIO()
    image.resize((300, 300), Image.Resampling.BICUBIC).save(held, "JPEG", quality=75)
    return Image.open(held).convert("RGB")


def _among_false(towers: Towers, count: int, tally: CaseCounts) -> None:
    """Measure factual pictures: their caption against captions that are false by one word."""
    for i in range(count):
        chance = random.Random(f"{SEED} caption {i}")
        scene = scenes.parse(scenes.sample_prompt(chance))
        image = scene.draw(scene.truths(), f"{SEED} caption {i}").image(DRAWN_AT)
        texts = [captions.scene_prompt(scene), *captions.twisted(scene, FALSE, chance)]
        cosines = towers.texts(texts) @ towers.pictures([image])[0]
        tally.add("caption comes before false ones", bool(cosines.argmax() == 0))


def load_embedder(source: str) -> Towers:
    """The vectors of a stock CLIP."""
    import torch
    from transformers import AutoProcessor, CLIPModel

    with quiet("transformers"):
        processor = AutoProcessor.from_pretrained(source)
        model = CLIPModel.from_pretrained(source, use_safetensors=True, dtype=torch.float32).eval()

    def pictures(images: Sequence[Image.Image]) -> Vectors:
        with torch.inference_mode():
            parts = [images[at : at + 64] for at in range(0, len(images), 64)]
            found = [
                model.get_image_features(
                    **processor(images=list(some), return_tensors="pt")
                ).pooler_output
                for some in parts
            ]
        return _unit(torch.cat(found))

    def texts(said: Sequence[str]) -> Vectors:
        with torch.inference_mode():
            return _unit(
                model.get_text_features(
                    **processor(text=list(said), padding=True, return_tensors="pt")
                ).pooler_output
            )

    return Towers(pictures, texts)


def _unit(vectors: torch.Tensor) -> Vectors:
    made: Vectors = (vectors / vectors.norm(dim=-1, keepdim=True)).numpy()
    return made


# --- command
# --------------------------------------------------------------------------------------------------


def document(model: str, source: str, means: Mapping[str, CaseMean]) -> dict[str, Any]:
    """What ``--json`` prints."""
    return {
        "model": model,
        "source": source,
        "means": {name: {"value": mean.value, "n": mean.n} for name, mean in means.items()},
    }


def main(arguments: Sequence[str] | None = None) -> None:
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
        help="segmenter: pieces under this share of the picture are specks",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    chosen = parser.parse_args(arguments)
    source = chosen.folder or str(FOLDERS[chosen.model])
    if not chosen.folder and not (FOLDERS[chosen.model] / "model.safetensors").exists():
        parser.exit(
            2,
            f"There are no weights in {source!r}: train them, python -m"
            f" hallascope.backends.embedded.training.{chosen.model}.\n",
        )
    if chosen.model == "segmenter":
        heats, size = load_segmenter(source)
        means = measure_segmenter(heats, size, chosen.pictures, chosen.things, chosen.min_area)
    else:
        means = measure_embedder(load_embedder(source), chosen.drawings, chosen.pictures)
    if chosen.json:
        print(json.dumps(document(chosen.model, source, means), indent=2))
        return
    for name, mean in means.items():
        print(f"{name:<40} {mean}")


if __name__ == "__main__":
    main()
