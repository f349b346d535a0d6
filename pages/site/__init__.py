"""Writes runs as a static site that needs no server, through an `ExportFolder`."""
