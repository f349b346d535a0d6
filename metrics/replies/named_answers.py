"""Decides which choice a reply gives as its answer, from the signs of `choice_marks`.

What is called the answer counts first ("the answer is B", a letter alone, a box). Where nothing is,
a statement in the words of the question counts ("The bird is blue.", "I see no lantern."). Several
answers, or one that is taken back, are none. It knows no markup, JSON or tags.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hallascope.data.records import LETTERS, Letter
from hallascope.metrics.replies.choice_marks import (
    BOXED_SIGNS,
    CONFLICT,
    LETTER_SIGNS,
    SIGN,
    WORD_SIGNS,
    letter_of,
    lone_letter,
    mark_choices,
    normalize_words,
)
from hallascope.metrics.replies.ruled_out import choose_from_list, remaining_choice

_GAP = f"[^\\w?\ue000-{CONFLICT}]"
_SURELY = r"(?:(?:clearly|definitely|therefore|thus|hence|so|probably|likely|most likely|final)\W+)"
_GOOD = r"(?:most (?:likely|accurate|appropriate)|correct|right|best|final|likely|true|accurate)"
_NOUN = (
    r"(?:answer choice|an(?:sw|ws)er|option|choice|letter|ans|selection|selected|response|result|"
    rf"solution|conclusion|guess|pick|final|{_GOOD} one)"
)
_IS = r"(?:(?:here )?is|would be|must be|should be|will be|seems to be|appears to be)"
_FOREIGN = (
    r"(?:\u7b54\u6848|\u9009\u9879|\u9009\u62e9|\u9009|\u9078\u629e|\u6b63\u89e3|\u7b54\u3048|"
    r"\uc815\ub2f5|\ub2f5|\b(?:antwort|antwoord|l\u00f6sung|respuesta|r\u00e9ponse|risposta|resposta|"
    r"\u043e\u0442\u0432\u0435\u0442)\b(?: \w{5,12})?)"
    r"\s*(?:\u662f|\u4e3a|\u306f|\uc740|\ub294|(?:ist|is|est|es|\u00e8|\u00e9)\b)?\s*[:-]?\s*"
    r"(?:(?:la|option|opci\u00f3n|\u9009\u9879)\s*)*"
)
_TAIL = (
    r"(?=\s*(?:[.,;:!)\]}\"'\u3067\uc785]|\Z|\n|-\s|\()|\s+(?:because|since|as|for|given|due|based|"
    r"rather|instead|unlike|not|I|it is)\b)"
)
# What says that what follows is chosen.
_CHOOSING = (
    rf"I(?:'d| would| will|'ll)?\s+{_SURELY}?(?:choose|select|pick|say|answer|guess)|"
    r"(?:go(?:ing)?|settl(?:e|ing)|opt(?:ing)?) (?:with|for|on)|leaves|leaving|so:|"
    r"what(?:'s| is)? (?:left|remains|remaining)(?: is)?|makes? (?:it|this|that)|"
    r"(?:lean(?:s|ing)?|leads?|leading|narrows?|comes?|boils?|chang(?:e|ing)|"
    r"switch(?:ing)?|amounts?)(?: \w+){0,3} (?:to|towards?|with)|it (?:has to|must|should) be|"
    r"(?:think|believe|guess|suggests?) (?:that )?(?:it is|it's|its)|"
    r"(?:it is|it's|its)(?= .{1,4} because\b)|"
    r"(?:which is|which matches|matches|matching|corresponds? to|corresponding to)"
    r"(?= (?:the )?(?:correct )?(?:option|choice|answer|letter))"
)
_END = rf"(?={_GAP}*(?:\n|\Z))"
# What says that the choice after it, or before it, is the answer.
_CUES = tuple(
    re.compile(cue, re.IGNORECASE)
    for cue in (
        rf"\b{_NOUN}\b[\"']?(?:\s+(?:to|for) (?:this|the|your) question)?\s*(?:{_IS}\b\s*:?|[:=-]|"
        rf"\.|\n)\s*{_SURELY}*(?:the\s+)?(?:(?:option|choice|letter|answer)\b[\s:]*)?[\"'(\[{{]*({SIGN})"
        rf"{_TAIL}",
        rf"(?<!to )\b(?:answer|option|choice)\s+({SIGN})(?=[.!]*\s*(?:\n|\Z|[.!]\s))",
        rf"\b(?:{_CHOOSING})\s+{_SURELY}*(?:that )?(?:it is |it's )?(?:an? |the )?(?:correct )?"
        rf"(?:(?:option|choice|letter|answer)\s+)?({SIGN})(?:{_TAIL}|(?=\s+(?:here|then)\b))",
        rf"{_FOREIGN}({SIGN})(?!\s*[\u5230\u81f3\u90fd\u4e0d\u548c\u3001])",
        rf"(?:->|=>|[\u2192\u21d2])\s*({SIGN}){_END}",
        r"(?:(?<![^\n])|(?<=[.:;!,] )|\b(?:so|but|that|think|believe|say|therefore|thus|hence|"
        r"suggests?|means?|only|option|choice|answer)\s+)"
        rf"({SIGN})\s+(?:(?:best )?(?:fits|matches) the\b|(?:fits|matches)(?: it)? best\b|"
        r"comes out (?:on top|ahead|first)\b|(?:has to|must|should|can only) be\s+"
        r"(?:chosen|selected|picked)\b|"
        r"(?:is the (?:only )?(?:one|option|choice) (?:that|which|left)|remains)\b|"
        rf"(?:{_IS}|has to be|seems|appears)\s+(?:to be\s+)?{_SURELY}?(?:(?:the|my)\s+)?"
        rf"(?:{_GOOD}(?:\s+{_NOUN})?|answer)\b)",
        rf"([{BOXED_SIGNS}{CONFLICT}])",
    )
)
_OPENING = re.compile(
    rf"{_GAP}*(?:{_SURELY}|(?:option|choice|answer|final|and|or|an?|the)\b{_GAP}*)*"
    rf"({SIGN})",
    re.IGNORECASE,
)
_LETTER_TAIL = re.compile(_TAIL)
_HESITATION = re.compile(
    rf"\A{_GAP}*{SIGN}(?:\s*\.\.\.|,(?= or rather))\s*(?:hmm+|oh|no|well|actually|wait|or rather|"
    r"let me|hold on)\b[^.!?\n]*",
    re.IGNORECASE,
)
_AND_ANOTHER = re.compile(rf"\s*(?:,|,?\s*(?:and|or|&))\s*{SIGN}")
_WORDS_TAIL = re.compile(r"(?=[.;:!,]\s|\s+-\s|\n)|\s+(?=(?:the|this|it|there|he|she|they)\b)")
# What takes back the answer after it, where it stands before it in the same sentence.
_DENIED = re.compile(
    r"\b(?:wrong|incorrect|false|worst|bad|another|other|previous|earlier|first|second|no)\s*\Z|"
    r"(?:n't|\bnot|\bnever|\bcannot|\bhardly)\s+(?:[\w']+\s+){0,4}\Z|"
    r"\b(?:whether|unless|doubt|unlikely|no one|nobody|if(?! I had to| we\b| I'm not))\b|"
    r"\b(?:some|others|many|you|people|one)\b.{0,20}\b(?:say|think|guess|believe|choose|pick)\b|"
    r"\b(?:some|others|many)(?: \w+)? (?:would|might|may|could)\s*\Z|\bmistaken for\b|"
    r"\bn(?:either|or)\b[^.;]*\Z|\bnot\b[^.;]*\bor\s*\Z|"
    r"\b(?:could|might|may|consider\w*)\s+(?:the )?\Z",
    re.IGNORECASE,
)
# What takes back the answer before it.
_TAKEN_BACK = re.compile(
    r"\A[\s.:,;)\]\"'\-!]*(?:(?:that|this|it|which)\s+)?(?:(?:is|was|would be|'s)\s+)?"
    r"(?:(?:clearly|definitely|also|probably)\s+)?"
    r"(?:not (?:visible|correct|right|true|possible|shown|present|it\b|an? answer|the )|isn't|"
    r"wrong\b|incorrect\b|false\b|unlikely\b|no(?:[.,!\n]|\s*\Z))|\A\s*\?",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:unless|if(?! I had to))\b", re.IGNORECASE)
_CONCESSION = re.compile(r"\b(?:but|although|though|however|except)\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"(?:n't|\bnot)(?: be)?(?: \w+)? (?:sure|certain)\b"
    r"(?=\s*(?:[.,;)]|\Z|but\b|given\b|because\b|since\b))",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    rf"(?:\bnot|\brather than|\binstead of|\bunlike|\bas opposed to|\bneither)\s+"
    rf"(?:(?:an?|the)\s+)?(?:(?:\w+|{SIGN})\s+of\s+)?(?:options?\s+|choices?\s+)?{SIGN}"
    rf"(?:\s*(?:,|,?\s+and|,?\s+or|,?\s+nor)\s+{SIGN})*",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:wrong|incorrect|not|no|neither|nor|cannot|ruled out|excluded|eliminated|unlike|"
    r"rather than|instead of|opposed to|out|would (?:need|require|have|be|show|mean|end))\b|"
    r"n't\b|[\u4e0d\u6ca1]",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"\b(?:wait|actually|correction|hmm+|scratch that|on (?:a )?second|let me re\w*|reconsider|"
    r"sorry|oops|mistake)\b|(?:^|(?<=[.!?,] ))no[,.!]",
    re.IGNORECASE | re.MULTILINE,
)
_APPROVED = re.compile(
    r"\b(?:also|too|either|both|or|alternatively|maybe|perhaps|may|might|could|possibl[ey]|correct|"
    r"right|likely|better|best|should be)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:[^.!?;\n]|[.!?;](?![\s\"')]|\Z))*(?:[.!?;][\"')]*|\n|\Z)")
_CLAUSE = re.compile(r"[,;:.!()]|\s-\s|\bbut\b")
_DOUBTFUL = re.compile(
    r"\b(?:could|might|may|either|or|perhaps|maybe|possibly|whether|if|unless|some|others?|another|many|you"
    r"|first|initially|would say)\b|\?",
    re.IGNORECASE,
)
# Said with "yes" or "no" before it, these answer no question about the image.
_OR = re.compile(r"\b(?:either|or)\b", re.IGNORECASE)
_NO_ANSWER = re.compile(
    r"\b(?:(?:can|could|will|happy to|glad to) (?:help|assist)|please (?:share|upload|provide)|"
    r"(?:cannot|can't|could ?n[o']t|unable to|not able to) (?:tell|say|determine|answer|help|"
    r"assist|know|(?:see|view) (?:the |any |this |your |an? )?(?:image|picture|photo)s?))\b",
    re.IGNORECASE,
)


def _wordset(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PLAIN_WORDS = _wordset(
    "a an the this that it its is are was were be being to of by there i he she they we see can"
    " count think believe image picture photo show look like appear seem so thus hence therefore"
    " most likely probably clearly definitely indeed must would option choice letter s m d me"
    " visible present seen has have number total confident shown"
    " exactly read sure fairly quite very certain"
)
_NEGATIONS = _wordset("no not cannot never")
_AROUND = _wordset(
    "in on at with by behind near next from under over above below beside between inside against"
    " because since as which for"
)
_IN_THE_IMAGE = re.compile(
    r"\b[io]n (?:total|all|(?:the|this) (?:image|picture|photo|x.?ray|scan|chart|diagram|figure|"
    r"graph|screenshot|map|scene|drawing|painting))\b"
)
_LOOK_AROUND = 300  # characters before and after an answer that may take it back
_MOST_ANSWERS = 100  # a reply that names more is none
_HELPING = _wordset("is are was were do does did can has have")


_Spans = Sequence[tuple[int, int]]  # where sentences begin and end


class _Answer(NamedTuple):
    """Holds a letter that a reply gives (None: one that contradicts itself), and its place."""

    letter: Letter | None
    start: int
    end: int


def read_choice(text: str, choices: Sequence[str], question: str = "") -> Letter | None:
    """Return the letter of the one choice that a text without markup gives as its answer."""
    if lone := lone_letter(text):
        return lone
    whole = _HESITATION.sub("", choose_from_list(mark_choices(text, choices), len(choices)))
    marked = _NEGATED.sub(" ", whole)
    texts = [normalize_words(choice) for choice in choices]
    sentences = [match.span() for match in _SENTENCE.finditer(marked) if match[0].strip()]
    answers = sorted(_answers(marked, sentences, texts), key=lambda answer: answer.start)
    claims = list(_claims(marked, sentences, question, texts))
    letters = {answer.letter for answer in answers or claims}
    if not letters:
        is_unsure = _TURN.search(whole) or _DOUBTFUL.search(_OR.sub("", whole))
        return None if is_unsure else remaining_choice(whole, len(choices))
    letter = letters.pop() if len(letters) == 1 else None
    if letter is None or len(answers) > _MOST_ANSWERS:
        return None
    if not answers:
        is_turned = _TURN.search(marked, claims[0].start)
        return None if is_turned or _names_another(marked, letter) else letter
    first, end = answers[0].start, answers[-1].end
    is_taken_back = (
        any(_is_doubtful(marked, answer, sentences) for answer in answers)
        or any(
            claim.letter != letter
            and (claim.start >= end or not _TURN.search(marked, claim.start, first))
            for claim in claims
        )
        or _TURN.search(marked, end)
        or any(
            _names_another(marked[start:stop], letter) for start, stop in sentences if start >= end
        )
    )
    return None if is_taken_back else letter


def _answers(marked: str, sentences: _Spans, texts: Sequence[str]) -> Iterator[_Answer]:
    """Yield everything that a text calls its answer and does not take back."""
    for cue in _CUES:
        match = cue.search(marked)
        while match:
            yield from _unless_denied(marked, match, sentences)
            match = cue.search(marked, match.start() + 1)
    for number, (start, stop) in enumerate(sentences):
        opening = _OPENING.match(marked, start, stop)
        if not opening:
            continue
        rest = marked[opening.end() : stop]
        is_alone = not re.search(rf"\w|\?|{SIGN}", rest)
        if is_alone or (number == 0 and _opens_reply(opening, rest, texts)):
            yield from _unless_denied(marked, opening, sentences)


def _opens_reply(opening: re.Match[str], rest: str, texts: Sequence[str]) -> bool:
    """Return whether the choice at the start of a reply is its answer, by what follows it."""
    sign = opening[1]
    if not re.match(f"[{WORD_SIGNS}]", sign):
        return _LETTER_TAIL.match(rest) is not None and not _AND_ANOTHER.match(rest)
    if not _WORDS_TAIL.match(rest) or re.search(f"[{WORD_SIGNS}]", rest):
        return False
    letter = letter_of(sign)
    if letter and texts[LETTERS.index(letter)] in ("yes", "no"):
        return not _NO_ANSWER.search(rest)
    return not rest.startswith((",", " ")) or not _NEGATIVE.search(rest)


def _unless_denied(marked: str, match: re.Match[str], sentences: _Spans) -> Iterator[_Answer]:
    """Yield the answer of a match, unless its sentence denies it or quotes it.

    What is called the answer and then taken back is an answer without a letter.
    """
    begin = match.start()
    start = max(_sentence_of(match.start(1), sentences)[0], begin - _LOOK_AROUND)
    if _DENIED.search(marked[start : max(start, begin)]):
        return
    if not _TAKEN_BACK.match(marked[match.end(1) : match.end(1) + _LOOK_AROUND]):
        yield _Answer(letter_of(match[1]), match.start(1), match.end(1))
    elif match.re is not _OPENING:
        yield _Answer(None, match.start(1), match.end(1))


def _sentence_of(place: int, sentences: _Spans) -> tuple[int, int]:
    return sentences[bisect_right(sentences, place, key=lambda span: span[0]) - 1]


def _is_doubtful(marked: str, answer: _Answer, sentences: _Spans) -> bool:
    """Return whether the sentence of an answer names another, or makes it depend on something."""
    start, stop = _sentence_of(answer.start, sentences)
    start = max(start, marked.rfind("but ", start, answer.start))
    comma = marked.rfind(", ", start, answer.start)
    if _NEGATIVE.search(marked[start : max(start, comma)]):
        start = comma
    is_words = re.match(f"[{WORD_SIGNS}]", marked[answer.start]) is not None
    signs = SIGN if is_words else f"[{LETTER_SIGNS}{BOXED_SIGNS}{CONFLICT}]"
    after = _UNSURE.sub(" ", marked[answer.end : stop])
    reason = re.search(r"\b(?:because|since|as)\b", after)
    if reason and _NEGATIVE.search(after, reason.end()):
        stop = answer.end + reason.start()
    conceded = _CONCESSION.search(after)
    rest = after[conceded.end() :] if conceded else ""
    return (
        any(letter_of(sign) != answer.letter for sign in re.findall(signs, marked[start:stop]))
        or any(letter_of(sign) != answer.letter for sign in re.findall(SIGN, rest))
        or (not is_words and _NEGATIVE.search(rest) is not None)
        or _CONDITION.search(after) is not None
    )


def _names_another(text: str, letter: Letter) -> bool:
    """Return whether a text speaks for another letter: "C may also be right"."""
    for sentence in _SENTENCE.findall(text):
        others = [
            sign
            for sign in re.finditer(f"[{LETTER_SIGNS}{BOXED_SIGNS}]", sentence)
            if letter_of(sign[0]) != letter
        ]
        if others and _APPROVED.search(sentence):
            rest = sentence[others[-1].end() :]
            if not (_NEGATIVE.search(sentence) or _CONCESSION.search(rest)):
                return True
    return False


def _claims(
    marked: str, sentences: _Spans, question: str, texts: Sequence[str]
) -> Iterator[_Answer]:
    """Yield what sentences state in the question's words: "The bird is blue.", "I see no bee."."""
    asked = [_stem(word) for word in _words(question)]
    known = (_PLAIN_WORDS | set(asked)) - _NEGATIONS
    for start, stop in sentences:
        sentence = _UNSURE.sub(lambda match: " " * len(match[0]), marked[start:stop])
        begin = 0
        concession = max((split.start() for split in re.finditer(r"\bbut\b", sentence)), default=0)
        if _DOUBTFUL.search(sentence, concession):
            continue
        is_single = len(re.findall(SIGN, sentence)) == 1
        is_list = len(re.findall(f"[{LETTER_SIGNS}]", sentence[concession:])) > 1
        for end in [*(split.start() for split in _CLAUSE.finditer(sentence)), len(sentence)]:
            clause = sentence[begin:end]
            letter = _claimed(clause, asked, known)
            if letter is None and is_single:
                letter = _added(sentence, begin, end, texts)
            if letter is None and {"yes", "no"} <= set(texts) and not re.search(SIGN, clause):
                says = _polarity(clause, asked, known)
                letter = LETTERS[texts.index(says)] if says else None
            is_listed = is_list and not re.search(f"[{WORD_SIGNS}]", clause)
            after = marked[start + end : start + end + _LOOK_AROUND]
            if letter and not (end <= concession or is_listed or _TAKEN_BACK.match(after)):
                yield _Answer(letter, start + begin, start + end)
            begin = end + 1 if sentence[end : end + 3] != "but" else end + 3


