"""Questions from prompts: made by a writer or by rule, read and reviewed."""
