"""Finds where a reply without markup says which choice is the answer, and what speaks against it.

It knows no JSON, no tags and no roles: `hallascope.metrics.replies.letters` decides what to read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hallascope.data.records import LETTERS, NONE_OF_THE_ABOVE, Letter

_LONE = re.compile(r"[(\[{\"'<$]*([A-Ea-e])[)\]}\"'>$.:,;!]*")
# A letter with its brackets, what separates it from the words after it, and those words.
_LETTER = re.compile(r"[(\[{\"'<]*(?P<letter>[A-Ea-e])(?P<brackets>(?:[)\]}>]|[\"'](?!\w))*)")
_MARK = re.compile(
    r"\s*\n|[.:,;!](?=\s|\Z|[^\s\d.,])|\s*-(?=\s)|[^\S\n]+|\.{2,}|"
    r"(?=\u3067\u3059|\uc785\ub2c8\ub2e4)"
)
# Words that go on after a letter that is an answer, and never after the article "A".
_GOES_ON = re.compile(
    r"(?:because|since|as|for|given|due|based|rather|instead|unlike|not)\b|I\b|\(|\Z"
)
_NONE = re.compile(
    r"none(?: of (?:the |these |those )?(?:above|these|those|(?:given |listed |provided |other )*"
    r"(?:options?|choices?|answers?)))?"
    r"(?: (?:is|are) (?:correct|right|shown|visible)| fits?| match(?:es)?| appl(?:y|ies))?"
)
_NOUN = (
    r"(?:answer choice|answer|option|choice|letter|ans|selection|selected|response|result|"
    r"solution|conclusion|one)"
)
_GOOD = r"(?:most (?:likely|accurate|appropriate)|correct|right|best|final|likely|true|accurate)"
_SURELY = r"(?:(?:clearly|definitely|therefore|probably|likely|most likely|thus)\s+)?"
_BEFORE_LETTER = r"(?:the\s+)?(?:(?:option|choice|letter|answer)\b[\s:]*)?"
_IS = r"(?:is|would be|must be|should be|will be)"
# What says that the words after it are the answer. The first group is what an answer is called.
_CUES = (
    re.compile(
        rf"(?:(?<=^)|(?<=[\s\"'({{]))(?P<noun>(?:{_GOOD}[\s_-]+)?{_NOUN})\b[\"']?"
        rf"(?:\s+(?:to|for) (?:this|the|your) question)?\s*"
        rf"(?P<link>(?:{_IS}|seems to be|appears to be)\b\s*:?|[:=-]|\.(?=\s*[(\[]?[A-E]\b))"
        rf"\s*{_SURELY}{_BEFORE_LETTER}",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(
        rf"\bI(?:'d| would| will|'ll)?\s+{_SURELY}(?:choose|select|pick|go with|say|answer|guess|"
        rf"opt for)\s+{_SURELY}(?:that )?(?:it is |it's )?{_BEFORE_LETTER}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:which is|which matches|corresponds? to|corresponding to|matches|matching|that is)\s+"
        r"(?:the\s+)?(?:correct\s+)?(?:option|choice|answer|letter)\s+",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?:(?:so|thus|hence|therefore|I (?:think|believe)|(?:most )?likely|probably),?\s+)*"
        rf"(?:(?:it|that|this)(?: is|'s| {_IS}| seems to be| appears to be)\s+{_SURELY}"
        rf"{_BEFORE_LETTER}|(?<=\s){_BEFORE_LETTER})(?=[(\[\"']*[A-E][)\]\"']*\s*[.!]?\s*$)",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(
        r"(?<=[.!] )(?:so|thus|hence|therefore),?\s+(?=[(\[]?[A-E][)\]]?\s*[.!]?\s*$)",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(
        r"(?<![A-E] )(?:->|=>|[\u2192\u21d2])\s*(?=[(\[]?[A-E][)\]]?\s*[.!]?\s*$)", re.MULTILINE
    ),
    re.compile(
        r"(?:\u7b54\u6848|\u9009\u9879|\u9009\u62e9|\u9009|\u9078\u629e|\u6b63\u89e3|\u7b54\u3048|"
        r"\uc815\ub2f5|\ub2f5|\bantwort|\bl\u00f6sung|\brespuesta(?: correcta)?|"
        r"\br\u00e9ponse(?: correcte)?|\brisposta(?: corretta)?|\b(?:a )?resposta(?: correta)?|"
        r"\u043e\u0442\u0432\u0435\u0442)"
        r"\s*(?:\u662f|\u4e3a|\u306f|\uc740|\ub294|ist|est|es|\u00e8|\u00e9|:|-)?\s*:?\s*"
        r"(?:option|opci\u00f3n|\u9009\u9879)?\s*(?=[(\[\"']*[A-E](?![A-Za-z]))",
        re.IGNORECASE,
    ),
)
_IS_CORRECT = re.compile(
    rf"(?:^|(?<=[.:;!] )|(?<=\n)|\b(?:so|that|think|believe|say|therefore|thus|hence),?\s+|"
    rf"\b(?:[Oo]ption|[Cc]hoice|[Aa]nswer)\s+)"
    rf"(?P<token>[(\[\"']*[A-E][)\]\"'.:]*)(?P<words>[^.\n]{{0,80}}?)\s+"
    rf"(?:{_IS}|seems|appears)\s+(?:to be\s+)?{_SURELY}(?:the\s+)?"
    rf"(?:{_GOOD}(?:\s+{_NOUN})?|answer)\b",
    re.MULTILINE,
)
_LEADING = re.compile(r"\A(?:option|choice|answer)\s+(?=[(\[\"']*[A-E]\b)", re.IGNORECASE)
_LEADING_SMALL = re.compile(r"\A(?:option|choice|answer)\s+(?=[a-e]\s*\Z)", re.IGNORECASE)
# What takes back the cue after it, where it stands before it in the same sentence.
_DENIED = re.compile(
    r"\b(?:wrong|incorrect|false|worst|bad|another|other|previous|earlier|first|second)\s*\Z|"
    r"(?:n't|\bnot|\bnever|\bcannot|\bhardly)\s+(?:[\w']+\s+){0,4}\Z|"
    r"\b(?:whether|unless|doubt|unlikely|no one|nobody|if(?! I had to))\b",
    re.IGNORECASE,
)
# What takes back the answer before it, or makes it depend on something.
_TAKEN_BACK = re.compile(
    r"\A[\s.:,;)\-!]*(?:(?:that|this|it)\s+)?(?:(?:is|was|would be|'s)\s+)?"
    r"(?:(?:clearly|definitely|also|probably)\s+)?"
    r"(?:not (?:visible|correct|right|true|possible|shown|present|it\b|an? answer|the )|isn't|"
    r"wrong\b|incorrect\b|false\b|unlikely\b|no(?:[.,!\n]|\s*\Z))",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(
    r"\b(?:but|although|though|however|unless|except|if(?! I had to))\b", re.IGNORECASE
)
_NEGATED_LETTERS = re.compile(
    r"(?:\bnot|\brather than|\binstead of|\bunlike|\bas opposed to|\bneither)\s+"
    r"(?:the\s+)?(?:\w+\s+of\s+)?(?:options?\s+|choices?\s+)?[A-E]\b"
    r"(?:\s*(?:,|,?\s+and|,?\s+or|,?\s+nor)\s+[A-E]\b)*",
)
_NEGATIVE = re.compile(
    r"\b(?:wrong|incorrect|not|no|neither|nor|cannot|ruled out|excluded|eliminated|unlike|"
    r"rather than|instead of|opposed to|out|would (?:need|require|have|be|show|mean|end))\b|n't\b",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"\b(?:wait|actually|correction|hmm+|scratch that|on (?:a )?second|let me re\w*|reconsider|"
    r"sorry|oops|mistake)\b|(?:^|(?<=[.!?\x00] ))no[,.!]",
    re.IGNORECASE | re.MULTILINE,
)
_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|might|may|could|possibl[ey]|also|either|both|alternatively|however|but|"
    r"likely|better|best|should be)\b|\bor(?! [A-E]\b[^?]*\b(?:wrong|incorrect|not)\b)\b",
    re.IGNORECASE,
)
# Letters named as choices anywhere; the article "A" is one only where its surroundings say so.
_NAMED = re.compile(
    r"(?<![\w-])(?<!\w')(?:"
    r"([B-E])(?!\w|['-]\w)"
    r"|(A)(?=\s*(?:[)\].,:;/|&!?\"'}>\0]|$|\n|-\s|(?:or|and)\b))"
    r"|(A)(?=\s+(?:is|was|may|might|could|would|seems|also|does|matches|fits)\b)"
    r"|([a-e])(?=\))"
    r")|(?:\b(?:or|and)\s+|[,;/&]\s*)(A)\b(?!\s+[a-z]|['-])"
)
_LISTED = re.compile(r"[(\[]*([A-E])[)\].:]\s*\S")
_NEGATION = re.compile(r"\b(?:no|not|none|nothing|never|without|neither)\b|n't\b", re.IGNORECASE)
_NO_ANSWER = re.compile(
    r"\b(?:cannot|can't|could not|couldn't|unable|unclear|sorry|help|assist|question|happy|"
    r"describe|certain|but|although|however|know)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?;](?=\s|\Z)|\n")
_STATEMENT = re.compile(r"(?P<subject>[\w' ]{2,60}?)\s+(?:is|are)\s+(?P<choice>[^.,;!?\n]+)\.?")
_PLAIN_WORDS = frozenset(
    {"the", "a", "an", "of", "in", "on", "at", "this", "that", "it", "its", "there", "s"}
    | {"image", "picture", "photo"}
)


_LOOK_BACK = 500  # characters before an answer in which its sentence begins


class NamedAnswer(NamedTuple):
    """Holds the letter that a part of a reply says is the answer, and where that part stands.

    No letter: the part contradicts itself.
    """

    letter: Letter | None
    start: int
    end: int


def lone_letter(text: str) -> Letter | None:
    """Return the letter of a text that holds nothing else, such as ``(b).``; else None."""
    lone = _LONE.fullmatch(text.strip())
    return _letter(lone[1]) if lone else None


def named_letters(text: str) -> set[Letter]:
    """Return the letters that a text names as choices. The article "A" is none."""
    return {_letter(next(filter(None, groups))) for groups in _NAMED.findall(text)}


def drop_enumeration(text: str) -> str:
    """Return the text without lines that go through the choices from A on, at least three.

    A reply that repeats or discusses every choice in a line of its own names none by that.
    """
    lines = text.split("\n")
    listed = [
        (place, match[1]) for place, line in enumerate(lines) if (match := _LISTED.match(line))
    ]
    places: list[int] = []
    for place, letter in listed:
        if letter == "A":
            places = []
        if len(places) < len(LETTERS) and letter == LETTERS[len(places)]:
            places.append(place)
    if len(places) < 3:
        return text
    return "\n".join(line for place, line in enumerate(lines) if place not in places).strip()


@dataclass(frozen=True)
class ChoiceTexts:
    """Holds the texts of the choices as they are compared: the words alone, in small letters."""

    texts: tuple[str, ...]

    def equal(self, text: str) -> list[Letter]:
        """Return the letters of all choices whose words a text is.

        "None" and "none of the options" say "None of the above".
        """
        words = normalize_words(text)
        if _NONE.fullmatch(words) and words not in self.texts:
            words = NONE_OF_THE_ABOVE.casefold()
        return [
            letter for letter, own in zip(LETTERS, self.texts, strict=False) if own and own == words
        ]

    def own_length(self, letter: Letter, text: str) -> int:
        """Return how many characters at the start of a text are the words of the letter's choice.

        Brackets and quotes around them count. 0 where the text begins otherwise.
        """
        place = LETTERS.index(letter)
        own = self.texts[place] if place < len(self.texts) else ""
        return _prefix_length(own, text)

    def begins_with_other(self, letter: Letter, text: str) -> bool:
        """Return whether a text begins with the words of another choice, or is these words."""
        if any(other != letter for other in self.equal(text)) and letter not in self.equal(text):
            return True
        return any(
            _prefix_length(own, text)
            for other, own in zip(LETTERS, self.texts, strict=False)
            if other != letter
        )


def choice_texts(choices: Sequence[str]) -> ChoiceTexts:
    """Return the texts of the choices, A first, at most five."""
    return ChoiceTexts(tuple(map(normalize_words, choices[: len(LETTERS)])))


def normalize_words(text: str) -> str:
    """Return the words alone, for comparing the text of a reply with that of a choice."""
    return " ".join(text.casefold().split()).strip(" .,;:!?\"'()[]")


def _prefix_length(own: str, text: str) -> int:
    if not own:
        return 0
    words = r"\s+".join(re.escape(word) for word in own.split())
    match = re.match(rf"[\"'(\[]*{words}(?!\w)[\"')\]]*", text, re.IGNORECASE)
    return match.end() if match else 0


def named_answers(text: str, texts: ChoiceTexts) -> list[NamedAnswer]:
    """Return every part of a text that says which choice is the answer, none within another.

    Read are phrases ("the answer is B", "I would choose B", "B is correct"), a letter or the words
    of a choice at the start, and lines that hold nothing but a letter and its choice. A phrase that
    is denied, asked or conditional has no letter.
    """
    answers = [
        _unless_denied(text, answer.start, answer)
        for answer in (*_leading(text, texts), *_lines(text, texts))
    ]
    for cue in _CUES:
        for match in _overlapping(cue, text):
            answer = _after_cue(text, match, texts)
            if answer:
                answers.append(_unless_denied(text, match.start(), answer))
    for match in _IS_CORRECT.finditer(text):
        answer = _before_verdict(match, texts)
        if answer:
            answers.append(_unless_denied(text, match.start(), answer))
    return answers


def marked_answers(text: str, letter: Letter) -> list[NamedAnswer]:
    """Return the letter at every NUL of a text, which stands for a box or a tag that holds it."""
    places = [place for place, character in enumerate(text) if character == "\0"]
    return [_unless_denied(text, place, NamedAnswer(letter, place, place + 1)) for place in places]


def _overlapping(cue: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield all matches of a cue, also one that begins within another."""
    match = cue.search(text)
    while match:
        yield match
        match = cue.search(text, match.start() + 1)


