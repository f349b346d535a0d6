"""Plans which images people label next, hands them out, and reports on labels and raters.

- `plans`: `create_plan`, `list_plans`, `find_plan`; the types `LabelingPlan`, `PlannedImage`,
  `AttentionCheck` (kept by `hallascope.engine.storage.people.labeling`).
- `queue`: `next_image`, `keep`, `skip`, `undo`; the type `QueueItem`.
- `progress`: `plan_progress`; the types `LabelingProgress`, `ModelLabelingProgress`.
- `report`: `rater_report`; the types `LabelingReport`, `RaterReport`, `RaterAgreement`.
"""
