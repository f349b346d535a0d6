"""Reads the YAML of a sweep and names every fault with its line.

It looks at no other file and knows no model.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from hallascope.data.models.specs import KNOWLEDGE
from hallascope.data.requests import ROLES
from hallascope.engine.errors import BadRequest
from hallascope.engine.run.validation import MAX_TRIALS, checked_prompt
from hallascope.engine.sweep import yaml_nodes
from hallascope.engine.sweep.spec import KINDS, BadSpec, Fault, Source, Spec
from hallascope.engine.sweep.yaml_nodes import Read

MAX_SEED, MAX_SEEDS = 2**31 - 1, 4096
_LONGEST = 1_000_000  # prompts that may be drawn
_EXAMPLE = (
    "write e.g. `prompts: [a ladybug]`, `models: [primer/exact]`, or see examples/primer.yaml"
)


def read(path: Path) -> Spec:
    """The sweep that a file says. Raises BadSpec with a sentence for every fault."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadRequest(
            f"The file {str(path)!r} cannot be opened ({error.strerror or error}): check that it is there."
        ) from error
    except UnicodeDecodeError as error:
        raise BadSpec(
            str(path), [Fault(1, "The file is no UTF-8 text: save it as UTF-8.")]
        ) from error
    return parse(text, path)


def parse(text: str, path: Path) -> Spec:
    """The sweep that a text says; `path` is where it stands. Raises BadSpec."""
    try:
        node = yaml_nodes.document(text)
        said = yaml_nodes.mapping(node, KEYS, "a sweep")
        lines = _lines(node)
        _demand(said, lines)
        return Spec(**_fields(said), file=path, lines=lines)
    except yaml_nodes.Wrong as wrong:
        raise BadSpec(str(path), wrong.faults) from None


def _demand(said: Mapping[str, Any], lines: Mapping[str, int]) -> None:
    """Raises where there is nothing to do, or the judge is named twice."""
    missing = [key for key in ("prompts", "models", "seeds") if not said.get(key, key == "seeds")]
    faults = [Fault(lines.get(key, 1), f"There are no {key}: {_EXAMPLE}.") for key in missing]
    if "judge" in said and "judge" in said.get("lineup", {}):
        faults.append(
            Fault(
                lines["judge"],
                "The judge is named twice: leave it out of `lineup`, or leave out `judge`.",
            )
        )
    if faults:
        raise yaml_nodes.Wrong(*faults)


