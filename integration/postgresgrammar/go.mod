module github.com/semlayer/semlayer/integration/postgresgrammar

go 1.26.0

require github.com/pganalyze/pg_query_go/v6 v6.2.5

require google.golang.org/protobuf v1.33.0