def contradicts(
    text: str, answers: Sequence[NamedAnswer], letter: Letter, texts: ChoiceTexts
) -> bool:
    """Return whether what stands around the answers speaks for another choice, or against theirs.

    Other letters may be named where they are ruled out ("not A", "C would need two more legs").
    """
    rest = list(text)
    for answer in answers:
        rest[answer.start : answer.end] = "\x00" * (answer.end - answer.start)
    own_words = (
        texts.texts[LETTERS.index(letter)] if LETTERS.index(letter) < len(texts.texts) else ""
    )
    content = {LETTERS["abcde".index(own_words)]} if own_words in tuple("abcde") else set()
    around = "".join(rest)
    if _TURN.search(around):
        return True
    segments = _SENTENCE_END.split(around)
    for segment in segments:
        others = named_letters(_NEGATED_LETTERS.sub(" ", segment)) - {letter} - content
        if "\x00" in segment:
            if others or _CONDITIONAL.search(segment.rpartition("\x00")[2]):
                return True
        elif others and (not _NEGATIVE.search(segment) or _DOUBT.search(segment)):
            return True
    return any(_stands_alone(segment, letter, texts) for segment in segments)


def stated_letter(text: str, texts: ChoiceTexts, question: str) -> Letter | None:
    """Return the letter of a sentence such as "The bird is blue.", None of any other text.

    Our reading: it is one sentence of the form "... is ..." that ends with the words of one choice,
    and what it speaks of stands in the question.
    """
    statement = _STATEMENT.fullmatch(text.strip())
    if not statement:
        return None
    asked = set(re.findall(r"\w+", question.casefold()))
    subject = re.findall(r"\w+", statement["subject"].casefold())
    named = set(subject) - _PLAIN_WORDS
    equal = texts.equal(statement["choice"])
    if len(equal) != 1 or not named <= asked or not asked or {"is", "are", "not"} & set(subject):
        return None
    return equal[0]


