"""Selects the files of a repository or a folder that a model needs, never pickles.

It takes configurations, vocabularies and safetensors.
"""

import posixpath
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from hallascope.backends.hub.listing import Listing, RepositoryFile
from hallascope.data.models.specs import ModelSpec

INDEX = "model_index.json"  # marks a pipeline of diffusers
CONFIG = "config.json"  # marks a model of transformers
MARKERS = (INDEX, CONFIG)  # tell others that a model is there, so they are downloaded last
DEFAULT_ENCODER = "image_encoder"  # the folder beside an IP-Adapter
SAFETY_CHECKER = "safety_checker"
_PLAIN = frozenset({".json", ".txt", ".model", ".jinja", ".tiktoken"})
_MAX_PLAIN_BYTES = 64 * 2**20  # a vocabulary has at most some ten MB
_PICKLES = frozenset({".bin", ".ckpt", ".h5", ".msgpack", ".pkl", ".pt", ".pth"})
_SAFE = re.compile(
    r"(?P<stem>diffusion_pytorch_model|model)(?:\.(?P<variant>[A-Za-z]\w*))?"
    r"(?P<shard>-\d{5}-of-\d{5})?\.safetensors"
)
_STEMS = ("diffusion_pytorch_model", "model")


class NoWeights(ValueError):
    """Says why a repository or folder cannot be used, as the middle of a sentence, and what to do.

    What to do comes after a semicolon. `variant`: one that it has.
    """

    def __init__(self, why: str, variant: str | None = None) -> None:
        super().__init__(why)
        self.variant = variant


class WeightFiles(NamedTuple):
    """Names the files of weights in a folder, and their variant (e.g. ``fp16``)."""

    variant: str | None
    names: tuple[str, ...]


def choose_weights(names: Collection[str], variant: str | None, part: str = "") -> WeightFiles:
    """Choose among the files of a folder the weights of the variant, else the plain ones.

    They are one file, else shards. `part`: whose folder it is, "" for a model itself. Raises
    NoWeights.
    """
    matched = [match for name in sorted(names) if (match := _SAFE.fullmatch(name))]
    for tried in dict.fromkeys((variant, None)):
        for stem in _STEMS:
            fit = [match for match in matched if (match["stem"], match["variant"]) == (stem, tried)]
            if fit:
                single = [match[0] for match in fit if not match["shard"]]
                return WeightFiles(tried, tuple(single or [match[0] for match in fit]))
    owner = f"its part {part!r}" if part else "it"
    if variants := [match["variant"] for match in matched if match["variant"]]:
        raise NoWeights(
            f"{owner} has only weights of the variant {variants[0]!r}; write"
            f" `variant: {variants[0]}` into the settings of its entry",
            variants[0],
        )
    if has_pickles(names):
        remedy = "choose a model with safetensors"
        if part == SAFETY_CHECKER:
            remedy += f", or write `{SAFETY_CHECKER}: false` into the settings of its entry"
        raise NoWeights(f"{owner} has only pickles, which are never loaded; {remedy}")
    raise NoWeights(
        f"{owner} has no weights that a library here loads (model.safetensors); get it again, or"
        " choose another model"
    )


def has_pickles(names: Iterable[str]) -> bool:
    return any(PurePosixPath(name).suffix in _PICKLES for name in names)


def parts_of_pipeline(index: Mapping[str, Any], spec: ModelSpec) -> dict[str, list[Any]]:
    """Return library and class of each part that an index names and the entry wants, by name."""
    unwanted = {SAFETY_CHECKER} if spec.settings.get(SAFETY_CHECKER) is False else set[str]()
    return {
        name: value
        for name, value in index.items()
        if isinstance(value, list) and any(value) and name not in unwanted
    }


def wanted_variant(spec: ModelSpec) -> str | None:
    return str(spec.settings.get("variant") or "") or None


def select_files(
    spec: ModelSpec, listing: Listing, index: Mapping[str, Any] | None
) -> tuple[RepositoryFile, ...]:
    """Select the files that the entry needs, with the markers at the end. Raises NoWeights.

    `index`: what ``model_index.json`` says, None where there is none.
    """
    variant = wanted_variant(spec)
    if index is None:
        chosen = _part(listing, "", variant, needs_weights=True)
    else:
        parts = parts_of_pipeline(index, spec)
        chosen = [file for name in parts for file in _part(listing, name, variant)]
        chosen += [file for file in listing.files if file.path == INDEX]
        if not any(file.name.endswith(".safetensors") for file in chosen):
            choose_weights([file.name for file in listing.files if file.folder in parts], variant)
    return tuple(sorted(chosen, key=lambda file: file.path in MARKERS))


def select_adapter_files(spec: ModelSpec, listing: Listing) -> tuple[RepositoryFile, ...]:
    """Select the files of an entry's IP-Adapter: its weights and the encoder beside them.

    Raises NoWeights.
    """
    within = str(spec.settings.get("ip_adapter_folder") or "")
    weights = str(spec.settings.get("ip_adapter_weights") or "")
    path = PurePosixPath(within) / weights
    encoder = posixpath.normpath(
        path.parent / str(spec.settings.get("ip_adapter_encoder") or DEFAULT_ENCODER)
    )
    file = listing.file(str(path))
    if file is None:
        raise NoWeights(
            f"{listing.repository!r} has no file {str(path)!r}: fix ip_adapter_weights in its entry"
        )
    return (*_part(listing, encoder, None, needs_weights=True), file)


def size(files: Iterable[RepositoryFile]) -> int:
    """Sum the sizes of files, in bytes."""
    return sum(file.size for file in files)


def _part(
    listing: Listing, folder: str, variant: str | None, needs_weights: bool = False
) -> list[RepositoryFile]:
    """Select the files of one folder: its plain files, and its weights in safetensors."""
    here = [file for file in listing.files if file.folder == folder]
    names = [file.name for file in here]
    chosen: tuple[str, ...] = ()
    if needs_weights or has_pickles(names) or any(name.endswith(".safetensors") for name in names):
        chosen = choose_weights(names, variant, folder).names
    return [
        file
        for file in here
        if file.name in chosen
        or (PurePosixPath(file.path).suffix in _PLAIN and file.size <= _MAX_PLAIN_BYTES)
    ]
