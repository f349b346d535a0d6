"""The grammar of Primer prompts: from words to a scene with facts that can be drawn, violated and asked."""

import difflib
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Literal, NamedTuple

from data.primer.compose import Placed, compose, portrait
from data.primer.concepts import concepts
from data.primer.drawing import Art, Drawing
from data.primer.shapes import COLOURS, SHAPES
from data.primer.world import Concept, Fact, Value, Values, Variation
from data.records import LETTERS, NONE_OF_THE_ABOVE, Question, QuestionSet

Relation = Literal["left", "right", "above", "below"]
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six")
MAX_PROMPT = 300
RELATIONS: dict[str, Relation] = {"to the left of": "left", "to the right of": "right", "above": "above", "below": "below"}
_OPPOSITE: dict[Relation, Relation] = {"left": "right", "right": "left", "above": "below", "below": "above"}
_SHAPES = frozenset(shape.name for shape in SHAPES)


class CannotDraw(ValueError):
    """The prompt is outside what Primer draws; the message says what it can draw and what else to do."""


@dataclass(frozen=True)
class Group:
    """So many of one thing; `colour` only where the thing is a plain shape."""

    concept: Concept
    count: int = 1
    colour: str | None = None

    @property
    def named(self) -> str:
        return self.concept.plural if self.count != 1 else self.concept.name


@dataclass(frozen=True)
class Scene:
    """What a Primer prompt asks for. `facts` lists all that can be violated; the first five are asked."""

    prompt: str
    groups: tuple[Group, ...]
    relation: Relation | None = None
    variation: Variation | None = None

    @property
    def alone(self) -> bool:
        """Whether one concept fills the picture (plain shapes are always laid out on a grid)."""
        return len(self.groups) == 1 and self.groups[0].count == 1 and self.groups[0].concept.name not in _SHAPES

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        return scene_facts(self)

    def truths(self) -> dict[str, Value]:
        """The values of a picture in which everything is as it should be."""
        values: dict[str, Value] = {}
        for i, group in enumerate(self.groups):
            values |= {_key(self, i, name): value for name, value in group.concept.truths().items()}
        if not self.alone:
            values["scene"] = "plain"
        return values | {fact.parameter: fact.truth for fact in self.facts}

    def draw(self, values: Values, seed: int | str) -> Drawing:
        """The picture with these values; `truths()` gives the factual one."""
        return _draw(self, values, seed)

    def questions(self) -> QuestionSet:
        """The five questions of the prompt."""
        return question_set(self)


# --- reading a prompt ------------------------------------------------------------------------------------------


class Noun(NamedTuple):
    concept: Concept
    plural: bool


def _bare(phrase: str) -> str:
    return re.sub(r"^(a|an|the)\s+", "", phrase.lower())


@cache
def nouns() -> Mapping[str, Noun]:
    """Every form a thing may be called by, without article, in lower case."""
    found: dict[str, Noun] = {}
    for concept in (*SHAPES, *concepts()):
        found[concept.plural.lower()] = Noun(concept, True)
        found[_bare(concept.phrase)] = found[concept.name.lower()] = Noun(concept, False)
    return found


@cache
def _variations() -> Mapping[str, Scene]:
    return {_bare(c.variation.phrase): Scene(c.variation.phrase, (Group(c),), variation=c.variation) for c in concepts() if c.variation}


def parse(prompt: str) -> Scene:
    """Read a prompt of the Primer grammar.

    Raises CannotDraw with one sentence where the prompt is empty, too long, or outside the vocabulary.
    """
    said = " ".join(prompt.split())
    if not said:
        raise CannotDraw("The prompt is empty: type what the picture should show, e.g. “a molecule of methane”.")
    if len(said) > MAX_PROMPT:
        raise CannotDraw(
            f"The prompt has {len(said):,} characters; the Primer models read at most {MAX_PROMPT}: shorten it, or choose another model."
        )
    text = re.sub(r"^(an?|the) (image|picture|photo|drawing|illustration) of ", "", said.lower().rstrip(".! "))
    if scene := _variations().get(_bare(text)):
        return replace(scene, prompt=said)
    for words, relation in RELATIONS.items():
        first, found, second = text.partition(f" {words} ")
        if found:
            return Scene(said, (_group(first), _group(second)), relation)
    return Scene(said, tuple(_group(item) for item in _split_and(text)))


def _split_and(text: str) -> list[str]:
    items = text.split(" and ")
    if len(items) > 2:
        raise CannotDraw("The Primer models draw one or two kinds of things in a picture: name at most two, or choose another model.")
    return items


