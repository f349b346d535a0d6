"""Reads "X of Y": which of the two is the thing, and how they belong together.

In the order in which the rules are tried:

1. X frames Y and is no thing: "a photo of kids", "the top of a hill". Both stay apart.
2. X is a container, Y is what it holds: "a pair of skiers" are two skiers.
3. X counts among Y: "one of the two dogs" is a dog that was named before.
4. Y has no article and describes X: "a bottle of wine" is one name, and "a glass of red wine" is a
   red one; what a statue is of is only depicted ("a statue of two women").
5. Else both are phrases: Y owns X ("the wing of a ladybug"), or is the material that X is made of,
   and no thing ("the texture of denim").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.noun_phrases.counts import container_count
from hallascope.metrics.parsing.rules.noun_phrases.drafts import PhraseDraft
from hallascope.metrics.parsing.rules.noun_phrases.negation import is_absent
from hallascope.metrics.parsing.rules.noun_phrases.pictures import is_picture_object
from hallascope.metrics.parsing.words import wordnet
from hallascope.metrics.parsing.words.grammar import NOUNS, PLURALS, lemma
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import (
    CONTAINERS,
    DEPICTIONS,
    FRAME_WORDS,
    HOLDERS,
    MATERIAL_OF,
    NEVER_DESCRIBE,
    PICTURE_WORDS,
    PICTURES,
    PORTIONS,
)
from hallascope.metrics.parsing.words.number_words import NUMBERS
from hallascope.metrics.parsing.words.position_words import FORMATIONS
from hallascope.metrics.parsing.words.unseen_words import cannot_be_seen, is_time, says_when
from hallascope.metrics.parsing.words.verb_words import MOTION_VERBS, POSTURE_VERBS

if TYPE_CHECKING:
    from spacy.tokens import Doc

_OF = "of"
_PLACES = ("structure", "location", "residence", "room", "geological formation")
_AREAS = wordset("area place space spot")
_PARTS = wordset("back edge corner side front top bottom rear end")


def join_of_phrases(doc: Doc, drafts: Sequence[PhraseDraft]) -> list[PhraseDraft]:
    """Return the phrases with every "of" read, in their order.

    The last is read first, so that "a photo of a group of kids" names kids.
    """
    joined: list[PhraseDraft] = []
    for draft in reversed(drafts):
        following = joined[-1] if joined else None
        if following is not None and draft.stop > following.first:
            continue
        if following is None or not _is_followed_by_of(doc, draft, following):
            _mark_no_thing(doc, draft)
            joined.append(draft)
            continue
        whole = _join(doc, draft, following)
        if whole is not None:
            joined[-1] = whole
            continue
        _mark_no_thing(doc, draft)
        joined.append(draft)
        following.owned = draft.head if draft.is_thing else None
        is_material = lemma(doc[draft.head]) in MATERIAL_OF and not following.definite
        following.is_thing = following.is_thing and not is_material
    return joined[::-1]


def _is_followed_by_of(doc: Doc, draft: PhraseDraft, following: PhraseDraft) -> bool:
    return following.first == draft.stop + 1 and doc[draft.stop].lower_ == _OF


def _join(doc: Doc, draft: PhraseDraft, following: PhraseDraft) -> PhraseDraft | None:
    """Return "X of Y" as one phrase, where Y is the thing itself or belongs to the name of X."""
    word = lemma(doc[draft.head])
    is_frame = word in FRAME_WORDS and word not in HOLDERS and not is_picture_object(doc, draft)
    if is_frame and word not in CONTAINERS and not draft.concept:
        return None
    if word in CONTAINERS and not _is_single(doc, following):
        return replace(
            following,
            first=draft.first,
            count=following.count or container_count(doc, draft, following),
            definite=draft.definite or following.definite,
            described_from=following.described_from or following.first,
        )
    if doc[draft.head].lower_ in NUMBERS and following.definite:
        return replace(following, first=draft.first)
    if _describes_name(doc, draft, following):
        return _join_names(doc, draft, following)
    return None


def _describes_name(doc: Doc, draft: PhraseDraft, following: PhraseDraft) -> bool:
    """Return whether Y of "X of Y" belongs to the name of X."""
    word = lemma(doc[draft.head])
    if word in DEPICTIONS | PICTURES:
        return True
    if not following.is_thing or following.definite:
        return False
    if is_holder(word) and following.count is None:
        return word in PORTIONS or not _is_single(doc, following)
    noun = doc[following.head]
    if noun.tag_ == "NN" and noun.text.islower() and wordnet.is_kind_of(noun.lower_, *_PLACES):
        # "a bedroom of home", where an article is left out
        return False
    return following.first == following.name and not following.concept


def is_holder(word: str) -> bool:
    """Return whether a noun names what holds something, or a piece of it: "glass", "slice"."""
    return word in HOLDERS or wordnet.is_kind_of(word, "container")


def _join_names(doc: Doc, draft: PhraseDraft, following: PhraseDraft) -> PhraseDraft:
    """Return "X of Y" with the name of both; what describes Y describes the whole."""
    inner = [*range(following.first, following.name), *following.inner_modifiers]
    is_depicted = lemma(doc[draft.head]) in DEPICTIONS | PICTURES
    return replace(
        draft,
        stop=following.stop,
        of_nouns=[following.head, *following.of_nouns],
        concept="",
        singular="",
        inner_modifiers=[] if is_depicted else inner,
    )


def _is_single(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a phrase is of one thing: "a dog", "the dog", not "the dogs" and "dogs"."""
    is_singular = doc[draft.head].tag_ in ("NN", "NNP")
    return doc[draft.first].lower_ in ("a", "an") or (draft.definite and is_singular)


