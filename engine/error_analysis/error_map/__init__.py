"""Draws judged images as a map of points: near ones look alike to an embedder."""
