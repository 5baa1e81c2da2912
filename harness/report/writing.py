"""Writing pages from templates. Every value is escaped, and every page is cleaned of what no page may have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
from judgecall.harness.phrase import many
from judgecall.harness.release import Release
from judgecall.harness.report.text import clean
from judgecall.harness.report.views import NOT_PLAYED, SHOWN, Column
from judgecall.harness.verdicts import TraceEntry
from markupsafe import Markup, escape

__all__ = ["Writer"]

TEMPLATES = Path(__file__).parent / "templates"
MARKS = {"pass": "✓", "fail": "✗", "error": "!", "unsupported": "○", "invalid": "?", NOT_PLAYED: "–"}
WORDS = {
    "pass": "every expectation holds",
    "fail": "an expectation does not hold, or the rules were not followed",
    "error": "the engine crashed, hung or broke the protocol",
    "unsupported": "the engine says that it does not know something that the case needs",
    "invalid": "the case itself is mistaken",
    NOT_PLAYED: "these results have no verdict on it",
}


class Writer:
    """Writes the pages of one site."""

    def __init__(
        self, folder: Path, facts: Release, columns: Sequence[Column], rules: frozenset[str], *, faults: bool
    ) -> None:
        self._folder = folder
        self._made: set[Path] = set()
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(TEMPLATES),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
            auto_reload=False,
        )
        self._environment.filters["anchor"] = _anchor
        # As globals they are there for the macros of an imported template too.
        self._environment.globals.update(
            facts=facts,
            columns=columns,
            known_rules=rules,
            many=many,
            marks=MARKS,
            marked={verdict: _marked(verdict) for verdict in SHOWN},
            words=WORDS,
            shown=SHOWN,
            not_played=NOT_PLAYED,
            has_changes=any(column.changes for column in columns),
            has_faults=faults,
            trace_lines=self._trace_lines,
        )
        self._rules = rules
        self._lines: dict[tuple[str, str, tuple[str, ...]], str] = {}
        self._templates: dict[str, jinja2.Template] = {}

    def page(self, path: str, template: str, **values: Any) -> None:
        """Write a page to ``path``, under the site."""
        if template not in self._templates:
            self._templates[template] = self._environment.get_template(template)
        text = self._templates[template].render(values, up="../" * path.count("/"), page=path)
        self.file(path, clean(text))

    def file(self, path: str, text: str) -> None:
        """Write any text file."""
        target = self._folder / path
        if target.parent not in self._made:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(target.parent)
        with open(target, "wb") as file:
            file.write(text.encode("utf-8"))

    def _trace_lines(self, lines: Sequence[TraceEntry], up: str) -> Markup:
        """A trace as items of a list. Most of its lines are those of other traces too, and are made once."""
        made = self._lines
        parts = []
        for line in lines:
            key = (up, line.text, line.rules)
            item = made.get(key)
            if item is None:
                rules = "".join(f" {self._rule(rule, up)}" for rule in line.rules)
                item = made[key] = f"<li>{escape(line.text)}{rules}</li>\n"
            parts.append(item)
        return Markup("".join(parts))

    def _rule(self, rule: str, up: str) -> str:
        if rule not in self._rules:
            return f'<span class="rule">CR {escape(rule)}</span>'
        return f'<a class="rule" href="{escape(up)}rules.html#cr-{escape(_anchor(rule))}">CR {escape(rule)}</a>'


def _marked(verdict: str) -> Markup:
    """A verdict in words, with a sign and a color that say the same."""
    return Markup('<span class="v v-{}"><span aria-hidden="true">{}</span> {}</span>').format(
        verdict.replace(" ", "-"), MARKS[verdict], verdict
    )


def _anchor(rule: str) -> str:
    """A rule's number as the end of an id."""
    return "".join(character if character.isalnum() or character in ".-" else "_" for character in rule)
