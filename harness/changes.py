"""Which cases came, went, and changed from one suite to the next, as a section of the changelog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judgecall.harness.phrase import many
from judgecall.harness.release import Member
from judgecall.harness.results import ResultsError

__all__ = ["changes_text", "listed"]


def listed(data: Any, path: str) -> dict[str, Member]:
    """The cases in what ``judgecall list --json`` printed.

    Raises:
        ResultsError: it is not that.
    """
    try:
        return {str(each["case"]): Member(str(each["digest"]), each["status"]) for each in data}
    except (KeyError, TypeError) as error:
        raise ResultsError(f"{path} is no list of cases: {type(error).__name__}: {error}") from None


def changes_text(old: Mapping[str, Member], new: Mapping[str, Member]) -> str:
    """The differences, in Markdown. An id that is gone is a mistake: ids stay, and are withdrawn instead."""
    both = sorted(old.keys() & new.keys())
    sections = (
        ("Added", sorted(new.keys() - old.keys())),
        ("Disputed", [id_ for id_ in both if _became(old[id_], new[id_], "disputed")]),
        ("Withdrawn", [id_ for id_ in both if _became(old[id_], new[id_], "withdrawn")]),
        ("Settled", [id_ for id_ in both if _became(old[id_], new[id_], None)]),
        (
            "In files that changed",
            [id_ for id_ in both if old[id_].digest != new[id_].digest and old[id_].status == new[id_].status],
        ),
        ("Gone, which must not be", sorted(old.keys() - new.keys())),
    )
    lines = [line for title, ids in sections for line in _section(title, ids)]
    return "\n".join(lines) + "\n" if lines else "No case has changed.\n"


def _became(old: Member, new: Member, status: str | None) -> bool:
    return old.status != new.status and new.status == status


def _section(title: str, ids: list[str]) -> Iterator[str]:
    if not ids:
        return
    yield f"### {title}: {many(len(ids), 'case')}"
    yield ""
    rulings: dict[str, list[str]] = {}
    for id_ in ids:
        ruling, _, case = id_.partition("::")
        rulings.setdefault(ruling, []).append(case)
    for ruling, cases in rulings.items():
        yield f"- `{ruling}`: {', '.join(f'`{case}`' for case in cases)}"
    yield ""
