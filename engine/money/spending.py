"""Says what calls took and are likely to cost: as entries of the account, and as people read it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hallascope.data.models.services import read_services
from hallascope.data.models.specs import CURRENCY, Price
from hallascope.data.models.token_limits import drawn_tokens, most_usage
from hallascope.data.requests import (
    Ask,
    Describe,
    Detect,
    Embed,
    Failure,
    Generate,
    Match,
    ReadPrompt,
    ReadText,
    Reply,
    Request,
    Role,
    Segment,
    Setting,
    Usage,
    Write,
    sum_of,
)
from hallascope.engine.models.key_check import STARTER_ROLES, KeyCheck, StarterModel
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


# about that of English text
CHARACTERS_A_TOKEN = 4
# tokens that a reply of one letter, or of a text, is likely to take
LETTER_TOKENS = 10
TEXT_TOKENS = 600


@dataclass(frozen=True, kw_only=True)
class CostLine:
    """Holds what one model is likely to be asked.

    `amount` in USD, None where its price is not known. `most`: USD that the dearest of its calls
    may cost at most, which is what is held back for it. `source`: who gives the price, and of which
    day; `assumed`: what an image is taken to be, where images are sold by tokens.
    """

    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    pictures: int
    amount: float | None
    most: float = field(default=0.0, compare=False)
    source: str = field(default="", compare=False)
    assumed: str = field(default="", compare=False)


@dataclass(frozen=True)
class CostEstimate:
    """Holds what a request is likely to take of services that cost something.

    Without lines it costs nothing.
    """

    lines: tuple[CostLine, ...] = ()

    @property
    def amount(self) -> float:
        return sum(line.amount or 0.0 for line in self.lines)

    @property
    def calls(self) -> int:
        return sum(line.calls for line in self.lines)

    def first_over_cap(self, cap: float) -> CostLine | None:
        """Return the first model of which a single call may cost more than the cap."""
        return next((line for line in self.lines if line.most > cap), None)

    @property
    def unpriced(self) -> tuple[str, ...]:
        return tuple(line.model for line in self.lines if line.amount is None)


def multiply_line(line: CostLine, number: int) -> CostLine:
    """Return what a model is asked where the same is done `number` times."""
    return replace(
        line,
        calls=line.calls * number,
        input_tokens=line.input_tokens * number,
        output_tokens=line.output_tokens * number,
        pictures=line.pictures * number,
        amount=None if line.amount is None else line.amount * number,
    )


def likely_usage(request: Request, price: Price) -> Usage:
    """Return what a request is likely to take, before it is sent."""
    match request:
        case Generate():
            return Usage(_tokens(request.prompt), drawn_tokens(price), 1)
        case Ask():
            shown = len(request.images) * price.picture_tokens
            answer = LETTER_TOKENS if request.choices else TEXT_TOKENS
            return Usage(shown + _tokens(request.text), answer)
        case Describe():
            return Usage(price.picture_tokens + _tokens(request.text), TEXT_TOKENS)
        case Write() | ReadPrompt():
            return Usage(_tokens(request.text), TEXT_TOKENS)
        case Detect() | Segment():
            return Usage(price.picture_tokens + sum(map(_tokens, request.phrases)))
        case ReadText():
            return Usage(price.picture_tokens)
        case Match():
            return Usage(price.picture_tokens + _tokens(request.text))
        case Embed():
            return Usage(price.picture_tokens if request.text is None else _tokens(request.text))


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_A_TOKEN)


def cost_line(
    model: str,
    requests: Sequence[Request],
    price: Price | None,
    settings: Mapping[str, Setting] | None = None,
) -> CostLine:
    """Return what these requests are likely to take of a model with these settings."""
    total = sum_usage(likely_usage(request, price or Price()) for request in requests)
    amount = None
    most = 0.0
    if price is not None:
        amount = price.cost(total)
        most = max(
            (price.cost(most_usage(request, price, settings or {})) for request in requests),
            default=0.0,
        )
    return CostLine(
        model=model,
        calls=len(requests),
        input_tokens=total.input_tokens,
        output_tokens=total.output_tokens,
        pictures=total.pictures,
        amount=amount,
        most=most,
        source=price.origin if price else "",
        assumed=_assumed(price, settings or {}) if price and total.pictures else "",
    )


def _assumed(price: Price, settings: Mapping[str, Setting]) -> str:
    """Return size, quality and tokens of an image, as an estimate counts it."""
    tokens = drawn_tokens(price)
    if not tokens:
        return ""
    size = settings.get("size")
    sides = f"{size} x {size}" if isinstance(size, int) else size
    quality = settings.get("quality")
    parts = (sides, f"{quality} quality" if quality else "", f"{tokens:,} tokens")
    return ", ".join(str(part) for part in parts if part)


def sum_usage(usages: Iterable[Usage]) -> Usage:
    """Return the sum of what some requests take."""
    total = Usage()
    for usage in usages:
        total = sum_of(total, usage)
    return total
