"""Reads YAML with the line of every key, and says in sentences what pydantic finds wrong.

A sentence names the line, the key, what stands there and what to do. The `description` of a field
is what a sentence tells a person to write there.
"""

import difflib
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import yaml
from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from hallascope.data.lexicon import shorten

T = TypeVar("T")
KeyPart = str | int  # a key, or the index of an item
_ALIKE = 0.6  # from which on a name is taken for a misspelt one
_MOST_BITS = 256  # of a number that is shown; Python refuses to write very long ones
_NULL = "tag:yaml.org,2002:null"
_TIMESTAMP = "tag:yaml.org,2002:timestamp"
_NO_KEY = ("extra_forbidden", "unexpected_keyword_argument")
_NO_MAPPING = ("dataclass_type", "dict_type", "mapping_type", "model_type")
_NOT_LISTED = ("literal_error", "enum")
type_adapter = cache(TypeAdapter[Any])


class Fault(NamedTuple):
    """Holds what is wrong in a file, at which line (from 1), and what to do."""

    line: int
    said: str


class BadYaml(ValueError):
    """Reports a file that cannot be used.

    The message has one sentence for each of `faults`, on its line.
    """

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults)

    @classmethod
    def in_file(cls, file: str, faults: Sequence[Fault]) -> "BadYaml":
        """Return the error for the faults of a file, in the order of their lines."""
        ordered = sorted(dict.fromkeys(faults), key=lambda fault: fault.line)
        return cls(
            "\n".join(f"{file}, line {line}: {sentence}" for line, sentence in ordered), ordered
        )

    @property
    def first(self) -> str:
        """Return the first sentence."""
        return str(self).partition("\n")[0]


class Document:
    """Holds the values of one YAML document; `line` finds where each stands.

    `texts`: every scalar is its text as it is written (None where nothing is), so that no name is
    taken for a number. Otherwise YAML's own types, but dates stay texts. Keys are always texts.
    Raises BadYaml.
    """

    def __init__(self, text: str, file: str, texts: bool = False) -> None:
        self.file = file
        loader: _Values | None = None
        try:
            loader = (_Texts if texts else _Values)(text)
            node = loader.get_single_node()
            self._node: yaml.Node | None = node
            self.value: Any = None if node is None else _unique_values(loader, node)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            # what is not closed is missed after the last line
            line = min(mark.line, text.rstrip().count("\n")) + 1 if mark else 1
            raise self._broken(line, error.problem or error.context) from None
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            line = text.count("\n", 0, getattr(error, "position", 0)) + 1
            raise self._broken(line, error) from None
        finally:
            if loader is not None:
                loader.dispose()

    def _broken(self, line: int, why: object) -> BadYaml:
        return BadYaml.in_file(
            self.file, [Fault(line, f"This is no YAML ({_short(why)}): fix it.")]
        )

    def line(self, *path: KeyPart) -> int:
        """Return where a key or an item stands, from 1; of what is not there, where it belongs."""
        return self._locate(path)[0]

    def read(self, kind: Any, value: Any, *path: KeyPart) -> Any:
        """Return a value of the document as `kind`, a type that pydantic knows. Raises BadYaml.

        `path`: where the value stands in the document.
        """
        try:
            return type_adapter(kind).validate_python(value)
        except ValidationError as error:
            causes = _causes(error.errors(include_url=False))
            faults = [self._fault(kind, path, cause) for cause in causes]
            raise BadYaml.in_file(self.file, faults) from None

    def _fault(self, kind: Any, path: tuple[KeyPart, ...], error: ErrorDetails) -> Fault:
        line, there = self._locate((*path, *error["loc"]))
        names = (*there, error["loc"][-1]) if error["type"] == "missing" else there
        return Fault(line, _sentence(kind, names, len(path), error))

    def _locate(self, path: Sequence[KeyPart]) -> tuple[int, tuple[KeyPart, ...]]:
        """Return the line, and the parts of the path that stand in the file.

        Pydantic adds the tags of unions, which are skipped: write tags that no key looks like.
        """
        node = self._node
        line = 1
        there: list[KeyPart] = []
        for part in path:
            if (child := _step(node, part)) is not None:
                mark, node = child
                line = int(mark.line) + 1
                there.append(part)
        return line, tuple(there)