def _words(text: str) -> list[str]:
    """Return the words of a text in small letters, negations apart, without "in the image"."""
    plain = _IN_THE_IMAGE.sub(" ", text.casefold().replace("can't", "cannot"))
    return re.findall(r"[^\W_]+", re.sub(r"(?<=\w)n't\b", " not", plain))


def _stem(word: str) -> str:
    """Return a word without the ending of a plural or of a form of a verb."""
    if word in _PLAIN_WORDS | _HELPING:
        return word
    return re.sub(r"(?<=\w{3})ing$|(?<=[^s])s$", "", word)


def _claimed(clause: str, asked: Sequence[str], known: frozenset[str]) -> Letter | None:
    """Return the letter of a clause that says one choice in known words, None of any other."""
    signs = re.findall(SIGN, clause)
    if len(signs) != 1:
        return None
    before, after = map(_words, clause.split(signs[0]))
    content = [stem for stem in map(_stem, after) if stem not in _PLAIN_WORDS]
    is_known = known.issuperset(map(_stem, before))
    if not (before or content) or not is_known or after[:1] == ["would"]:
        return None
    counted = asked[asked.index("many") + 1 :] if "many" in asked else content
    is_of_it = content[:1] in (counted[:1], []) or after[0] in _AROUND
    return letter_of(signs[0]) if is_of_it and _goes_on(after, known, bool(before)) else None


