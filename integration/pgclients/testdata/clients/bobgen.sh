#!/bin/sh
# bobgen: the tables, keys and models of all relations. It reads several tables at once.
set -eu
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export GOBIN="$PWD/bin" GOWORK=off GOFLAGS=-trimpath
go install github.com/stephenafamo/bob/gen/bobgen-psql@v0.41.1 2>/dev/null
printf 'module shop\n\ngo 1.26\n' >go.mod
PSQL_DSN="postgres://$PGUSER:$PGPASSWORD@$PGHOST:$PGPORT/$PGDATABASE?sslmode=disable" "$GOBIN/bobgen-psql" >log 2>&1 || { cat log >&2; exit 1; }
values() { sed -n "/^\t$1: /,/^\t}/s/^\t\t\t$2: *\"\(.*\)\",/\1/p" dbinfo/orders.bob.go | paste -sd,; }
echo "list: $(sed -n 's/^\tName: *"\(.*\)",/\1/p' dbinfo/*.bob.go | sort | paste -sd,)"
echo "describe: $(values Columns Name)"
echo "types: $(values Columns DBType)"
echo "key: $(sed -n '/^\tPrimaryKey: /,/^\t}/s/.*Columns: *\[\]string{"\(.*\)"},/\1/p' dbinfo/orders.bob.go)"
