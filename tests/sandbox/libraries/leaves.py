"""A library that exits when it is imported."""

raise SystemExit("this machine will not do")
