"""Reads what lies in the folder of a pipeline and finds what is wrong with it.

Nothing is loaded, and no library is imported.
"""

import json
import math
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from hallascope.backends import weights as folders

INDEX = "model_index.json"
AGAIN = "get the folder again, or remove the entry"
_STEMS = ("diffusion_pytorch_model", "model")  # how diffusers and transformers name their weights
_PICKLES = frozenset({".bin", ".ckpt", ".pkl", ".pt", ".pth"})
_PRINTED = frozenset({".json", ".model", ".safetensors", ".txt"})  # what a picture depends on
_PIECES = "*.model"  # a SentencePiece vocabulary
_VOCABULARIES = ("tokenizer.json", "vocab.json", "vocab.txt", _PIECES, "*.tiktoken")
_LONGEST_HEADER = 100_000_000  # bytes, as the format has it
_VARIANT = re.compile(
    r"(?:diffusion_pytorch_)?model\.([A-Za-z]\w*)(?:-\d{5}-of-\d{5})?\.safetensors"
)


class Flaw(ValueError):
    """Says what is wrong with a folder and what to do, as the end of a sentence."""


class PipelineComponent(NamedTuple):
    """Names a part of a pipeline, e.g. its ``unet``: its folder, class and library."""

    name: str
    library: str
    kind: str
    folder: Path


class Weights(NamedTuple):
    """Holds the complete files of a part's weights, and their `variant` (e.g. ``fp16``)."""

    variant: str | None
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Index:
    """Holds what ``model_index.json`` says: the pipeline's class and its parts by name.

    Parts that are null are left out.
    """

    kind: str
    parts: Mapping[str, PipelineComponent]


def read_index(folder: Path) -> Index:
    """Read the index of a pipeline. Raises Flaw where a part brings code of its own."""
    if not folder.is_dir():
        raise Flaw(
            "the folder is not there: give the path of a folder, or the id of a Hub model, as"
            " `repository`"
        )
    said = _document(
        folder / INDEX,
        f"it has no {INDEX}, so it is no pipeline of diffusers: name the folder that holds one",
    )
    kind = said.get("_class_name")
    if isinstance(kind, list):
        raise Flaw(
            f"{INDEX} names the class {kind[-1]!r} out of code in the folder, which is never run:"
            " choose another model"
        )
    if not isinstance(kind, str):
        raise Flaw(f"{INDEX} names no pipeline (_class_name): {AGAIN}")
    parts = {
        name: _part(folder, name, value)
        for name, value in said.items()
        if isinstance(value, list) and any(value)
    }
    return Index(kind, parts)


def _part(folder: Path, name: str, value: list[Any]) -> PipelineComponent:
    if (
        len(value) != 2
        or not all(isinstance(word, str) for word in value)
        or not name.isidentifier()
    ):
        raise Flaw(
            f"{INDEX} says {value!r} of the part {name!r} in place of a library and a class:"
            f" {AGAIN}"
        )
    library, kind = value
    part = PipelineComponent(name, library, kind, folder / name)
    if (part.folder / f"{part.library}.py").exists():
        raise Flaw(
            f"its part {name!r} is the class {part.kind!r} out of code in the folder, which is"
            " never run: choose another model"
        )
    return part


def check_there(part: PipelineComponent) -> None:
    """Raise Flaw where a part has no folder, or a tokenizer no vocabulary."""
    if not part.folder.is_dir():
        raise Flaw(f"its part {part.name!r} is missing: {AGAIN}")
    if "Tokenizer" not in part.kind:
        return
    if not any(True for _ in _matching_files(part.folder, *_VOCABULARIES)):
        raise Flaw(
            f"its part {part.name!r} has no vocabulary ({', '.join(_VOCABULARIES)}): {AGAIN}"
        )
    alone = (part.folder / "vocab.json").exists() and not any(
        True for _ in _matching_files(part.folder, "tokenizer.json", "merges.txt")
    )
    if alone:
        raise Flaw(f"its part {part.name!r} has no merges.txt beside its vocab.json: {AGAIN}")


def weights(part: PipelineComponent, variant: str | None) -> Weights:
    """Find the safetensors files of a model: those of the variant, else the plain ones.

    Raises Flaw where one is missing or damaged.
    """
    _document(part.folder / "config.json", f"its part {part.name!r} has no config.json: {AGAIN}")
    for tried in (variant, None) if variant else (None,):
        for stem in _STEMS:
            if files := _files(part, stem, tried):
                for file in files:
                    _check_whole(part, file)
                return Weights(tried, files)
    raise Flaw(_without_weights(part))


