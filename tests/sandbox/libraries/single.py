"""A library of a single file."""
