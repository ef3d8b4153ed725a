"""``python -m fuzz TARGET``: run a campaign, or one case of it again."""

from __future__ import annotations

import argparse
import importlib
import json
import sys

from fuzz.campaign import FOLDER, run
from fuzz.worker import attempt


def main() -> int:
    """Run a campaign and return its exit code: 1 if it found anything."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("target", choices=["files", "builds", "queries"])
    parser.add_argument("--minutes", type=float, default=30.0, help="how long (default 30)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--cases", type=int, help="maximum number of cases")
    parser.add_argument(
        "--case-limit", type=float, default=60.0, help="processor seconds for a case"
    )
    parser.add_argument("--case", type=int, help="run this case alone, in this process")
    options = parser.parse_args()
    if options.case is not None:
        module = importlib.import_module(f"fuzz.{options.target}")
        module.prepare()
        answer = attempt(module.case, options.case)
        print(answer.pop("text", ""), json.dumps(answer), sep="")
        return int(answer["result"] == "failed")
    print(f"fuzz {options.target}: from case {options.first} on", flush=True)
    outcome = run(
        options.target,
        first=options.first,
        cases=options.cases,
        seconds=60.0 * options.minutes,
        case_limit=options.case_limit,
    )
    for kind, numbers in sorted(outcome.findings.items()):
        print(f"  {kind}: {len(numbers)} cases, the first {numbers[:5]}")
    where = f"; see {FOLDER / options.target}" if outcome.findings else ""
    print(f"fuzz {options.target}: {outcome}{where}")
    return int(bool(outcome.findings))


if __name__ == "__main__":
    sys.exit(main())
