"""Makes the exhibit of a report: a module for each kind of thing that metrics present."""
