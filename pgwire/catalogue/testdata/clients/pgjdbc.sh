#!/bin/sh
# What pgjdbc asks for java.sql.DatabaseMetaData.
export CLASSPATH="/usr/share/java/postgresql.jar:."
exec java "$(dirname "$0")/Metadata.java"
