"""`python -m grader`: the command line, without an installed script."""

import sys

# Python puts the current folder first, which may be a student's: a numpy.py in it must not become
# the grader's own numpy.
if sys.path and not sys.flags.safe_path:
    del sys.path[0]

from grader.cli import main

main()
