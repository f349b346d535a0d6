"""Finds which of a detector's fixed labels a phrase names, by its words alone."""

from collections.abc import Iterable, Mapping

# Each line holds the names of one kind of thing; one of them is the label of some edition of COCO.
# The last word of a phrase is looked for too.
_SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(names.split(", "))
    for names in (
        "person, people, man, woman, child, boy, girl, human, human being, lady, gentleman, kid",
        "bicycle, bike",
        "motorcycle, motorbike",
        "airplane, aeroplane, plane",
        "boat, ship",
        "couch, sofa",
        "potted plant, pottedplant, houseplant",
        "dining table, diningtable, table",
        "tv, tvmonitor, television, monitor",
        "cell phone, mobile phone, smartphone, phone",
        "donut, doughnut",
        "fridge, refrigerator",
        "sports ball, ball, football, soccer ball, basketball, tennis ball",
        "wine glass, wineglass",
        "teddy bear, teddy",
        "hair drier, hair dryer, hairdryer",
    )
)
_IRREGULAR_PLURALS: Mapping[str, str] = {
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "mice": "mouse",
    "knives": "knife",
}
_PREPOSITIONS = frozenset(
    {"of", "with", "in", "on", "at", "from", "for", "by", "to", "near", "under", "over", "behind"}
)


def label(phrase: str, labels: Iterable[str]) -> str | None:
    """Return the label that a phrase names ("two red cars": "car"), None where it names none.

    The longest name goes first. What a phrase says of the thing ("red") is left aside: such a
    detector sees kinds of things, not their qualities.
    """
    label_of: dict[str, str] = {}
    for own in labels:
        name = own.casefold()
        synonyms = frozenset[str]().union(*(names for names in _SYNONYMS if name in names))
        label_of |= dict.fromkeys((name, *synonyms), own)
    words = _words_of_thing(phrase)
    for start in range(len(words)):
        *before, last = words[start:]
        for form in _possible_singulars(last):
            if named := label_of.get(" ".join((*before, form))):
                return named
    return None


def _words_of_thing(phrase: str) -> list[str]:
    """Return the words up to the first preposition: "cup of coffee" is a cup."""
    words = phrase.casefold().replace(".", " ").replace("-", " ").split()
    end = next((i for i, word in enumerate(words) if i and word in _PREPOSITIONS), len(words))
    return words[:end]


def _possible_singulars(word: str) -> list[str]:
    """Return the word itself first, then what it may be the plural of."""
    forms = [word, _IRREGULAR_PLURALS.get(word, word)]
    if word.endswith("ies"):
        forms.append(f"{word[:-3]}y")
    if word.endswith("es"):
        forms.append(word[:-2])
    if word.endswith("s"):
        forms.append(word[:-1])
    return list(dict.fromkeys(form for form in forms if form))
