"""Reads what lies in the folder of a pipeline and finds what is wrong with it.

Nothing is loaded, and no library is imported.
"""

import json
import math
import re
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from hallascope.backends import weights

INDEX = "model_index.json"
REMEDY = "get the folder again, or remove the entry"
# How diffusers and transformers name the files of their weights.
_STEMS = ("diffusion_pytorch_model", "model")
_PICKLES = frozenset({".bin", ".ckpt", ".pkl", ".pt", ".pth"})
# The files that a picture depends on.
_FINGERPRINTED = frozenset({".json", ".model", ".safetensors", ".txt"})
_SENTENCE_PIECES = "*.model"
_VOCABULARIES = ("tokenizer.json", "vocab.json", "vocab.txt", _SENTENCE_PIECES, "*.tiktoken")
# The limit of the safetensors format, in bytes.
_MAX_HEADER = 100_000_000
_VARIANT = re.compile(
    r"(?:diffusion_pytorch_)?model\.([A-Za-z]\w*)(?:-\d{5}-of-\d{5})?\.safetensors"
)


class Flaw(ValueError):
    """Says what is wrong with a folder and what to do, as the end of a sentence."""


class PipelineComponent(NamedTuple):
    """Names a component of a pipeline, e.g. its ``unet``: its folder, class and library."""

    name: str
    library: str
    class_name: str
    folder: Path


class WeightFiles(NamedTuple):
    """Lists all files of a component's weights, and names their `variant` (e.g. ``fp16``)."""

    variant: str | None
    files: tuple[Path, ...]


@dataclass(frozen=True)
class PipelineIndex:
    """Holds what ``model_index.json`` says: the pipeline's class and its components by name.

    Components that are null are left out.
    """

    class_name: str
    components: Mapping[str, PipelineComponent]


def read_index(folder: Path) -> PipelineIndex:
    """Read the index of a pipeline. Raises Flaw where a component brings code of its own."""
    if not folder.is_dir():
        raise Flaw(
            "the folder is not there: give the path of a folder, or the id of a Hub model, as"
            " `repository`"
        )
    document = _read_object(
        folder / INDEX,
        f"it has no {INDEX}, so it is no pipeline of diffusers: name the folder that holds one",
    )
    class_name = document.get("_class_name")
    if isinstance(class_name, list):
        raise Flaw(
            f"{INDEX} names the class {class_name[-1]!r} out of code in the folder, which is never"
            " run: choose another model"
        )
    if not isinstance(class_name, str):
        raise Flaw(f"{INDEX} names no pipeline (_class_name): {REMEDY}")
    components = {
        name: _read_component(folder, name, value)
        for name, value in document.items()
        if isinstance(value, list) and any(value)
    }
    return PipelineIndex(class_name, components)


def _read_component(folder: Path, name: str, value: list[Any]) -> PipelineComponent:
    is_pair = len(value) == 2 and all(isinstance(word, str) for word in value)
    if not is_pair or not name.isidentifier():
        raise Flaw(
            f"{INDEX} says {value!r} of the part {name!r} in place of a library and a class:"
            f" {REMEDY}"
        )
    library, class_name = value
    if (folder / name / f"{library}.py").exists():
        raise Flaw(
            f"its part {name!r} is the class {class_name!r} out of code in the folder, which is"
            " never run: choose another model"
        )
    return PipelineComponent(name, library, class_name, folder / name)


def check_component(component: PipelineComponent) -> None:
    """Raise Flaw where a component has no folder, or a tokenizer no vocabulary."""
    name, folder = component.name, component.folder
    if not folder.is_dir():
        raise Flaw(f"its part {name!r} is missing: {REMEDY}")
    if "Tokenizer" not in component.class_name:
        return
    if not _has_any(folder, _VOCABULARIES):
        raise Flaw(f"its part {name!r} has no vocabulary ({', '.join(_VOCABULARIES)}): {REMEDY}")
    needs_merges = (folder / "vocab.json").exists()
    if needs_merges and not _has_any(folder, ("tokenizer.json", "merges.txt")):
        raise Flaw(f"its part {name!r} has no merges.txt beside its vocab.json: {REMEDY}")


def _has_any(folder: Path, patterns: Iterable[str]) -> bool:
    return any(path for pattern in patterns for path in folder.glob(pattern))


def find_weights(component: PipelineComponent, variant: str | None) -> WeightFiles:
    """Find the safetensors files of a model: those of the variant, else the plain ones.

    Raises Flaw where one is missing or damaged.
    """
    no_config = f"its part {component.name!r} has no config.json: {REMEDY}"
    _read_object(component.folder / "config.json", no_config)
    variants = (variant, None) if variant else (None,)
    for candidate in variants:
        for stem in _STEMS:
            files = _list_files(component, stem, candidate)
            for file in files:
                _check_length(component, file)
            if files:
                return WeightFiles(candidate, files)
    raise Flaw(_missing_weights(component))


