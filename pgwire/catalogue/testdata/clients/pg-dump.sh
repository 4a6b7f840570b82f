#!/bin/sh
# The definitions of a database, as pg_dump 15 reads them.
pg_dump --schema-only --no-password >/dev/null
