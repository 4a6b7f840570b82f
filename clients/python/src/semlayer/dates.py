"""Dates and timestamps of a result.

JSON has texts for both. Which columns hold them follows from the query and the
datatypes of the model, never from how a text looks.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

__all__ = ["Reader", "readers", "readers_of_types"]

Reader = Callable[[str], Any]

_TIMESTAMP = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z?)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def day(text: str) -> Any:
    """A date; the text itself where Python has no such date."""
    if not _DAY.fullmatch(text):
        return text
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text


def timestamp(text: str) -> Any:
    """A timestamp, with UTC where the text ends in Z; the text itself where Python has
    no such timestamp."""
    found = _TIMESTAMP.fullmatch(text)
    if not found:
        return text
    start, clock, fraction, zone = found.groups()
    try:
        return datetime.fromisoformat(f"{start}T{clock}.{(fraction or '').ljust(6, '0')}{'+00:00' if zone else ''}")
    except ValueError:
        return text


PARTS = ("hour_of_day", "day_of_week", "day_of_month", "day_of_year", "week_of_year", "month_of_year", "quarter_of_year")
_WITHIN_DAY = ("second", "minute", "hour")
_BY_DATATYPE: Dict[str, Reader] = {"Date": day, "DateTime": timestamp, "DateTimeTz": timestamp}


def readers(
    query: Mapping[str, Any],
    columns: Sequence[str],
    dimensions: Callable[[], Sequence[Mapping[str, Any]]],
    metrics: Callable[[], Sequence[Mapping[str, Any]]],
) -> Dict[str, Reader]:
    """The columns of a result that hold dates or timestamps. ``dimensions`` and
    ``metrics`` are those of the model, and asked for where the query alone does not say."""
    if query.get("saved") and not query.get("fields") and not query.get("group_by"):
        return _readers_of_names(columns, dimensions(), metrics())
    if "fields" in query:
        keys = [_split(text) for text in query["fields"]]
    else:
        keys = [(g.get("field", ""), g.get("grain") or g.get("part")) for g in query.get("group_by") or []]
    out: Dict[str, Reader] = {}
    known: Optional[Sequence[Mapping[str, Any]]] = None
    for column, (field, grain) in zip(_without_other(query, columns), keys):
        if grain in PARTS:
            continue
        if grain:
            out[column] = timestamp if grain in _WITHIN_DAY else day
            continue
        known = dimensions() if known is None else known
        reader = _BY_DATATYPE.get(_datatype(field, known))
        if reader:
            out[column] = reader
    values = columns[len(keys) :]
    if values:
        for metric in metrics():
            reader = _BY_DATATYPE.get(metric.get("datatype", ""))
            if reader:
                name = metric["name"]
                out.update({c: reader for c in values if c == name or c.startswith(name + "__")})
    return out


_BY_SQL_TYPE: Dict[str, Reader] = {"date": day, "timestamp": timestamp, "timestamptz": timestamp}


def readers_of_types(columns: Sequence[Mapping[str, Any]]) -> Dict[str, Reader]:
    """The columns of a statement's result that hold dates or timestamps, by their types."""
    return {c["name"]: _BY_SQL_TYPE[c["type"]] for c in columns if c["type"] in _BY_SQL_TYPE}


def _without_other(query: Mapping[str, Any], columns: Sequence[str]) -> List[str]:
    """The columns without the one that ``top`` puts behind its dimension."""
    top = query.get("top")
    if not top or top.get("other") is False or top["dimension"] not in columns:
        return list(columns)
    at = columns.index(top["dimension"]) + 1
    return [*columns[:at], *columns[at + 1 :]]


_GRAIN = re.compile(r"(.+)__(second|minute|hour|day|week|month|quarter|year)")


def _readers_of_names(
    columns: Sequence[str], dimensions: Sequence[Mapping[str, Any]], metrics: Sequence[Mapping[str, Any]]
) -> Dict[str, Reader]:
    """The readers of the columns of a saved query, whose body the client does not have:
    by the name of a metric, of a field with a grain, or of a field."""
    out: Dict[str, Reader] = {}
    for column in columns:
        metric = next((m for m in metrics if column == m["name"] or column.startswith(m["name"] + "__")), None)
        if metric is not None:
            reader = _BY_DATATYPE.get(metric.get("datatype", ""))
        elif column.endswith(tuple("__" + part for part in PARTS)):
            reader = None
        elif found := _GRAIN.fullmatch(column):
            reader = timestamp if found.group(2) in _WITHIN_DAY else day
        elif any(column.endswith("__" + grain) for d in dimensions for grain in d.get("grains") or ()):
            reader = day  # a period of a calendar
        else:
            reader = _BY_DATATYPE.get(_datatype(column, dimensions))
        if reader:
            out[column] = reader
    return out


def _split(text: str) -> "tuple[str, Optional[str]]":
    field, colon, grain = text.rpartition(":")
    return (field, grain) if colon and '"' not in grain else (text, None)


def _datatype(field: str, dimensions: Sequence[Mapping[str, Any]]) -> str:
    """The datatype of a field by its name, or by its bare name where all fields of that
    name agree."""
    exact = [d for d in dimensions if d["name"].lower() == field.lower()]
    if not exact:
        bare = "." + field.lower().rpartition(".")[2]
        exact = [d for d in dimensions if d["name"].lower().endswith(bare)]
    found: List[str] = sorted({str(d.get("datatype", "")) for d in exact})
    return found[0] if len(found) == 1 else ""
