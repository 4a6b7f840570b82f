#!/usr/bin/python3 -P
"""What the driver of LibreOffice Base asks for a document: tables with columns, keys and indexes, views, users."""
import os
import subprocess
import tempfile
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.uno import Exception as UnoException

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


def each(container):
    for name in container.getElementNames():
        yield container.getByName(name)


try:
    drivers = context.ServiceManager.createInstanceWithContext("com.sun.star.sdbc.DriverManager", context)
    url = "sdbc:postgresql:host={PGHOST} port={PGPORT} dbname={PGDATABASE}".format(**os.environ)
    connection = drivers.getConnectionWithInfo(url, tuple(PropertyValue(Name=name, Value=os.environ[key]) for name, key in (("user", "PGUSER"), ("password", "PGPASSWORD"))))
    metadata = connection.getMetaData()
    for read in (
        lambda: metadata.getSchemas(), lambda: metadata.getTableTypes(), lambda: metadata.getTypeInfo(),
        lambda: metadata.getTables(None, "public", "%", ("TABLE", "VIEW")), lambda: metadata.getTables(None, "%", "%", ()),
        lambda: metadata.getColumns(None, "public", "orders", "%"), lambda: metadata.getPrimaryKeys(None, "public", "orders"),
        lambda: metadata.getImportedKeys(None, "public", "orders"), lambda: metadata.getExportedKeys(None, "public", "customers"),
        lambda: metadata.getIndexInfo(None, "public", "orders", False, True), lambda: metadata.getTablePrivileges(None, "public", "orders"),
        lambda: metadata.getColumnPrivileges(None, "public", "orders", "%"),
    ):
        try:
            rows = read()
            while rows.next():
                pass
        except UnoException:
            pass
    for table in each(connection.getTables()):
        if table.Name in ("orders", "customers", "Order Items"):
            for part in (table.getColumns(), table.getIndexes()):
                list(each(part))
            keys = table.getKeys()
            for i in range(keys.getCount()):
                list(each(keys.getByIndex(i).getColumns()))
    list(each(connection.getViews()))
    list(each(connection.getUsers()))
finally:
    context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context).terminate()
    office.wait()
