"""A Space with which nothing is wrong."""

from hallascope.data.spaces import Space

SPACE = Space(
    name="name",
    title="Title",
    emoji="🔎",
    sdk="gradio",
    short_description="What it is",
    models=("primer/exact",),
    metrics=("ihalla",),
)
