"""Work for engines: one piece after another, or on several engines at once, with results in order all the same."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from judgecall.harness.engines import Opened

__all__ = ["RunEnded", "each_in_order"]

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 4
"""How many pieces of work are begun ahead, for each engine: enough that none waits for the slowest."""


class RunEnded(Exception):
    """The engine has failed so often that the run ends before its last case."""


def each_in_order(work: Sequence[T], opened: Opened, do: Callable[[T, Opened], R]) -> Iterator[R]:
    """Do each piece of work on an engine and give what comes of it, in the order of the work.

    Where several of the engine may play side by side, more of them are opened, and closed in the end.

    Raises:
        RunEnded: no more can be played; what has been played was given before.
        EngineProblem: another of the engine cannot be opened.
    """
    if min(opened.processes, len(work)) <= 1:
        for each in work:
            _go_on(opened)
            yield do(each, opened)
        return
    free: queue.SimpleQueue[Opened] = queue.SimpleQueue()
    free.put(opened)
    others: list[Opened] = []

    def take(each: T) -> R:
        engine = free.get()
        try:
            _go_on(engine)
            return do(each, engine)
        finally:
            free.put(engine)

    pool = ThreadPoolExecutor(min(opened.processes, len(work)), thread_name_prefix="judgecall engine")
    begun: deque[Future[R]] = deque()
    try:
        for _ in range(min(opened.processes, len(work)) - 1):
            others.append(opened.another())
            free.put(others[-1])
        for each in work:
            begun.append(pool.submit(take, each))
            if len(begun) > _AHEAD * opened.processes:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()
    except BaseException:
        # Whoever is in the middle of a case must not hold up who has been told to stop.
        pool.shutdown(wait=False, cancel_futures=True)
        opened.close()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for other in others:
            other.close()
        pool.shutdown()


def _go_on(opened: Opened) -> None:
    if opened.engine.ended is not None:
        raise RunEnded(opened.engine.ended)
