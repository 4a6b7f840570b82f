# RPostgreSQL: the functions of DBI. It cannot cancel: the time limit of the session does.
suppressMessages(library(RPostgreSQL))
db <- dbConnect(PostgreSQL(), dbname = Sys.getenv("PGDATABASE"), host = Sys.getenv("PGHOST"), port = Sys.getenv("PGPORT"), user = Sys.getenv("PGUSER"), password = Sys.getenv("PGPASSWORD"))
join <- function(rows) paste(apply(rows, 1, function(row) paste(ifelse(is.na(row), "NULL", trimws(row)), collapse = "|")), collapse = ";")
code <- function(sql) {
    suppressWarnings(capture.output(dbGetQuery(db, sql)))
    message <- dbGetException(db)$errorMsg
    sub(".*code: ([a-z_]+).*", "\\1", gsub("\n", " ", message))
}
cat("connect: ", dbGetQuery(db, "SHOW server_version")[1, 1], "\n", sep = "")
cat("list: ", paste(sort(dbListTables(db)), collapse = ","), "\n", sep = "")
cat("describe: ", paste(dbListFields(db, "orders"), collapse = ","), "\n", sep = "")
stopifnot(dbExistsTable(db, "orders"), !dbExistsTable(db, "nothing"))
cat("query: ", join(dbGetQuery(db, "SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1")), "\n", sep = "")
cat("parameter: ", join(dbGetQuery(db, "SELECT order_id, amount FROM orders WHERE status = $1 AND amount > $2 ORDER BY order_id", c("completed", "60"))), "\n", sep = "")
found <- dbGetQuery(db, "SELECT n FROM numbers ORDER BY n LIMIT 10000")$n
rows <- dbSendQuery(db, "SELECT n FROM numbers ORDER BY n LIMIT 10000")
count <- 0
while (nrow(part <- fetch(rows, 1000)) > 0) count <- count + nrow(part)
invisible(dbClearResult(rows))
cat("cursor: ", count, "/", sum(found), "\n", sep = "")
cat("error: ", code("SELECT nothing FROM orders"), "\n", sep = "")
invisible(dbGetQuery(db, "SET statement_timeout = 1000"))
cat("cancel: ", code(Sys.getenv("SLOW")), "\n", sep = "")
cat("again: ", dbGetQuery(db, "SELECT COUNT(*) FROM orders")[1, 1], "\n", sep = "")
invisible(dbDisconnect(db))
