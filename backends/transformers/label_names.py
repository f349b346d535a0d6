"""Which of a detector's fixed labels a phrase names, by its words alone.

It knows no model and no picture.
"""

from collections.abc import Iterable, Mapping

# Names that COCO's things go by, the label of one edition or another of it among them. The last
# word of a phrase is looked for too.
_SAME: tuple[frozenset[str], ...] = tuple(
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
_ODD: Mapping[str, str] = {
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "mice": "mouse",
    "knives": "knife",
}
_OF = frozenset(
    {"of", "with", "in", "on", "at", "from", "for", "by", "to", "near", "under", "over", "behind"}
)


def label(phrase: str, labels: Iterable[str]) -> str | None:
    """The label that a phrase names ("two red cars": "car"), None where it names none.

    The longest name goes first.

    What a phrase says of the thing ("red") is left aside: such a detector sees kinds of things, not
    their qualities.
    """
    known = {name: one for one in labels for name in (one.casefold(), *_others(one.casefold()))}
    words = _head(phrase)
    for start in range(len(words)):
        *before, last = words[start:]
        for form in _singulars(last):
            if found := known.get(" ".join((*before, form))):
                return found
    return None


def _head(phrase: str) -> list[str]:
    """The words up to the first preposition: "cup of coffee" is a cup."""
    words = phrase.casefold().replace(".", " ").replace("-", " ").split()
    end = next((i for i, word in enumerate(words) if i and word in _OF), len(words))
    return words[:end]


def _others(name: str) -> frozenset[str]:
    return frozenset().union(*(names for names in _SAME if name in names))


def _singulars(word: str) -> list[str]:
    """The word itself first, then what it may be the plural of."""
    forms = [word, _ODD.get(word, word)]
    forms += [f"{word[:-3]}y"] if word.endswith("ies") else []
    forms += [word[:-2]] if word.endswith("es") else []
    forms += [word[:-1]] if word.endswith("s") else []
    return list(dict.fromkeys(form for form in forms if form))
