#!/usr/bin/python3 -P
"""What PyGreSQL asks for the methods of its classic interface, and for types."""
import os

import pg

db = pg.DB(os.environ["PGDATABASE"], os.environ["PGHOST"], int(os.environ["PGPORT"]), user=os.environ["PGUSER"], passwd=os.environ["PGPASSWORD"])
db.get_databases()
db.get_tables()
db.get_tables(system=True)
db.get_relations()
db.get_relations("rv", system=True)
for table in ("orders", "customers"):
    db.get_attnames(table)
    db.pkey(table)
    db.has_table_privilege(table)
    db.has_table_privilege(table, "insert")
for name in ("int8", "text", "numeric", "date", "timestamptz"):
    db.dbtypes[name]
db.get_parameter("server_version")
