"""Misconceptions found, not only written: what a graded class got wrong alike, and why."""
