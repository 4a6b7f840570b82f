#!/usr/bin/python3
"""psycopg 3: text and binary rows, a cursor on the server, a pipeline, COPY, and cancel from another thread."""
import datetime
import os
import threading
import time

import psycopg

connection = psycopg.connect("")


def rows(sql, *parameters, **options):
    return connection.execute(sql, parameters or None, **options).fetchall()


def join(found):
    return ";".join("|".join("NULL" if v is None else str(v) for v in row) for row in found)


def state(sql):
    try:
        rows(sql)
    except psycopg.Error as e:
        connection.rollback()
        return e.sqlstate


print("connect:", connection.info.parameter_status("server_version"))
print("list:", ",".join(r[0] for r in rows("SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY 1", "public")))
empty = connection.execute("SELECT * FROM orders LIMIT 0").description
print("fields:", ",".join(c.name for c in empty))
print("field types:", ",".join(connection.adapters.types[c.type_code].regtype for c in empty))
by_region = "SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1"
print("query:", join(rows(by_region)))
print("binary:", join(rows(by_region, binary=True)))
for _ in range(8):  # from the fifth on, as a prepared statement
    by_status = rows("SELECT order_id, amount FROM orders WHERE status = %s AND amount > %s ORDER BY order_id", "completed", 60)
print("parameter:", join(by_status))
print("null:", join(rows("SELECT gift, weight FROM orders WHERE order_id IN (%s, %s) ORDER BY order_id", 4, 5)))
with connection.cursor("numbers") as named:
    named.execute("SELECT n FROM numbers ORDER BY n LIMIT 10000")
    found = [n for (n,) in named]
print(f"cursor: {len(found)}/{sum(found)}")
february = "SELECT status, MEASURE(revenue) FROM orders WHERE order_date >= %s AND order_date < %s GROUP BY status ORDER BY status"
with connection.cursor("february") as named:  # whose DECLARE has the parameters
    named.execute(february, (datetime.date(2024, 2, 1), datetime.date(2024, 3, 1)))
    print("date:", join(named))
with connection.pipeline():
    pending = [connection.execute("SELECT COUNT(*) FROM orders WHERE amount > %s", (limit,)) for limit in (0, 60, 100)]
print("pipeline:", ",".join(str(c.fetchone()[0]) for c in pending))
with connection.cursor().copy("COPY (SELECT n FROM numbers ORDER BY n LIMIT 10000) TO STDOUT") as copy:
    found = [int(row[0]) for row in copy.rows()]
print(f"copy: {len(found)}/{sum(found)}")
print("error:", state("SELECT nothing FROM orders"))
threading.Thread(target=lambda: (time.sleep(1), connection.cancel())).start()
print("cancel:", state(os.environ["SLOW"]))
print("again:", rows("SELECT COUNT(*) FROM orders")[0][0])
