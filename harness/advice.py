"""What an engine's author should add next: what opens the most cases, in the order in which it pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judgecall.harness.needs import Need
from judgecall.harness.phrase import many

__all__ = ["Advice", "Lack", "advise"]


@dataclass(frozen=True, slots=True)
class Lack:
    """A case that is ``unsupported``: what it needs, and what the engine said."""

    needs: frozenset[Need]
    said: Need


@dataclass(frozen=True, slots=True)
class Advice:
    """Something to add: how many cases have nothing else missing then, and how many need it in all."""

    need: Need
    opens: int
    needed: int
    said: bool = True
    """Whether the engine said that it lacks it; it may only not have been seen to work so far."""

    def __str__(self) -> str:
        kind, name = self.need
        opened = f"opens {many(self.opens, 'case')}" if self.opens else "opens none alone"
        needed = f"{self.needed} {'needs' if self.needed == 1 else 'need'} it"
        return f"{kind} {name}: {opened}, {needed}" + ("" if self.said else " (not seen to work yet)")


def advise(
    cases: Sequence[Lack], missing: Iterable[Need] = (), unseen: Iterable[Need] = (), limit: int = 20
) -> list[Advice]:
    """Order what is missing so that each thing opens as many cases as it can, those before it being there.

    ``missing`` is what is known to be missing, beside what the engine said; ``unseen`` what has not been seen to work,
    which counts as missing too. Where no single thing opens a case, what is nearest to opening many comes first.
    """
    said = {*missing, *(case.said for case in cases)}
    lacking_all = {*said, *unseen}
    left = [{case.said, *(case.needs & lacking_all)} for case in cases]
    needed = Counter(need for lacking in left for need in lacking)
    found: list[Advice] = []
    while left and len(found) < limit:
        alone = Counter(need for lacking in left if len(lacking) == 1 for need in lacking)
        near: Counter[Need] = Counter()
        for lacking in left:
            for need in lacking:
                near[need] += 1_000_000 // len(lacking) ** 2
        best = max(near, key=lambda need: (alone[need], near[need], needed[need], need))
        found.append(Advice(best, alone[best], needed[best], best in said))
        for lacking in left:
            lacking.discard(best)
        left = [lacking for lacking in left if lacking]
    return found
