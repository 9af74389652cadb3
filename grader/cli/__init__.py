"""The command line: the only place that prints or exits."""

from __future__ import annotations

import click


@click.group()
def main() -> None:
    """Grade exercises."""
