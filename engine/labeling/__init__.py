"""Plans which images people label, hands them out, and corrects scores by the labels.

- `plans`: `create_plan`, `list_plans`, `find_plan`, `frame_sizes`; the types `LabelingPlan` and
  `PlannedImage`, which `hallascope.engine.storage.people.labeling` keeps.
- `queue`: `next_image`, `keep`, `skip`, `undo`; the type `QueueItem`.
- `progress`: `plan_progress`; the types `LabelingProgress` and `ModelLabelingProgress`.
  `rater_report`; the types `LabelingReport` and `RaterReport`.
- `labels`: labels of the Labels tab, of a plan and of a folder; sums them by prompt and corrects a
  score by them.
"""
