"""Makes questions of HaloQuest's three sorts on Primer images.

Reference answers follow from the drawing.

False premises ask about a thing, a part or a colored shape that is not shown. Visual challenges ask
for numbers, relations and small parts, mostly where a fact is violated, so that what is known of
the subject misleads. Insufficient context asks for what no picture tells, or for a part that was
cut off.
"""

import random
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from hallascope.data.benchmarks.haloquest import HALLUCINATIONS, Hallucination, HaloQuestion
from hallascope.data.lexicon import capitalize
from hallascope.data.records import CoI, Domain
from hallascope.data.regions import Box
from hallascope.primer import extra_questions, scenes
from hallascope.primer.appearance import SIZE, RenderedScene
from hallascope.primer.concepts import concepts
from hallascope.primer.drawing.parts import WHOLE, Drawing
from hallascope.primer.groups import NUMBERS, SHAPE_NAMES
from hallascope.primer.shapes import COLORS
from hallascope.primer.world import Concept

VIOLATED = (0.0, 0.3, 0.6)  # shares of violated facts, evenly mixed
_TRIES = 60
# domains whose things no backdrop shows
_FOREIGN: tuple[Domain, ...] = ("animal", "artifact", "food", "person")
_CUTS = tuple(
    Box(x, y, x + side, y + side)
    for side in (0.4, 0.5, 0.6)
    for x in (0.0, 1 - side)
    for y in (0.0, 1 - side)
)
_CUT_OFF = 0.06  # of what is left of a picture, the share that must show anything
_BARE = frozenset({"none", "nothing"})
# what no picture tells, by domain
_UNTOLD: Mapping[str, Sequence[tuple[str, str]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)


@dataclass(frozen=True)
class HaloItem:
    """Holds a question and its picture, which is what is `seen` of a drawing of the prompt."""

    question: HaloQuestion
    prompt: str
    drawing: Drawing
    seen: Box = WHOLE

    def image(self, size: int = 512) -> Image.Image:
        """Return RGB pixels, `size` x `size`."""
        return self.drawing.image(size, self.seen)


class _HaloDraft(NamedTuple):
    question: str
    references: tuple[str, ...]
    seen: Box = WHOLE


_Make = Callable[[RenderedScene, random.Random], _HaloDraft | None]


def items(count: int, seed: int = 0) -> Iterator[HaloItem]:
    """Yield `count` questions, the three sorts in turn, none twice of the same prompt.

    The same seed always gives the same.
    """
    met: set[tuple[str, str]] = set()
    for n in range(count):
        item = _item(HALLUCINATIONS[n % len(HALLUCINATIONS)], f"halo {seed} {n}", met)
        met.add((item.prompt, item.question.text))
        yield item


def _item(hallucination: Hallucination, name: str, met: set[tuple[str, str]]) -> HaloItem:
    """Raises RuntimeError where nothing new is found, which no count below thousands comes to."""
    for attempt in range(_TRIES):
        seed = f"{name} {attempt}"
        chance = random.Random(seed)
        scene = scenes.parse(scenes.sample_prompt(chance))
        values = scenes.violate(scene, chance.choice(VIOLATED), chance)
        view = RenderedScene(scene, values, scene.draw(values, seed))
        for make in chance.sample(_MAKERS[hallucination], len(_MAKERS[hallucination])):
            draft = make(view, chance)
            if draft and (scene.prompt, draft.question) not in met:
                question = HaloQuestion(
                    draft.question, draft.references, hallucination, "generated"
                )
                return HaloItem(question, scene.prompt, view.drawing, draft.seen)
    raise RuntimeError(f"no more questions on {hallucination} were found: ask for fewer")


# --- false premises


def _absent_thing(view: RenderedScene, chance: random.Random) -> _HaloDraft | None:
    words = extra_questions.lexicon(view)
    pool = [
        c
        for c in concepts()
        if c.domain in _FOREIGN and not extra_questions.stems(f"{c.name} {c.phrase}") & words
    ]
    if not pool:
        return None
    thing = chance.choice(pool)
    form = chance.choice(
        (
            "What color is {} in the image?",
            "Where in the image is {}?",
            "How large is {} in the image?",
        )
    )
    none = _the(thing).removeprefix("the ")
    return _HaloDraft(
        form.format(_the(thing)),
        (f"There is no {none} in the image.", f"The image does not show {thing.phrase}."),
    )


def _absent_part(view: RenderedScene, chance: random.Random) -> _HaloDraft | None:
    """Return a part that a violation has taken away, else one that others of the domain have.

    The thing should have the former.
    """
    group = view.scene.groups[0]
    if len(view.scene.groups) > 1 or group.plain:
        return None
    drawn = {part.name for part in view.drawing.parts}
    usual = {part.name for part in view.scene.draw(view.scene.truths(), 0).parts} - SHAPE_NAMES
    drawn_words = extra_questions.stems(" ".join(drawn))
    pool = {name for name in usual - drawn if not extra_questions.stems(name) & drawn_words}
    if not pool:
        words = extra_questions.lexicon(view)
        kin = (concept for concept in concepts() if concept.domain == group.concept.domain)
        names_of_kin = {name for other in kin for fact in other.facts for name in fact.parts}
        pool = {name for name in names_of_kin if not extra_questions.stems(name) & words}
    names = sorted(name for name in pool if not extra_questions.is_plural(name))
    if not names:
        return None
    name = chance.choice(names)
    thing = _the(group.concept)
    form = chance.choice(
        (
            "What color is the {0} of {1}?",
            "What shape is the {0} of {1}?",
            "How large is the {0} of {1}?",
        )
    )
    references = (
        f"{capitalize(thing)} has no {name}.",
        f"There is no {name} in the image.",
        f"No {name} is shown.",
    )
    return _HaloDraft(form.format(name, thing), references)


def _absent_color(view: RenderedScene, chance: random.Random) -> _HaloDraft | None:
    """Return a question about a shape that is shown, in a color in which it is not."""
    shown = [look for look in view.looks() if look.plain]
    if not shown:
        return None
    kind = chance.choice(shown).kind
    tones = {str(look.values["colour"]) for look in shown if look.kind == kind}
    thing = f"{chance.choice([tone for tone in COLORS if tone not in tones])} {kind}"
    form = chance.choice(
        ("What is next to the {} in the image?", "Is the {} in the image large or small?")
    )
    return _HaloDraft(
        form.format(thing), (f"There is no {thing} in the image.", f"No {thing} is shown.")
    )


# --- visual challenges


def _fact(view: RenderedScene, chance: random.Random, cois: Collection[CoI]) -> _HaloDraft | None:
    """Return a question on a fact with the answer of the picture, on a violated one if any is."""
    facts = [fact for fact in view.scene.facts if fact.coi in cois]
    violated = [fact for fact in facts if view.values.get(fact.parameter, fact.truth) != fact.truth]
    pool = [
        fact
        for fact in violated or facts
        if scenes.right_answer(fact, view.values).casefold() not in _BARE
    ]
    if not pool:
        return None
    fact = chance.choice(pool)
    answer = scenes.right_answer(fact, view.values)
    number = answer.casefold()
    in_digits = [str(NUMBERS.index(number))] if number in NUMBERS else []
    return _HaloDraft(fact.question, (f"{answer}.", *in_digits))


def _small_part(view: RenderedScene, chance: random.Random) -> _HaloDraft | None:
    """Return a question on the color of the smallest part with a name and a color of its own."""
    names = {
        part.name
        for part in view.drawing.parts
        if part.owner not in SHAPE_NAMES and not extra_questions.is_plural(part.name)
    }
    colored = []
    for name in sorted(names):
        look = view.look_of_parts(name)
        if look and look.name and (tone := view.color(look)):
            area = int(view.mask(look.indices).sum())
            colored.append((area, name, tone, len(look.indices)))
    if not colored:
        return None
    _, name, tone, count = min(colored)
    return _HaloDraft(
        f"What color is {'each' if count > 1 else 'the'} {name} in the image?",
        (f"{capitalize(tone)}.",),
    )


# --- insufficient context


def _untold(view: RenderedScene, chance: random.Random) -> _HaloDraft:
    concept = chance.choice(view.scene.groups).concept
    own = () if concept.name in SHAPE_NAMES else _UNTOLD.get(concept.domain, ())
    form, lacking = chance.choice((*own, *own, *_UNTOLD["anything"]))
    return _HaloDraft(
        form.format(name=_the(concept)),
        ("It cannot be told from the image.", f"The image does not show {lacking}."),
    )


def _cut_off(view: RenderedScene, chance: random.Random) -> _HaloDraft | None:
    """Return a question about parts of a lone thing that are not in the picture.

    None of these is left, while other parts are.
    """
    if not view.scene.alone:
        return None
    names = [part.name for part in view.drawing.parts]
    for seen in chance.sample(_CUTS, 4):
        index = view.drawing.part_map(SIZE, seen)
        left = {names[i] for i in np.unique(index) if i >= 0}
        facts = extra_questions.hidden_facts(view.scene.groups[0].concept, set(names), left)
        if facts and (index >= 0).mean() > _CUT_OFF:
            fact = chance.choice(facts)
            part = next(name for name in fact.parts if name in names)
            return _HaloDraft(
                fact.question,
                (f"The {part} is not shown in the image.", "It cannot be told from the image."),
                seen,
            )
    return None


def _the(concept: Concept) -> str:
    """Return the thing as one that is known.

    Examples are "the spider", "the molecule of methane" and "Stonehenge".
    """
    return re.sub(r"^an? ", "the ", concept.phrase)


_COUNTED: tuple[CoI, ...] = ("counting",)
_SEEN: tuple[CoI, ...] = ("relation", "size", "posture", "existence")
_MAKERS: dict[Hallucination, Sequence[_Make]] = {
    "false premises": (_absent_thing, _absent_part, _absent_color),
    "visual challenge": (
        partial(_fact, cois=_COUNTED),
        partial(_fact, cois=_SEEN),
        _small_part,
    ),
    "insufficient context": (_untold, _cut_off),
}
