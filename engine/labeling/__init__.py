"""Plans which images people label next, hands them out, and reports on labels and raters.

- `plans`: `create_plan`, `list_plans`, `find_plan`, `frame_sizes`; the types `LabelingPlan`,
  `PlannedImage` and `AttentionCheck`, which `hallascope.engine.storage.people.labeling` keeps.
- `queue`: `next_image`, `keep`, `skip`, `undo`; the type `QueueItem`.
- `progress`: `plan_progress`; the types `LabelingProgress` and `ModelLabelingProgress`.
- `report`: `rater_report`; the types `LabelingReport` and `RaterReport`.
"""
