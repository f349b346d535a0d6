"""Says what drawings show, for trials and for people; no model that judges images may use it."""
