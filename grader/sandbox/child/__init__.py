"""The child's side of the sandbox: what runs in the process that runs student code.

Nothing here may import more than the standard library and numpy: whatever is in this process,
the student's code can read.
"""
