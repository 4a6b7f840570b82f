#!/usr/bin/python3
"""pgcli: its own connection and completion queries, and its commands about relations."""
import logging
import os
import threading
import time

from pgcli.pgexecute import PGExecute
from pgspecial.main import PGSpecial

logging.disable()  # of errors, with their tracebacks
commands = PGSpecial()
p = PGExecute(os.environ["PGDATABASE"], os.environ["PGUSER"], os.environ["PGPASSWORD"], os.environ["PGHOST"], os.environ["PGPORT"], None)


def rows(sql):
    for _, found, _, status, _, ok, _ in p.run(sql, commands):
        assert ok, status
        return list(found) if found else []


def join(found):
    return ";".join("|".join(str(v) for v in row) for row in found)


print("connect:", rows("SHOW server_version")[0][0])
print("list:", ",".join(sorted(name for schema, name in p.tables() if schema == "public")))
columns = [c for c in p.table_columns() if c[0] == "public" and c[1] == "orders"]
print("describe:", ",".join(c[2] for c in columns))
print("types:", ",".join(c[3] for c in columns))
assert len(rows("\\d orders")) == 8 and len(rows("\\dt")) == 4 and len(rows("\\l")) == 1
assert [k.parentcolumn for k in p.foreignkeys()] == ["customer_id"]
print("query:", join(rows("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1")))
for _, _, _, status, _, ok, _ in p.run("SELECT nothing FROM orders", exception_formatter=lambda e: e.sqlstate):
    print("error:", status)
connection = p.conn
threading.Thread(target=lambda: (time.sleep(1), connection.cancel())).start()
for _, _, _, status, _, ok, _ in p.run(os.environ["SLOW"], exception_formatter=lambda e: e.sqlstate):
    print("cancel:", status)
print("again:", rows("SELECT COUNT(*) FROM orders")[0][0])
