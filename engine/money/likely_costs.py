"""Estimates what requests are likely to take of services that cost something."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hallascope.data.models.specs import CURRENCY, Price
from hallascope.data.models.token_limits import most_usage
from hallascope.data.requests import (
    Ask,
    Describe,
    Detect,
    Embed,
    Generate,
    Match,
    ReadPrompt,
    ReadText,
    Request,
    Segment,
    Setting,
    Usage,
    Write,
    sum_of,
)

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
    currency: str = CURRENCY

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
            return Usage(_tokens(request.prompt), price.picture_tokens, 1)
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
    if not price.picture_tokens:
        return ""
    size = settings.get("size")
    sides = f"{size} x {size}" if isinstance(size, int) else size
    quality = settings.get("quality")
    parts = (sides, f"{quality} quality" if quality else "", f"{price.picture_tokens:,} tokens")
    return ", ".join(str(part) for part in parts if part)


def sum_usage(usages: Iterable[Usage]) -> Usage:
    """Return the sum of what some requests take."""
    total = Usage()
    for usage in usages:
        total = sum_of(total, usage)
    return total
