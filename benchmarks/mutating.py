"""Which small mistakes can be written into a module (see `benchmarks.mutants`)."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from types import CodeType
from typing import Any

from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

__all__ = ["Mutant", "codes", "mutants", "sample"]

_TOLD = frozenset({"add", "cite"})
"""Methods of the trace."""
_LEFT_OUT = ("ExceptionReplacer", "NoOp", "RemoveDecorator")
"""What Python makes of it says nothing of rules."""
# What is compared for being the same has mostly no order, and objects of the rules are the same if they are one.
_SAME, _OTHER, _ORDER = ("Eq", "Is"), ("NotEq", "IsNot"), ("Lt", "LtE", "Gt", "GtE")
_SENSELESS = frozenset(
    f"{old}_{new}"
    for olds, news in ((_SAME, _SAME), (_OTHER, _OTHER), (_SAME + _OTHER, _ORDER))
    for old in olds
    for new in news
)
_BEFORE_STARS = ("(", "[", "{", ",")
_RULE = re.compile(r"\d{3}\.\d+[a-z]?")
Place = tuple[int, int]


@dataclass(frozen=True, slots=True, order=True)
class Mutant:
    """A module with one small mistake."""

    module: str
    line: int
    column: int
    operator: str
    occurrence: int = field(compare=False)
    function: str = field(compare=False)
    text: str = field(compare=False)
    """The line as it is."""
    lines: range = field(compare=False)
    """The lines of the statement: a case that runs none of them cannot notice."""

    def write(self, source: str) -> tuple[str, str]:
        """The module's source with the mistake, and the line that it is in then."""
        made: str = mutate_code(source, plugins.get_operator(self.operator)(), self.occurrence)
        pairs = zip(source.split("\n"), made.split("\n"), strict=False)
        return made, next((new for old, new in pairs if old != new), "").strip()


def mutants(module: str, source: str) -> list[Mutant]:
    """The mutants of a module: of each kind of operator, those at each place."""
    regions = _Regions(ast.parse(source))
    text = source.split("\n")
    tree = get_ast(source)
    found = []
    for name in sorted(plugins.operator_names()):
        short = name.rpartition("/")[2]
        operator_class = plugins.get_operator(name)
        if short in _LEFT_OUT or operator_class.arguments() or short.partition("_")[2] in _SENSELESS:
            continue
        operator = operator_class()
        places = chain.from_iterable(operator.mutation_positions(node) for node in ast_nodes(tree))
        for occurrence, (start, _) in enumerate(places):
            where = regions.at(start)
            before = text[start[0] - 1][: start[1]].rstrip()
            if short.startswith("ReplaceBinary") and (not before or before.endswith(_BEFORE_STARS)):
                continue  # what is unpacked is no product
            if where is not None:
                function, within = where
                found.append(
                    Mutant(module, start[0], start[1], name, occurrence, function, text[start[0] - 1].strip(), within)
                )
    return sorted(found)


def sample(found: Sequence[Mutant], size: int, seed: str) -> list[Mutant]:
    """A fixed choice: of each kind one at a place, and of these so many.

    What is chosen hangs on what a line says, not on where it stands, so that a change elsewhere changes nothing.
    """
    chosen: dict[Any, tuple[bytes, Mutant]] = {}
    for mutant in found:
        kind = mutant.operator.rpartition("/")[2].partition("_")[0]
        said = "\t".join((seed, mutant.module, mutant.function, mutant.text, str(mutant.column), mutant.operator))
        rank = sha256(said.encode()).digest()
        place = mutant.module, mutant.line, mutant.column, kind
        if place not in chosen or rank < chosen[place][0]:
            chosen[place] = rank, mutant
    first = sorted(chosen.values(), key=lambda each: each[0])[:size]
    return sorted(mutant for _, mutant in first)


# -- places --------------------------------------------------------------------------------------------------


class _Regions:
    """Where in a module functions do something: not in what they declare, tell or assert."""

    def __init__(self, tree: ast.Module) -> None:
        self._inside: list[tuple[Place, Place, str]] = []
        self._outside: list[tuple[Place, Place]] = []
        self._statements: list[tuple[Place, Place, range]] = []
        self._walk(tree, "")

    def at(self, place: Place) -> tuple[str, range] | None:
        """The function at a place and the lines of its statement, or None where nothing is to be mistaken."""
        if any(start <= place < end for start, end in self._outside):
            return None
        around = [(start, name) for start, end, name in self._inside if start <= place < end]
        if not around:
            return None
        lines = max(
            ((start, lines) for start, end, lines in self._statements if start <= place < end), key=lambda each: each[0]
        )[1]
        return max(around)[1], lines

    def _walk(self, node: ast.AST, within: str) -> None:
        name = within
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = f"{within}.{node.name}".lstrip(".")
            self._inside.append((*_span(node.body[0], node.body[-1]), name))
        elif isinstance(node, ast.ClassDef):
            name = f"{within}.{node.name}".lstrip(".")
        elif isinstance(node, ast.Lambda):
            self._inside.append((*_span(node.body), within or "<lambda>"))
        if isinstance(node, ast.stmt):
            self._statements.append((*_span(node), _header(node)))
        if _only_told(node):
            self._outside.append(_span(node))
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if annotation is not None:
                self._outside.append(_span(annotation))
        for child in ast.iter_child_nodes(node):
            self._walk(child, name)


def _span(first: Any, last: Any = None) -> tuple[Place, Place]:
    last = last or first
    return (first.lineno, first.col_offset), (last.end_lineno, last.end_col_offset)


def _header(node: ast.stmt) -> range:
    """A statement's lines, without those of the statements inside it."""
    inner = [child.lineno for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
    return range(node.lineno, max(node.lineno, min(inner) - 1) + 1 if inner else (node.end_lineno or node.lineno) + 1)


def _only_told(node: ast.AST) -> bool:
    """Whether it only tells: assertions, refusals' words, lines of the trace, and tests before nothing but these."""
    if isinstance(node, ast.Assert):
        return True
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Attribute):
            return called.attr in _TOLD and ast.unparse(called.value).endswith("trace")
        return isinstance(called, ast.Name) and called.id in ("Refused", "cite")
    if isinstance(node, ast.IfExp):
        return all(_is_rule(each) for each in (node.body, node.orelse))
    if isinstance(node, ast.Expr):
        return _only_told(node.value)
    if isinstance(node, (ast.If, ast.For)):
        return all(isinstance(each, ast.stmt) and _only_told(each) for each in (*node.body, *node.orelse))
    return False


def _is_rule(node: ast.expr) -> bool:
    """Whether it is the number of a rule, to be cited."""
    if isinstance(node, ast.IfExp):
        return _is_rule(node.body) and _is_rule(node.orelse)
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(_RULE.fullmatch(node.value))


# -- code ----------------------------------------------------------------------------------------------------


def codes(module: str, source: str) -> Mapping[tuple[str, str, int, int], CodeType]:
    """The code of each function of a module, by where it stands: two versions of a module differ in no line's place."""
    found: dict[tuple[str, str, int, int], CodeType] = {}
    count: Counter[tuple[str, int]] = Counter()
    for code in _nested(compile(source, module, "exec", dont_inherit=True)):
        count[code.co_qualname, code.co_firstlineno] += 1
        number = count[code.co_qualname, code.co_firstlineno]
        found[module, code.co_qualname, code.co_firstlineno, number] = code
    return found


def _nested(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _nested(const)