def read_document(path: Path, texts: bool = False) -> Document:
    """Return the document of a file. Raises BadYaml."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        why = error.strerror or error
        raise BadYaml(
            f"The file {str(path)!r} cannot be read ({why}): check that it is there."
        ) from error
    except UnicodeDecodeError as error:
        raise BadYaml.in_file(
            str(path), [Fault(1, "The file is no UTF-8 text: save it as UTF-8.")]
        ) from error
    return Document(text, str(path), texts)


def read_entries(path: Path, kind: type[T]) -> dict[str, T]:
    """Return the entries of a file by their keys, each as a dataclass with the field `id`.

    Raises BadYaml.
    """
    document = read_document(path)
    entries = document.read(dict[str, Any], document.value)
    read: dict[str, T] = {}
    faults: list[Fault] = []
    for name, entry in entries.items():
        try:
            if isinstance(entry, dict) and "id" in entry:
                problem = f"'id' of {name!r} is not a known key: {name!r} is its id already."
                raise BadYaml.in_file(document.file, [Fault(document.line(name, "id"), problem)])
            values = {**entry, "id": name} if isinstance(entry, dict) else entry
            read[name] = document.read(kind, values, name)
        except BadYaml as error:
            faults += error.faults
    if faults:
        raise BadYaml.in_file(document.file, faults)
    return read


# --- values of nodes


def _resolvers(takes: Callable[[str], bool]) -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """Return the patterns by which YAML tells what a plain scalar is, for some of its tags."""
    known = yaml.SafeLoader.yaml_implicit_resolvers.items()
    return {
        sign: [(tag, pattern) for tag, pattern in patterns if takes(tag)]
        for sign, patterns in known
    }


class _Values(yaml.CSafeLoader):
    """Constructs YAML's own types, but no dates, and texts as keys."""

    yaml_implicit_resolvers = _resolvers(lambda tag: tag != _TIMESTAMP)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        self.flatten_mapping(node)
        return {_key(key): self.construct_object(value, deep=deep) for key, value in node.value}


class _Texts(_Values):
    """Constructs texts as they are written, and None."""

    yaml_implicit_resolvers = _resolvers(lambda tag: tag == _NULL)


def _unique_values(loader: _Values, root: yaml.Node) -> Any:
    """Return the values of a tree in which no key stands twice."""
    left = [root]
    seen = set[int]()
    while left:
        node = left.pop()
        if id(node) in seen or isinstance(node, yaml.ScalarNode):
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            _check_keys(node)
        for item in node.value:
            left += item if isinstance(item, tuple) else (item,)
    return loader.construct_document(root)


def _check_keys(node: yaml.MappingNode) -> None:
    known = set[str]()
    for key, _ in node.value:
        if (name := _key(key)) in known:
            problem = f"the key {name!r} appears twice"
            raise yaml.constructor.ConstructorError(problem=problem, problem_mark=key.start_mark)
        known.add(name)


