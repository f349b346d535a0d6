"""Understands prompts that say in other words what Primer draws, and finds near ones.

A prompt is understood where Primer's grammar has a prompt for the same: other names ("a ladybird"),
other forms ("3 methane molecules", "CH4"), an opening ("a photo of"), or a setting that is one of a
concept's variations ("a ladybug on a leaf"). A setting that Primer does not draw ("a ladybug on a
table") is left out, and the note of the request says so.
"""

import difflib
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hallascope.data.lexicon import with_article, without_article
from hallascope.data.models.specs import ModelSpec
from hallascope.data.prompt_reading import AskedObject, PromptReading
from hallascope.data.requests import Failure, Generate
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.storage.store import Store
from hallascope.metrics.reading.prompt import read_prompt
from hallascope.metrics.reading.words.number_words import number_value
from hallascope.metrics.reading.words.relations import box_relation
from hallascope.metrics.reading.words.spacy_model import ParserMissing
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS, SHAPE_NAMES
from hallascope.primer.scenes import MAX_PROMPT, RELATIONS, CannotDraw, Noun
from hallascope.primer.shapes import COLORS
from hallascope.primer.world import Concept

SYNONYMS = Path(__file__).with_name("primer_synonyms.toml")
MAX_THINGS_OF_A_KIND = 4  # of one kind that a prompt may ask for
MAX_NEAR_PROMPTS = 6  # near prompts that are offered
# Offered where nothing is near: one concept of each of six domains.
WELL_KNOWN = (
    "a gentoo penguin",
    "a molecule of methane",
    "a hamburger",
    "an astronaut",
    "the planet Saturn",
    "the Eiffel Tower",
)
_ASKS = (
    r"(?:please |can you |could you )*(?:draw|show|paint|generate|create|make|give)(?: me| us)? "
)
_KINDS = (
    "images?|pictures?|photos?|photographs?|drawings?|illustrations?|sketch(?:es)?|paintings?"
    "|renders?|renderings?|cartoons?|clip ?arts?"
)
_OPENING = re.compile(
    rf"^(?:{_ASKS})?(?:(?:an?|the|one|some)?\s*(?:[a-z-]+ ){{0,2}}?(?:{_KINDS})"
    rf" (?:of|showing|with|that shows) )*"
)
_ASK = re.compile(rf"^{_ASKS}")
# relation of a reading -> the words of the grammar; "" for two things side by side
_GRAMMAR = {relation: words for words in RELATIONS if (relation := box_relation(words))} | {
    "": "and"
}
_EMPTY_TEXT = """
a an the of in on at with its his her to and by from into over under is being
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())


class UnderstoodPrompt(NamedTuple):
    """Holds a prompt of Primer's grammar that stands for one in other words.

    `leaves_out`: the prompt asks for more than is drawn.
    """

    prompt: str
    leaves_out: bool = False


# --- understanding


def understand_prompt(prompt: str) -> UnderstoodPrompt | None:
    """Return a prompt that Primer draws for one in other words; None where there is none.

    A prompt of the grammar stands for itself.
    """
    if len(prompt) > MAX_PROMPT:
        return None
    try:
        scenes.parse(prompt)
    except CannotDraw:
        pass
    else:
        return UnderstoodPrompt(" ".join(prompt.split()))
    text = normalize(prompt)
    if not text:
        return None
    noun = noun_forms().get(text)
    if noun and not noun.plural:  # a bare name is no noun for the parser everywhere: "parthenon"
        return UnderstoodPrompt(noun.concept.phrase)
    reading = _read(text)
    objects = reading.objects
    if not objects or any(asked.absent for asked in objects):
        return None
    first = _group(objects[0])
    understood = _with_others(first, objects, reading) if first else None
    if understood and _read(prompt).texts:  # as it is written: capitals and quotes tell a text
        return understood._replace(leaves_out=True)
    return understood


def normalize(prompt: str) -> str:
    """Return the words of a prompt in lower case, without its opening, first article and end.

    Subscripts become digits, so that "CH₄" is "ch4".
    """
    text = unicodedata.normalize("NFKC", prompt).casefold()
    text = " ".join(text.replace("’", "'").split()).strip(" .,!?:;\"'“”„")
    text = _OPENING.sub("", text, count=1)
    return without_article(_ASK.sub("", text).strip())


def _read(text: str) -> PromptReading:
    """Return what a text asks for; without the parser's model that is nothing."""
    try:
        return read_prompt(text)
    except ParserMissing:
        return PromptReading(prompt=text)


