"""Says what calls took: as entries of the account, and as people read it."""

from collections.abc import Sequence
from typing import Any

from hallascope.data.models.specs import CURRENCY, Price
from hallascope.data.requests import Failure, Reply, Role, Usage
from hallascope.engine.money.likely_costs import sum_usage
from hallascope.engine.storage.ledger import Spending, nano


def spending_of(
    run: str, model: str, role: Role, price: Price, usages: Sequence[Usage]
) -> Spending:
    """Return what some requests took, or may take, as an entry of the account."""
    total = sum_usage(usages)
    return Spending(
        run=run,
        model=model,
        role=role,
        amount=sum(price.cost(usage) for usage in usages),
        calls=len(usages),
        input_tokens=total.input_tokens,
        output_tokens=total.output_tokens,
        pictures=total.pictures,
    )


def counted_usage(reply: Reply, most: Usage) -> Usage | None:
    """Return what a service counted of what it is paid for; None where it did not.

    It did not where it counted pictures alone and they are sold by tokens, as the upper bound
    `most` tells.
    """
    used = reply.usage
    if used is None:
        return None
    by_tokens = most.output_tokens if used.pictures else 0
    return used if used.input_tokens or used.output_tokens or not by_tokens else None


def may_be_charged(reply: Reply) -> bool:
    """Return whether a reply that was not counted may be on the bill.

    A failure is not, unless it came as a reply: one with nothing in it, or with images alone.
    """
    return not isinstance(reply, Failure) or reply.kind == "empty" or reply.usage is not None


def spending_document(amount: float, unconfirmed: float) -> dict[str, Any]:
    """Return what was spent as JSON-able values.

    `amount` is what counts against the caps, in USD; the bill may be less by `unconfirmed` at most.
    """
    return {"amount": amount, "unconfirmed": unconfirmed, "currency": CURRENCY}


def money(amount: float) -> str:
    """Return an amount as people read it: two decimals, more where it is small."""
    decimals = 2 if amount >= 0.1 or not amount else 4 if amount >= 1e-4 else 6
    return f"{amount:.{decimals}f} {CURRENCY}"


def spending_text(amount: float, unconfirmed: float, words: str) -> str:
    """Return what was spent, as people read it, and beside it what may have been lost.

    Both are in USD, and `unconfirmed` is the part of the `amount` that no service has confirmed.
    `words` follow the amount, such as "spent so far".
    """
    if nano(unconfirmed) == 0:
        return f"{money(amount)} {words}"
    certain = max(0.0, amount - unconfirmed)
    return (
        f"{money(certain)} {words}, and up to {money(unconfirmed)} more for calls that were cut off"
        " or not counted"
    )


def unconfirmed_note(amount: float, unconfirmed: float, cap: float) -> str:
    """Return what of a spent `amount` counts against a cap and is not certain, all in USD.

    "" where all of it is certain. It names the cap that leaves the rest out: a person may raise it
    knowingly, while the account must count both a call that was cut off and the one that asks the
    same again, as both may be on the bill.
    """
    if nano(unconfirmed) == 0:
        return ""
    text = spending_text(amount, unconfirmed, "is certain")
    return f" ({text}; a budget of {money(cap + unconfirmed)} leaves these out)"
