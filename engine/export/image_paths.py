"""Names the pictures of a request: by SHA-256 in exports, by path within a store."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hallascope.data.concepts import ConceptRef
from hallascope.data.records import Picture
from hallascope.engine.events import EvaluateRequest

_MACHINE_PATH = re.compile(r"(?<![\w:/\\.])(?:/|[A-Za-z]:\\)(?:[^\s/\\'\"]+[/\\])+([^\s/\\'\"]*)")
SHA256 = re.compile(r"[0-9a-f]{64}")
PathOf = Callable[[str], Path]  # the path of a picture by its SHA-256


def shorten_paths(text: str) -> str:
    """Return the text with every absolute path cut to its last part; web addresses stay."""
    return _MACHINE_PATH.sub(r"\1", text)


def request_images(request: EvaluateRequest) -> tuple[str, ...]:
    """Return the SHA-256 of every picture of a request: to judge, reference, and of concepts."""
    paths = [*request.images, *filter(None, [request.reference])]
    concepts = request.factual.concepts if request.factual else ()
    shown = [concept.reference.sha256 for concept in concepts if concept.reference]
    return tuple(dict.fromkeys([*map(sha256_of, paths), *shown]))


def sha256_of(path: Path) -> str:
    """Return the SHA-256 by which a kept picture is named, else its name.

    The name is ``ab/cd….png`` in a store, ``abcd….png`` out of it.
    """
    for name in (path.stem, f"{path.parent.name}{path.stem}"):
        if SHA256.fullmatch(name):
            return name
    return path.name


def strip_paths(request: EvaluateRequest) -> EvaluateRequest:
    """Return the request with the names of its pictures in place of where they lie.

    A pack of wordings is named without its folder, too.
    """
    request = replace(request, wording=Path(request.wording).name)
    return resolve_paths(request, lambda sha256: Path(f"{sha256}.png"))


def resolve_paths(request: EvaluateRequest, path_of: PathOf) -> EvaluateRequest:
    """Return the request with the pictures where `path_of` says that they are kept."""
    reference = path_of(sha256_of(request.reference)) if request.reference else None
    images = tuple(path_of(sha256_of(path)) for path in request.images)
    factual = request.factual
    if factual:
        concepts = tuple(_resolve_concept(concept, path_of) for concept in factual.concepts)
        factual = replace(factual, concepts=concepts)
    return replace(request, images=images, reference=reference, factual=factual)


def _resolve_concept(concept: ConceptRef, path_of: PathOf) -> ConceptRef:
    reference = concept.reference
    if reference:
        reference = Picture(reference.sha256, path_of(reference.sha256))
    file = Path(concept.file.name) if concept.file else None
    return replace(concept, reference=reference, file=file)
