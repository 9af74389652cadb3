"""What holds for all tests: how hard Hypothesis tries, here and when asked for more."""

from __future__ import annotations

import os

from hypothesis import settings

# No deadline: a machine that is busy is no bug.  HYPOTHESIS_PROFILE=thorough looks further.
settings.register_profile("default", max_examples=30, deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
