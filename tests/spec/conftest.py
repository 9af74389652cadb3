"""The sound pack, for every test of the load step to break its own way."""

from __future__ import annotations

from pathlib import Path

import pytest
from sound_pack import PackFolder


@pytest.fixture
def pack(tmp_path: Path) -> PackFolder:
    return PackFolder(tmp_path / "spread")
