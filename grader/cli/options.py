"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from grader.evidence import Tier

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

problem_argument = click.argument("problem", type=click.Path())


def cores() -> int:
    """How many processes may run at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def isolation_options(default: Tier) -> Decorator:
    """--min-isolation and --allow-unsafe."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        command = click.option(
            "--allow-unsafe",
            is_flag=True,
            help="Run student code even where nothing protects you from it.",
        )(command)
        return click.option(
            "--min-isolation",
            type=click.Choice([str(tier) for tier in Tier if tier is not Tier.E]),
            default=str(default),
            show_default=True,
            help="Refuse to run student code under a weaker tier (see `grader doctor`).",
        )(command)

    return add


def weakest(min_isolation: str, allow_unsafe: bool) -> Tier:
    """The weakest tier that the options accept."""
    return Tier.E if allow_unsafe else Tier(min_isolation)


seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=None,
    help="Seed of the generated inputs; the pack's own if left out. Every result records it.",
)

folder_option = click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="Folder of the gradebook and the reports.",
)
