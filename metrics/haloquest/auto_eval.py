"""Names the three implementations of HaloQuest's Auto-Eval, which its table 4 compares.

Wang et al., ECCV 2024, section 4.2 and appendix B: a prompt alone, a prompt with a simple schema,
and a schema that first asks for both main points. The words are ours; the structure is the paper's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hallascope.metrics.haloquest.replies import SCHEMA
from hallascope.metrics.replies.structured import object_schema

AutoEvalName = Literal["reasoned", "schema", "text"]


@dataclass(frozen=True)
class AutoEval:
    """Holds an implementation of Auto-Eval.

    `template` is the name of its prompt, `schema` the JSON schema of its reply, None where the
    reply is plain text. `rules` names the version of replies that rules grade in its place.
    """

    name: AutoEvalName
    title: str
    template: str
    schema: Mapping[str, object] | None
    rules: str


_VERDICT_SCHEMA = object_schema(agree={"type": "boolean"})
REASONED = AutoEval("reasoned", "schema with main points", "haloquest_grade", SCHEMA, "rules")
AUTO_EVALS: Mapping[AutoEvalName, AutoEval] = {
    "reasoned": REASONED,
    "schema": AutoEval(
        "schema", "simple schema", "haloquest_grade_schema", _VERDICT_SCHEMA, "rules-schema"
    ),
    "text": AutoEval("text", "text-only prompt", "haloquest_grade_text", None, "rules-text"),
}
