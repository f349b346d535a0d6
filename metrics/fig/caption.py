"""Writes the meta-caption of FiG by template.

It is one text of what the captions of all segments say, and where they lie.

It stands in for a writer. One sentence names every thing and how
many there are; then follow what else the captions say, and how things that are clearly apart stand
to each other, both ways round.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from hallascope.data.lexicon import with_article
from hallascope.metrics.detection.geometry import relations
from hallascope.metrics.fig.groups import CaptionGroup, SegmentCaption, group_captions, plural
from hallascope.metrics.reading.words import language
from hallascope.metrics.reading.words.relations import BOX_RELATIONS, relation_words

NOTHING = "The picture shows nothing that could be named."
LONGEST = 4_000  # characters
MOST_PLACED = 8  # groups of things whose positions are told, the largest


def write(captions: Sequence[SegmentCaption], describing: frozenset[str] = frozenset()) -> str:
    """Return the meta-caption, at most `LONGEST` characters.

    Captions that name nothing are left out. `describing` is as in `parse`.
    """
    groups = group_captions(captions, describing)
    if not groups:
        return NOTHING
    by_name: dict[tuple[str, ...], list[CaptionGroup]] = {}
    for group in groups:
        by_name.setdefault(group.name, []).append(group)
    shown = language.join_with_and(map(_list_groups, by_name.values()))
    text = f"The picture shows {shown}."
    for sentence in (*_details(groups), *_positions(groups)):
        if len(text) + len(sentence) < LONGEST:
            text = f"{text} {sentence}"
    return text


# --- the first sentence


def _list_groups(groups: Sequence[CaptionGroup]) -> str:
    """Return "a blue square", or "two circles (one red circle and one blue circle)"."""
    if len(groups) == 1:
        return _count_phrase(groups[0])
    counts = [group.count for group in groups]
    count = None if None in counts else sum(count or 0 for count in counts)
    parts = [
        _count_phrase(group) if group.plural else f"one {group.singular_name}" for group in groups
    ]
    return f"{_number(count)} {plural(groups[0].phrase)} ({language.join_with_and(parts)})"


def _count_phrase(group: CaptionGroup) -> str:
    if group.plural:
        return f"{_number(group.count)} {group.plural_name}"
    if group.article == "a":
        return with_article(group.singular_name)
    return f"{group.article} {group.singular_name}".strip()


def _number(count: int | None) -> str:
    return "several" if count is None else language.number_word(count)


# --- what else the captions say


def _details(groups: Sequence[CaptionGroup]) -> Iterator[str]:
    for group in groups:
        who = _reference(group, one_of_them=len(group.members) > 1)
        verb = "are" if group.plural and len(group.members) == 1 else "is"
        for kind, words in group.details:
            if kind == "sentence":
                yield f"{words}."
            else:
                yield _sentence(who, words if kind == "verb" else f"{verb} {words}")


def _sentence(who: str, what: str) -> str:
    """Return what is said of a thing, in the subtree of its noun, where the paper looks for it."""
    return f"It shows {who}, which {what}."


def _reference(group: CaptionGroup, one_of_them: bool = False) -> str:
    """Return a group that was named before: "the two circles", "one of the two circles"."""
    if not group.plural:
        return f"the {group.singular_name}" if group.article else group.singular_name
    name = group.plural_name
    if group.count is not None:
        name = f"{_number(group.count)} {name}"
    return f"one of the {name}" if one_of_them else f"the {name}"


# --- positions


def _positions(groups: Sequence[CaptionGroup]) -> Iterator[str]:
    """Yield how each group stands to the others.

    First comes one sentence on what holds of all its things, then one for each relation that holds
    of some things alone.
    """
    by_area = sorted(groups, key=lambda group: -sum(member.box.area for member in group.members))
    largest = {id(group) for group in by_area[:MOST_PLACED]}
    placed = [group for group in groups if id(group) in largest]
    for group in placed:
        others = [other for other in placed if other is not group]
        of_all = {
            relation: [other for other in others if all(_holds(relation, group, other))]
            for relation in BOX_RELATIONS
        }
        yield from _position_sentence(group, of_all)
        for relation in BOX_RELATIONS:
            of_some = [other for other in others if _holds_of_some(relation, group, other)]
            yield from _position_sentence(group, {relation: of_some}, one_of_them=True)


def _position_sentence(
    group: CaptionGroup, related: dict[str, list[CaptionGroup]], one_of_them: bool = False
) -> Iterator[str]:
    """Yield "It shows the circle, which is to the left of the square, and above the heart."

    `related`: the groups of which each relation holds.
    """
    clauses: list[str] = []
    for relation, others in related.items():
        names = [_reference(other, one_of_them and len(other.members) > 1) for other in others]
        clauses += [f"{relation_words(relation)} {anchors}" for anchors in _anchor_rows(names)]
    if not clauses:
        return
    is_one = one_of_them and len(group.members) > 1
    verb = "are" if group.plural and not is_one else "is"
    if len(clauses) > 1:
        clauses = [*clauses[:-1], f"and {clauses[-1]}"]
    yield _sentence(_reference(group, is_one), f"{verb} {', '.join(clauses)}")


def _anchor_rows(names: Sequence[str]) -> list[str]:
    """Return what may stand in one row, "the" so and so.

    Names without article stand alone, as they would else be read as new ones.
    """
    definite = [name for name in names if name.startswith("the ")]
    alone = [name for name in names if not name.startswith("the ")]
    return [language.join_with_and(definite), *alone] if definite else alone


def _holds(relation: str, group: CaptionGroup, other: CaptionGroup) -> list[bool]:
    """Return whether a relation holds, for each thing of a group to each of another."""
    return [
        relation in relations(first.box, first.center, second.box, second.center)
        for first, second in product(group.members, other.members)
    ]


def _holds_of_some(relation: str, group: CaptionGroup, other: CaptionGroup) -> bool:
    """Return whether a relation holds of some things of two groups and not of all.

    Never where both groups have several, as one sentence could not say of which.
    """
    if min(len(group.members), len(other.members)) > 1:
        return False
    holds = _holds(relation, group, other)
    return any(holds) and not all(holds)
