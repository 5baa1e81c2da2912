"""Instructions that link objects with the source, for its other abilities to refer to (CR 607)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgecall.oracle.vocabulary.words import word

if TYPE_CHECKING:
    from judgecall.oracle.vocabulary.context import Context

__all__: list[str] = []


@word("effect", "link", what="objects", key="text=linked")
def link(ctx: Context, what: list[Any], key: str) -> list[Any]:
    """These are from now on linked with the source under a key (CR 607.2)."""
    from judgecall.oracle import linking

    if ctx.this is not None:
        linking.link(ctx.game, ctx.this, key, what)
    return what
