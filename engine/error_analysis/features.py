"""Says what is known of each judged image: by what groups of failing images can be described."""

import pandas as pd

from hallascope.engine.storage.scores import FACETS


def image_features(images: pd.DataFrame) -> pd.DataFrame:
    """Return the features of judged images, a text each, with the index of `images`.

    `images` is a table of `read_judged_images`. "" stands for what is not known of an image.
    """
    features = images[["model", *FACETS]].astype(str).copy()
    features["seed"] = images["seed"].astype(str)
    features["cluster"] = images["cluster"]
    return features
