"""Lists the runs that a person has made, names, pins and deletes them, and compares two."""