def _list_files(component: PipelineComponent, stem: str, variant: str | None) -> tuple[Path, ...]:
    """List the one file of that stem and variant, or its shards; they may be missing."""
    mark = f".{variant}" if variant else ""
    single = component.folder / f"{stem}{mark}.safetensors"
    if single.exists():
        return (single,)
    index = component.folder / f"{stem}.safetensors.index{mark}.json"
    if not index.exists():
        return ()
    file_by_tensor = _read_object(index, "").get("weight_map")
    names = list(file_by_tensor.values()) if isinstance(file_by_tensor, dict) else []
    if not names or not all(isinstance(name, str) for name in names):
        raise Flaw(f"{component.name}/{index.name} names no files of weights: {REMEDY}")
    return tuple(component.folder / Path(name).name for name in sorted(set(names)))


def _missing_weights(component: PipelineComponent) -> str:
    """Say why a component has no weights that can be loaded."""
    part = f"its part {component.name!r}"
    paths = sorted(component.folder.iterdir())
    variants = [match[1] for path in paths if (match := _VARIANT.fullmatch(path.name))]
    if variants:
        return (
            f"{part} has only weights of the variant {variants[0]!r}: write `variant:"
            f" {variants[0]}` into the settings of its entry"
        )
    pickles = [path.name for path in paths if path.suffix in _PICKLES]
    if pickles:
        remedy = "get a copy with safetensors"
        if component.name == "safety_checker":
            remedy += ", or write `safety_checker: false` into the settings of its entry"
        return f"{part} has only the pickle {pickles[0]!r}, which is never loaded: {remedy}"
    return f"{part} has no weights (model.safetensors or {_STEMS[0]}.safetensors): {REMEDY}"


def count_parameters(weight_files: WeightFiles) -> int:
    """Count the numbers in the weights of a component.

    Raises ValueError, OSError and struct.error where a file is damaged.
    """
    tensors = [
        tensor for file in weight_files.files for tensor in _read_header(file).tensors.values()
    ]
    return sum(math.prod(tensor["shape"]) for tensor in tensors)


class _Header(NamedTuple):
    """Describes a safetensors file: `end` is the length of its header in bytes."""

    end: int
    tensors: Mapping[str, Any]


def _read_header(file: Path) -> _Header:
    """Read the header of a safetensors file.

    Raises ValueError, OSError and struct.error.
    """
    with file.open("rb") as stream:
        length = struct.unpack("<Q", stream.read(8))[0]
        if length > min(file.stat().st_size - 8, _MAX_HEADER):
            raise ValueError
        document = json.loads(stream.read(length))
    tensors = {name: tensor for name, tensor in document.items() if name != "__metadata__"}
    return _Header(8 + length, tensors)


def _check_length(component: PipelineComponent, file: Path) -> None:
    """Raise Flaw where a safetensors file is not as long as its header says."""
    name = f"{component.name}/{file.name}"
    try:
        size = file.stat().st_size
        header = _read_header(file)
        data_size = max(tensor["data_offsets"][1] for tensor in header.tensors.values())
    except FileNotFoundError as error:
        raise Flaw(f"{name} is missing: {REMEDY}") from error
    except (OSError, ValueError, LookupError, TypeError, AttributeError, struct.error) as error:
        # A damaged header can be JSON of any form.
        raise Flaw(f"{name} is no safetensors file, or damaged: {REMEDY}") from error
    expected = header.end + data_size
    if size != expected:
        raise Flaw(f"{name} is damaged, it has {size:,} bytes in place of {expected:,}: {REMEDY}")


def check_hashes(folder: Path) -> None:
    """Raise Flaw where a file differs from its hash in ``hashes.json``."""
    mismatch = weights.hash_mismatch(folder)
    if mismatch:
        raise Flaw(f"{mismatch}: {REMEDY}")


def fingerprint(folder: Path) -> str:
    """Return 16 hex digits that change with the index, the weights and settings of its parts.

    Raises OSError.
    """
    paths = [path for path in (*folder.glob("*/*"), folder / INDEX) if path.is_file()]
    relevant = [
        path
        for path in paths
        if path.suffix in _FINGERPRINTED and not path.parent.name.startswith(".")
    ]
    return weights.fingerprint(folder, relevant)


def missing_packages(folder: Path) -> list[str]:
    """List the packages that the tokenizers need and that are not installed."""
    needs_pieces = any(
        not (path.parent / "tokenizer.json").exists()
        for path in folder.glob(f"*/{_SENTENCE_PIECES}")
    )
    if not needs_pieces:
        return []
    module_by_package = {"sentencepiece": "sentencepiece", "protobuf": "google"}
    return [package for package, module in module_by_package.items() if not find_spec(module)]


def _read_object(path: Path, missing: str) -> dict[str, Any]:
    """Read a JSON file that holds an object.

    Raises Flaw, with `missing` as its message where there is no such file.
    """
    name = path.name if path.name == INDEX else f"{path.parent.name}/{path.name}"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise Flaw(missing) from error
    except (OSError, ValueError) as error:
        raise Flaw(f"{name} cannot be read: {REMEDY}") from error
    if not isinstance(document, dict):
        raise Flaw(f"{name} holds no JSON object: {REMEDY}")
    return document
