"""What the tests share: the program, the model, and a comparison."""

from __future__ import annotations

import json
import os
import sys
import unittest
from decimal import Decimal
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))

SHARED = HERE.parent.parent / "testdata"
BINARY = os.environ.get("SEMLAYER_BINARY") or str(HERE.parents[2] / "bin" / "semlayer")
MODEL = SHARED / "orders.yaml"


def needs_program(case: Any) -> Any:
    """Skips where the program is not built, unless it has to be there."""
    there = os.access(BINARY, os.X_OK)
    if not there and os.environ.get("CI"):
        raise RuntimeError(f"{BINARY} is not built")
    return unittest.skipUnless(there, f"{BINARY} is not built: make binary")(case)


def calls() -> list:
    with open(SHARED / "requests.json", encoding="utf-8") as f:
        return json.load(f)["calls"]


def difference(want: Any, got: Any, at: str = "") -> str:
    """Where got does not hold what want names; empty when it does."""
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return f"{at}: {got!r} is not an object"
        for key, value in want.items():
            if key not in got:
                return f"{at}.{key} is missing"
            found = difference(value, got[key], f"{at}.{key}")
            if found:
                return found
        return ""
    if isinstance(want, list):
        if not isinstance(got, list) or len(got) != len(want):
            return f"{at}: {got!r}, want {want!r}"
        for i, (w, g) in enumerate(zip(want, got)):
            found = difference(w, g, f"{at}[{i}]")
            if found:
                return found
        return ""
    if isinstance(want, (int, float)) and not isinstance(want, bool) and isinstance(got, (int, float, Decimal)):
        return "" if want == got else f"{at}: {got!r}, want {want!r}"
    return "" if want == got and type(want) is type(got) else f"{at}: {got!r}, want {want!r}"
