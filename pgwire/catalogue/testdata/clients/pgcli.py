#!/usr/bin/python3 -P
"""What pgcli asks for its completion, and for its commands about relations."""
import os

from pgcli.pgexecute import PGExecute
from pgspecial.main import PGSpecial

p = PGExecute(os.environ["PGDATABASE"], os.environ["PGUSER"], os.environ["PGPASSWORD"], os.environ["PGHOST"], os.environ["PGPORT"], None)
for found in (p.tables, p.views, p.table_columns, p.view_columns, p.foreignkeys, p.functions, p.datatypes):
    list(found())
p.schemata(), p.databases(), p.full_databases(), p.search_path()
for command in ("\\d", "\\d orders", "\\d+ orders", "\\dt", "\\dt+", "\\dv", "\\di", "\\ds", "\\dn", "\\l", "\\l+", "\\du", "\\df", "\\dT", "\\dx", "\\dD", "\\dE"):
    for _, rows, _, _, _, ok, _ in p.run(command, PGSpecial()):
        if rows is not None and hasattr(rows, "fetchall"):
            rows.fetchall()