def _added(sentence: str, begin: int, end: int, texts: Sequence[str]) -> Letter | None:
    """Return the letter of a clause that is nothing else: "..., B." or "..., no, ...".

    The sentence names no other choice.
    """
    sign = sentence[begin:end].strip(" \"'")
    if not re.fullmatch(SIGN, sign):
        return None
    rest = sentence[end:]
    if re.fullmatch(f"[{LETTER_SIGNS}]", sign):
        is_last = not re.search(r"\w", rest) and not _NEGATIVE.search(sentence, 0, begin)
        return letter_of(sign) if is_last else None
    if not re.fullmatch(f"[{WORD_SIGNS}]", sign):
        return None
    letter = letter_of(sign)
    is_word = letter is not None and texts[LETTERS.index(letter)] in ("yes", "no")
    return letter if is_word and not _NO_ANSWER.search(rest) else None


def _goes_on(words: Sequence[str], known: frozenset[str], begins: bool) -> bool:
    """Return whether words after a statement belong to it: known ones, then "on ..." or "-ing"."""
    unknown = next((place for place, word in enumerate(words) if _stem(word) not in known), None)
    if unknown is None:
        return not _NEGATIONS & set(words)
    is_around = words[unknown] in _AROUND or words[unknown].endswith(("ing", "ly"))
    return is_around and bool(begins or unknown) and not _NEGATIONS & set(words)


def _polarity(clause: str, asked: Sequence[str], known: frozenset[str]) -> str:
    """Return yes or no where a clause states or denies all that was asked in its order, else ""."""
    content = [word for word in asked if word not in _PLAIN_WORDS | _HELPING and word != "any"]
    said = _words(clause)
    if not content or _NEGATIONS & set(asked) or not said or said[0] in _HELPING:
        return ""
    negations, last = 0, ""
    known |= _HELPING | {"any"}
    for place, word in enumerate(said):
        if content and _stem(word) == content[0]:
            last, content = content[0], content[1:]
        elif word in _NEGATIONS:
            negations += 1
        elif _stem(word) not in known:
            begins = word in _AROUND or _stem(said[place - 1]) == last
            if content or not _goes_on(said[place:], known, begins):
                return ""
            break
    if content or negations > 1:
        return ""
    return "no" if negations else "yes"
