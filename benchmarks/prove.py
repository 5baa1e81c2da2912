"""How long `judgecall prove` takes: every fault of the oracle against all cases.

    python benchmarks/prove.py [-n 2] [--limit 600] [IDS]

Ends with 1 where it takes longer than the limit. The time that all processes compute is told beside it.
"""

from __future__ import annotations

import argparse
import os
import sys
from time import perf_counter

from judgecall.adapters.oracle import OracleEngine
from judgecall.harness.prove import counted_cases, prove


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("cases", nargs="*", metavar="ID|PATH")
    parser.add_argument("-n", "--processes", type=int, default=2)
    parser.add_argument("--limit", type=float, default=600.0, metavar="SECONDS")
    options = parser.parse_args()
    faults = OracleEngine().describe().faults
    cases = len(counted_cases(options.cases))
    begun, work = perf_counter(), _work()
    rows = prove(options.cases, "oracle", faults, options.processes)
    took, work = perf_counter() - begun, _work() - work
    pairs = sum(len(row.caught_by) for row in rows)
    print(f"{len(rows)} faults, {cases} cases, {pairs} times a case catches a fault; {options.processes} processes")
    print(f"{took:.0f} s (limit {options.limit:g} s), {work:.0f} s of work in all processes")
    return 1 if took > options.limit else 0


def _work() -> float:
    """Seconds that this process and those that it has started have computed, whatever else the machine does."""
    return sum(os.times()[:4])


if __name__ == "__main__":
    sys.exit(main())
