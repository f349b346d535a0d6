"""Takes the markup out of a judge's reply: emphasis, LaTeX, the special tokens of models, marks.

What stands in a box or in the tags of an answer is handed over apart. It knows nothing of letters.
"""

import html
import re
import unicodedata

# Typographic quotes, dashes and stops become plain ones.
_PLAIN = {
    0x2018: "'",
    0x2019: "'",
    0x201C: '"',
    0x201D: '"',
    0x2013: "-",
    0x2014: " - ",
    0x3001: ", ",
    0x3002: ". ",
    0xFF0C: ", ",
}
_EMPHASIS = re.compile(r"\*+|_{2,}|`+(?:(?:json|text|markdown)\b)?", re.IGNORECASE)
_BLOCK_TAG = re.compile(r"</?(?:p|div|br|li|ul|ol|h[1-6]|tr|td)\b[^<>]*>", re.IGNORECASE)
_INLINE_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|span|code|sup|sub|mark|font|small|"
    r"response|final|final_answer|choice|option|output|result)(?:\s[^<>]*)?/?>|</?B>(?=.)"
)
_SPECIAL_TOKEN = re.compile(
    r"<\|[\w-]{1,40}\|>(?:(?:assistant|final)(?=\s*<\|))?|</?(?:s|bos|eos|pad|end_of_turn|end_of_utterance)>|\[/?INST\]",
    re.IGNORECASE,
)
_LATEX_FONT = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf)\s*\{([^{}]*)\}"
)
_LATEX_MATH = re.compile(r"\\[()\[\]]|\$")
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{([^{}]*)\}")
_ANSWER_TAGS = re.compile(
    r"<(answer|conclusion)>(.*?)(?:</\1>|\Z)|<\|(begin_of_box)\|>(.*?)(?:<\|end_of_box\|>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_CROSSES = re.compile("(?:[\u2612\u2715-\u2718\u274c\u274e]\ufe0f?[^\\S\n]?)+")
_LEADING_CROSS = re.compile(
    r"^[^\S\n]*([\u2612\u2715-\u2718\u274c\u274e])\ufe0f?(.*\S.*)$", re.MULTILINE
)
_TABLE_ROW = re.compile(r"^ {0,9}\|", re.MULTILINE)
_TABLE_BAR = re.compile(r" ?\| ?")
_NEXT_TURN = re.compile(
    r"(?<=\S)\s*(?:<[^<>\s]{1,30}>\s*user\b|"
    r"(?:###? ?(?i:instruction|question|input|user|human)|\b(?:USER|HUMAN|Human|User)):).*\Z",
    re.DOTALL,
)
# Headings, quotations, items of a list, and symbols such as a check mark before a line.
_LINE_MARKS = re.compile(
    r"^[^\S\n]*(?:#+[^\S\n]|>[^\S\n]|[-\u2022][^\S\n]|[\u2190-\u2bff]\ufe0f?|"
    r"[\U0001f300-\U0001faff])+[^\S\n]*",
    re.MULTILINE,
)


def plain_text(text: str) -> str:
    """Return a text with plain signs, without emphasis, HTML and what is invisible.

    JSON in it stays as it is.
    """
    plain = unicodedata.normalize("NFKC", html.unescape(text).translate(_PLAIN))
    visible = "".join(
        sign for sign in plain if sign in "\n\t" or unicodedata.category(sign)[0] != "C"
    )
    return _EMPHASIS.sub("", _INLINE_TAG.sub("", _BLOCK_TAG.sub("\n", visible))).strip()


def remove_markup(plain: str) -> str:
    """Return a plain text without LaTeX, special tokens, later turns and marks before its lines."""
    plain = _SPECIAL_TOKEN.sub("", _NEXT_TURN.sub("", plain))
    if _TABLE_ROW.search(plain):
        plain = _TABLE_BAR.sub(" - ", plain)
    plain = _CROSSES.sub(" - wrong", _LEADING_CROSS.sub(r"\2 \1", plain))
    plain = _LATEX_MATH.sub("", _LATEX_FONT.sub(r"\1", plain))
    return _LINE_MARKS.sub("", plain.strip()).strip()


def split_answers(text: str) -> tuple[list[str], str]:
    r"""Return what a reply holds in answer tags, else in boxes, and the text around them.

    Read are ``<answer>B</answer>``, ``<CONCLUSION>B</CONCLUSION>``, ``<|begin_of_box|>B`` and
    ``\boxed{B}``. In the text around, NUL stands for each. Where there is none, the parts are none
    and the text is whole. An empty tag is a part, too.
    """
    tags = list(_ANSWER_TAGS.finditer(text))
    if tags:
        parts = [next(part for part in (tag[2], tag[4]) if part is not None) for tag in tags]
        return parts, _ANSWER_TAGS.sub("\n\0\n", text)
    bare = _LATEX_FONT.sub(r"\1", text)
    boxes = [box[1] for box in _BOX.finditer(bare)]
    return (boxes, _BOX.sub("\0", bare)) if boxes else ([], text)
