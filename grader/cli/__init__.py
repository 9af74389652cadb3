"""The command line: the only place that prints or exits.

Commands load when they are called, so that `grader --help` and a shell's completion are quick.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

import grader as package
from grader.cli.console import explained

_COMMANDS = {
    "grade": "Grade a class and leave a gradebook and reports.",
    "check": "Check your own work against the public criteria.",
    "review": "Decide what a machine should not decide alone.",
    "new": "Write a starter for a student, or a pack of your own.",
    "ci": "Grade a checkout in continuous integration.",
    "verify": "Try a problem out before a class sees it.",
    "mine": "Find what a graded class got wrong alike.",
    "attack": "Try every known attack on this installation and your pack.",
    "doctor": "Show what isolation this machine gives, and why not more.",
}
_RUN_CODE = frozenset({"grade", "check", "ci", "doctor", "verify"})
"""Commands whose first need is a fork server, which can start while they are imported."""
_HELP = frozenset({"-h", "--help"})


class _LazyGroup(click.Group):
    """Knows its commands' names and one-line help without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"grader.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        with explained():  # importing a command takes long enough to be interrupted
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] in _RUN_CODE and not _HELP.intersection(args):
            from grader.sandbox.zygote import start_ahead

            start_ahead()
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": sorted(_HELP)})
@click.version_option(package.__version__, prog_name="grader")
def main() -> None:
    """Grade exercises: run student code in a sandbox, check it, and write reports that teach.

    \b
    A first look, with what is shipped:
      grader grade attention_copying submissions/attention_copying
      grader new starter attention_copying my_work
      grader check attention_copying my_work

    `grader COMMAND --help` explains each command with examples.
    """
