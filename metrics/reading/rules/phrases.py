"""Finds the noun phrases of a parsed prompt: what each names, how many, and what describes it.

A name is the noun of a chunk with the nouns right before it ("wine glass"). Every "X of Y" is read
as one phrase or two. What names nothing that an image shows is kept as a phrase of no object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hallascope.data.prompt_reading import Count
from hallascope.metrics.reading.rules.counts import Counted, group_count, leading_count, set_count
from hallascope.metrics.reading.rules.elements import (
    NOUN_CLASSES,
    PLURAL_TAGS,
    SUBJECTS,
    Features,
    Kind,
    NounPhrase,
    Word,
    is_article,
    is_plural_noun,
    is_plural_only,
    noun_singular,
)
from hallascope.metrics.reading.words import wordnet
from hallascope.metrics.reading.words.language import COLORS, NUMBERS, wordset
from hallascope.metrics.reading.words.lists import MODIFIERS, NOUNS, is_living, is_unseen
from hallascope.metrics.reading.words.number_words import SCALES, number_value
from hallascope.metrics.reading.words.spacy_model import is_irregular_form, verbs

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_DEPENDENT = ("compound", "nmod", "amod", "poss", "npadvmod", "advmod", "nummod")
_NO_MODIFIER_TAGS = wordset("DT PDT PRP$ WP$ WDT POS CC IN EX TO HYPH RB RBR RBS WRB MD PRP CD")
# these stand for a noun that was named before
ELLIPTICAL = wordset("one ones other others another")
_PERSONS = wordset("someone somebody everyone everybody nobody")
_PLAIN = COLORS | wordset(
    "big little small tiny large huge old young new long short tall high low fat thin hot cold warm"
    " cool dead living wet dry dark light bright plain great wild open closed round square flat"
    " soft hard wooden front"
)
_PLACES = ("structure", "location", "residence", "room", "geological formation")
_DECADE = re.compile(r"(?:1[0-9]|20)[0-9]0'?s")
_EMPTY_ENDINGS = wordset("colored coloured sized shaped looking like")
_TIME_PREPOSITIONS = wordset("at during before after until till by since throughout")


def find_phrases(doc: Doc, written: frozenset[int], describing: frozenset[str]) -> list[NounPhrase]:
    """Return the noun phrases of a text in their order; `written` tokens are in none.

    `describing` are words that describe and belong to no name, colors among them.
    """
    pieces = [
        piece
        for chunk in doc.noun_chunks
        for piece in _split(doc, *_without_verb(doc, chunk.start, chunk.end - 1))
    ]
    covered = {token for start, head in pieces for token in range(start, head + 1)}
    pieces += [
        (token.left_edge.i if token.dep_ == "npadvmod" else _start(token), token.i)
        for token in doc
        if token.i not in covered and _is_noun(token)
    ]
    phrases = [
        phrase
        for start, head in _join_pieces(doc, sorted(pieces, key=lambda piece: piece[1]))
        if head not in written
        and (phrase := _phrase(doc, start, head, written, describing)) is not None
    ]
    return _join_of(doc, phrases)


# --- where nouns stand


def _join_pieces(doc: Doc, pieces: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the pieces with "a canoe like boat" as one, and "a purple cross"."""
    joined: list[tuple[int, int]] = []
    for start, head in pieces:
        before = joined[-1] if joined else None
        gap = doc[before[1] + 1 : start].text if before else ""
        is_color = before is not None and not gap and doc[before[1]].lower_ in COLORS
        if before and start == head and (is_color or gap == "like"):
            joined.pop()
            start = before[0]
        elif (
            before
            and before[1] + 1 == start == head
            and _without_verb(doc, before[0], head)[1] < head
        ):
            continue
        joined.append((start, head))
    return joined


def _start(token: Token) -> int:
    return int(token.i - (token.i > 0 and is_article(token.nbor(-1).lower_)))


