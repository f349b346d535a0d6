"""Holds the words of scene-graph QA, and reads them in replies."""
