#!/usr/bin/python3
"""LibreOffice Base: its driver of PostgreSQL, as a database document uses it. It cannot cancel: the time limit of the session does."""
import os
import re
import subprocess
import tempfile
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.sdbc import SQLException

profile = tempfile.TemporaryDirectory()
pipe = f"semlayer{os.getpid()}"
office = subprocess.Popen(["/usr/lib/libreoffice/program/soffice", "--headless", "--norestore", "--nologo", f"-env:UserInstallation=file://{profile.name}", f"--accept=pipe,name={pipe};urp;"])
local = uno.getComponentContext()
resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
for _ in range(200):
    try:
        context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        break
    except NoConnectException:
        time.sleep(0.5)
drivers = context.ServiceManager.createInstanceWithContext("com.sun.star.sdbc.DriverManager", context)


def connect(more=""):
    url = "sdbc:postgresql:host={PGHOST} port={PGPORT} dbname={PGDATABASE}".format(**os.environ) + more
    login = [PropertyValue(Name=name, Value=os.environ[key]) for name, key in (("user", "PGUSER"), ("password", "PGPASSWORD"))]
    return drivers.getConnectionWithInfo(url, login)


def rows(found):
    out = []
    width = found.getMetaData().getColumnCount()
    while found.next():
        row = []
        for i in range(1, width + 1):
            text = found.getString(i)
            row.append("NULL" if found.wasNull() else text)
        out.append(row)
    return out


def join(found):
    return ";".join("|".join(row) for row in rows(found))


def column(found, at):
    out = []
    while found.next():
        out.append(found.getString(at))
    return out


def state(statement, sql):
    try:
        statement.executeQuery(sql)
    except SQLException as e:
        return re.search(r"code: (\w+)", e.Message)[1]


try:
    connection = connect()
    statement = connection.createStatement()
    metadata = connection.getMetaData()
    print("connect:", metadata.getDatabaseProductVersion())
    tables = metadata.getTables(None, "public", "%", ("TABLE",))
    print("list:", ",".join(sorted(column(tables, 3))))
    print("describe:", ",".join(column(metadata.getColumns(None, "public", "orders", "%"), 4)))
    print("types:", ",".join(column(metadata.getColumns(None, "public", "orders", "%"), 6)))
    print("query:", join(statement.executeQuery("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1")))
    prepared = connection.prepareStatement("SELECT order_id, amount FROM orders WHERE status = ? AND amount > ? ORDER BY order_id")
    prepared.setString(1, "completed")
    prepared.setLong(2, 60)
    print("parameter:", join(prepared.executeQuery()))
    print("null:", join(statement.executeQuery("SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id")))
    print("error:", state(statement, "SELECT nothing FROM orders"))
    limited = connect(" options='-c statement_timeout=1000'").createStatement()
    print("cancel:", state(limited, os.environ["SLOW"]))
    print("again:", join(statement.executeQuery("SELECT COUNT(*) FROM orders")))
finally:
    context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context).terminate()
    office.wait()
