#!/usr/bin/python3
"""PyGreSQL: its classic interface, which lists relations and columns by itself."""
import os
import threading
import time

import pg

db = pg.DB(os.environ["PGDATABASE"], os.environ["PGHOST"], int(os.environ["PGPORT"]), user=os.environ["PGUSER"], passwd=os.environ["PGPASSWORD"])


def join(found):
    return ";".join("|".join("NULL" if v is None else str(v) for v in row) for row in found)


def state(sql):
    try:
        db.query(sql)
    except pg.DatabaseError as e:
        return e.sqlstate


print("connect:", db.get_parameter("server_version"))
print("list:", ",".join(sorted(t.removeprefix("public.") for t in db.get_tables())))
print("describe:", ",".join(db.get_attnames("orders")))
assert db.pkey("orders") == "order_id"
print("query:", join(db.query("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1").getresult()))
print("parameter:", join(db.query("SELECT order_id, amount FROM orders WHERE status = $1 AND amount > $2 ORDER BY order_id", ("completed", 60)).getresult()))
print("null:", join(db.query("SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id").getresult()))
print("error:", state("SELECT nothing FROM orders"))
threading.Thread(target=lambda: (time.sleep(1), db.db.cancel())).start()
print("cancel:", state(os.environ["SLOW"]))
print("again:", db.query("SELECT COUNT(*) FROM orders").onescalar())
