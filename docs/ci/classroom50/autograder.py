"""Grades one submission for Classroom 50 with the pack that lies beside this file, in `pack/`.

The runner starts it in the student's checkout and reads the `result.json` that it leaves there.
"""

import subprocess
import sys
from pathlib import Path

PACK = Path(__file__).resolve().parent / "pack"

# -I keeps Python from importing a module of the student's, which lies in the current folder.
python = [sys.executable, "-I", "-m"]
subprocess.run([*python, "pip", "install", "--quiet", "grader"], check=True)
sys.exit(subprocess.run([*python, "grader", "ci", str(PACK)], check=False).returncode)