def _without_verb(doc: Doc, start: int, head: int) -> tuple[int, int]:
    """Return a chunk without its last noun where that is a verb: "a blue cap mends", "men watch".

    The verb's class is corrected in the parse, and it depends on nothing.
    """
    verb = doc[head]
    before = doc[head - 1]
    is_noun = before.pos_ in NOUN_CLASSES and before.lower_ not in COLORS | SCALES.keys()
    if head <= start or not is_noun:
        return start, head
    lemma = noun_singular(verb)
    behind = doc[head + 1] if head + 1 < len(doc) else None
    is_followed = behind is not None and (
        is_article(behind.lower_) or behind.pos_ in ("ADP", "ADV", "SCONJ")
    )
    is_one = doc[start].lower_ in ("a", "an", "one", "another")
    is_of = start > 0 and doc[start - 1].lower_ == "of" and is_followed
    is_single = (is_one or is_of) and not is_plural_noun(before)
    is_singular_verb = verb.tag_ in PLURAL_TAGS and is_single and not is_plural_only(verb)
    is_plural_verb = verb.tag_ in ("NN", "NNP") and is_plural_noun(before) and is_followed
    is_past = not wordnet.has_noun(verb.lower_) and is_irregular_form(verb.lower_)
    is_doing = verb.lower_.endswith("ing") and verb.lower_ not in NOUNS["in_ing"] and is_followed
    if is_doing:
        lemma = _verb_of(verb)
    elif not (is_singular_verb or is_plural_verb or is_past) or not (is_past or lemma in verbs()):
        return start, head
    tag = "VBG" if is_doing else "VBD" if is_past else "VBZ" if is_singular_verb else "VBP"
    _make_verb(verb, tag, lemma)
    return start, head - 1


def _split(doc: Doc, start: int, head: int) -> Iterator[tuple[int, int]]:
    """Yield start and noun of each name in a chunk: of "a laptop and three phones" two."""
    for at in range(start + 1, head):
        before, token = doc[at - 1], doc[at]
        is_noun = before.pos_ in NOUN_CLASSES and before.lower_ not in COLORS
        is_doing = is_noun and _is_doing(token, doc[at + 1])
        is_owner = token.tag_ == "POS"
        if is_doing:
            _make_verb(token, "VBG", _verb_of(token))
        if (is_noun and (token.tag_ in ("CC", ",") or is_doing)) or is_owner:
            yield start, at - 1
            start = at if is_owner else at + 1
    yield start, head


def _is_doing(token: Token, following: Token) -> bool:
    """Return whether a word in -ing between nouns is a verb: "a player playing tennis"."""
    word = token.lower_
    if not word.endswith("ing") or word in NOUNS["in_ing"]:
        return False
    return token.tag_ == "VBG" or not wordnet.senses(f"{word} {noun_singular(following)}")


def _verb_of(token: Token) -> str:
    stem = str(token.lower_).removesuffix("ing")
    return stem if stem in verbs() else f"{stem}e"


def _make_verb(token: Token, tag: str, lemma: str) -> None:
    """Correct in the parse a verb that was taken for a noun; it depends on nothing."""
    token.pos_, token.dep_, token.tag_, token.lemma_ = "VERB", "ROOT", tag, lemma


def _is_noun(token: Token) -> bool:
    """Return whether a token outside of all chunks is a noun of its own."""
    word = token.lower_
    if word in _PERSONS:
        return True
    if token.tag_ == "JJS":
        return token.dep_ in ("appos", "conj", *SUBJECTS)
    is_doing = word.endswith("ing") and word not in NOUNS["in_ing"]
    is_way = token.dep_ == "npadvmod" and token.left_edge.dep_ in ("det", "nummod")
    is_cut = token.dep_ == "compound" and token.head.pos_ not in NOUN_CLASSES
    return (
        token.pos_ in NOUN_CLASSES
        and not is_doing
        and (token.dep_ not in _DEPENDENT or is_cut or is_way)
    )


# --- one phrase


def _phrase(
    doc: Doc, start: int, head: int, written: frozenset[int], describing: frozenset[str]
) -> NounPhrase | None:
    """Return the phrase from a start to its noun; None where the noun names nothing."""
    noun = doc[head]
    while start < head and (start in written or not (doc[start].is_alpha or doc[start].like_num)):
        start += 1
    if noun.lower_ in _PERSONS:
        kind: Kind = "absent" if noun.lower_ == "nobody" else "object"
        return NounPhrase(head, head, head, head + 1, "person", kind, singular="person")
    if (noun.pos_ == "PRON" and noun.lower_ not in ELLIPTICAL) or not any(
        letter.isalpha() for letter in noun.text
    ):
        return None
    if start == head and noun.lower_ in NOUNS["nameless"]:
        return None
    name = head
    while name > start and _belongs_to_name(doc, name - 1, head, describing):
        name -= 1
    counted = leading_count(doc, start, head)
    phrase = NounPhrase(
        first=min(start, counted.first) if counted else start,
        name=name,
        head=head,
        stop=head + 1,
        noun=noun_singular(noun),
        plural=is_plural_noun(noun),
        definite=doc[start].lower_ in MODIFIERS["definite"]
        or doc[start].tag_ == "PRP$"
        or (start > 0 and doc[start - 1].tag_ == "POS"),
        features=Features(
            agrees=noun.pos_ in NOUN_CLASSES, unknown=not wordnet.senses(noun.lower_)
        ),
    )
    set_count(phrase, counted)
    if phrase.noun == "couple" and counted is None:
        phrase.singular, phrase.plural = "person", True
        set_count(phrase, Counted(Count.exactly(2), head, head + 1))
    phrase.words = list(describing_words(doc, phrase, start, name))
    if noun.tag_ == "JJS":
        # "the largest on the left"
        phrase.noun, phrase.words = "one", [Word(noun.lower_, head, head + 1)]
    phrase.kind = "none" if _names_nothing(doc, phrase, start) else "object"
    return phrase


