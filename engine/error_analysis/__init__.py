"""Leads from a score to its cause: judged images as a table, slices, maps, probes, remedies."""
