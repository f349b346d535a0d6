"""Writes labeling plans with their labels into folders, and takes them in from there.

- `writer`: `export_plan` and `zip_plan`; the type `PlanExportSummary`.
- `importer`: `import_plan`; the type `PlanImportSummary`.
"""
