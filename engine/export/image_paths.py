"""Names the pictures of a request: by SHA-256 where it leaves, by a store's path inside.

It opens no file.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.records import Picture
from hallascope.engine.events import EvaluateRequest

_MACHINE_PATH = re.compile(r"(?<![\w:/\\.])(?:/|[A-Za-z]:\\)(?:[^\s/\\'\"]+[/\\])+([^\s/\\'\"]*)")
SHA256 = re.compile(r"[0-9a-f]{64}")
PathOf = Callable[[str], Path]  # where the picture of that SHA-256 lies


def shorten_paths(text: str) -> str:
    """Return the text with every absolute path cut to its last part; web addresses stay."""
    return _MACHINE_PATH.sub(r"\1", text)


def pictures(request: EvaluateRequest) -> tuple[str, ...]:
    """Return the SHA-256 of every picture of a request: to judge, reference, and of concepts."""
    paths = [*request.images, *filter(None, [request.reference])]
    concepts = request.factual.concepts if request.factual else ()
    shown = [concept.reference.sha256 for concept in concepts if concept.reference]
    return tuple(dict.fromkeys([*map(sha256_of, paths), *shown]))


def sha256_of(path: Path) -> str:
    """Return the SHA-256 by which a kept picture is named, else its name.

    The name is ``ab/cd….png`` in a store, ``abcd….png`` out of it.
    """
    return next(
        (name for name in (path.stem, f"{path.parent.name}{path.stem}") if SHA256.fullmatch(name)),
        path.name,
    )


def without_paths(request: EvaluateRequest) -> EvaluateRequest:
    """The request with the names of its pictures in place of where they lie."""
    return _replace_paths(request, lambda sha256: Path(f"{sha256}.png"))


def with_paths(request: EvaluateRequest, place: PathOf) -> EvaluateRequest:
    """The request with the pictures where this store keeps them."""
    return _replace_paths(request, place)


def _replace_paths(request: EvaluateRequest, place: PathOf) -> EvaluateRequest:
    reference = place(sha256_of(request.reference)) if request.reference else None
    images = tuple(place(sha256_of(path)) for path in request.images)
    return replace(
        request, images=images, reference=reference, factual=_moved_concepts(request.factual, place)
    )


def _moved_concepts(factual: FactualPrompt | None, place: PathOf) -> FactualPrompt | None:
    return (
        replace(factual, concepts=tuple(_moved_concept(one, place) for one in factual.concepts))
        if factual
        else None
    )


def _moved_concept(concept: ConceptRef, place: PathOf) -> ConceptRef:
    kept = concept.reference
    file = Path(concept.file.name) if concept.file else None
    return replace(
        concept, reference=Picture(kept.sha256, place(kept.sha256)) if kept else None, file=file
    )
