#!/bin/sh
# SQLBoiler: the structs of all datasets. It reads several tables at once, and needs a key of each.
set -eu
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export GOBIN="$PWD/bin" GOWORK=off GOFLAGS=-trimpath
go install github.com/aarondl/sqlboiler/v4@v4.19.5 github.com/aarondl/sqlboiler/v4/drivers/sqlboiler-psql@v4.19.5 2>/dev/null
printf '[psql]\ndbname = "%s"\nhost = "%s"\nport = %s\nuser = "%s"\npass = "%s"\nsslmode = "disable"\nblacklist = ["shop", "numbers"]\n' "$PGDATABASE" "$PGHOST" "$PGPORT" "$PGUSER" "$PGPASSWORD" >sqlboiler.toml
PATH="$GOBIN:$PATH" sqlboiler --no-tests psql >log 2>&1 || { cat log >&2; exit 1; }
echo "describe: $(sed -n '/^type Order struct/,/^}/s/.*`boil:"\([a-z_]*\)".*/\1/p' models/orders.go | paste -sd,)"
echo "key: $(sed -n 's/.*orderPrimaryKeyColumns *= *\[\]string{"\(.*\)"}.*/\1/p' models/orders.go)"
grep -q 'Customer \*Customer `' models/orders.go && echo "foreign key: customer_id>customers"