# --- what is no thing


def _mark_no_thing(doc: Doc, draft: PhraseDraft) -> None:
    """Mark a phrase that is no thing: by its noun, as a material, or said not to be there."""
    if draft.absent:
        return
    absent = is_absent(doc, draft) and not _begins_with_bound(doc, draft)
    is_frame = not draft.concept and (_is_frame(doc, draft) or _is_unseen(doc, draft))
    if absent or is_frame or _is_material(doc, draft):
        draft.is_thing = False
        draft.absent = absent and not is_frame


def _begins_with_bound(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether "no" belongs to "no more than" and denies nothing."""
    is_count = draft.count is not None and draft.count.start == draft.first
    return is_count and doc[draft.first].lower_ == "no"


def _is_frame(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a noun names the picture, a side or a number: "the image", "the top"."""
    word = lemma(doc[draft.head])
    if is_picture_object(doc, draft) or _is_cast_shade(doc, draft) or _is_part(doc, draft):
        return False
    stands_alone = draft.name == draft.head
    is_formed = word in FORMATIONS and not draft.definite
    if is_formed and doc[draft.first - 1].lower_ == "in" and draft.first:
        # "in a row"
        return True
    if word in _AREAS and _is_described(doc, draft):
        return False
    if word in PICTURE_WORDS or doc[draft.head].lower_ in NUMBERS:
        return True
    if word == "half" and stands_alone and doc[draft.stop : draft.stop + 1].text != "of":
        # "half pink and half black"
        return True
    if word == "life" and doc[draft.head - 1].lower_ == "still":
        return True
    if word == "letter" and _is_post(doc, draft):
        return False
    return stands_alone and word in FRAME_WORDS


def _is_described(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether an adjective tells what an area is: "a grassy area", not "the top part"."""
    words = doc[draft.described_from or draft.first : draft.name]
    return any(
        token.pos_ in ("ADJ", "VERB") and token.lower_ not in NEVER_DESCRIBE for token in words
    )


def _is_post(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether letters are written on paper: "a pile of letters", not "in red letters"."""
    before = doc[draft.first - 1].lower_ if draft.first else ""
    following = doc[draft.stop] if draft.stop < len(doc) else None
    is_written = following is not None and (following.text.isupper() or following.text in "'\"“:")
    return before not in ("in", "with", "by") and not is_written


def _is_cast_shade(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether "shade" is no shade of a color: "in the shade of a tree"."""
    before = doc[draft.first - 1].lower_ if draft.first else ""
    return lemma(doc[draft.head]) == "shade" and before in ("in", "under")


def _is_part(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a side is a part that a thing has: "a sign with dirty edges"."""
    before = doc[draft.first - 1].lower_ if draft.first else ""
    # "lying on his back" says how he lies
    verb = doc[draft.first - 2].lemma_ if draft.first > 1 and before == "on" else ""
    is_back = doc[draft.head].lower_ == "back"
    is_possessive = doc[draft.first].tag_ == "PRP$" and verb not in POSTURE_VERBS | MOTION_VERBS
    is_owned = is_back and (is_possessive or _is_back_of_seat(doc, draft))
    return is_owned or (before == "with" and lemma(doc[draft.head]) in _PARTS)


def _is_back_of_seat(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a back is a part of what follows: "on the back of a chair", not of a bus."""
    before = doc[draft.first - 1].lower_ if draft.first else ""
    if before in ("in", "at", "inside") or doc[draft.stop : draft.stop + 1].text != "of":
        return False
    behind = doc[draft.stop + 1 : draft.stop + 5]
    nouns = [token.lower_ for token in behind if token.pos_ in NOUNS]
    return any(wordnet.is_kind_of(noun, "seat", "person", "animal") for noun in nouns)


def _is_unseen(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a phrase names what cannot be pointed at: "energy", "at dawn"."""
    noun = doc[draft.head]
    if noun.lower_.startswith("one"):
        # "a blue one" is a thing that was named before, and none of that name
        return noun.lower_ in ("one", "ones")
    is_name = noun.pos_ == "PROPN" and noun.text[:1].isupper() and draft.head > noun.sent.start
    word = lemma(noun)
    before = doc[draft.first - 1].lower_ if draft.first else ""
    if says_when(word, before):
        return True
    name = " ".join(token.lower_ for token in doc[draft.name : draft.head])
    if is_name:
        return is_time(word)
    if _is_visible_compound(doc, draft):
        return False
    return cannot_be_seen(f"{name} {word}".strip(), word)


def _is_visible_compound(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether an adjective and the noun are a name for a thing: "a remote control"."""
    if draft.name == draft.first or draft.name != draft.head:
        return False
    compound = f"{doc[draft.name - 1].lower_} {lemma(doc[draft.head])}"
    return bool(wordnet.senses(compound)) and not wordnet.is_abstract(compound)


def _is_material(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a phrase stands behind "made of", "made from", "the texture of"."""
    if draft.definite or draft.first < 2 or doc[draft.first - 1].lower_ not in (_OF, "from"):
        return False
    word = doc[draft.first - 2]
    if word.lower_ in ("made", "built", "composed") and doc[draft.head].tag_ in PLURALS:
        # "a chandelier made of antlers" shows them
        return False
    return word.lower_ in MATERIAL_OF or lemma(word) in MATERIAL_OF
