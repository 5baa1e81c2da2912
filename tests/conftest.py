"""What all tests share: the way to run pytest within a test, and the stand-ins that tests import."""

from __future__ import annotations

import sys
from pathlib import Path

pytest_plugins = ["pytester"]

# `tests.harness.toys` is imported by its name from the repository's root.
sys.path.insert(0, str(Path(__file__).parent.parent))
