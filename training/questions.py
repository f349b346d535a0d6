"""Draws what a judge is trained on: images, regions and pairs, with questions and answers."""

import json
import random
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hallascope.data.lexicon import capitalize
from hallascope.data.regions import Box, clip, window
from hallascope.primer import extra_questions, scenes
from hallascope.primer.appearance import Appearance, RenderedScene
from hallascope.primer.benchmark import factualbench, judge_samples, pair_criteria
from hallascope.primer.benchmark.judge_samples import DrawnScene
from hallascope.primer.benchmark.pair_criteria import Aspect
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import WHOLE, Drawing
from hallascope.primer.extra_questions import Inquiry
from hallascope.primer.groups import SHAPE_NAMES
from hallascope.primer.scenes import Scene
from hallascope.primer.shapes import SHAPES
from hallascope.primer.world import Fact, FactValue, FactValues
from training.drawings import label_parts, render

QUESTIONS = 12  # asked of one image at most
FACTS = 8  # of them
BLOCK = 4  # px: the side of what is labeled with one part
SITTINGS = 0.2  # share of the samples that are an image, another one like it, and a region
LONE = 0.3  # share of the other samples that show one concept alone; more do by chance
OF_PARTS = 0.25  # share of the other images that are asked about their parts
LARGER = (224, 256, 384, 512)  # px: half of the images are reduced from one of these
SHARP = (224, 384, 512, 512)  # px of the images that regions are cut from
JITTER = 0.08  # of a region's longer side, by which each of its sides may lie elsewhere
# share of the pairs of one concept beside a reference of it; the others are as in sittings
KNOWN = 0.75
CHANGED = 0.2  # share of those references that are drawn with some facts changed
# How many images violate each fact with a probability, and how many give each value of a fact the
# same chance (None).
VIOLATED: tuple[float | None, ...] = (0.0, 0.3, 0.5, 0.5, None, None)
Asked = list[tuple[str, str]]
"""Questions and their answers."""


def draw_sample(size: int, seed: int) -> list[dict[str, Any]]:
    """Draw the images of one seed, `pixels` (size, size, 3), each with what is `asked`, as JSON.

    `parts` and `centers` are those of `label_parts`, by blocks.
    """
    name = f"judge sample {seed}"
    chance = random.Random(name)
    if chance.random() < SITTINGS:
        drawn = judge_samples.sitting(name, chance)
        pixels, box = render_region(drawn.seen, drawn.look, size, chance)
        asked = _as_asked(extra_questions.of_region(drawn.seen, drawn.look, box, chance))
        region = _label(drawn.seen.drawing, pixels, asked, box)
        views = (drawn.picture, drawn.reference)
        return [*(_draw_whole(view, size, view is drawn.seen, chance) for view in views), region]
    lone = chance.random() < LONE
    scene = scenes.parse(chance.choice(concepts()).phrase if lone else scenes.sample_prompt(chance))
    values = _sample_values(scene, chance)
    view = RenderedScene(scene, values, scene.draw(values, name))
    return [_draw_whole(view, size, chance.random() < OF_PARTS, chance)]


def _sample_values(scene: Scene, chance: random.Random) -> dict[str, FactValue]:
    """Return values of an image, violated so that the usual answer is no safe one."""
    share = chance.choice(VIOLATED)
    if share is not None:
        return scenes.violate(scene, share, chance)
    values = scene.truths()
    for parameter in dict.fromkeys(fact.parameter for fact in scene.facts):
        options = [v for f in scene.facts if f.parameter == parameter for v in f.values]
        values[parameter] = chance.choice(list(dict.fromkeys(options)))
    return values


def _draw_whole(
    view: RenderedScene, size: int, ask_of_parts: bool, chance: random.Random
) -> dict[str, Any]:
    """Return a whole image with its facts, and two questions on its parts where asked for.

    The last question is one that a reader of the prompt alone asks and that is not asked yet.
    """
    pixels = render_view(view.drawing, size, chance)
    asked = ask_of_facts(view.scene, view.values, chance)
    if ask_of_parts:
        asked += _sample_some(_as_asked(extra_questions.of_picture(view, chance)), 2, chance)
    known = dict(asked)
    of_prompt = _as_asked(extra_questions.of_prompt(view.scene, view.values))
    new = [pair for pair in of_prompt if pair[0] not in known]
    asked += _sample_some(new, 1, chance)
    return _label(view.drawing, pixels, asked)


def _label(
    drawing: Drawing, pixels: NDArray[np.uint8], asked: Asked, view: Box = WHOLE
) -> dict[str, Any]:
    parts, centers = label_parts(drawing, pixels, BLOCK, view)
    return {"pixels": pixels, "parts": parts, "centers": centers, "asked": json.dumps(asked)}


def render_view(drawing: Drawing, size: int, chance: random.Random) -> NDArray[np.uint8]:
    """Render an image at the judge's size, half of them larger and reduced."""
    return render(drawing, size, None if chance.random() < 0.5 else chance.choice(LARGER))


def render_region(
    view: RenderedScene, look: Appearance, size: int, chance: random.Random
) -> tuple[NDArray[np.uint8], Box]:
    """Return a region as a judge sees it, (size, size, 3), and where it is.

    It is cut out a little beside the thing or part.
    """
    sharp = chance.choice(SHARP)
    cut = window(jitter(look.region, chance), sharp, sharp, square=True)
    box = Box(*(side / sharp for side in cut))
    image = view.drawing.image(min(cut[2] - cut[0], 2 * size), box)
    return np.array(image.resize((size, size), Image.Resampling.BICUBIC), dtype=np.uint8), box