def _belongs_to_name(doc: Doc, at: int, head: int, describing: frozenset[str]) -> bool:
    """Return whether the word before a name belongs to it: "wine" of "wine glass"."""
    token, following = doc[at], doc[at + 1]
    word = token.lower_
    if word in describing or is_article(word) or number_value(word) is not None:
        return False
    if following.lower_ in MODIFIERS["ending"]:
        return False
    if token.tag_ == "HYPH":
        return doc[at - 1].pos_ in NOUN_CLASSES and following.pos_ in NOUN_CLASSES
    compound = f"{word} {noun_singular(doc[head])}"
    if token.pos_ in ("ADJ", "VERB") and at + 1 == head and word not in _PLAIN:
        return bool(wordnet.senses(compound)) and not wordnet.is_abstract(compound)
    is_unit = word in NOUNS["unit"] and at > 0 and doc[at - 1].like_num
    if token.pos_ not in NOUN_CLASSES or token.tag_ == "CD" or is_unit:
        return False
    if word.endswith("ing") and word not in NOUNS["in_ing"]:
        return bool(wordnet.senses(compound)) or doc[at - 1].pos_ in NOUN_CLASSES
    return doc[at - 1].tag_ != "HYPH" or doc[at - 2].pos_ in NOUN_CLASSES


# --- words that describe


def describing_words(doc: Doc, phrase: NounPhrase, first: int, stop: int) -> Iterator[Word]:
    """Yield the words between two tokens that describe an object; "star-shaped" is one word."""
    counted = range(*phrase.count_tokens) if phrase.count_tokens else range(0)
    at = first
    while at < stop:
        end = at + 1
        while end + 1 < stop and doc[end].text == "-" and not doc[end].whitespace_:
            end += 2
        if at not in counted:
            yield from _compound_words(doc, at, end)
        at = end


def _compound_words(doc: Doc, first: int, stop: int) -> Iterator[Word]:
    tokens = [token for token in doc[first:stop] if token.text != "-"]
    words = {token.lower_ for token in tokens} - {"and", "colored", "coloured"}
    if len(tokens) > 1 and not words <= COLORS:
        yield Word(
            "".join(token.text_with_ws for token in doc[first:stop]).strip().lower(), first, stop
        )
        return
    yield from (Word(token.lower_, token.i, token.i + 1) for token in tokens if _describes(token))


def _describes(token: Token) -> bool:
    word = token.lower_
    if _DECADE.fullmatch(word):
        return True
    if word in MODIFIERS["article"] | MODIFIERS["never"] | MODIFIERS["quantifier"]:
        return False
    if word in _EMPTY_ENDINGS or word in NUMBERS or number_value(word) is not None:
        return False
    if token.pos_ in NOUN_CLASSES and noun_singular(token) in NOUNS["group"]:
        return False
    is_owner = token.i + 1 < len(token.doc) and token.nbor(1).tag_ == "POS"
    return token.is_alpha and len(word) > 1 and not is_owner and token.tag_ not in _NO_MODIFIER_TAGS


# --- what names nothing that an image shows