class _Group(NamedTuple):
    """Holds so many of a concept, and the words of the grammar for them."""

    concept: Concept
    number: int
    prompt: str


def _group(asked: AskedObject) -> _Group | None:
    """Return what is drawn of an object; None where that is nothing, or it has other attributes."""
    noun = noun_forms().get(asked.name.casefold())
    count = 1 if asked.count is None else asked.count.exact
    if noun is None or count is None or not 1 <= count <= MAX_THINGS_OF_A_KIND:
        return None
    concept = noun.concept
    words = [attribute.value for attribute in asked.attributes]
    if words and (concept.name not in SHAPE_NAMES or len(words) > 1 or words[0] not in COLORS):
        return None
    if count > 1:
        return _Group(concept, count, " ".join([NUMBERS[count], *words, concept.plural]))
    one = with_article(" ".join([*words, concept.name])) if words else concept.phrase
    return _Group(concept, count, one)


def _with_others(
    first: _Group, objects: Sequence[AskedObject], reading: PromptReading
) -> UnderstoodPrompt | None:
    """Return the prompt of a thing with another one, with the setting of its variation, or alone.

    None where the others stand beside it and are not drawn.
    """
    if len(objects) == 1:
        return UnderstoodPrompt(first.prompt, leaves_out=bool(reading.relations))
    related = {
        relation.target: relation.words
        for relation in reading.relations
        if relation.subject == objects[0].id
    }
    words = _GRAMMAR.get(related.get(objects[1].id, ""))
    second = _group(objects[1])
    if len(objects) == 2 and second and words:
        if second.concept.name == first.concept.name:
            return None
        leaves_out = len(reading.relations) > len(related)
        return UnderstoodPrompt(f"{first.prompt} {words} {second.prompt}", leaves_out)
    if not related:
        return None
    variation = first.concept.variation
    names = {asked.name.casefold() for asked in objects[1:]}
    if first.number == 1 and variation and names == _setting(first.concept, variation.phrase):
        return UnderstoodPrompt(variation.phrase)
    return UnderstoodPrompt(first.prompt, leaves_out=True)


def _setting(concept: Concept, phrase: str) -> set[str]:
    """Return the names of what the phrase of a variation shows beside its concept."""
    names = {asked.name.casefold() for asked in _read(normalize(phrase)).objects}
    own = {form for form, noun in noun_forms().items() if noun.concept == concept}
    return names - own


@cache
def noun_forms() -> Mapping[str, Noun]:
    """Return every word for a thing in lower case: those of the grammar, and synonyms."""
    forms = dict(scenes.nouns())
    by_name = {concept.name: concept for concept in concepts()}
    for name, pairs in tomllib.loads(SYNONYMS.read_text("utf-8"))["synonyms"].items():
        for one, several in pairs:
            forms.setdefault(several, Noun(by_name[name], True))
            forms.setdefault(one, Noun(by_name[name], False))
    return forms


def _content_words(text: str) -> list[str]:
    return [word for word in re.findall(r"[\w-]+", text.casefold()) if word not in _EMPTY]


# --- near prompts


def find_near_prompts(prompt: str, most: int = MAX_NEAR_PROMPTS) -> tuple[str, ...]:
    """Return prompts that Primer draws and that are near, the nearest first; none is repeated.

    Those of things that the prompt names in part come first, then those that are spelled alike.
    Empty where nothing is near: `WELL_KNOWN` are then to be offered.
    """
    text = normalize(prompt[:MAX_PROMPT])
    count = number_value(text.partition(" ")[0]) or 1
    scored: dict[str, float] = {}
    for form, noun in noun_forms().items():
        score = _nearness(text, form)
        if score:
            key = noun.concept.name
            scored[key] = max(score, scored.get(key, 0.0))
    by_name = {noun.concept.name: noun.concept for noun in noun_forms().values()}
    best = sorted(scored, key=lambda name: (-scored[name], name))
    found: dict[str, None] = {}
    for name in best:
        concept = by_name[name]
        for near in _prompts_of(concept, count, alone=len(best) <= 2):
            found.setdefault(near, None)
    return tuple(found)[:most]


