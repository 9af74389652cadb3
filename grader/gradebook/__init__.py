"""The record step: every grade that was given, and every decision of a person's, in SQLite."""

from grader.gradebook.book import Gradebook
from grader.gradebook.records import Decision, Entry, Pending, Wrong, decision

__all__ = ["Decision", "Entry", "Gradebook", "Pending", "Wrong", "decision"]