def _stands_alone(segment: str, letter: Letter, texts: ChoiceTexts) -> bool:
    """Return whether a sentence is the words of another choice and nothing else."""
    equal = texts.equal(segment)
    return bool(equal) and letter not in equal


def _after_cue(text: str, cue: re.Match[str], texts: ChoiceTexts) -> NamedAnswer | None:
    """Return the answer that stands after a cue, None where that is no answer."""
    link = (cue.groupdict().get("link") or "").casefold()
    part = text[cue.end() : cue.end() + _LOOK_BACK]
    end = _SENTENCE_END.search(part)
    sentence = part[: end.start()] if end else part
    if small := re.fullmatch(r"[(\[\"']*([a-e])[)\]\"']*\s*", sentence.split("\n")[0]):
        # "the answer is a" may break off before its noun
        if small[1] == "a" and link[:1].isalpha() and sentence.strip() == "a":
            return None
        return NamedAnswer(_letter(small[1]), cue.start(), cue.end() + small.end())
    words = _choice_words(part, texts, cue.start(), cue.end()) if link else None
    if words:
        return words
    answer = _marked(part, texts)
    return NamedAnswer(answer.letter, cue.start(), cue.end() + answer.end) if answer else None


def _choice_words(part: str, texts: ChoiceTexts, start: int, offset: int) -> NamedAnswer | None:
    """Return the answer where a part begins with the words of one choice and then ends."""
    line = part.split("\n")[0]
    for stop in (*(found.start() for found in re.finditer(r"[.!?;](?=\s)", line)), len(line)):
        equal = texts.equal(line[:stop])
        if equal and not lone_letter(line[:stop]):
            letter = equal[0] if len(equal) == 1 else None
            return NamedAnswer(letter, start, offset + stop)
    return None


