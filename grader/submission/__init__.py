"""Collecting: folders, files, zips and notebooks become `Submission`s, one per student.

`discover` lists whose work was handed over, cheaply; `read` reads one of them at a time.  A
student's fault is a value in the submission; a fault of the whole input is a SubmissionError.
"""

from grader.submission.discovery import Discovery, Source, discover
from grader.submission.reading import read

__all__ = ["Discovery", "Source", "discover", "read"]
