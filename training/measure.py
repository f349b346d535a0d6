"""Measures the embedded segmenter and embedder on unseen drawings whose truth is known.

``python -m training.measure segmenter`` (or ``embedder``) prints means over cases. Any CLIPSeg or
CLIP folder or Hub id can be measured the same way; what is drawn does not depend on the model.
"""

import argparse
import io
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from transformers import AutoProcessor, CLIPModel, CLIPSegForImageSegmentation

from hallascope.backends.weights import EMBEDDED
from hallascope.data import masks
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import SHAPE_NAMES
from hallascope.primer.shapes import COLORS, SHAPES
from training import captions, phrases
from training.drawings import CROWD, crowd, label, parts_of_things
from training.phrases import ImageContents, Referent

SEED = "held out"  # all seeds here begin with it; those of the trainings do not
DRAWN_AT = 512  # px, as the draughtsmen draw; reduced to what the model reads
VIOLATED = (0.0, 0.0, 0.25, 0.5)  # shares of violated facts
# As in the entry of the segmenter; MIN_AREA is 98 px of 128 x 128.
THRESHOLD = 0.5
MIN_AREA = 0.006
JOIN = 0.03
ABSENT = 3  # phrases for what is not there, for an image
FALSE = 3  # false captions for an image
BATCH = 64  # images that go through an embedder at once
Cases = dict[str, list[float]]
"""Cases by what is measured in them, each in [0, 1]."""


# --- segmenter ---

HeatMapper = Callable[[NDArray[np.uint8], Sequence[str]], NDArray[np.float32]]
"""Gives probabilities (phrases, size, size) for pixels (size, size, 3) and phrases."""


def measure_segmenter(
    heat_maps: HeatMapper, size: int, images: int, things: int | None = None
) -> Cases:
    """Measure a segmenter by its heat maps on images of the whole grammar, half of them factual.

    Overlap: intersection over union with what is drawn. Pointed at: whether a phrase for something
    absent has a piece of at least MIN_AREA of the image. Counted: whether an image of one to six
    things (of all, or of so many kinds) has as many pieces, also for those alone whose drawing
    itself is one piece each.
    """
    cases: Cases = defaultdict(list)
    drawn = []
    for i in range(images):
        chance = random.Random(f"{SEED} {i}")
        scene = scenes.parse(scenes.sample_prompt(chance))
        values = scenes.violate(scene, VIOLATED[i % len(VIOLATED)], chance)
        drawn.append(label(scene, values, f"{SEED} {i}", size, DRAWN_AT))
    world = parts_of_things((part.thing, part.part) for image in drawn for part in image.drawn)
    for i, image in enumerate(drawn):
        chance = random.Random(f"{SEED} phrases {i}")
        contents = ImageContents(image)
        all_things, colored, parts, owned_parts, _ = contents.nouns
        some_parts = chance.sample((*parts, *owned_parts), min(3, len(parts) + len(owned_parts)))
        absent = [phrases.sample_absent(contents, world, chance) for _ in range(ABSENT)]
        present = [*all_things, *colored, *some_parts]
        texts = [phrases.phrase_text(noun, 1, chance) for noun in present]
        heats = heat_maps(image.pixels, [*texts, *(phrase.text for phrase in absent)])
        for noun, heat in zip(present, heats, strict=False):
            kind = "overlap of things" if noun.thing and not noun.part else "overlap of parts"
            pointed, truth = heat >= THRESHOLD, contents.instances(noun) > 0
            cases[kind].append(float((pointed & truth).sum() / (pointed | truth).sum()))
        for phrase, heat in zip(absent, heats[len(present) :], strict=True):
            pointed_at = count_pieces(heat, JOIN) > 0
            named = ["parts"] * bool(phrase.noun.part) + ["things"] * bool(phrase.noun.thing)
            kind = "colors of shapes" if phrase.noun.color else " of ".join(named)
            cases["absent pointed at"].append(pointed_at)
            cases[f"absent {kind} pointed at"].append(pointed_at)
    for concept in [*SHAPES, *concepts()][:things]:
        for count in range(1, CROWD + 1):
            seed = f"{SEED} {concept.name} {count}"
            # Plain shapes have a color of their own.
            color = random.Random(seed).choice(COLORS) if concept.name in SHAPE_NAMES else ""
            scene, values = crowd(f"{color} {concept.plural}".strip(), count)
            image = label(scene, values, seed, size, DRAWN_AT)
            (heat,) = heat_maps(image.pixels, [f"{color} {concept.name}".strip()])
            right = count_pieces(heat, JOIN) == count
            cases["counted, all things"].append(right)
            truth = ImageContents(image).instances(Referent(concept.name, color=color)) > 0
            if count_pieces(truth.astype(np.float32)) == count:
                cases["counted, things of one piece"].append(right)
                cases[f"counted, {count} of one piece"].append(right)
    return cases


def count_pieces(heat: NDArray[np.float32], join: float = 1.0) -> int:
    return len(masks.pieces(heat, THRESHOLD, MIN_AREA, join))


