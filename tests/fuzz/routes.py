"""``make fuzz MINUTES=1``: schemathesis asks a running house for everything that docs/openapi.json says there is, in
ways that it allows and in others, and compares what comes back with what is promised there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.e2e.house import Guest, House, house_in

DESCRIPTION = Path(__file__).parents[2] / "docs" / "openapi.json"
LEFT_OUT = (
    "positive_data_acceptance",  # a rule set of the right shape need not be one that can be played
    "unsupported_method",  # what is no address answers 404, whatever the method
    "allow_header_conformance",
    "ignored_auth",  # who one is changes what one sees, not whether there is an answer
)


def aimed_at(description: dict[str, Any], guest: Guest) -> dict[str, Any]:
    """The description with the code of a table at which a deal has ended, so that not every answer is 404."""
    code = played(guest)
    for path, methods in description["paths"].items():
        for operation in methods.values():
            for parameter in operation["parameters"]:
                if parameter["name"] == "code" and path.startswith("/api"):
                    parameter["schema"] = {"type": "string", "enum": [code, code, "AAAAA"]}
    return description


def played(guest: Guest) -> str:
    """The code of a table of bots and a guest, once its first deal has ended."""
    code = guest.table("quick")
    guest.enter(code)
    guest.until("scene")
    guest.say(do="start")
    while guest.house.ask("GET", f"/api/tables/{code}/deals/1").status != 200:
        guest.until("scene")
        options = guest.scene.get("deal", {}).get("options", {})
        if options.get("may_pass"):
            guest.say(do="pass")
        for verb, field, key in (("bid", "bids", "say"), ("call", "calls", "card"), ("play", "plays", "card")):
            if options.get(field):
                one = options[field][0]
                guest.say(do=verb, **{key: one[key] if isinstance(one, dict) else one})
                break
    return code


def search(house: House, minutes: float, seed: int) -> int:
    """Status 0 if every answer was as promised."""
    guest = Guest(house, "Anna")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "openapi.json"
        path.write_text(json.dumps(aimed_at(json.loads(DESCRIPTION.read_text("utf-8")), guest)), encoding="utf-8")
        command = [sys.executable, "-m", "schemathesis.cli", "run", str(path), "--url", house.url]
        command += ["--header", f"Cookie:{guest.cookie}", "--header", f"Origin:{house.url}", "--seed", str(seed)]
        command += ["--exclude-checks", ",".join(LEFT_OUT), "--max-time", str(max(5, round(minutes * 60)))]
        command += ["--continue-on-failure", "--phases", "coverage,fuzzing", "--warnings", "off"]
        return subprocess.run(command, check=False, env=os.environ | {"NO_COLOR": "1"}, cwd=folder).returncode


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.routes", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=random.randrange(2**31))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, house_in(Path(folder)) as house:
        status = search(house, asked.minutes, asked.seed)
        errors = (Path(folder) / "errors.txt").read_text("utf-8")
        print(errors)
        return status or "Traceback" in errors


if __name__ == "__main__":
    sys.exit(main())
