"""Writes an entry into a person's own file of models, which is read like ours.

What stands there is left as it is.
"""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from hallascope.data.models.specs import BadModels, ModelSpec, read_models

_SPEC = TypeAdapter(ModelSpec)
HEAD = "# Models of your own, in the form of data/models/models.yaml.\n"


def entry(spec: ModelSpec) -> Mapping[str, Any]:
    """Return what stands in the file: the fields that differ from what is usual.

    A price is not among them unless it is free.
    """
    dumped = _SPEC.dump_python(spec, mode="json", exclude_defaults=True, exclude={"id", "price"})
    kept = {name: value for name, value in dumped.items() if value != {}}
    if spec.price and not spec.price.date:
        kept["price"] = "free"
    return kept


def append(path: Path, spec: ModelSpec) -> None:
    """Add the entry at the end of the file, which is made where there is none.

    Raises BadModels with one sentence.

    It is read before it takes the place of the file: a file that could not be read any more is
    never written.
    """
    import yaml

    try:
        before = path.read_text(encoding="utf-8") if path.exists() else HEAD
        if before.strip() and path.exists() and spec.id in read_models(path):
            raise BadModels(
                f"There is a model {spec.id!r} in {str(path)!r} already: change it there."
            )
        added = yaml.safe_dump(
            {spec.id: dict(entry(spec))},
            sort_keys=False,
            allow_unicode=True,
            default_flow_style=None,
            width=120,
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            whole = Path(folder) / path.name
            whole.write_text(f"{before.rstrip()}\n\n{added}", encoding="utf-8")
            read_models(whole)
            os.replace(whole, path)
    except OSError as error:
        raise BadModels(
            f"The file of models {str(path)!r} cannot be written ({error.strerror}): name another"
            " in HALLASCOPE_MODELS."
        ) from error