def _fields(said: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the specification: the line-up without its judge."""
    roles = dict(said.get("lineup", {}))
    judge = {"judge": roles.pop("judge")} if "judge" in roles else {}
    return {
        **{name: value for name, value in said.items() if name != "lineup"},
        **judge,
        "roles": roles,
    }


def _lines(node: yaml.Node) -> dict[str, int]:
    """Where every key stands, and the names under it; sources of prompts know their own."""
    found: dict[str, int] = {}
    for key, value in node.value:
        found[key.value] = yaml_nodes.line(key)
        for name in _leaves(value) if key.value != "prompts" else ():
            found.setdefault(
                f"{key.value} {' '.join(str(name.value).split())}", yaml_nodes.line(name)
            )
    return found


def _leaves(node: yaml.Node) -> Iterable[yaml.Node]:
    """The texts of a value that is one, a list of them, or a mapping to them."""
    match node:
        case yaml.ScalarNode():
            yield node
        case yaml.SequenceNode():
            yield from (one for one in node.value if isinstance(one, yaml.ScalarNode))
        case yaml.MappingNode():
            yield from (one for _, one in node.value if isinstance(one, yaml.ScalarNode))


def _prompt(node: yaml.Node) -> str:
    try:
        return checked_prompt(yaml_nodes.text(node))
    except BadRequest as error:
        raise yaml_nodes.Wrong(Fault(yaml_nodes.line(node), str(error))) from None


# --- the keys
# ----------------------------------------------------------------------------------------------------------


def _seeds(node: yaml.Node) -> tuple[int, ...]:
    """A list of seeds, or the first and how many."""
    one = yaml_nodes.whole(0, MAX_SEED)
    if isinstance(node, yaml.MappingNode):
        said = {"first": 0, "count": 1} | yaml_nodes.mapping(
            node, {"first": one, "count": yaml_nodes.whole(1, MAX_SEEDS)}, "seeds"
        )
        if said["first"] + said["count"] - 1 > MAX_SEED:
            raise yaml_nodes.wrong(
                node, f"The last of these seeds is over {MAX_SEED:,}: begin with a smaller one"
            )
        return tuple(range(said["first"], said["first"] + said["count"]))
    if not isinstance(node, yaml.SequenceNode):
        raise yaml_nodes.wrong(
            node,
            f"{yaml_nodes.shown(node)} may mean one seed or so many: write `[0]` or `{{first: 0, count: 3}}`",
        )
    return tuple(yaml_nodes.each(one)(node))


def _sources(node: yaml.Node) -> tuple[Source, ...]:
    """Prompts and where more of them are; a text alone is a file of them."""
    if isinstance(node, yaml.ScalarNode):
        return (Source("file", yaml_nodes.text(node), line=yaml_nodes.line(node)),)
    return tuple(yaml_nodes.each(_source)(node))


def _source(node: yaml.Node) -> Source:
    if not isinstance(node, yaml.MappingNode):
        return Source("text", _prompt(node), line=yaml_nodes.line(node))
    kinds = tuple(kind for kind in KINDS if kind != "text")
    said = yaml_nodes.mapping(node, {kind: _of(kind) for kind in kinds}, "prompts")
    if len(said) != 1:
        raise yaml_nodes.wrong(
            node,
            f"{len(said)} keys stand where one source of prompts belongs: write each as an item of its own (`- file: ...`)",
        )
    (source,) = said.values()
    return source  # type: ignore[no-any-return]


def _of(kind: str) -> Read:
    """How a source of that kind is read: a path, or a mapping with more about it."""
    seed = yaml_nodes.whole(0, MAX_SEED)

    def primer(node: yaml.Node) -> Source:
        said = {"count": 200, "seed": 0} | yaml_nodes.mapping(
            node, {"count": yaml_nodes.whole(1, _LONGEST), "seed": seed}, "primer"
        )
        return Source("primer", sample=said["count"], seed=said["seed"], line=yaml_nodes.line(node))

    def stored(node: yaml.Node) -> Source:
        if isinstance(node, yaml.ScalarNode):
            return Source(kind, yaml_nodes.text(node), line=yaml_nodes.line(node))  # type: ignore[arg-type]
        split = {"split": yaml_nodes.text} if kind in ("coco", "t2i-compbench") else {}
        said = yaml_nodes.mapping(
            node,
            {
                "path": yaml_nodes.text,
                "sample": yaml_nodes.whole(1, _LONGEST),
                "seed": seed,
                **split,
            },
            kind,
        )
        if "path" not in said:
            raise yaml_nodes.wrong(
                node, f"It is not said where {kind} is: write `path:` with its file or folder"
            )
        return Source(kind, **said, line=yaml_nodes.line(node))  # type: ignore[arg-type]

    return primer if kind == "primer" else stored


def _lineup(node: yaml.Node) -> dict[str, str | None]:
    roles = tuple(role for role in ROLES if role != "generator")
    return yaml_nodes.mapping(
        node,
        {role: yaml_nodes.optional if role == "judge" else yaml_nodes.text for role in roles},
        "a line-up",
    )


KEYS: Mapping[str, Read] = {
    "title": yaml_nodes.text,
    "prompts": _sources,
    "models": yaml_nodes.each(yaml_nodes.text),
    "metrics": yaml_nodes.each(yaml_nodes.text),
    "judge": yaml_nodes.optional,
    "lineup": _lineup,
    "trials": yaml_nodes.whole(1, MAX_TRIALS),
    "seeds": _seeds,
    "inject": yaml_nodes.each(yaml_nodes.choice(KNOWLEDGE, "knowledge")),
    "budget": yaml_nodes.amount,
    "budget_day": yaml_nodes.amount,
    "unpriced": yaml_nodes.flag,
    "store": yaml_nodes.text,
}