def _group(text: str) -> Group:
    words = re.sub(r"^(an|a|the)\s+", "one ", text.strip()).split(" ", 1)
    count = NUMBERS.index(words[0]) if words[0] in NUMBERS[1:5] and len(words) == 2 else 1
    rest = words[1] if words[0] in NUMBERS[1:5] and len(words) == 2 else text.strip()
    colour = next((c for c in COLOURS if rest.startswith(c + " ")), None)
    name = rest.removeprefix(f"{colour} ") if colour else rest
    noun = nouns().get(name)
    if noun is None:
        raise CannotDraw(_unknown(name))
    if colour and noun.concept.name not in _SHAPES:
        raise CannotDraw(
            f"The Primer models draw {noun.concept.plural} in their own colors only; leave out “{colour}”, or choose another model."
        )
    return Group(noun.concept, count, colour or (COLOURS[0] if noun.concept.name in _SHAPES else None))


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, list(nouns()), n=2, cutoff=0.6)
    hint = f" Did you mean {' or '.join(f'“{n}”' for n in near)}?" if near else ""
    shown = name if len(name) <= 60 else name[:57] + "..."
    return (
        f"The Primer models cannot draw “{shown}”.{hint} They know {len(concepts())} concepts (try “a ladybug”, “two tulips”, "
        "“a red circle above a blue square”); models such as SDXL draw anything: `hallascope models` says how to enable one."
    )


# --- what is true of a scene -------------------------------------------------------------------------------------


def _key(scene: Scene, index: int, parameter: str) -> str:
    """The name of a concept's parameter in the scene; alone on the picture it keeps its own name."""
    return parameter if len(scene.groups) == 1 or parameter == "scene" else f"{index}.{parameter}"


def scene_facts(scene: Scene) -> tuple[Fact, ...]:
    """All facts of a scene, the five that are asked first."""
    if len(scene.groups) == 2:
        return _pair_facts(scene)
    group = scene.groups[0]
    if group.concept.name in _SHAPES:
        return _shape_facts(group)
    if scene.variation:
        return (scene.variation.fact, *group.concept.facts)
    if group.count > 1:
        return (_count_fact(group, "@count"), _kind_fact(group), *[f for f in group.concept.facts if f.parameter != "scene"])
    return group.concept.facts


def _titled(text: str) -> str:
    return text[:1].upper() + text[1:]


def _count_fact(group: Group, parameter: str) -> Fact:
    wrong = [n for n in (group.count + 1, group.count - 1, group.count + 2) if n >= 1]
    values: dict[Value, str] = {n: _titled(NUMBERS[n]) for n in (group.count, *wrong)}
    others = tuple(_titled(n) for n in NUMBERS[1:] if _titled(n) not in values.values())[: 4 - len(values)]
    return Fact(
        parameter, "counting", "details", f"How many {group.concept.plural} are in the image?", values, (group.concept.name,), others
    )


def _kind_fact(group: Group) -> Fact:
    """What is shown: never violated by the draughtsmen, who draw what they were asked for."""
    return Fact(
        "@kind",
        "existence",
        "shape",
        "What is shown in the image?",
        {"asked": _titled(group.concept.plural)},
        (group.concept.name,),
        _strangers(group),
    )


def _strangers(*groups: Group) -> tuple[str, ...]:
    """Three names of other things of the same sort, the same for the same groups."""
    names = {g.concept.name for g in groups}
    pool = [c for c in (SHAPES if groups[0].concept.name in _SHAPES else concepts()) if c.name not in names]
    chosen = random.Random("".join(sorted(names))).sample(pool, 3)
    return tuple(_titled(c.plural if groups[0].count > 1 else c.name) for c in chosen)


def _colour_fact(group: Group, parameter: str, question: str) -> Fact:
    order = random.Random(f"{group.concept.name} {group.colour}").sample([c for c in COLOURS if c != group.colour], 3)
    return Fact(parameter, "color", "color", question, {c: _titled(c) for c in (str(group.colour), *order)}, (group.concept.name,))


def _shape_facts(group: Group) -> tuple[Fact, ...]:
    name = group.concept.name
    others = random.Random(name).sample([s.name for s in SHAPES if s.name != name], 3)
    this = "shapes" if group.count > 1 else "shape"
    verb = "are" if group.count > 1 else "is"
    return (
        Fact("kind", "shape", "shape", f"What kind of shape {verb} in the image?", {n: _titled(n) for n in (name, *others)}, (name,)),
        _colour_fact(group, "colour", f"What color {verb} the {this} in the image?"),
        replace(_count_fact(group, "@count"), question="How many shapes are in the image?"),
        Fact(
            "fill",
            "others",
            "texture",
            f"What {verb} the {this} like inside in the image?",
            {"plain": "One even color", "dots": "With dots", "holed": "With a hole"},
            (name,),
            ("With stripes",),
        ),
        Fact(
            "scene",
            "scene",
            "details",
            "What is behind it all in the image?",
            {"plain": "A plain background", "night": "At night", "snow": "In the snow"},
            (),
            ("In a desert",),
        ),
    )


