"""The report: results of engines as a site of plain files, to be read without a network and without scripts."""

from judgecall.harness.report.site import build

__all__ = ["build"]