def _prompts_of(concept: Concept, count: int, *, alone: bool) -> Iterator[str]:
    """Return prompts of one concept: as many as are asked for, one, and varied where `alone`."""
    if concept.name in SHAPE_NAMES:
        yield f"a {COLORS[0]} {concept.name}"
        return
    if count > 1:
        yield f"{NUMBERS[min(count, MAX_THINGS_OF_A_KIND)]} {concept.plural}"
    yield concept.phrase
    if alone and concept.variation:
        yield concept.variation.phrase


def _nearness(text: str, form: str) -> float:
    """Return how near a text is to a name, in [0, 1]; 0 where it is not near."""
    words, own = _stems(text), _stems(form)
    if not words or not own:
        return 0.0
    shared = len(words & own)
    if shared:
        return 0.6 + 0.4 * shared / len(own)
    alike = max(
        difflib.SequenceMatcher(None, word, other).ratio() for word in words for other in own
    )
    return 0.6 * alike if alike >= 0.78 else 0.0


def _stems(text: str) -> frozenset[str]:
    """Return the content words of a text, without the end of a plural."""
    words = _content_words(text)
    return frozenset(re.sub(r"(?<=\w{3})(?:es|s)$", "", word) for word in words)


FindSpec = Callable[[str], ModelSpec]


class UnderstoodRequest(NamedTuple):
    """Holds a request with the prompt that is drawn, and one sentence where it is another."""

    request: EvaluateRequest
    note: str = ""


def draws_primer_only(spec: ModelSpec) -> bool:
    """Return whether a model draws prompts of Primer's grammar and no others."""
    return spec.backend == "draughtsman" or spec.settings.get("vocabulary") == "primer"


def is_drawn(spec: ModelSpec, drawing: Generate | Failure) -> bool:
    """Return whether a model can be asked for a drawing, and has its prompt in its vocabulary."""
    if isinstance(drawing, Failure):
        return False
    return not draws_primer_only(spec) or _has_scene(drawing.prompt)


def understand_request(
    request: EvaluateRequest, find_spec: FindSpec, store: Store
) -> UnderstoodRequest:
    """Return the request with the prompt that Primer draws for it.

    It stays as it is where Primer draws the prompt itself or nothing for it, where another model
    draws too, and where a person has written questions, concepts or a reading for the prompt.
    """
    is_prepared = request.factual or request.concept or request.reading
    if not request.models or is_prepared or not _all_primer(request, find_spec):
        return UnderstoodRequest(request)
    understood = understand_prompt(request.prompt)
    if understood is None or understood.prompt == " ".join(request.prompt.split()):
        return UnderstoodRequest(request)
    if store.question_set(request.prompt):
        return UnderstoodRequest(request)
    prompt = understood.prompt
    note = f"Drawn as: {prompt[:1].upper()}{prompt[1:]}."
    if understood.leaves_out:
        note += " The rest of the prompt is neither drawn nor scored."
    return UnderstoodRequest(replace(request, prompt=prompt), note)


def cannot_be_drawn(request: EvaluateRequest, find_spec: FindSpec) -> bool:
    """Return whether nothing of a request can be drawn: Primer alone draws, and has no such prompt.

    An empty prompt and one that is too long are told where a request is checked.
    """
    prompt = request.prompt.strip()
    if not request.models or request.images or not prompt or len(prompt) > MAX_PROMPT:
        return False
    return _all_primer(request, find_spec) and not _has_scene(prompt)


def _all_primer(request: EvaluateRequest, find_spec: FindSpec) -> bool:
    """Return whether all models of a request draw Primer alone; a wrong name is told elsewhere."""
    try:
        return all(draws_primer_only(find_spec(name)) for name in request.models)
    except HallaScopeError:
        return False


def _has_scene(prompt: str) -> bool:
    try:
        scenes.parse(scenes.without_facts(prompt))
    except scenes.CannotDraw:
        return False
    return True
