"""Tests the document of a model."""

from hallascope.data.models.specs import ModelSpec
from hallascope.engine.documents.models import model_document
from hallascope.engine.models.registry import ModelAvailability

SPEC = ModelSpec(id="scripted/judge", title="Scripted", roles=("judge",), backend="scripted")


def test_a_model_is_available_exactly_where_no_reason_speaks_against_it() -> None:
    can_run = model_document(ModelAvailability(SPEC, None))
    assert (can_run["id"], can_run["available"], can_run["reason"]) == (SPEC.id, True, None)
    cannot = model_document(ModelAvailability(SPEC, "It needs a GPU."))
    assert (cannot["available"], cannot["reason"]) == (False, "It needs a GPU.")
