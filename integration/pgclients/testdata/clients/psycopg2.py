#!/usr/bin/python3
"""psycopg2: parameters, a cursor on the server, COPY, and cancel from another thread."""
import io
import os
import threading
import time

import psycopg2

connection = psycopg2.connect("")
cursor = connection.cursor()


def rows(sql, *parameters):
    cursor.execute(sql, parameters or None)
    return cursor.fetchall()


def join(found):
    return ";".join("|".join("NULL" if v is None else str(v) for v in row) for row in found)


def state(sql):
    try:
        rows(sql)
    except psycopg2.Error as e:
        connection.rollback()
        return e.pgcode


print("connect:", connection.get_parameter_status("server_version"))
print("list:", ",".join(r[0] for r in rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")))
rows("SELECT * FROM orders LIMIT 0")
print("fields:", ",".join(c.name for c in cursor.description))
print("query:", join(rows("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1")))
print("parameter:", join(rows("SELECT order_id, amount FROM orders WHERE status = %s AND amount > %s ORDER BY order_id", "completed", 60)))
print("null:", join(rows("SELECT gift, weight FROM orders WHERE order_id IN %s ORDER BY order_id", (4, 5))))
named = connection.cursor("numbers")
named.itersize = 1000
named.execute("SELECT n FROM numbers ORDER BY n LIMIT 10000")
found = [n for (n,) in named]
named.close()
print(f"cursor: {len(found)}/{sum(found)}")
text = io.StringIO()
cursor.copy_expert("COPY (SELECT n FROM numbers ORDER BY n LIMIT 10000) TO STDOUT", text)
found = [int(n) for n in text.getvalue().split()]
print(f"copy: {len(found)}/{sum(found)}")
print("error:", state("SELECT nothing FROM orders"))
threading.Thread(target=lambda: (time.sleep(1), connection.cancel())).start()
print("cancel:", state(os.environ["SLOW"]))
print("again:", rows("SELECT COUNT(*) FROM orders")[0][0])
