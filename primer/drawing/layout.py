"""Gives every thing of a picture a place and a size, by chance."""

from collections.abc import Sequence

from hallascope.primer.drawing.parts import Art

LayoutCell = tuple[float, float, float]  # center (x, y) and size, in hundredths of the picture


def cells(counts: Sequence[int], relation: object, art: Art) -> list[LayoutCell]:
    """Return a place and a size for every thing, group by group.

    They are in halves by the relation of two groups, else spread over a grid.
    """
    if relation is None:
        spread = _grid(sum(counts), 0, 0, 100, 100, art)
        art.random.shuffle(spread)
        return spread
    boxes = (
        [(0, 0, 50, 100), (50, 0, 50, 100)]
        if relation in ("left", "right")
        else [(0, 0, 100, 50), (0, 50, 100, 50)]
    )
    if relation in ("right", "below"):
        boxes.reverse()
    return [cell for n, box in zip(counts, boxes, strict=True) if n for cell in _grid(n, *box, art)]


def _grid(n: int, x: float, y: float, w: float, h: float, art: Art) -> list[LayoutCell]:
    """Return `n` cells inside the box, as square as can be, with chance in place and size.

    The box is in hundredths of the picture.
    """
    columns, lines = min(
        ((c, -(-n // c)) for c in range(1, n + 1)),
        key=lambda cl: (-min(w / cl[0], h / cl[1]), cl[0] * cl[1]),
    )
    side = min(w / columns, h / lines)
    free = art.random.sample([(c, r) for r in range(lines) for c in range(columns)], n)
    found = []
    for c, r in free:
        size = side * art.vary(0.74, 0.88)
        slack_x = (w / columns - size) / 2
        slack_y = (h / lines - size) / 2
        cx = x + (c + 0.5) * w / columns
        cy = y + (r + 0.5) * h / lines
        found.append(
            (cx + art.vary(-slack_x, slack_x) * 0.8, cy + art.vary(-slack_y, slack_y) * 0.8, size)
        )
    return found
