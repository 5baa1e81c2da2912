"""Rules that refuse the same: where one of them is the reason, so are the others (CR 101, 601.3).

A sorcery in an opponent's turn is refused by CR 307.1, by CR 117.1a and by CR 601.3 alike. Each refusal names one rule,
the one that says most about it; this is what else says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from types import MappingProxyType

from judgecall.oracle.agents import Refused

__all__ = ["instead", "reasons"]

_NOT_NOW = ("117.1a", "601.3")
_TARGET = ("601.2c",)
_UNPAID = ("118.3", "601.2h")

_ALIKE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # Casting at the wrong time, or from the wrong place.
        **dict.fromkeys(("301.1", "302.1", "303.1", "306.1", "307.1", "308.1", "310.1"), _NOT_NOW),
        "117.1a": ("601.3",),
        "305.9": ("601.3",),
        "702.61a": ("101.2", "601.3"),
        # Playing a land.
        "305.1": ("116.2a",),
        "305.2": ("116.2a", "505.6b"),
        "305.3": ("116.2a", "305.1"),
        # Announcing.
        **dict.fromkeys(
            (
                "107.3",
                "107.3b",
                "107.3c",
                "118.9a",
                "700.2",
                "700.2a",
                "700.2d",
                "702.33a",
                "702.33b",
                "702.33d",
                "702.47a",
                "709.3",
            ),
            ("601.2b",),
        ),
        # Targets.
        **dict.fromkeys(("702.11b", "702.11d", "702.16b", "702.18a"), _TARGET),
        "601.2c": ("115.1",),
        "702.16j": ("702.16b", *_TARGET),
        # Costs.
        "118.6": ("202.1b", "601.2h"),
        "119.4": ("118.3b", *_UNPAID),
        "601.2h": ("118.3", "601.2f", "601.2g"),
        **dict.fromkeys(("107.5", "107.6"), ("602.2b", *_UNPAID)),
        # Activating.
        "302.6": ("508.1a", "602.5a"),
        "602.5": ("101.2",),
        "602.5d": ("307.1", "307.5", "602.5"),
        "606.3": ("602.5",),
        "606.6": ("606.4", *_UNPAID),
        "702.62a": ("116.2f",),
        # Turning face up.
        **dict.fromkeys(("116.2b", "701.40b", "701.58b", "702.37e", "702.168d"), ("116.2b", "708.7")),
        "702.62c": ("101.2", "116.2f", "702.62a"),
        # Declaring attackers and blockers.
        **dict.fromkeys(("508.1c", "509.1b"), ("101.2",)),
        "702.3b": ("101.2", "508.1c"),
        **dict.fromkeys(
            (
                "702.9b",
                "702.13b",
                "702.14c",
                "702.16f",
                "702.28b",
                "702.31b",
                "702.36b",
                "702.111b",
                "702.118b",
            ),
            ("101.2", "509.1b"),
        ),
    }
)


_HANDFUL = 5


def instead(offered: Iterable[str]) -> str:
    """What is added to a refusal where something else is possible: the first few, in the order in which it is offered.

    >>> instead(["cast using flashback"]), instead([])
    ('; possible: cast using flashback', '')
    >>> instead("abcdefg")
    '; possible: a, b, c, d, e, …'
    """
    first = list(islice(offered, _HANDFUL + 1))
    return f"; possible: {', '.join([*first[:_HANDFUL], *('…' for _ in first[_HANDFUL:])])}" if first else ""


def reasons(refused: Refused) -> tuple[str, ...]:
    """The rules that refuse it, the one that says most first."""
    rules = [refused.rule, *refused.also, *_ALIKE.get(refused.rule, ())]
    if refused.rule == "101.2":  # "can't" beats "can", wherever the procedure asks
        rules.append({"permission": "601.3", "targets": "601.2c"}.get(refused.stage or "", "601.2h"))
    return tuple(dict.fromkeys(rules))
