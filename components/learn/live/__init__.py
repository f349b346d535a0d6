"""The pages of the ready lessons: cards, projector, sheets, and the page of a class's pupils."""
