"""The report step for machines that grade on every push: a grade in the formats that they read.

Each module speaks one format and is a pure function of the grade.  All of them see it through
`Grade.for_student`: whoever pushed can read what CI writes.
"""
