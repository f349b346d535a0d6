"""Goes through choices one by one: which of them a reply rules out, and which is left.

It takes the signs of `choice_marks`, and knows no question.
"""

import re

from hallascope.data.records import LETTERS, Letter
from hallascope.metrics.replies.choice_marks import LETTER_SIGNS, SIGN, letter_of

_ITEM = re.compile(
    rf"(?:(?!{SIGN})\W)*(?:\d[.)]\s*)?(?:(?:option|choice|the|an?)\s+[(\[\"']?){{0,2}}({SIGN})"
    r"\s*(?:[)\]?:.,=\u2192-]|\Z)(.*)",
    re.IGNORECASE,
)
_NEXT_ITEM = re.compile(rf"(?<=[.;!?]) (?={SIGN} ?[:?])")
_WRONG = re.compile(
    r"\b(?:wrong|incorrect|false|fails?|mismatch|impossible|(?:rul|exclud|eliminat|reject)\w+)\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    rf"{_WRONG.pattern}|\b(?:no|not|nor|neither|never|cannot|without|nothing|none)\b|n't\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:tell|say|sure|certain|clearly|confirm\w*|verif\w*|know|evidence|apart|maybe|answer|"
    r"to me)\b",
    re.IGNORECASE,
)
_APPROVAL = re.compile(
    r"\b(?:yes|correct|right|true|fits|match(?:es)?|matching|plausible|the answer)\b|"
    r"[\u2705\u2611\u2713\u2714]",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:.!?\n]|,(?=\s+(?:and|but|so|while|whereas|which)\b)|\s-\s|\u2192|->")


def choose_from_list(marked: str, number: int) -> str:
    """Return a text in which lines that judge the choices one by one are one sign, or gone.

    At least two choices from A on must stand there. The sign is that of the only choice said to
    be right, or not said to be wrong where all others of a `number` are.
    """
    lines = _NEXT_ITEM.sub("\n", marked).split("\n")
    items = [_ITEM.match(line) for line in lines]
    listed: list[int] = []
    for place, item in enumerate(items):
        letter = item and letter_of(item[1])
        if letter == "A":
            listed = []
        if letter and len(listed) < len(LETTERS) and letter == LETTERS[len(listed)]:
            listed.append(place)
    if len(listed) < 2:
        return marked
    verdicts = [_verdict(item[2]) for place in listed if (item := items[place])]
    for likely in (True, None):
        least = len(verdicts) if likely else number
        if verdicts.count(likely) == 1 and verdicts.count(False) >= least - 1:
            place = verdicts.index(likely)
            lines[listed.pop(place)] = f"{chr(0xE000 + place)}."
            break
    return "\n".join(line for place, line in enumerate(lines) if place not in listed)


def _verdict(rest: str) -> bool | None:
    """Return whether what is said of a choice ends, else begins, with its approval or denial."""
    clauses = [clause for clause in _CLAUSE.split(rest) if clause.strip()]
    for clause in [*clauses[-1:], *clauses[:1]]:
        if _UNSURE.search(clause):
            return None
        if _DENIAL.search(clause):
            return False
        if _APPROVAL.search(clause):
            return True
    return False if _DENIAL.search(rest) else None


def remaining_choice(marked: str, number: int) -> Letter | None:
    """Return the letter of the only choice of a `number` that a text does not rule out.

    Of two choices, it must rule out the other by its letter.
    """
    denied: set[Letter | None] = set()
    named, denial = (SIGN, _DENIAL) if number > 2 else (f"[{LETTER_SIGNS}]", _WRONG)
    for clause in _CLAUSE.split(marked):
        signs = {letter_of(sign) for sign in re.findall(named, clause)}
        is_denied = denial.search(clause) and not _UNSURE.search(clause)
        is_twice = _WRONG.search(clause) and _DENIAL.search(_WRONG.sub("", clause))
        if signs:
            denied |= signs if is_denied and not is_twice else {None}
    left = set(LETTERS[:number]) - denied
    return left.pop() if len(left) == 1 and None not in denied else None