def _as_asked(inquiries: Iterable[Inquiry]) -> Asked:
    return [(inquiry.question, inquiry.answer) for inquiry in inquiries]


def _sample_some(asked: Asked, most: int, chance: random.Random) -> Asked:
    return chance.sample(asked, min(most, len(asked)))


def jitter(region: Box, chance: random.Random) -> Box:
    """Return the region with each side a little elsewhere, as a detector may say it."""
    most = JITTER * max(region.right - region.left, region.bottom - region.top)
    left, top, right, bottom = (side + chance.uniform(-most, most) for side in region.sides)
    return clip(left, top, right, bottom) or region


# --- pairs ---


class PicturePair(NamedTuple):
    """Holds an image and its reference (`known`: that of the benchmark).

    With a `look`, only that part of the image is compared.
    """

    picture: RenderedScene
    reference: RenderedScene
    compared: dict[Aspect, str]
    known: bool = False
    look: Appearance | None = None


def sample_pair(seed: str, chance: random.Random) -> PicturePair:
    """Return a pair by chance; the same seed and chance always give the same."""
    if chance.random() >= KNOWN:
        made = judge_samples.sitting(seed, chance)
        look = made.look if made.by_region else None
        return PicturePair(made.picture, made.reference, made.compared, look=look)
    scene = scenes.parse(chance.choice(concepts()).phrase)
    values = scenes.violate(scene, chance.choice(judge_samples.VIOLATED), chance)
    drawn = DrawnScene(scene, values, seed)
    known = chance.random() >= CHANGED
    if known:
        name = scene.groups[0].concept.name
        reference = DrawnScene(scene, scene.truths(), factualbench.reference_seed(name))
    else:
        values = pair_criteria.change_values(scene, values, chance)
        reference = DrawnScene(scene, values, f"{seed} reference")
    compared = pair_criteria.compare(drawn.shown_concept(), reference.shown_concept())
    return PicturePair(drawn.view(), reference.view(), compared, known)


def draw_pair(size: int, seed: int) -> list[dict[str, Any]]:
    """Draw an image and its reference, `pixels` (2, size, size, 3).

    `compared` are questions about both, `asked` about the image alone, each with its answer, as
    JSON.
    """
    chance = random.Random(f"pair {seed}")
    pair = sample_pair(f"pair {seed}", chance)
    view = pair.picture
    if pair.look:
        image, _ = render_region(view, pair.look, size, chance)
    else:
        image = render_view(view.drawing, size, chance)
    drawing = pair.reference.drawing
    if pair.known:
        reference = render(drawing, size, factualbench.REFERENCE_SIZE)
    else:
        reference = render_view(drawing, size, chance)
    compared = [(pair_criteria.QUESTIONS[key], answer) for key, answer in pair.compared.items()]
    asked = [] if pair.look else ask_of_facts(view.scene, view.values, chance)
    texts = {"compared": json.dumps(compared), "asked": json.dumps(asked)}
    return [{"pixels": np.stack([image, reference]), **texts}]


# --- questions ---


def ask_of_facts(scene: Scene, values: FactValues, chance: random.Random) -> Asked:
    """Return questions with their right answers: facts, and one of presence or a statement."""
    facts = list(scene.facts)
    chance.shuffle(facts)
    asked = [(fact.question, scenes.right_answer(fact, values)) for fact in facts[:FACTS]]
    ask = chance.choice((_ask_presence, _ask_to_confirm, _ask_what_is_shown))
    return [*asked, ask(scene, values, facts[0], chance)]


def _ask_presence(
    scene: Scene, values: FactValues, fact: Fact, chance: random.Random
) -> tuple[str, str]:
    own = scene.groups[0].concept
    if chance.random() < 0.5:
        present = "kind" not in values or values["kind"] == own.name
        return f"Is there {own.phrase} in the image?", "Yes" if present else "No"
    shown = {group.concept.name for group in scene.groups} | {str(values.get("kind", ""))}
    other = chance.choice([c for c in (*SHAPES, *concepts()) if c.name not in shown])
    return f"Is there {other.phrase} in the image?", "No"


def _ask_to_confirm(
    scene: Scene, values: FactValues, fact: Fact, chance: random.Random
) -> tuple[str, str]:
    right = scenes.right_answer(fact, values)
    if chance.random() < 0.5:
        return f"{fact.question} {right}?", "Yes"
    wrong = chance.choice([a for a in (*fact.values.values(), *fact.others) if a != right])
    return f"{fact.question} {wrong}?", "No"


def _ask_what_is_shown(
    scene: Scene, values: FactValues, fact: Fact, chance: random.Random
) -> tuple[str, str]:
    group = scene.groups[0]
    question = "What is shown in the image?"
    if len(scene.groups) > 1 or any(fact.question == question for fact in scene.facts):
        return _ask_presence(scene, values, fact, chance)
    kind = group.concept.name
    if kind in SHAPE_NAMES:
        kind = str(values.get("kind", kind))
    shown = scenes.nouns()[kind.lower()].concept
    return question, capitalize(shown.name if group.count == 1 else shown.plural)
