"""Shows judged images as a map of points, of which a person selects some."""
