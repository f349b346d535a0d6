"""Reads a set of exercises that a teacher wrote as YAML; it draws nothing and opens no picture."""

import difflib
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hallascope.data.records import COIS, Category
from hallascope.data.teaching.exercise import LEVELS
from hallascope.data.teaching.lesson import BadLesson, Drawn, Item, Kept, Lesson, item_of, lesson
from hallascope.primer.teaching import faults
from hallascope.primer.teaching.faults import Sort

_SETS = ("title", "exercises")
_DRAWN = ("prompt", "wrong", "shown", "seed")
_KEPT = ("run", "picture", "question")
_SAMPLED = ("number", "level", "coi", "category", "seed")


def read_lesson(path: Path) -> Lesson:
    """The set of a file. Raises BadLesson with one sentence that names the file and the exercise."""
    import yaml

    try:
        said = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise BadLesson(
            f"The set {path.name!r} cannot be read ({' '.join(str(error).split())}): mend it, or name another."
        ) from error
    if not isinstance(said, Mapping) or not isinstance(said.get("exercises"), list):
        raise BadLesson(
            f"The set {path.name!r} has no list of `exercises`: write one, an entry each, and a `title` above it."
        )
    try:
        _known(said, _SETS, f"The set {path.name!r}")
        entries = enumerate(said["exercises"], 1)
        return lesson(
            said.get("title"),
            [
                item
                for i, entry in entries
                for item in _items(entry, f"Exercise {i} of {path.name!r}")
            ],
        )
    except BadLesson as error:
        raise error if path.name in str(error) else BadLesson(f"{path.name!r}: {error}") from error


def _items(entry: Any, where: str) -> list[Item]:
    if not isinstance(entry, Mapping):
        raise BadLesson(f"{where} is {str(entry)[:60]!r}: write its fields as `name: value`.")
    if "prompt" in entry:
        return [_drawn(_known(entry, _DRAWN, where), where)]
    if "run" in entry:
        return [_kept(_known(entry, _KEPT, where), where)]
    if "number" in entry:
        return [*_sampled(_known(entry, _SAMPLED, where), where)]
    raise BadLesson(f"{where} has neither `prompt` nor `run` nor `number`: say what picture it is.")


def _known(entry: Mapping[Any, Any], known: tuple[str, ...], where: str) -> Mapping[str, Any]:
    for name in entry:
        if name not in known:
            near = difflib.get_close_matches(str(name), known, n=1)
            raise BadLesson(
                f"{where} has a field {str(name)!r}: {f'did you mean {near[0]!r}?' if near else f'choose of {known}.'}"
            )
    return entry


def _drawn(entry: Mapping[str, Any], where: str) -> Drawn:
    """The wrong fact by the name of its parameter; its value, or the wrong answer in words.

    Without one, the first there is.
    """
    there = _of_prompt(entry["prompt"], where)
    wrong = str(entry.get("wrong", there[0].parameter))
    own = [item for item in there if item.parameter == wrong]
    if not own:
        raise BadLesson(
            f"{where}: nothing called {wrong!r} can be wrong; choose of {', '.join(dict.fromkeys(f.parameter for f in there))}."
        )
    shown = str(entry.get("shown", own[0].value)).casefold()
    found = next(
        (
            item
            for item in own
            if shown in (str(item.value).casefold(), faults.answer(item).casefold())
        ),
        None,
    )
    if found is None:
        known = ", ".join(faults.answer(item) for item in own)
        raise BadLesson(f"{where}: {entry['shown']!r} is no fault of {wrong!r}; choose of {known}.")
    return Drawn(found.prompt, found.parameter, found.value, _whole(entry, "seed", 0, where))


def _of_prompt(prompt: Any, where: str) -> list[Drawn]:
    try:
        return [item for item, _ in faults.faults_of(str(prompt))]
    except BadLesson as error:
        raise BadLesson(f"{where}: {error}") from error


def _kept(entry: Mapping[str, Any], where: str) -> Kept:
    try:
        found = item_of(["", *(str(entry.get(name, "")) for name in _KEPT)])
    except BadLesson:
        found = None
    if not isinstance(found, Kept):
        raise BadLesson(
            f"{where} needs `run`, `picture` and `question`, as `hallascope export` writes them."
        )
    return found


def _sampled(entry: Mapping[str, Any], where: str) -> list[Drawn]:
    """So many by chance, of a level, a composition of interest, a category."""
    level = _one_of(entry, "level", {str(number): number for number in LEVELS}, where)
    coi = _one_of(entry, "coi", {coi: coi for coi in COIS}, where)
    category = _one_of(entry, "category", {one.value: one for one in Category}, where)
    number, seed = _whole(entry, "number", 1, where), _whole(entry, "seed", 0, where)
    found = faults.sample(number, Sort(level, coi, category), random.Random(seed))
    if len(found) < number:
        raise BadLesson(
            f"{where} asks for {number} exercises where there are {len(found)}: ask for fewer, or of fewer conditions."
        )
    return found


def _one_of(entry: Mapping[str, Any], name: str, known: Mapping[str, Any], where: str) -> Any:
    said = entry.get(name)
    if said is not None and str(said) not in known:
        raise BadLesson(f"{where} has the {name} {str(said)[:40]!r}: choose of {', '.join(known)}.")
    return None if said is None else known[str(said)]


def _whole(entry: Mapping[str, Any], name: str, least: int, where: str) -> int:
    said = entry.get(name, least)
    if not isinstance(said, int) or isinstance(said, bool) or not least <= said < 2**31:
        raise BadLesson(
            f"The {name} of {where} is {str(said)[:40]!r}: give a whole number from {least} on."
        )
    return said
