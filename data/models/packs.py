"""Reads the packs of models that are downloaded together from ``packs.yaml``."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import AfterValidator, ConfigDict, Field

from hallascope.data.models.specs import BadModels, FilledText, Gigabytes
from hallascope.data.yaml_file import BadYaml, read_entries

FILE = Path(__file__).with_name("packs.yaml")


@dataclass(frozen=True)
class Pack:
    """Holds models that are downloaded together.

    `memory_gb`: what the largest of them takes, as one is in memory at a time.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", coerce_numbers_to_str=True
    )

    id: str
    title: FilledText
    about: FilledText
    memory_gb: Gigabytes
    models: Annotated[
        tuple[FilledText, ...],
        AfterValidator(lambda models: tuple(dict.fromkeys(models))),  # each once
        Field(min_length=1, description="the ids of models as a list"),
    ]


def read_packs(path: Path = FILE) -> Mapping[str, Pack]:
    """Return the packs of a file by id, in the order of the file.

    Raises BadModels with one sentence.
    """
    try:
        return read_entries(path, Pack)
    except BadYaml as error:
        raise BadModels(error.first) from error
