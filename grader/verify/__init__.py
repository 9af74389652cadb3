"""Grading the grader: whether a pack gives right answers full marks and wrong ones not."""
