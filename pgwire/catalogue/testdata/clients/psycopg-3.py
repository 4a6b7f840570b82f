#!/usr/bin/python3
"""What psycopg 3 asks: types by name, and the statements of its documentation."""
import psycopg
from psycopg.types import TypeInfo
from psycopg.types.enum import EnumInfo
from psycopg.types.composite import CompositeInfo
from psycopg.types.range import RangeInfo

with psycopg.connect("") as connection:
    for name in ("text", "hstore", "numeric", "orders", "_int4"):
        TypeInfo.fetch(connection, name)
    for call in (
        lambda: EnumInfo.fetch(connection, "nope"),
        lambda: CompositeInfo.fetch(connection, "orders"),
        lambda: RangeInfo.fetch(connection, "int4range"),
    ):
        try:
            call()
        except psycopg.Error:
            connection.rollback()
    connection.execute("SELECT relname FROM pg_class WHERE relkind = ANY(%s) AND relnamespace = 'public'::regnamespace ORDER BY 1", (["r", "v"],))
    connection.execute("SELECT %s::regclass::oid > 0", ("orders",))
