"""Reads Spaces from ``spaces.yaml`` and says what Hugging Face would not take.

They are those that this repository deploys. Keys and lengths are those of Hugging Face's Spaces
Configuration Reference (hub documentation).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field

from hallascope.data.yaml_file import BadYaml, read_document

FILE = Path(__file__).parents[2] / "spaces.yaml"
Sdk = Literal["gradio", "static"]
SpaceColor = Literal["red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"]
ZERO_GPU = "zero-a10g"
ON_CPU = ("cpu-basic", "cpu-upgrade")
Hardware = Literal[
    "cpu-basic",
    "cpu-upgrade",
    "zero-a10g",
    "t4-small",
    "t4-medium",
    "l4x1",
    "l4x4",
    "l40sx1",
    "l40sx4",
    "l40sx8",
    "a10g-small",
    "a10g-large",
    "a10g-largex2",
    "a10g-largex4",
    "a100-large",
    "a100x4",
    "a100x8",
]
Scope = Literal[
    "openid",
    "profile",
    "email",
    "read-billing",
    "read-repos",
    "gated-repos",
    "contribute-repos",
    "write-repos",
    "manage-repos",
    "inference-api",
    "jobs",
    "webhooks",
    "write-discussions",
]
LONGEST_DESCRIPTION = 60  # characters; the Hub answers 400 to more

_NAMES = "a list of names"
QuotedText = Annotated[str, Field(description="a text, in quotes where it looks like a number")]
NeededText = Annotated[
    str, Field(min_length=1, description="a text, in quotes where it looks like a number")
]
Names = Annotated[tuple[str, ...], Field(description=_NAMES)]


@dataclass(frozen=True, kw_only=True)
class Space:
    """Holds what one Space is made of.

    `models` and `metrics` are what it is for; `variables` are public; `secrets` are names of
    environment variables alone.

    A `static` Space holds the pages of a run that was exported, and runs nothing. `hardware` is
    asked for through the API: in a README it is only a suggestion.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    name: Annotated[
        str,
        Field(
            pattern=r"^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9])?$",
            description="up to 96 letters, digits, '-', '_' and '.', at the ends letters or digits",
        ),
    ]
    title: NeededText
    emoji: Annotated[
        str, Field(pattern=r"^[^\w\s!-~]{1,8}$", description="one sign that is an emoji")
    ]
    sdk: Sdk
    short_description: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_DESCRIPTION,
            description=f"a text of at most {LONGEST_DESCRIPTION} characters",
        ),
    ]
    hardware: Hardware = "cpu-basic"
    color_from: SpaceColor = "gray"
    color_to: SpaceColor = "blue"
    python_version: Annotated[
        str,
        Field(
            pattern=r"^3\.\d+(?:\.\d+)?$", description="a text in quotes, like '3.11' or '3.11.9'"
        ),
    ] = "3.11"
    license: QuotedText = "apache-2.0"
    hf_oauth: Annotated[bool, Field(strict=True, description="true or false")] = False
    hf_oauth_scopes: Annotated[tuple[Scope, ...], Field(description=_NAMES)] = ()
    models: Names = ()
    metrics: Names = ()
    variables: Annotated[
        Mapping[str, str], Field(description="a text for each name, in quotes where it is a number")
    ] = field(default_factory=dict)
    secrets: Annotated[
        tuple[str, ...], Field(description=f"{_NAMES} (their values stand in no file)")
    ] = ()

    @property
    def on_cpu(self) -> bool:
        return self.hardware in ON_CPU


class BadSpaces(ValueError):
    """The file of Spaces is not as it should be; the message names file, Space and field."""


@dataclass(frozen=True)
class _File:
    spaces: Annotated[
        tuple[Space, ...], Field(min_length=1, description="a list of Spaces, an entry each")
    ]


def read_spaces(path: Path = FILE) -> tuple[Space, ...]:
    """Return the Spaces of a file in its order. Raises BadSpaces with one sentence."""
    try:
        document = read_document(path)
        file: _File = document.read(_File, document.value)
    except BadYaml as error:
        raise BadSpaces(error.first) from error
    return file.spaces


def problems(spaces: Sequence[Space]) -> list[str]:
    """Return what Hugging Face would not take, or would take to mean something else.

    Each problem is a sentence.
    """
    names = [space.name for space in spaces]
    twice = [
        f"There are two Spaces {name!r}: give one of them another name."
        for name in sorted({n for n in names if names.count(n) > 1})
    ]
    return [
        *twice,
        *(f"The Space {space.name!r} {end}" for space in spaces for end in _problems(space)),
    ]


def _problems(space: Space) -> Iterator[str]:
    if space.hf_oauth_scopes and not space.hf_oauth:
        yield "has hf_oauth_scopes but no login: write `hf_oauth: true`, or take them out."
    names = (*space.variables, *space.secrets)
    if wrong := [name for name in names if not re.fullmatch(r"[A-Z][A-Z0-9_]*", name)]:
        yield f"has a variable or secret {wrong[0]!r}: use capitals, digits and '_'."
    if both := [name for name in space.secrets if name in space.variables]:
        yield (
            f"has {both[0]!r} as a variable and as a secret: variables are public, so keep the"
            " secret alone."
        )
    needs_server = space.models or space.secrets or space.variables or space.hf_oauth
    if space.sdk == "static" and (needs_server or space.hardware != "cpu-basic"):
        yield (
            "is static and runs nothing: take out its models, secrets, variables, hardware and"
            " hf_oauth."
        )


def front_matter(space: Space, gradio: str) -> str:
    """Return the block at the top of the Space's README, with its lines of dashes.

    `gradio`: the version everything is tested with.
    """
    import yaml

    runs = {
        "sdk_version": gradio,
        "python_version": space.python_version,
        "app_file": "app.py",
        "suggested_hardware": space.hardware,
    }
    login = (
        {"hf_oauth": True, "hf_oauth_scopes": list(space.hf_oauth_scopes)} if space.hf_oauth else {}
    )
    values: dict[str, Any] = {
        "title": space.title,
        "emoji": space.emoji,
        "colorFrom": space.color_from,
        "colorTo": space.color_to,
        "sdk": space.sdk,
        **(runs if space.sdk == "gradio" else {"app_file": "index.html"}),
        "short_description": space.short_description,
        "license": space.license,
        **login,
    }
    # Otherwise a strange line break would be written as it is.
    plain = all(text.isprintable() for text in map(str, values.values()))
    return f"---\n{yaml.safe_dump(values, sort_keys=False, allow_unicode=plain, width=200)}---\n"


def with_front_matter(readme: str, block: str) -> str:
    """Return the README with this block at its top, in place of the one it has."""
    return block + re.sub(r"\A---\n.*?^---\n", "", readme, flags=re.MULTILINE | re.DOTALL)
