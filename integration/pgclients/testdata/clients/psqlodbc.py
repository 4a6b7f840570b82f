#!/usr/bin/python3
"""psqlodbc through pyodbc: the catalogue functions of ODBC, parameters, and SQLCancel from another thread."""
import os
import sys
import threading
import time

import pyodbc

login = "Driver=/usr/lib/x86_64-linux-gnu/odbc/psqlodbcw.so;Server={PGHOST};Port={PGPORT};Database={PGDATABASE};Uid={PGUSER};Pwd={PGPASSWORD};SSLmode=disable;".format(**os.environ)
connection = pyodbc.connect(login, autocommit=True)
cursor = connection.cursor()


def rows(sql, *parameters):
    return cursor.execute(sql, parameters).fetchall()


def join(found):
    return ";".join("|".join("NULL" if v is None else str(v) for v in row) for row in found)


def state(sql):
    try:
        rows(sql)
    except pyodbc.Error as e:
        return e.args[0]


print("connect:", rows("SHOW server_version")[0][0])
print("list:", ",".join(sorted(t.table_name for t in cursor.tables(schema="public", tableType="TABLE"))))
print("describe:", ",".join(c.column_name for c in cursor.columns(schema="public", table="orders").fetchall()))
print("types:", ",".join(c.type_name for c in cursor.columns(schema="public", table="orders").fetchall()))
assert [k.column_name for k in cursor.primaryKeys("orders", schema="public").fetchall()] == ["order_id"]
assert [k.pktable_name for k in cursor.foreignKeys(foreignTable="orders", foreignSchema="public").fetchall()] == ["customers"]
print("query:", join(rows("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1")))
print("parameter:", join(rows("SELECT order_id, amount FROM orders WHERE status = ? AND amount > ? ORDER BY order_id", "completed", 60)))
print("null:", join(rows("SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id")))
fetching = pyodbc.connect(login + "UseDeclareFetch=1;Fetch=1000;", autocommit=False)
found = [n for (n,) in fetching.execute("SELECT n FROM numbers ORDER BY n LIMIT 10000")]
print(f"cursor: {len(found)}/{sum(found)}")
fetching.close()
print("error:", state("SELECT nothing FROM orders"))
threading.Thread(target=lambda: (time.sleep(1), cursor.cancel())).start()
print("cancel:", state(os.environ["SLOW"]))
print("again:", rows("SELECT COUNT(*) FROM orders")[0][0])
