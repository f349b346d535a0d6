"""Measures the paths of a GPU: ``make bench-gpu``; see `docs/benchmarks.md` for what rows mean."""
