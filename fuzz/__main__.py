"""``python -m fuzz TARGET``: hands one target to atheris, a coverage-guided fuzzer."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from fuzz.targets import SEEDS, TARGETS, check_of

_TIMEOUT_S = 20
_MEMORY_MB = 2048


@click.command(
    epilog="Targets: " + "; ".join(f"{name} ({what})" for name, what in TARGETS.items()) + "."
)
@click.argument("target", type=click.Choice(list(TARGETS)))
@click.option("--runs", default=100_000, show_default=True, help="Inputs to try; -1 for no end.")
@click.option(
    "--corpus",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the inputs that reach new code, to go on from another time.  "
    "[default: a temporary one]",
)
@click.option("--longest", default=2_000, show_default=True, help="Bytes of the longest input.")
@click.option("--seed", default=0, show_default=True, help="Seed; 0 takes another each time.")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(
    target: str, runs: int, corpus: Path | None, longest: int, seed: int, files: tuple[Path, ...]
) -> None:
    """Try inputs on TARGET until one makes it fail, or until all RUNS are done.

    An input that fails is written to the current folder.  With FILES, only those are tried: that
    is how a failure is seen again, and how it is looked at in a debugger.
    """
    if files:
        for file in files:
            check_of(target)(file.read_bytes())
        return
    folder = corpus or Path(tempfile.mkdtemp(prefix=f"fuzz-{target}-"))
    folder.mkdir(parents=True, exist_ok=True)
    _fuzz(target, [
        f"-runs={runs}", f"-max_len={longest}", f"-seed={seed}", f"-timeout={_TIMEOUT_S}",
        f"-rss_limit_mb={_MEMORY_MB}", "-print_final_stats=1", str(folder), str(SEEDS / target),
    ])  # fmt: skip


def _fuzz(target: str, options: list[str]) -> None:
    """Never returns: the fuzzer ends the process."""
    try:
        import atheris  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        raise click.ClickException(
            "atheris is not installed. `make fuzz` installs it; so does pip install -e '.[fuzz]'."
        ) from None
    with atheris.instrument_imports(include=["grader", "zipfile"]):
        check = check_of(target)
    atheris.enabled_hooks.add("RegEx")
    atheris.enabled_hooks.add("str")
    atheris.Setup([sys.argv[0], *options], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