def _pair_facts(scene: Scene) -> tuple[Fact, ...]:
    one, two = scene.groups
    counts = (_count_fact(one, "0.@count"), _count_fact(two, "1.@count"))
    own = [fact for i, group in enumerate(scene.groups) for fact in _own_fact(scene, i, group)]
    if scene.relation is None:
        both: dict[Value, str] = {"asked": f"{_titled(one.concept.plural)} and {two.concept.plural}"}
        apart = _strangers(one, two)
        kinds = Fact(
            "@kind",
            "existence",
            "shape",
            "Which things are shown in the image?",
            both,
            (one.concept.name, two.concept.name),
            tuple(f"{_titled(one.concept.plural)} and {s.lower()}" for s in apart),
        )
        return (*counts, *own, kinds)
    return (*_relation_facts(scene), *counts, *own)


def _relation_facts(scene: Scene) -> tuple[Fact, ...]:
    """What is on the one side and what on the other; both hang on the one parameter `@relation`."""
    one, two = scene.groups
    relation = scene.relation or "left"
    sides: tuple[tuple[Relation, str], ...] = (
        (("left", "on the left"), ("right", "on the right"))
        if relation in ("left", "right")
        else (("above", "at the top"), ("below", "at the bottom"))
    )
    names = (_titled(one.named), _titled(two.named))
    facts = []
    for side, words in sides:
        at = names if side == relation else names[::-1]
        facts.append(
            Fact(
                "@relation",
                "relation",
                "details",
                f"What is {words} in the image?",
                {relation: at[0], _OPPOSITE[relation]: at[1]},
                (one.concept.name, two.concept.name),
                _strangers(one, two)[:2],
            )
        )
    return tuple(facts)


def _own_fact(scene: Scene, index: int, group: Group) -> list[Fact]:
    """One fact of the thing itself that is plain to see at half size: its color where it has one to ask about."""
    if group.colour:
        return [
            _colour_fact(
                group, _key(scene, index, "colour"), f"What color {'are' if group.count > 1 else 'is'} the {group.named} in the image?"
            )
        ]
    fact = min(group.concept.facts, key=lambda f: (f.parameter == "scene", f.coi != "color", f.criterion != "color"))
    return [replace(fact, parameter=_key(scene, index, fact.parameter), question=f"{_titled(group.concept.name)}: {fact.question}")]


# --- questions -----------------------------------------------------------------------------------------------------


def question(fact: Fact, chance: random.Random) -> Question:
    """The fact as a five-choice question: the truth, three wrong answers in an order by chance, None of the above."""
    wrong = [*list(fact.values.values())[1:], *fact.others]
    choices = [fact.gold, *chance.sample(wrong, min(3, len(wrong)))]
    chance.shuffle(choices)
    return Question(fact.question, (*choices, NONE_OF_THE_ABOVE), LETTERS[choices.index(fact.gold)], fact.coi, fact.parts)


def question_set(scene: Scene) -> QuestionSet:
    """The first five facts as questions; the same prompt always gives the same set."""
    chance = random.Random(f"questions {_bare(scene.prompt.lower())}")
    first = scene.groups[0].concept
    return QuestionSet(scene.prompt, tuple(question(fact, chance) for fact in scene.facts[:5]), first.category, first.domain)


def right_answer(fact: Fact, values: Values) -> str:
    """The answer that a picture with these values leads to."""
    return fact.values[values[fact.parameter]] if fact.parameter in values else fact.gold


# --- drawing -------------------------------------------------------------------------------------------------------


def own_values(scene: Scene, index: int, values: Values) -> dict[str, Value]:
    """The values of the things of one group, by the names their concept gives them."""
    group = scene.groups[index]
    own: dict[str, Value] = {"colour": group.colour} if group.colour else {}
    own |= group.concept.truths()
    names = {*own, "fill", "kind"} if group.concept.name in _SHAPES else set(own)
    own |= {name: values[_key(scene, index, name)] for name in names if _key(scene, index, name) in values}
    return own


def _draw(scene: Scene, values: Values, seed: int | str) -> Drawing:
    counts = [int(values.get(_key(scene, i, "@count"), group.count)) for i, group in enumerate(scene.groups)]
    if counts == [1] and scene.groups[0].concept.name not in _SHAPES:  # also where a count was violated down to one
        return portrait(scene.groups[0].concept, own_values(scene, 0, values), seed)
    art = Art(seed)
    relation = values.get("@relation", scene.relation)
    cells = _cells(counts, relation, art)
    owned = [(i, own_values(scene, i, values)) for i, n in enumerate(counts) for _ in range(n)]
    placed = [
        Placed(scene.groups[i].concept, own, x, y, size, scene.groups[i].concept.name)
        for (i, own), (x, y, size) in zip(owned, cells, strict=True)
    ]
    return compose(placed, str(values.get("scene", "plain")), art)


