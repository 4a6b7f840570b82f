"""The rows of a query."""

from __future__ import annotations

import html
import json
import re
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union, overload

from .dates import Reader

if TYPE_CHECKING:
    import pandas  # pyright: ignore[reportMissingImports]
    import polars  # pyright: ignore[reportMissingImports]
    import pyarrow  # pyright: ignore[reportMissingImports]

__all__ = ["Result"]

#: What gives, for the columns of a result, how their texts are read.
Readers = Callable[["Result"], Mapping[str, Reader]]

#: Rows that a notebook shows before the number of the others.
SHOWN = 50

#: Rows, and characters of a value, that print shows.
PRINTED = 20
WIDEST = 40

_DATE = re.compile(r'"\d{4}-\d\d-\d\d')
_SPACE = " \t\n\r"
_ROW_COUNT = '"row_count"'
_COUNT = re.compile(r"\s*:")
_ROWS_END = re.compile(r"\]\s*,\s*\Z")

# The members after row_count in the order of a response, each with its value in a result without it.
_END: Dict[str, Any] = {
    "limit": None,
    "limited": False,
    "total_rows": None,
    "resolved_time_range": None,
    "resolved_compare": [],
    "warnings": [],
    "saved": None,
    "rollups": [],
    "view": None,
}


class Result:
    """The result of an execution: ``dialect``, ``sql``, ``columns``,
    ``row_count``, and the rows. ``limit`` is the limit that applied, None where the
    rows are not limited; ``limited`` is True where there are as many rows as that, so
    that there may be more (rows of totals do not count); ``total_rows`` is the number of
    rows without limit and offset, None where the query has no ``count``; ``resolved_time_range`` has the
    bounds of relative ranges, None without one; ``resolved_compare`` has the earlier
    ranges of ``compare`` with ``align``, or of a list; ``warnings`` are remarks about the result;
    ``saved`` is the saved query that it came from, None without one; ``view`` is the view
    that the query is in, with what of it acts by default, None for the whole model.

    Iterating gives one dictionary a row and parses the row only then, so that a
    large result is held as text once and never as a list of dictionaries. ``rows``
    is that list, made when it is asked for.

    ``result[0]`` is a row, ``result[2:5]`` a list of rows and ``result["revenue"]`` the
    values of a column.

    Dates and timestamps are ``date`` and ``datetime``; those with a time zone are in
    UTC. A value outside of Python's years is the text of the service.

    Integers of any size are exact. Numbers with a point are floats, or
    Decimals with every digit where the client was made with ``decimals=True``.
    """

    dialect: str
    sql: str
    columns: List[str]
    row_count: int
    limit: Optional[int]
    limited: bool
    total_rows: Optional[int]
    resolved_time_range: Optional[Dict[str, Any]]
    resolved_compare: List[Dict[str, Any]]
    warnings: List[Dict[str, Any]]
    saved: Optional[str]
    rollups: List[Dict[str, Any]]
    view: Optional[Dict[str, Any]]

    def __init__(self, text: str, decimals: bool = False, readers: Optional[Readers] = None) -> None:
        self._text = text
        self._readers_of = readers
        self._readers: Optional[Mapping[str, Reader]] = None
        self._list: Optional[List[Dict[str, Any]]] = None
        self._decoder = json.JSONDecoder(parse_float=Decimal) if decimals else json.JSONDecoder()
        head, self._rows_at = self._read_head()
        try:
            self.dialect = head["dialect"]
            self.sql = head["sql"]
            self.columns = head["columns"]
            self.row_count = head["row_count"]
        except KeyError as missing:
            raise ValueError(f"a result without {missing}") from None
        for name, absent in _END.items():
            setattr(self, name, head.get(name, [] if absent == [] else absent))

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        if self._list is not None:
            return iter(self._list)
        return self._read(self._typed_columns())

    def _read(self, readers: Mapping[str, Reader]) -> Iterator[Dict[str, Any]]:
        found = 0
        for row in self._items(self._rows_at):
            found += 1
            for column, read in readers.items():
                if isinstance(row[column], str):
                    row[column] = read(row[column])
            yield row
        if found != self.row_count:
            raise ValueError(f"{found} rows where {self.row_count} were announced")

    def _typed_columns(self) -> Mapping[str, Reader]:
        if self._readers is None:
            # Without a text that could be a date there is nothing to ask the model for.
            wanted = self._readers_of if _DATE.search(self._text, self._rows_at) else None
            self._readers = wanted(self) if wanted else {}
        return self._readers

    def __len__(self) -> int:
        return self.row_count

    @overload
    def __getitem__(self, key: int) -> Dict[str, Any]: ...

    @overload
    def __getitem__(self, key: Union[slice, str]) -> List[Any]: ...

    def __getitem__(self, key: Union[int, slice, str]) -> Any:
        if isinstance(key, str):
            return self.column(key)
        return self.rows[key]

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """All rows, as dictionaries in the order of the columns."""
        if self._list is None:
            self._list = list(self)
        return self._list

    def column(self, name: str) -> List[Any]:
        """The values of one column. KeyError where there is none of that name."""
        if name not in self.columns:
            raise KeyError(name)
        return [row[name] for row in self]

    def to_dict(self) -> Dict[str, Any]:
        """The whole response as the service sent it, with dates as texts."""
        wire = {"dialect": self.dialect, "sql": self.sql, "columns": self.columns, "rows": list(self._read({})), "row_count": self.row_count}
        wire.update({name: value for name, absent in _END.items() if (value := getattr(self, name)) != absent})
        return wire

    def to_arrow(self) -> "pyarrow.Table":
        """The rows as a pyarrow.Table. ``execute(…, arrow=True)`` is faster, and has the
        types of the warehouse."""
        pa = _optional("pyarrow", "arrow", "to_arrow")
        return pa.table({c: [row[c] for row in self.rows] for c in self.columns})

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a pandas.DataFrame."""
        return _optional("pandas", "pandas", "to_pandas").DataFrame(self.rows, columns=self.columns)

    def to_polars(self) -> "polars.DataFrame":
        """The rows as a polars.DataFrame."""
        pl = _optional("polars", "polars", "to_polars")
        return pl.DataFrame({c: [row[c] for row in self.rows] for c in self.columns}, strict=False)

    def __repr__(self) -> str:
        return f"<Result {self.row_count} rows: {', '.join(self.columns)}>\n{self}"

    def __str__(self) -> str:
        """The first rows as a table."""
        shown: List[List[str]] = []
        for i, row in enumerate(self):
            if i == PRINTED:
                break
            shown.append([_printed(row[c]) for c in self.columns])
        widths = [max([len(c)] + [len(r[i]) for r in shown]) for i, c in enumerate(self.columns)]
        lines = ["  ".join(v.ljust(w) for v, w in zip(r, widths)).rstrip() for r in [self.columns, ["-" * w for w in widths], *shown]]
        more = self.row_count - len(shown)
        if more > 0:
            lines.append(f"… and {more} more {'row' if more == 1 else 'rows'}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = "".join(f"<th>{html.escape(c)}</th>" for c in self.columns)
        body: List[str] = []
        for i, row in enumerate(self):
            if i == SHOWN:
                break
            body.append("<tr>" + "".join(_cell(row[c]) for c in self.columns) + "</tr>")
        more = self.row_count - SHOWN
        tail = f"<p>{more} more rows</p>" if more > 0 else ""
        return f"<table><thead><tr>{cells}</tr></thead><tbody>{''.join(body)}</tbody></table>{tail}"

    def _read_head(self) -> Tuple[Dict[str, Any], int]:
        """Every member but the rows, and where the rows begin.

        The service writes the rows last but for their number and what is to be known
        of them, so that they need not be read to know everything else; a text in
        another order is read whole.
        """
        text = self._text
        head: Dict[str, Any] = {}
        rows_at = -1
        at = self._expect(self._skip(0), "{")
        while True:
            key, at = self._decoder.raw_decode(text, self._skip(at))
            at = self._skip(self._expect(self._skip(at), ":"))
            if key == "rows":
                rows_at = at
                tail = self._read_tail(rows_at)
                if tail is not None:
                    head.update(tail)
                    return head, rows_at
            value, at = self._decoder.raw_decode(text, at)
            if key != "rows":
                head[key] = value
            at = self._skip(at)
            if text[at : at + 1] != ",":
                break
            at += 1
        self._expect(at, "}")
        if rows_at < 0:
            raise ValueError("a result without rows")
        return head, rows_at

    def _read_tail(self, rows_at: int) -> Optional[Dict[str, Any]]:
        """The members from the number of the rows on, where these are the last ones."""
        at = len(self._text)
        while True:
            at = self._text.rfind(_ROW_COUNT, rows_at, at)
            if at < 0:
                return None
            if _COUNT.match(self._text, at + len(_ROW_COUNT)):
                break
        before = self._text[max(at - 64, rows_at) : at]
        if not _ROWS_END.search(before):
            return None
        try:
            tail = self._decoder.decode("{" + self._text[at:])
        except ValueError:
            return None
        return tail if isinstance(tail, dict) else None

    def _items(self, at: int) -> Iterator[Dict[str, Any]]:
        """The objects of the array that begins here."""
        at = self._skip(self._expect(at, "["))
        if self._text[at : at + 1] == "]":
            return
        while True:
            item, at = self._decoder.raw_decode(self._text, at)
            yield item
            at = self._skip(at)
            if self._text[at : at + 1] != ",":
                self._expect(at, "]")
                return
            at = self._skip(at + 1)

    def _skip(self, at: int) -> int:
        while at < len(self._text) and self._text[at] in _SPACE:
            at += 1
        return at

    def _expect(self, at: int, character: str) -> int:
        if self._text[at : at + 1] != character:
            raise ValueError(f"no JSON of a result: {character!r} is missing at {at}")
        return at + 1


def _cell(value: Any) -> str:
    if value is None:
        return "<td><em>null</em></td>"
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return f'<td style="text-align: right">{value}</td>'
    return f"<td>{html.escape(str(value))}</td>"


def _printed(value: Any) -> str:
    text = "NULL" if value is None else str(value).replace("\n", " ")
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def _optional(module: str, extra: str, wanted: str) -> Any:
    try:
        return import_module(module)
    except ImportError as e:
        raise ImportError(f"{wanted} needs {module}: pip install 'semlayer[{extra}]'") from e
