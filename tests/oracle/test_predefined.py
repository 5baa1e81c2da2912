"""Predefined tokens (CR 111.10)."""

from __future__ import annotations

import pytest
from judgecall.adapters.oracle import OracleEngine
from judgecall.oracle import predefined

from tests.harness.helpers import verdict


@pytest.mark.parametrize("name", sorted(predefined.NAMES))
def test_each_can_be_made(name: str) -> None:
    values = predefined.token(name)
    assert values is not None
    assert predefined.token(f"{name} Token") is values


@pytest.mark.parametrize(
    ("probe", "found"),
    [
        ("cast: Sol Ring", "pass"),
        ("activate: Bonesplitter, targets: [Grizzly Bears]", "pass"),
        ("turn face up: Branch of Vitu-Ghazi", "pass"),
        ("cast: Shock, targets: [bob]", "fail"),
        ("cast: Bronze Sable", "pass"),
    ],
)
def test_a_powerstone_pays_for_no_spell_that_is_no_artifact(probe: str, found: str) -> None:
    """CR 111.10h: for anything else it does."""
    body = f"""
given:
  alice:
    hand: [Sol Ring, Shock, Bronze Sable]
    battlefield:
      - {{token: Powerstone}}
      - {{token: Powerstone}}
      - {{token: Powerstone}}
      - Bonesplitter
      - Grizzly Bears
      - {{card: Branch of Vitu-Ghazi, face_down: disguise}}
then: {{legal: [{{{probe}}}]}}
"""
    assert verdict(body, OracleEngine()).verdict == found
