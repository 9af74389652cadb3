"""An automated exercise grader.

The few names a problem pack's own Python files need are here: `Case` and `call` to write
inputs, and `Returned`, what a property's predicate receives.  They load on first use, so that
importing `grader` costs nothing and the sandboxed side, which lives in a subpackage, never
carries the trusted side's modules in its memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["Case", "Returned", "__version__", "call"]

if TYPE_CHECKING:
    from grader.evidence import Case, Returned, call


def __getattr__(name: str) -> object:
    if name in ("Case", "Returned", "call"):
        from grader import evidence

        return getattr(evidence, name)
    raise AttributeError(f"module 'grader' has no attribute {name!r}")
