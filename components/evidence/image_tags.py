"""Shows the tags of an image as chips, with the controls to add and to remove one."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.html.markup import tag


def tag_chips(tags: Sequence[str]) -> Markup:
    """Return one chip per tag; each has a button that removes it."""
    return Markup().join(_chip(name) for name in tags)


def tag_row(tags: Sequence[str]) -> Markup:
    """Return the chips of an image and the buttons that add one and list the keys."""
    return tag(
        "div",
        tag("ul", tag_chips(tags), class_="tag-chips", aria_label="Tags of the image"),
        tag("button", "Add a tag", class_="add-tag"),
        tag("button", "Shortcuts", class_="show-keys"),
        class_="image-tags",
    )


def _chip(name: str) -> Markup:
    remove = tag("button", "×", data_remove_tag=name, aria_label=f"Remove the tag {name}")
    return tag("li", tag("span", name), remove, class_="tag-chip")
