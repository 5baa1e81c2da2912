"""The shortest list of moves that still fails: parts are left out for as long as the same thing goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judgecall.oracle import invariants
from judgecall.oracle.moves import Move, sequence
from judgecall.oracle.playing import Failure, Limits, replay

__all__ = ["kind_of", "report", "shrink"]


def kind_of(failure: Failure) -> tuple[str, str]:
    """What went wrong and where, without the names and numbers of one game: alike for the same mistake."""
    cause = failure.cause
    if isinstance(cause, invariants.Violated):
        return "Violated", cause.law
    frame = cause.__traceback__
    place = ""
    while frame is not None:
        code = frame.tb_frame.f_code
        if "oracle" in code.co_filename:
            place = f"{code.co_filename.rsplit('/', 1)[-1]}:{code.co_name}"
        frame = frame.tb_next
    return type(cause).__name__, place


def shrink(failure: Failure, limits: Limits | None = None, *, replays: int = 400) -> Failure:
    """The failure with as few moves as leaving out finds, by halves, quarters and so on.

    Args:
        replays: after so many attempts the shortest list so far is taken.
    """
    limits = limits if limits is not None else Limits()
    if not isinstance(failure.cause, invariants.Violated):
        limits = replace(limits, check_every=0)
    wanted = kind_of(failure)
    best = failure
    left = replays

    def fails(moves: Sequence[Move]) -> bool:
        nonlocal best, left
        left -= 1
        try:
            replay(failure.start, moves, limits, strict=False)
        except Failure as again:
            if kind_of(again) == wanted and len(again.moves) < len(best.moves):
                best = again
                return True
        return False

    part = len(best.moves) // 2
    while part >= 1 and left > 0:
        place = 1  # the beginning stays
        shorter = False
        while place < len(best.moves) and left > 0:
            if fails([*best.moves[:place], *best.moves[place + part :]]):
                shorter = True
            else:
                place += part
        if not shorter or part > 1:
            part = part // 2 if part > 1 else 0 if not shorter else 1
    return best


def report(failure: Failure) -> str:
    """A failure as text: what went wrong, what it starts from, and the moves."""
    decks = "\n".join(f"  {', '.join(dict.fromkeys((*deck.commanders, *deck.cards)))}" for deck in failure.start.decks)
    return f"{failure}\ndecks:\n{decks}\nmoves:\n{sequence(failure.moves)}"