def _before_verdict(match: re.Match[str], texts: ChoiceTexts) -> NamedAnswer | None:
    """Return the answer of "B is correct" or "B) Four is correct"."""
    letter = _letter(next(character for character in match["token"] if character.isalpha()))
    words = match["words"].strip()
    if words and texts.equal(words) != [letter]:
        return None
    return NamedAnswer(letter, match.start(), match.end())


def _unless_denied(text: str, start: int, answer: NamedAnswer) -> NamedAnswer:
    """Return the answer, without its letter where its sentence denies it or asks for it."""
    before = text[max(0, start - _LOOK_BACK) : start]
    ends = [found.end() for found in _SENTENCE_END.finditer(before)]
    sentence = before[ends[-1] if ends else 0 :]
    after = text[answer.end :].lstrip(" )\"'")
    is_denied = _DENIED.search(_NEGATED_LETTERS.sub(" ", sentence))
    is_taken_back = _TAKEN_BACK.match(_NEGATED_LETTERS.sub(" ", after[:200]))
    if is_denied or is_taken_back or after.startswith("?"):
        return answer._replace(letter=None)
    return answer


def _leading(text: str, texts: ChoiceTexts) -> Iterator[NamedAnswer]:
    """Yield the answer with which a reply begins: "B. It is red", "Option B", "Yes, it is"."""
    leading = _LEADING.match(text) or _LEADING_SMALL.match(text)
    start = leading.end() if leading else 0
    if leading and (lone := lone_letter(text[start:])):
        yield NamedAnswer(lone, 0, len(text))
        return
    answer = _marked(text[start:], texts)
    if answer:
        yield NamedAnswer(answer.letter, 0, start + answer.end)
        return
    stop = re.search(r"[.!;:](?=\s)|\n|,(?=\s)", text)
    if not stop:
        return
    words = text[: stop.start()]
    equal = texts.equal(words)
    agrees = _AGREES.get(normalize_words(words))
    if len(equal) == 1 and (agrees(text[stop.end() :]) if agrees else stop[0] != ","):
        yield NamedAnswer(equal[0], 0, stop.start())


