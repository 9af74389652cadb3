"""The arithmetic of a rewritten reference: as Python and numpy do it, for dialects to override."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Function = Callable[..., Any]


class Arithmetic:
    """What the operators and calls that `syntax` hands over mean."""

    def matmul(self, a: Any, b: Any) -> Any:
        """``a @ b``."""
        return a @ b

    def divide(self, a: Any, b: Any) -> Any:
        """``a / b``."""
        return a / b

    def power(self, a: Any, b: Any) -> Any:
        """``a ** b``."""
        return a**b

    def constant(self, value: float) -> Any:
        """A decimal constant."""
        return value

    def call_method(self, subject: Any, name: str, /, *args: Any, **options: Any) -> Any:
        """``subject.name(...)``."""
        return getattr(subject, name)(*args, **options)

    def exp_of_difference(self, exp: Function, a: Any, b: Any) -> Any:
        """``exp(a - b)``."""
        return exp(a - b)

    def log_of_product(self, log: Function, a: Any, b: Any) -> Any:
        """``log(a * b)``."""
        return log(a * b)

    def log_of_quotient(self, log: Function, a: Any, b: Any) -> Any:
        """``log(a / b)``."""
        return log(self.divide(a, b))
