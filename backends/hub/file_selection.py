"""Selects the files of a repository that a model needs, never pickles.

It takes configurations, vocabularies and safetensors.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from hallascope.backends.hub.listing import Listing, RepositoryFile
from hallascope.data.models.specs import ModelSpec

INDEX = "model_index.json"  # marks a pipeline of diffusers
CONFIG = "config.json"  # marks a model of transformers
MARKERS = (INDEX, CONFIG)  # tell others that a model is there, so they are downloaded last
_PLAIN = frozenset({".json", ".txt", ".model", ".jinja", ".tiktoken"})
_LARGEST_PLAIN = 64 * 2**20  # bytes; a vocabulary has at most some ten MB
_WEIGHTS = frozenset({".bin", ".ckpt", ".h5", ".msgpack", ".pt", ".pth", ".safetensors"})
_SAFE = re.compile(
    r"(?P<stem>diffusion_pytorch_model|model)(?:\.(?P<variant>[A-Za-z]\w*))?"
    r"(?P<shard>-\d{5}-of-\d{5})?\.safetensors"
)
_STEMS = ("diffusion_pytorch_model", "model")


class NoWeights(ValueError):
    """Says why a repository cannot be used, as the middle of a sentence, and what to do.

    What to do comes after a semicolon. `variant`: one that it has.
    """

    def __init__(self, why: str, variant: str | None = None) -> None:
        super().__init__(why)
        self.variant = variant


def select_files(
    spec: ModelSpec, listing: Listing, index: Mapping[str, Any] | None
) -> tuple[RepositoryFile, ...]:
    """Select the files that the entry needs, with the markers at the end. Raises NoWeights.

    `index`: what ``model_index.json`` says, None where there is none.
    """
    variant = str(spec.settings.get("variant") or "") or None
    if index is None:
        chosen = _part(listing, "", variant, needs=True)
    else:
        unwanted = (
            {"safety_checker"} if spec.settings.get("safety_checker") is False else set[str]()
        )
        parts = [
            name
            for name, value in index.items()
            if isinstance(value, list) and any(value) and name not in unwanted
        ]
        chosen = [file for name in parts for file in _part(listing, name, variant, needs=False)]
        chosen += [file for file in listing.files if file.path == INDEX]
        if not any(file.name.endswith(".safetensors") for file in chosen):
            raise _missing_weights(listing.files)
    return tuple(sorted(chosen, key=lambda file: file.path in MARKERS))


def adapter(spec: ModelSpec, listing: Listing) -> tuple[RepositoryFile, ...]:
    """Select the files of an entry's IP-Adapter: its weights and the encoder beside them.

    Raises NoWeights.
    """
    within = str(spec.settings.get("ip_adapter_folder") or "")
    weights = str(spec.settings.get("ip_adapter_weights") or "")
    path = PurePosixPath(within) / weights
    encoder = posixpath.normpath(
        path.parent / str(spec.settings.get("ip_adapter_encoder") or "image_encoder")
    )
    file = listing.file(str(path))
    if file is None:
        raise NoWeights(
            f"{listing.repository!r} has no file {str(path)!r}; mend ip_adapter_weights in its"
            " entry"
        )
    return (*_part(listing, encoder, None, needs=True), file)


def size(files: Iterable[RepositoryFile]) -> int:
    """Sum the sizes of files, in bytes."""
    return sum(file.size for file in files)


def _part(listing: Listing, folder: str, variant: str | None, needs: bool) -> list[RepositoryFile]:
    """Select the files of one folder: its plain files, and its weights in safetensors.

    `needs`: without weights it is of no use.
    """
    here = [file for file in listing.files if file.folder == folder]
    plain = [
        file
        for file in here
        if PurePosixPath(file.path).suffix in _PLAIN and file.size <= _LARGEST_PLAIN
    ]
    weights = _weights(here, variant)
    if not weights and (needs or any(PurePosixPath(file.path).suffix in _WEIGHTS for file in here)):
        raise _missing_weights(here)
    return [*plain, *weights]


def _weights(files: Sequence[RepositoryFile], variant: str | None) -> list[RepositoryFile]:
    """Select the weights of the variant, else the plain ones: one file, else shards."""
    matched = [(match, file) for file in files if (match := _SAFE.fullmatch(file.name))]
    for tried in (variant, None) if variant else (None,):
        for stem in _STEMS:
            fit = [
                (match, file)
                for match, file in matched
                if match["stem"] == stem and match["variant"] == tried
            ]
            single = [file for match, file in fit if not match["shard"]]
            if fit:
                return single or [file for _, file in fit]
    return []


def _missing_weights(files: Sequence[RepositoryFile]) -> NoWeights:
    variants = sorted(
        {
            match["variant"]
            for file in files
            if (match := _SAFE.fullmatch(file.name)) and match["variant"]
        }
    )
    if variants:
        why = (
            f"it has only weights of the variant {variants[0]!r}; write `variant: {variants[0]}`"
            " into the settings of its entry"
        )
        return NoWeights(why, variants[0])
    if any(PurePosixPath(file.path).suffix in _WEIGHTS - {".safetensors"} for file in files):
        return NoWeights(
            "it has only pickles, which are never loaded; choose a model with safetensors"
        )
    return NoWeights(
        "it has no weights that a library here loads (model.safetensors); choose another model"
    )
