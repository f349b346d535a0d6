"""Draws an image on which a person can mark a place; `marking.js` listens to it."""

from markupsafe import Markup

from hallascope.components.html.markup import tag

HELP = "The image. Arrows move the crosshair, with Shift further; Enter marks the place."


def image_field(
    *content: Markup, can_mark: bool, mark: tuple[float, float] | None = None
) -> Markup:
    """Return an image, with what is drawn over it, and a pin where it is marked.

    `mark` is in [0, 1] from the upper left.
    """
    x, y = mark or (0, 0)
    pin = tag(
        "span",
        class_="pin",
        hidden=mark is None,
        aria_hidden="true",
        style=f"--x:{x:.1%};--y:{y:.1%}",
    )
    return tag(
        "div",
        *content,
        tag("span", class_="crosshair", aria_hidden="true"),
        pin,
        class_="field",
        tabindex="0" if can_mark else None,
        role="application" if can_mark else None,
        aria_roledescription="image to mark" if can_mark else None,
        aria_label=HELP if can_mark else None,
    )
