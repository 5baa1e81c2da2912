"""Deliberately wrong rules, each a patch that lives outside the rules code."""

from __future__ import annotations

from judgecall.oracle.faults.gallery import Fault, all_faults, find
from judgecall.oracle.faults.reach import reached

__all__ = ["Fault", "all_faults", "find", "reached"]
