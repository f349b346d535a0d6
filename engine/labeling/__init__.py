"""Plans which images people label, hands them out, and corrects scores by the labels."""
