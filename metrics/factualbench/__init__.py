"""Scores T2I-FactualBench: concepts against their reference, the task, the composition.

`plan` is where it starts.
"""
