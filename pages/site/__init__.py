"""Runs as a static site: pages that need no server.

It asks no model and writes through an `hallascope.engine.export.folder.ExportFolder`.
"""
