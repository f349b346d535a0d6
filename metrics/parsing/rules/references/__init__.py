"""Read the words that stand for a thing named elsewhere: pronouns, "one", "the other"."""
