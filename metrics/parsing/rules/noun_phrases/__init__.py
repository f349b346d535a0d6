"""Read what one noun phrase says: its name, count, describing words, and what it is made of."""
