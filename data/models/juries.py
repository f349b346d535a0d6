"""Names juries that have no entry of their own: ``jury/weighted/JUDGE+JUDGE``."""

from collections.abc import Iterable

from hallascope.data.models.specs import ModelSpec

JURY = "jury"  # the backend of a jury, and the beginning of its name
DEFAULT_RULE = "weighted"


def jury_name(members: Iterable[str], rule: str = DEFAULT_RULE) -> str:
    """Return the name of the jury of these judges, the same in whatever order they are given."""
    return f"{JURY}/{rule}/{'+'.join(sorted(set(members)))}"


def named_jury(name: str) -> ModelSpec | None:
    """Return the entry of a jury that is named by its rule and members; None for any other name.

    Whether there is such a rule and such members is not looked at.
    """
    prefix, _, rest = name.partition("/")
    rule, slash, listed = rest.partition("/")
    members = tuple(member.strip() for member in listed.split("+"))
    if prefix != JURY or not slash or not all(members):
        return None
    return ModelSpec(
        id=jury_name(members, rule),
        title=f"Jury of {', '.join(sorted(set(members)))} ({rule})",
        roles=("judge",),
        backend=JURY,
        members=tuple(sorted(set(members))),
        settings={"vote": rule},
        ranks=True,
    )
