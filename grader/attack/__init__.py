"""The catalogue of attacks on a grader, to be tried on an installation and shown in a table."""
