"""Parts of a run: ``--shard 3/8`` plays an eighth of the cases, the same ones on every machine."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

__all__ = ["Shard", "ShardProblem"]

_WRITTEN = re.compile(r"([0-9]{1,5})/([0-9]{1,5})\Z", re.ASCII)


class ShardProblem(ValueError):
    """What the caller wrote is no shard."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One part of ``total``, counted from 1."""

    number: int
    total: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``3/8``.

        Raises:
            ShardProblem: it is not written so, or there is no such part.
        """
        match = _WRITTEN.match(text)
        if match is None:
            raise ShardProblem(f"{text!r} is no shard; expected a number, a slash, and how many there are: 3/8")
        shard = cls(int(match[1]), int(match[2]))
        if not 1 <= shard.number <= shard.total:
            raise ShardProblem(f"{text!r} is no shard: the first of eight is 1/8, the last is 8/8")
        return shard

    def has(self, case: str) -> bool:
        """Whether a case, by its id, is in this part. Says the same in every process and on every machine."""
        hashed = hashlib.sha256(case.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(hashed[:8], "big") % self.total == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"