def _key(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise yaml.constructor.ConstructorError(
            problem="a key is no text", problem_mark=node.start_mark
        )
    return str(node.value)


def _step(node: yaml.Node | None, part: KeyPart) -> tuple[Any, yaml.Node] | None:
    """Return the mark and the node of a key or an item of a node; None where it has none."""
    if isinstance(node, yaml.MappingNode):
        # What is merged in (`<<`) stands before what takes its place.
        own_last = reversed(node.value)
        return next(((key.start_mark, value) for key, value in own_last if key.value == part), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        item: yaml.Node = node.value[part]
        return item.start_mark, item
    return None


# --- sentences


def _sentence(kind: Any, names: tuple[KeyPart, ...], begin: int, error: ErrorDetails) -> str:
    """Return what is wrong and what to do.

    `names`: the keys of the file; of `kind` from `begin`.
    """
    # of the whole, and of each part on the way to the key
    annotations = list(accumulate(names[begin:], _member, initial=kind))
    place = _place(names)
    if error["type"] == "missing":
        return f"{place} is missing: write {_expected_words(annotations)}."
    if error["type"] in _NO_KEY:
        nearest = nearest_sentence(str(names[-1]), _keys(annotations[-2]))
        return f"{place} is not a known key: {nearest}"
    if error["type"] in _NOT_LISTED:
        choices = re.findall(r"'([^']*)'|(\d+)", str(error["ctx"]["expected"]))
        listed = [text or number for text, number in choices]
        return f"{place} is {_value_words(error['input'])}: choose one of {', '.join(listed)}."
    if error["type"] == "value_error":
        problem = str(error["ctx"]["error"])
        return f"{place}: {problem}" if names else problem
    shown = _value_words(error["input"])
    if error["type"] in _NO_MAPPING and not _description(annotations[-1]):
        keys = ", ".join(_keys(annotations[-1]))
        return (
            f"{place} is {shown}: write its keys as `name: value`{f', of {keys}' if keys else ''}."
        )
    return f"{place} is {shown}: write {_expected_words(annotations)}."


def first_fault(kind: Any, error: ValidationError) -> str:
    """Return in a clause what is wrong first in values of a dataclass, and what to do."""
    cause = _causes(error.errors(include_url=False))[0]
    if cause["type"] == "value_error":
        return str(cause["ctx"]["error"])  # it names the field
    sentence = _sentence(kind, cause["loc"], 0, cause).removesuffix(".")
    return sentence[:1].lower() + sentence[1:]


def nearest_sentence(name: str, known: Sequence[str]) -> str:
    """Return the end of a sentence about a name that is not among those known."""
    similar = difflib.get_close_matches(name, known, n=1, cutoff=_ALIKE)
    return f"did you mean {similar[0]!r}?" if similar else f"choose one of {', '.join(known)}."


def _causes(errors: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Return the errors, unknown keys first, without those that only follow from another.

    A list is too short because its items are wrong; a key is missing because it is misspelt.
    """
    unknown = [error for error in errors if error["type"] in _NO_KEY]
    others = [error for error in errors if error["type"] not in _NO_KEY]
    misspelt = [error["loc"] for error in unknown]
    return [*unknown, *(error for error in others if not _follows(error, misspelt))]


def _follows(error: ErrorDetails, misspelt: Sequence[tuple[KeyPart, ...]]) -> bool:
    *place, name = error["loc"] or ("",)
    if error["type"] == "missing":
        beside = [str(loc[-1]) for loc in misspelt if list(loc[:-1]) == place]
        return bool(difflib.get_close_matches(str(name), beside, n=1, cutoff=_ALIKE))
    return error["type"] == "too_short" and bool(error["input"])


def _place(names: Sequence[KeyPart]) -> str:
    """Return words for a key: "Item 1 of 'roles' of 'primer/exact'"."""
    words = [repr(_short(name)) if isinstance(name, str) else f"item {name + 1}" for name in names]
    place = " of ".join(reversed(words)) or "the file"
    return place[:1].upper() + place[1:]


def _value_words(value: Any) -> str:
    if value is None or value == "":
        return "empty"
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return "a number of too many digits"
    if isinstance(value, str | int | float):
        return repr(_short(value)) if isinstance(value, str) else _short(value)
    if not value:
        return "an empty list" if isinstance(value, list) else "an empty mapping"
    return "a mapping" if isinstance(value, Mapping) else "a list"


def _short(thing: object) -> str:
    return shorten(" ".join(str(thing).split()))


# --- what belongs where


def _member(kind: Any, name: KeyPart) -> Any:
    for option in _options(kind):
        if name in (members := _members(option)):
            return members[str(name)]
        if get_origin(option) in (dict, Mapping):
            return get_args(option)[1]
        if get_origin(option) is tuple and isinstance(name, int):
            return get_args(option)[0]
    return Any


def _members(kind: Any) -> dict[str, Any]:
    """Return the annotations of a dataclass by their keys, but `id`, which is no key."""
    if not is_dataclass(kind):
        return {}
    hints = get_type_hints(kind, include_extras=True)
    return {
        _alias(hints[field.name]) or field.name: hints[field.name]
        for field in fields(kind)
        if field.name != "id"
    }


def _alias(kind: Any) -> str | None:
    notes = getattr(kind, "__metadata__", ())
    return next((note.alias for note in notes if isinstance(note, FieldInfo) and note.alias), None)


def _options(kind: Any) -> Iterator[Any]:
    """Yield the types that an annotation allows."""
    origin = get_origin(kind)
    if origin is Annotated:
        yield from _options(get_args(kind)[0])
    elif origin in (Union, UnionType):
        for option in get_args(kind):
            yield from _options(option)
    else:
        yield kind


def _keys(kind: Any) -> list[str]:
    """Return the keys of the dataclasses that an annotation allows."""
    return [name for option in _options(kind) for name in _members(option)]


def _expected_words(annotations: Sequence[Any]) -> str:
    """Return the description of the innermost field that has one; of one without it, a text."""
    descriptions = map(_description, reversed(annotations))
    return next(filter(None, descriptions), "a text")


def _description(kind: Any) -> str:
    """Return what an annotation tells a person to write, "" where it says nothing."""
    for note in reversed(getattr(kind, "__metadata__", ())):  # the outermost says it best
        if isinstance(note, FieldInfo) and note.description:
            return note.description
    if get_origin(kind) is Annotated:
        return _description(get_args(kind)[0])
    options = get_args(kind) if get_origin(kind) in (Union, UnionType) else ()
    return next(filter(None, map(_description, options)), "")