def load_segmenter(source: str) -> tuple[HeatMapper, int]:
    """Load a stock CLIPSeg and return its heat maps, and the side of its images in px."""
    processor, model = _load(CLIPSegForImageSegmentation, source)

    def heat_maps(pixels: NDArray[np.uint8], texts: Sequence[str]) -> NDArray[np.float32]:
        images = [Image.fromarray(pixels)] * len(texts)
        inputs = processor(text=list(texts), images=images, padding=True, return_tensors="pt")
        logits = model(**inputs).logits.reshape(len(texts), *pixels.shape[:2])
        return np.asarray(logits.sigmoid())

    return heat_maps, int(model.config.vision_config.image_size)


def _load(kind: Any, source: str) -> tuple[Any, Any]:
    model = kind.from_pretrained(source, use_safetensors=True, dtype=torch.float32)
    return AutoProcessor.from_pretrained(source), model.eval().requires_grad_(False)


# --- embedder ---

Vectors = NDArray[np.float32]
Tower = Callable[[Sequence[Any]], Vectors]
"""Embeds images or texts as vectors of unit length, (N, D)."""


def measure_embedder(embed_images: Tower, embed_texts: Tower, drawings: int, images: int) -> Cases:
    """Measure retrieval over the concepts, captions among false ones, and near-duplicates.

    Retrieval is top-1 in both directions. A near-duplicate is the same drawing, smaller and as a
    JPEG; it is recognized where it is nearer to its original than all other drawings of the concept
    are.
    """
    cases: Cases = defaultdict(list)
    names = [concept.phrase for concept in concepts()]
    drawn = []
    for i in range(drawings):
        for concept in concepts():
            scene = scenes.parse(concept.phrase)
            seed = f"{SEED} portrait {concept.name} {i}"
            drawn.append(scene.draw(scene.truths(), seed).image(DRAWN_AT))
    vectors = embed_images(drawn)
    cosines = vectors @ embed_texts(names).T  # (drawings * concepts, concepts)
    right = np.arange(len(drawn)) % len(names)
    cases["concept of an image comes first"] = (cosines.argmax(1) == right).tolist()
    firsts = cosines.reshape(drawings, len(names), len(names)).argmax(1)
    cases["image of a concept comes first"] = (firsts == np.arange(len(names))).ravel().tolist()
    if drawings > 1:
        own = (vectors * embed_images([_near_duplicate(image) for image in drawn])).sum(1)
        alike = (right[:, None] == right) & ~np.eye(len(right), dtype=bool)
        nearest = np.where(alike, vectors @ vectors.T, -1.0).max(1)
        cases["near-duplicate nearer than its like"] = (own > nearest).tolist()
    for i in range(images):
        seed = f"{SEED} caption {i}"
        chance = random.Random(seed)
        scene = scenes.parse(scenes.sample_prompt(chance))
        image = scene.draw(scene.truths(), seed).image(DRAWN_AT)
        texts = [captions.scene_prompt(scene), *captions.false_captions(scene, FALSE, chance)]
        best = (embed_texts(texts) @ embed_images([image])[0]).argmax()
        cases["caption comes before false ones"].append(best == 0)
    return cases


def _near_duplicate(image: Image.Image) -> Image.Image:
    stream = io.BytesIO()
    image.resize((300, 300), Image.Resampling.BICUBIC).save(stream, "JPEG", quality=75)
    return Image.open(stream).convert("RGB")


def load_embedder(source: str) -> tuple[Tower, Tower]:
    """Load a stock CLIP and return its towers."""
    processor, model = _load(CLIPModel, source)

    def embed_images(images: Sequence[Any]) -> Vectors:
        batches = (images[start : start + BATCH] for start in range(0, len(images), BATCH))
        inputs = (processor(images=list(batch), return_tensors="pt") for batch in batches)
        return _unit(torch.cat([model.get_image_features(**one).pooler_output for one in inputs]))

    def embed_texts(texts: Sequence[Any]) -> Vectors:
        inputs = processor(text=list(texts), padding=True, return_tensors="pt")
        return _unit(model.get_text_features(**inputs).pooler_output)

    return embed_images, embed_texts


def _unit(vectors: torch.Tensor) -> Vectors:
    return np.asarray(vectors / vectors.norm(dim=-1, keepdim=True))


# --- command ---


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=("segmenter", "embedder"))
    parser.add_argument("--folder", help="another folder or Hub id of the same architecture")
    parser.add_argument("--images", type=int, default=300, help="drawings of the whole grammar")
    parser.add_argument("--drawings", type=int, default=4, help="embedder: of each concept alone")
    parser.add_argument("--things", type=int, help="segmenter: count only so many kinds of things")
    options = parser.parse_args(arguments)
    source = options.folder or str(EMBEDDED / options.model)
    if options.model == "segmenter":
        heat_maps, size = load_segmenter(source)
        cases = measure_segmenter(heat_maps, size, options.images, options.things)
    else:
        cases = measure_embedder(*load_embedder(source), options.drawings, options.images)
    for name, values in cases.items():
        print(f"{name:<40} {np.mean(values):.3f} of {len(values):,}")


if __name__ == "__main__":
    main()
