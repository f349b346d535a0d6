"""Says which models a key brings to begin with, and what one use of each costs."""

from collections.abc import Mapping

from hallascope.data.models.services import read_services
from hallascope.data.requests import Role
from hallascope.engine.models.key_check import STARTER_ROLES, KeyCheck, StarterModel
from hallascope.engine.money.spending import money

# what a model does in a role, what one use is, and what is missing where none fills it
_USES: Mapping[Role, tuple[str, str, str]] = {
    "generator": ("draws", "an image", "draws images"),
    "judge": ("judges", "a question", "judges images"),
    "writer": ("writes questions where a prompt has none", "a prompt", "writes questions"),
}


def starters_sentence(check: KeyCheck) -> str:
    """Return which models are chosen and what they cost, in one sentence; "" without any.

    It names the roles that this service fills with none of its models.
    """
    starters = check.starters
    if not starters:
        return ""
    words = [_use(role, starters[role]) for role in STARTER_ROLES if role in starters]
    sources = {each.source: None for each in starters.values() if each.source}
    prices = f" (prices: {', '.join(sources)})" if sources else ""
    missing = (_missing(role) for role in STARTER_ROLES if role not in starters)
    return " ".join((f"{'; '.join(words)}{prices}.", *missing))


def _missing(role: Role) -> str:
    able = [facts.id for facts in read_services().values() if role in facts.prefer]
    return f"None of its models {_USES[role][2]}; models of {', '.join(able)} do."


def _use(role: Role, model: StarterModel) -> str:
    verb, unit, _ = _USES[role]
    if model.cost is None:
        return f"{model.title} {verb}, at a price that is not known"
    return f"{model.title} {verb}, about {money(model.cost)} {unit}"
