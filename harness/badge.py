"""Badges: a picture for a README, and the JSON of a shields endpoint, for each profile of a certificate."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judgecall.harness.phrase import many
from judgecall.harness.release import ALL

__all__ = ["COLORS", "LABEL_COLOR", "Badge", "badge"]

COLORS = {"certified": "#1a7f37", "incomplete": "#8a5a00", "failing": "#b3261e"}
"""Each has a contrast of at least 4.5 with the white of the text (WCAG 2.2, 1.4.3)."""

LABEL_COLOR = "#555555"
SVG = "http://www.w3.org/2000/svg"


@dataclass(frozen=True, slots=True)
class Badge:
    """What a badge says."""

    label: str
    message: str
    color: str
    title: str
    """The whole of it, for who hovers or cannot see it."""

    def svg(self) -> str:
        """As a picture that needs nothing else."""
        import anybadge  # type: ignore[import-untyped]

        drawn = anybadge.Badge(self.label, self.message, default_color=self.color)
        return _accessible(drawn.badge_svg_text, self.title)

    def endpoint(self) -> str:
        """As JSON for a shields endpoint."""
        data = {"schemaVersion": 1, "label": self.label, "message": self.message, "color": self.color}
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def badge(profile: str, counts: Mapping[str, Any], engine: str) -> Badge:
    """The badge of a profile, of its counts in a certificate: ``142/160 cases · 12 unsupported``.

    Numbers are as they are, never rounded. The denominator is every case of the profile that counts, played or not.
    """
    message = f"{counts['passed']}/{many(counts['cases'], 'case')}"
    if counts["unsupported"]:
        message += f" · {counts['unsupported']} unsupported"
    if counts["notPlayed"]:
        message += f" · {counts['notPlayed']} not played"
    if counts["certified"]:
        state = "certified"
    else:
        state = "failing" if counts["failing"] or counts["errors"] else "incomplete"
    label = "judgecall" if profile == ALL else f"judgecall {profile}"
    failing = f", {counts['failing']} failing, {counts['errors']} with errors" if state == "failing" else ""
    return Badge(label, message, COLORS[state], f"{label}: {engine}: {message}{failing}: {state}")


def _accessible(svg: str, title: str) -> str:
    """The picture with a name that is read out, and ids that do not depend on what was drawn before."""
    ET.register_namespace("", SVG)
    root = ET.fromstring(svg)
    root.set("role", "img")
    root.set("aria-label", title)
    heading = ET.Element(f"{{{SVG}}}title")
    heading.text = title
    root.insert(0, heading)
    ids = {each.get("id"): f"judgecall-{number}" for number, each in enumerate(root.iter()) if each.get("id")}
    for each in root.iter():
        for key, value in list(each.attrib.items()):
            if key == "id":
                each.set(key, ids[value])
            elif value.startswith("url(#"):
                each.set(key, f"url(#{ids[value[5:-1]]})")
        each.tail = None
        if each.text is not None and not each.text.strip():
            each.text = None
    return ET.tostring(root, encoding="unicode") + "\n"