def _agrees_with_yes(rest: str) -> bool:
    return not (_NEGATION.search(rest) or _NO_ANSWER.search(rest))


def _agrees_with_no(rest: str) -> bool:
    return bool(_NEGATION.search(rest)) and not _NO_ANSWER.search(rest)


# Whether the words after "Yes" or "No" say the same again.
_AGREES = {"yes": _agrees_with_yes, "no": _agrees_with_no}


def _lines(text: str, texts: ChoiceTexts) -> Iterator[NamedAnswer]:
    """Yield the answers of lines that hold a letter alone, or a letter and its choice."""
    start = 0
    for line in text.split("\n"):
        letter = lone_letter(line)
        if letter is None and (marked := _marked(line, texts)) and marked.letter:
            rest = line[marked.end :].strip(" .!)\"'")
            has_words = len(normalize_words(line[: marked.end])) > 1
            letter = marked.letter if has_words and not rest else None
        if letter:
            yield NamedAnswer(letter, start, start + len(line))
        start += len(line) + 1


def _marked(part: str, texts: ChoiceTexts) -> NamedAnswer | None:
    """Return the answer with which a part begins: "B) Red", "B. It is red" or "B because ...".

    It ends after the letter, and after the words of its choice where these follow. It has no letter
    where the words of another choice follow. None where the part begins otherwise, as with the
    article "A".
    """
    token = _LETTER.match(part)
    if not token:
        return None
    letter = _letter(token["letter"])
    brackets = token["brackets"]
    mark = _MARK.match(part, token.end())
    after = mark.end() if mark else token.end()
    is_closed = bool(brackets) and brackets[0] in ")]}>\"'"
    if not (mark or is_closed or token.end() == len(part)):
        return None
    rest = part[after:].lstrip(" \t") if mark or is_closed else ""
    after = len(part) - len(rest)
    sentence = _first_sentence(rest)
    own = texts.own_length(letter, rest)
    equal = texts.equal(sentence)
    is_spaced = mark is not None and mark[0].isspace() and not is_closed
    if letter in equal or (own and not is_spaced):
        return NamedAnswer(letter, 0, after + (own or len(sentence)))
    if token["letter"].islower() and not (is_closed and brackets[0] == ")"):
        return None
    if texts.begins_with_other(letter, rest) and not _is_single_letter(rest):
        return NamedAnswer(None, 0, after)
    if rest and not _marks_answer(letter, brackets, mark[0] if mark else "", rest):
        return None
    return NamedAnswer(letter, 0, token.end())


def _is_single_letter(rest: str) -> bool:
    return lone_letter(_first_sentence(rest)) is not None


def _first_sentence(text: str) -> str:
    end = _SENTENCE_END.search(text)
    return text[: end.start()] if end else text


def _marks_answer(letter: Letter, brackets: str, mark: str, rest: str) -> bool:
    """Return whether what follows a letter lets it be an answer.

    It does in "B) it is" and "B. It is", but not in "A bird", "A, well, strange bird", "E. coli"
    and "A. I. art".
    """
    if "\n" in mark or brackets:
        return not (mark.isspace() and "\n" not in mark and brackets and brackets[-1] in "\"'")
    if mark.isspace():
        return _GOES_ON.match(rest) is not None
    if mark == ".":
        return not re.match(r"[a-z]|[A-Z]\.(?:\s|\Z)", rest)
    if mark == "," and letter == "A":
        return _GOES_ON.match(rest) is not None
    return True


def _letter(character: str) -> Letter:
    return LETTERS["ABCDE".index(character.upper())]
