#!/usr/bin/env bash
# Runs once, when Gradescope builds the autograder's image.
set -euo pipefail

root="${GRADER_GRADESCOPE_ROOT:-/autograder}"

apt-get install -y --no-install-recommends python3 python3-venv
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "The grader needs Python 3.11 or newer: choose a newer base image (Ubuntu 24.04)." >&2
  exit 1
fi
python3 -m venv "$root/venv"
"$root/venv/bin/pip" install --quiet grader

# Leaves in the build's log what isolation this machine gives to the students' code.
"$root/venv/bin/grader" doctor || true
