"""An automated exercise grader.

The few names a problem pack's own Python files need are here: `Case` and `call` to write
inputs, `Returned`, what a property's predicate receives, `PValue`, what that of a statistical
one answers, `as_array` to read what was returned and `show` to quote it, and `recorded`, a wrong
answer known by its results.  They load on first use, so that importing `grader` costs nothing and
the sandboxed side, which lives in a subpackage, never carries the trusted side's modules in its
memory.
"""

# Nothing is imported here: `python -m grader` runs this before it leaves the current folder out of
# the places to import from, and that folder may be a student's, with a typing.py in it.
TYPE_CHECKING = False

__version__ = "0.1.0"
__all__ = ["Case", "PValue", "Returned", "__version__", "as_array", "call", "recorded", "show"]

if TYPE_CHECKING:
    from grader.evidence import Case, PValue, Returned, call
    from grader.recording import recorded
    from grader.value import as_array, show


def __getattr__(name: str) -> object:
    if name in ("Case", "PValue", "Returned", "call"):
        from grader import evidence

        return getattr(evidence, name)
    if name in ("as_array", "show"):
        from grader import value

        return getattr(value, name)
    if name == "recorded":
        from grader.recording import recorded

        return recorded
    raise AttributeError(f"module 'grader' has no attribute {name!r}")
