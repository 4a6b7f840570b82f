# Starts a PostgreSQL server of its own until the script ends; `own` is psql on it. PostgreSQL refuses to run as root.
directory=$(mktemp -d)
programs=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
as() { if [ "$(id -u)" -eq 0 ]; then setpriv --reuid postgres --regid postgres --clear-groups "$@"; else "$@"; fi; }
[ "$(id -u)" -ne 0 ] || chown postgres "$directory"
trap 'cd /; as "$programs/pg_ctl" -D "$directory/data" -m immediate stop >"$directory/log" 2>&1; rm -rf "$directory"' EXIT
cd "$directory"
as "$programs/initdb" -D "$directory/data" -A trust -U postgres >"$directory/log"
as "$programs/pg_ctl" -D "$directory/data" -w -l "$directory/server.log" -o "-k $directory -p 5432 -c listen_addresses= -c fsync=off" start >"$directory/log"
own() { env -u PGPASSWORD PGHOST="$directory" PGPORT=5432 PGUSER=postgres PGDATABASE=postgres psql -v ON_ERROR_STOP=1 -v VERBOSITY=sqlstate -qAtX "$@"; }
join() { tr '\n' ';' | sed 's/;$//'; }
