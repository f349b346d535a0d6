"""Makes questions from prompts, by a writer or by rule, and reads and reviews them."""