def _names_nothing(doc: Doc, phrase: NounPhrase, start: int) -> bool:
    """Return whether a phrase names the image, a side, a time, a color alone, or the unseen."""
    noun, word = doc[phrase.head], phrase.noun
    before = doc[start - 1].lower_ if start else ""
    is_alone = phrase.name == phrase.head
    if (
        word in ELLIPTICAL
        or noun.lower_ in NUMBERS
        or (noun.lower_ in NOUNS["unit"] and doc[phrase.head - 1].like_num)
    ):
        return True
    if noun.lower_ in COLORS and is_alone and noun.tag_ != "NNS":
        has_article = is_article(doc[start].lower_) and start < phrase.head
        return not has_article or before in ("in", "of")
    if _is_time(word, before) or _is_of_before_clause(noun):
        return True
    if word in NOUNS["formation"] and before == "in":
        return True
    is_bare = start == phrase.head and noun.dep_ == "dobj" and noun.head.lemma_ == "play"
    if is_bare and wordnet.is_kind_of(word, "athletic game", "sport"):
        return True
    if word in NOUNS["depiction"] and start > 0 and (phrase.plural or before in ("with", "has")):
        return False
    if word in NOUNS["image"] or (is_alone and word in NOUNS["frame"]):
        return not _is_part(doc, phrase, before)
    if not _is_shown(noun):
        return True
    name = " ".join([*(token.lower_ for token in doc[phrase.name : phrase.head]), word])
    return is_unseen(name, word) or _is_material(doc, phrase)


def _is_material(doc: Doc, phrase: NounPhrase) -> bool:
    """Return whether a phrase names what something is made of: "a cube made of denim"."""
    before = [token.lower_ for token in doc[max(0, phrase.first - 3) : phrase.first]]
    is_made = before[-1:] in (["of"], ["from"]) and not {"made", "built"}.isdisjoint(before)
    return is_made and not phrase.plural and not phrase.definite


def _is_time(noun: str, before: str) -> bool:
    is_meal = noun in NOUNS["meal"] and before in ("for", "after", "before")
    is_event = before in ("after", "before", "until", "since") and wordnet.is_kind_of(
        noun, "event", "activity", "ceremony", "occasion"
    )
    is_when = is_event or (noun in NOUNS["time_or_thing"] and before in _TIME_PREPOSITIONS)
    return noun in NOUNS["time"] or before == "during" or is_meal or is_when


def _is_part(doc: Doc, phrase: NounPhrase, before: str) -> bool:
    """Return whether a side is a part of an object: "a sign with dirty edges", "its back"."""
    if phrase.noun in ("area", "place", "space", "spot"):
        return bool(phrase.words)
    if phrase.noun == "letter":
        return before not in ("in", "with", "by", "")
    is_side = phrase.noun in ("back", "edge", "corner", "side", "front", "top", "bottom", "end")
    is_described = bool(phrase.words) and before not in ("in", "at", "on", "to")
    is_back = phrase.noun == "back" and before not in ("in", "at", "lying")
    is_of = doc[phrase.stop : phrase.stop + 1].text == "of"
    return (is_side and (is_described or before == "with")) or (is_back and is_of)


_NOT_SHOWN_PREPOSITIONS = {
    "for": wordset("design make intend mean suit build perfect ideal suitable create produce fit"),
    "by": wordset("inspire"),
    "about": wordset("think dream wonder worry daydream talk know learn"),
    "of": wordset("think dream daydream remind"),
    "than": frozenset(),
}
_BUNCHES = ("bouquet", "garland", "wreath", "nosegay")
_FRACTIONS = ("quarter", "third", "half")
_MEASURES = wordset("size height length width weight thickness")
_REPLACING = wordset("replace remember imagine miss want wish supersede")


def _is_shown(noun: Token) -> bool:
    """Return whether a noun is not only replaced, thought of, compared with or the audience."""
    governor = noun.head
    if noun.dep_ in ("dobj", "nsubjpass") and governor.lemma_ in _REPLACING:
        return False
    if any(child.dep_ == "relcl" and child.lemma_ in _REPLACING for child in noun.children):
        return any(
            child.dep_ in SUBJECTS and child.tag_ in ("WDT", "WP")
            for clause in noun.children
            for child in clause.children
        )
    if governor.lower_ == "as" and governor.i and governor.nbor(-1).pos_ == "ADJ":
        return False
    if (
        governor.lower_ == "of"
        and governor.head.i < noun.i
        and (governor.head.lower_ in _MEASURES or not _is_shown(governor.head))
    ):
        return False
    if noun.dep_ != "pobj" or governor.lower_ not in _NOT_SHOWN_PREPOSITIONS:
        return True
    is_of_thing = governor.head.pos_ in NOUN_CLASSES and not is_living(governor.head.lower_)
    if governor.lower_ == "for" and is_of_thing and is_living(noun_singular(noun)):
        return False
    verbs = _NOT_SHOWN_PREPOSITIONS[governor.lower_]
    return bool(verbs) and governor.head.lemma_ not in verbs