def _files(part: PipelineComponent, stem: str, variant: str | None) -> tuple[Path, ...]:
    marked = f".{variant}" if variant else ""
    single = part.folder / f"{stem}{marked}.safetensors"
    if single.exists():
        return (single,)
    index = part.folder / f"{stem}.safetensors.index{marked}.json"
    if not index.exists():
        return ()
    shards = _document(index, "").get("weight_map")
    if (
        not isinstance(shards, dict)
        or not shards
        or not all(isinstance(name, str) for name in shards.values())
    ):
        raise Flaw(f"{part.name}/{index.name} names no files of weights: {AGAIN}")
    return tuple(part.folder / Path(name).name for name in sorted(set(shards.values())))


def _without_weights(part: PipelineComponent) -> str:
    names = sorted(path.name for path in part.folder.iterdir())
    if found := next((match[1] for name in names if (match := _VARIANT.fullmatch(name))), None):
        return (
            f"its part {part.name!r} has only weights of the variant {found!r}: write `variant:"
            f" {found}` into the settings of its entry"
        )
    if pickle := next((name for name in names if Path(name).suffix in _PICKLES), None):
        remedy = "get a copy with safetensors"
        remedy += (
            ", or write `safety_checker: false` into the settings of its entry"
            if part.name == "safety_checker"
            else ""
        )
        return (
            f"its part {part.name!r} has only the pickle {pickle!r}, which is never loaded:"
            f" {remedy}"
        )
    return (
        f"its part {part.name!r} has no weights (model.safetensors or {_STEMS[0]}.safetensors):"
        f" {AGAIN}"
    )


def count(weights: Weights) -> int:
    """Count the numbers in the weights of a part."""
    return sum(
        math.prod(tensor["shape"]) for file in weights.files for tensor in _header(file)[1].values()
    )


def _header(file: Path) -> tuple[int, dict[str, Any]]:
    """Return where the header of a safetensors file ends (bytes), and its tensors by name.

    Raises ValueError, OSError and struct.error.
    """
    with file.open("rb") as stream:
        length = struct.unpack("<Q", stream.read(8))[0]
        if length > min(file.stat().st_size - 8, _LONGEST_HEADER):
            raise ValueError
        said = json.loads(stream.read(length))
    return 8 + length, {name: tensor for name, tensor in said.items() if name != "__metadata__"}


def _check_whole(part: PipelineComponent, file: Path) -> None:
    """Raise Flaw where a safetensors file is not as long as its header says."""
    where = f"{part.name}/{file.name}"
    try:
        size = file.stat().st_size
        begin, tensors = _header(file)
        end = begin + max(tensor["data_offsets"][1] for tensor in tensors.values())
    except FileNotFoundError as error:
        raise Flaw(f"{where} is missing: {AGAIN}") from error
    except (
        OSError,
        ValueError,
        TypeError,
        KeyError,
        IndexError,
        AttributeError,
        struct.error,
    ) as error:
        raise Flaw(f"{where} is no safetensors file, or damaged: {AGAIN}") from error
    if size != end:
        raise Flaw(f"{where} is damaged, it has {size:,} bytes in place of {end:,}: {AGAIN}")


def check_hashes(folder: Path) -> None:
    """Raise Flaw where a file differs from its hash in ``hashes.json``."""
    if wrong := folders.hash_mismatch(folder):
        raise Flaw(f"{wrong}: {AGAIN}")


def fingerprint(folder: Path) -> str:
    """Return 16 hex digits that change with the index, the weights and settings of its parts.

    Raises OSError.
    """
    parts = [
        path
        for pattern in ("*/*", INDEX)
        for path in folder.glob(pattern)
        if path.suffix in _PRINTED and path.is_file()
    ]
    return folders.fingerprint(
        folder, [path for path in parts if not path.parent.name.startswith(".")]
    )


def missing_packages(folder: Path) -> list[str]:
    """List the packages that the tokenizers need and that are not installed."""
    pieces = [
        path
        for path in folder.glob(f"*/{_PIECES}")
        if not (path.parent / "tokenizer.json").exists()
    ]
    needed = {"sentencepiece": "sentencepiece", "protobuf": "google"} if pieces else {}
    return [package for package, module in needed.items() if not find_spec(module)]


def _matching_files(folder: Path, *patterns: str) -> Iterator[Path]:
    return (path for pattern in patterns for path in folder.glob(pattern))


def _document(path: Path, missing: str) -> dict[str, Any]:
    """Read a JSON file that holds an object.

    Raises Flaw, with `missing` as its message where there is no such file.
    """
    where = path.name if path.name == INDEX else f"{path.parent.name}/{path.name}"
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise Flaw(missing) from error
    except (OSError, ValueError) as error:
        raise Flaw(f"{where} cannot be read: {AGAIN}") from error
    if not isinstance(said, dict):
        raise Flaw(f"{where} holds no JSON object: {AGAIN}")
    return said
