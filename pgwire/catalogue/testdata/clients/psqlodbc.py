#!/usr/bin/python3
"""What psqlodbc asks for the catalogue functions of ODBC, which are called through ctypes."""
import ctypes
import os

odbc = ctypes.CDLL("libodbc.so.2")
SQL_NTS, SQL_HANDLE_ENV, SQL_HANDLE_DBC, SQL_HANDLE_STMT = -3, 1, 2, 3


def handle(kind, parent):
    out = ctypes.c_void_p()
    odbc.SQLAllocHandle(kind, parent, ctypes.byref(out))
    return out


def text(value):
    return (None, 0) if value is None else (value.encode(), SQL_NTS)


def names(*values):
    return [part for value in values for part in text(value)]


environment = handle(SQL_HANDLE_ENV, None)
odbc.SQLSetEnvAttr(environment, 200, ctypes.c_void_p(3), 0)
connection = handle(SQL_HANDLE_DBC, environment)
server = "Driver=PostgreSQL Unicode;Server={PGHOST};Port={PGPORT};Database={PGDATABASE};Uid={PGUSER};Pwd={PGPASSWORD};SSLmode=disable".format(**os.environ)
drivers = "/usr/lib/x86_64-linux-gnu/odbc/psqlodbcw.so"
server = server.replace("PostgreSQL Unicode", drivers)
result = odbc.SQLDriverConnect(connection, None, server.encode(), SQL_NTS, None, 0, None, 0)
assert result in (0, 1), result


def call(function, *arguments):
    statement = handle(SQL_HANDLE_STMT, connection)
    getattr(odbc, function)(statement, *arguments)
    while odbc.SQLFetch(statement) in (0, 1):
        pass
    odbc.SQLFreeHandle(SQL_HANDLE_STMT, statement)


call("SQLTables", *names(None, None, None, None))
call("SQLTables", *names(None, "public", "%", "TABLE"))
call("SQLTables", *names("%", "", "", ""))
call("SQLTables", *names("", "%", "", ""))
call("SQLTables", *names("", "", "", "%"))
for table in ("orders", "customers", "Order Items", "events"):
    call("SQLColumns", *names(None, "public", table, None))
    call("SQLPrimaryKeys", *names(None, "public", table))
    call("SQLForeignKeys", *names(None, None, None, None, "public", table))
    call("SQLForeignKeys", *names(None, "public", table, None, None, None))
    call("SQLStatistics", *names(None, "public", table), 1, 0)
    call("SQLSpecialColumns", 1, *names(None, "public", table), 0, 1)
    call("SQLTablePrivileges", *names(None, "public", table))
    call("SQLColumnPrivileges", *names(None, "public", table, "%"))
call("SQLColumns", *names(None, None, "ord%", None))
call("SQLGetTypeInfo", 0)
call("SQLProcedures", *names(None, "public", None))
call("SQLProcedureColumns", *names(None, "public", None, None))
call("SQLExecDirect", b"SELECT version()", SQL_NTS)
odbc.SQLDisconnect(connection)