def _is_of_before_clause(noun: Token) -> bool:
    """Return whether a noun stands in a clause of what has not happened: "before any tea is"."""
    clause = noun.head
    marks = (child.lower_ for child in clause.children if child.dep_ == "mark")
    return noun.dep_ in SUBJECTS and any(mark in ("before", "until", "till") for mark in marks)


# --- "of"


def _join_of(doc: Doc, phrases: Sequence[NounPhrase]) -> list[NounPhrase]:
    """Return the phrases with every "of" read, the last first: "a photo of a group of kids"."""
    joined: list[NounPhrase] = []
    owners: list[tuple[NounPhrase, NounPhrase]] = []
    for phrase in reversed(phrases):
        following = joined[-1] if joined else None
        if following is not None and phrase.stop > following.first:
            continue
        is_of = following is not None and (
            following.first == phrase.stop + 1 and doc[phrase.stop].lower_ == "of"
        )
        if following is None or not is_of:
            is_owner = following is not None and following.first == phrase.stop + 1
            if is_owner and following is not None and doc[phrase.stop].tag_ == "POS":
                owners.append((following, phrase))
            joined.append(phrase)
            continue
        if _is_group(phrase, following):
            _join_group(doc, phrase, following)
        elif _is_name_of(doc, phrase, following):
            _join_name(doc, phrase, following)
            joined[-1] = phrase
            owners = [(part, phrase if owner is following else owner) for part, owner in owners]
        else:
            joined.append(phrase)
            if phrase.kind == "object":
                owners.append((phrase, following))
    joined.reverse()
    for part, owner in owners:
        part.owner = next((at for at, phrase in enumerate(joined) if phrase is owner), None)
    return joined


def _is_group(phrase: NounPhrase, following: NounPhrase) -> bool:
    """Return whether "X of Y" names several Y: "a pair of skiers", "one of the dogs"."""
    is_single = not following.plural and (following.definite or following.count is not None)
    is_counted = following.count is not None and following.count.exact is not None
    is_bunch = phrase.noun in _BUNCHES and is_counted
    return (phrase.noun in NOUNS["group"] and not is_single) or is_bunch


def _join_group(doc: Doc, phrase: NounPhrase, following: NounPhrase) -> None:
    if following.count is None:
        set_count(following, group_count(doc, phrase.first, phrase.head, following.head))
    following.first = phrase.first
    following.definite = following.definite or phrase.definite


def _is_name_of(doc: Doc, phrase: NounPhrase, following: NounPhrase) -> bool:
    """Return whether Y of "X of Y" belongs to the name of X: "glass of red wine"."""
    if phrase.noun in NOUNS["depiction"] and phrase.kind == "object":
        return True
    if phrase.noun in NOUNS["image"] | NOUNS["frame"] and phrase.noun not in NOUNS["holder"]:
        return False
    if following.kind != "object" or following.definite:
        return False
    is_single = not following.plural and doc[following.first].lower_ in ("a", "an")
    if phrase.noun in NOUNS["holder"] or wordnet.is_kind_of(phrase.noun, "container"):
        return phrase.noun in NOUNS["portion"] or not is_single
    if not following.plural and wordnet.is_kind_of(following.noun, *_PLACES):
        return False
    return following.first == following.name


def _join_name(doc: Doc, phrase: NounPhrase, following: NounPhrase) -> None:
    is_depicted = phrase.noun in NOUNS["depiction"]
    if phrase.noun in _FRACTIONS and not following.plural:
        phrase.count, phrase.plural = None, False
    words = [] if is_depicted else following.words
    noun = following.singular or phrase_name(doc, following, keep_plural=True)
    phrase.singular = f"{phrase_name(doc, phrase)} of {noun}"
    phrase.words = [*phrase.words, *words]
    phrase.stop = following.stop
    if phrase.kind == "none":
        phrase.kind = "object"


def phrase_name(doc: Doc, phrase: NounPhrase, keep_plural: bool = False) -> str:
    """Return the name of one of a phrase's objects, as the prompt writes it."""
    if phrase.singular:
        return phrase.singular
    noun = doc[phrase.head]
    before = doc[phrase.name : phrase.head].text_with_ws
    is_written = noun.text.casefold() == phrase.noun or keep_plural
    return f"{before}{noun.text if is_written else phrase.noun}"
