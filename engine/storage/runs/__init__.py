"""Lists stored runs and sweeps with the names that people give them, and deletes them."""
