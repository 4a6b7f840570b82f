#!/usr/bin/Rscript
# What RPostgreSQL asks for the functions of DBI.
suppressMessages(library(RPostgreSQL))
db <- dbConnect(PostgreSQL(), dbname = Sys.getenv("PGDATABASE"), host = Sys.getenv("PGHOST"), port = Sys.getenv("PGPORT"), user = Sys.getenv("PGUSER"), password = Sys.getenv("PGPASSWORD"))
invisible(dbListTables(db))
for (table in c("orders", "customers", "Order Items")) {
    dbExistsTable(db, table)
    dbExistsTable(db, c("public", table))
    dbListFields(db, table)
}
invisible(dbGetInfo(db))
invisible(dbDisconnect(db))
