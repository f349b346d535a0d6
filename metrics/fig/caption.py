"""Writes the meta-caption of FiG by template; it knows no prompt and no model.

It is one text of what the captions of all segments say, and where they lie.

Our reading of what the paper has a language model write. One sentence names every thing and how
many there are; then follow what else the captions say, and how things that are clearly apart stand
to each other, both ways round.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from hallascope.metrics.detection.geometry import relations
from hallascope.metrics.fig.groups import CaptionGroup, SegmentCaption, group_captions, plural
from hallascope.metrics.parsing import language, positions

NOTHING = "The picture shows nothing that could be named."
LONGEST = 4_000  # characters
MOST_PLACED = 8  # groups of things whose positions are told, the largest


def write(seen: Sequence[SegmentCaption], describing: frozenset[str] = frozenset()) -> str:
    """The meta-caption, at most `LONGEST` characters; captions that name nothing are left out.

    `describing` is as in `parse`.
    """
    groups = group_captions(seen, describing)
    if not groups:
        return NOTHING
    text = f"The picture shows {_and([_list_groups(each) for each in _by_name(groups)])}."
    for sentence in (*_details(groups), *_positions(groups)):
        if len(text) + len(sentence) < LONGEST:
            text = f"{text} {sentence}"
    return text


# --- the first sentence
# --------------------------------------------------------------------------------------------------


def _by_name(groups: Sequence[CaptionGroup]) -> list[list[CaptionGroup]]:
    found: dict[tuple[str, ...], list[CaptionGroup]] = {}
    for group in groups:
        found.setdefault(group.name, []).append(group)
    return list(found.values())


def _list_groups(groups: Sequence[CaptionGroup]) -> str:
    """ "a blue square"; "three circles (two red circles and one blue circle)" where they differ."""
    if len(groups) == 1:
        return _count_phrase(groups[0])
    count = (
        None
        if any(group.count is None for group in groups)
        else sum(group.count or 0 for group in groups)
    )
    parts = _and([_count_phrase(group, "one") for group in groups])
    return f"{_number(count)} {plural(groups[0].phrase)} ({parts})"


def _count_phrase(group: CaptionGroup, one: str = "") -> str:
    if group.plural:
        return f"{_number(group.count)} {group.many}"
    if one or group.article == "a":
        return f"{one} {group.one}" if one else language.article(group.one)
    return f"{group.article} {group.one}".strip()


def _number(count: int | None) -> str:
    return "several" if count is None else language.spelled(count)


def _and(texts: Sequence[str]) -> str:
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else "".join(texts)


# --- what else the captions say
# ------------------------------------------------------------------------------------------


def _details(groups: Sequence[CaptionGroup]) -> Iterator[str]:
    for group in groups:
        who = _titled(_referred(group, len(group.members) > 1))
        verb = "are" if group.plural and len(group.members) == 1 else "is"
        for kind, said in group.more:
            if kind == "sentence":
                yield f"{said}."
            elif kind == "verb":
                yield f"{who} {said}."
            else:
                yield f"{who} {verb} {said}."


def _referred(group: CaptionGroup, some: bool = False) -> str:
    """A group that was named before: "the two red circles", "one of the two red circles"."""
    if not group.plural:
        return group.one if not group.article else f"the {group.one}"
    each = group.many if group.count is None else f"{_number(group.count)} {group.many}"
    return f"one of the {each}" if some else f"the {each}"


def _titled(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- positions
# --------------------------------------------------------------------------------------------------


def _positions(groups: Sequence[CaptionGroup]) -> Iterator[str]:
    """Return a sentence for each group's position to the others, and one where things differ.

    The latter is for one of its things.
    """
    largest = sorted(groups, key=lambda group: -sum(one.box.area for one in group.members))[
        :MOST_PLACED
    ]
    placed = [group for group in groups if any(group is one for one in largest)]
    for one in placed:
        others = [other for other in placed if other is not one]
        yield from _sentence(
            one,
            False,
            [
                (name, other)
                for name in positions.RELATIONS
                for other in others
                if _all(name, one, other)
            ],
        )
        for name in positions.RELATIONS:
            yield from _sentence(
                one, True, [(name, other) for other in others if _some(name, one, other)]
            )


def _sentence(
    one: CaptionGroup, some: bool, found: Sequence[tuple[str, CaptionGroup]]
) -> Iterator[str]:
    """ "The red circle is to the left of the square and the star, and above the heart." """
    clauses: list[str] = []
    for name in dict.fromkeys(name for name, _ in found):
        others = [
            _referred(other, some and len(other.members) > 1)
            for each, other in found
            if each == name
        ]
        clauses += [f"{positions.words(name)} {said}" for said in _together(others)]
    if clauses:
        verb = "are" if one.plural and not (some and len(one.members) > 1) else "is"
        joined = (
            clauses[0] if len(clauses) == 1 else f"{', '.join(clauses[:-1])}, and {clauses[-1]}"
        )
        yield f"{_titled(_referred(one, some and len(one.members) > 1))} {verb} {joined}."


def _together(others: Sequence[str]) -> list[str]:
    """What may stand in one row, "the" so and so.

    Names without article stand alone, as they would else be read as new ones.
    """
    row = [other for other in others if other.startswith("the ")]
    return ([_and(row)] if row else []) + [other for other in others if other not in row]


def _all(relation: str, one: CaptionGroup, other: CaptionGroup) -> bool:
    return all(
        relation in relations(a.box, a.center, b.box, b.center)
        for a, b in product(one.members, other.members)
    )


def _some(relation: str, one: CaptionGroup, other: CaptionGroup) -> bool:
    """Where one of them is alone and it holds of some of the others."""
    if min(len(one.members), len(other.members)) > 1:
        return False
    found = [
        relation in relations(a.box, a.center, b.box, b.center)
        for a, b in product(one.members, other.members)
    ]
    return any(found) and not all(found)