Cell = tuple[float, float, float]


def _cells(counts: Sequence[int], relation: object, art: Art) -> list[Cell]:
    """A place and a size for every thing: in halves by the relation, else spread over a grid by chance."""
    if relation is None:
        cells = _grid(sum(counts), 0, 0, 100, 100, art)
        art.random.shuffle(cells)
        return cells
    boxes = [(0, 0, 50, 100), (50, 0, 50, 100)] if relation in ("left", "right") else [(0, 0, 100, 50), (0, 50, 100, 50)]
    if relation in ("right", "below"):
        boxes.reverse()
    return [cell for n, box in zip(counts, boxes, strict=True) for cell in _grid(n, *box, art)]


def _grid(n: int, x: float, y: float, w: float, h: float, art: Art) -> list[Cell]:
    """`n` cells inside the box (hundredths of the picture), as square as can be, with chance in place and size."""
    columns, lines = min(((c, -(-n // c)) for c in range(1, n + 1)), key=lambda cl: (-min(w / cl[0], h / cl[1]), cl[0] * cl[1]))
    side = min(w / columns, h / lines)
    free = art.random.sample([(c, r) for r in range(lines) for c in range(columns)], n)
    cells = []
    for c, r in free:
        size = side * art.vary(0.74, 0.88)
        slack_x, slack_y = (w / columns - size) / 2, (h / lines - size) / 2
        cx, cy = x + (c + 0.5) * w / columns, y + (r + 0.5) * h / lines
        cells.append((cx + art.vary(-slack_x, slack_x) * 0.8, cy + art.vary(-slack_y, slack_y) * 0.8, size))
    return cells


# --- prompts to try --------------------------------------------------------------------------------------------------


@cache
def prompts() -> tuple[str, ...]:
    """Every concept and variation as a prompt: what autocomplete offers first."""
    plain = [c.phrase for c in concepts()]
    varied = [c.variation.phrase for c in concepts() if c.variation]
    return (*plain, *varied)


def sample_prompt(chance: random.Random) -> str:
    """A prompt by chance from the whole grammar: half of one concept, the rest counts, pairs, shapes, variations."""
    everything = concepts()
    match chance.choices(("one", "count", "pair", "shape", "shapes", "varied"), (50, 11, 14, 8, 7, 10))[0]:
        case "count":
            return f"{chance.choice(NUMBERS[2:5])} {chance.choice(everything).plural}"
        case "pair":
            one, two = chance.sample(everything, 2)
            words = chance.choice((*RELATIONS, "and"))
            return f"{one.phrase} {words} {two.phrase}"
        case "shape":
            n = chance.choice(range(1, 5))
            return _shape_words(chance, n, chance.choice(SHAPES))
        case "shapes":
            one, two = chance.sample(SHAPES, 2)
            words = chance.choice((*RELATIONS, "and"))
            return f"{_shape_words(chance, chance.choice((1, 1, 2, 3)), one)} {words} {_shape_words(chance, chance.choice((1, 1, 2)), two)}"
        case "varied":
            return chance.choice([c.variation.phrase for c in everything if c.variation])
        case _:
            return chance.choice(everything).phrase


def _shape_words(chance: random.Random, n: int, shape: Concept) -> str:
    colour = chance.choice(COLOURS)
    article = "an" if colour[0] in "aeiou" else "a"
    return f"{article if n == 1 else NUMBERS[n]} {colour} {shape.name if n == 1 else shape.plural}"


def violate(scene: Scene, probability: float, chance: random.Random) -> dict[str, Value]:
    """Values of a picture in which each fact is violated with the stated probability, independently."""
    values = scene.truths()
    for parameter in dict.fromkeys(fact.parameter for fact in scene.facts):
        options = list(dict.fromkeys(v for f in scene.facts if f.parameter == parameter for v in f.violations))
        if chance.random() < probability and options:
            values[parameter] = chance.choice(options)
    return values


def benchmark(count: int = 200) -> tuple[str, ...]:
    """The prompts Primer models are compared on: every concept, every variation, then the grammar by chance; no prompt twice."""
    chance = random.Random("benchmark")
    chosen = dict.fromkeys(prompts())
    while len(chosen) < count:
        prompt = sample_prompt(chance)
        if prompt not in chosen:
            chosen[prompt] = None
    return tuple(chosen)[:count]
