#!/bin/sh
# Entrypoint of the local PostgreSQL image. It keeps the part of the public image's
# contract that the tests use: POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB make
# the way in, arguments go to the server.
set -eu
user=${POSTGRES_USER:-postgres}
data=/var/lib/postgresql/data
for bin in /usr/lib/postgresql/*/bin; do :; done
as() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }

install -d -o postgres -g postgres -m 700 "$data"
if [ ! -s "$data/PG_VERSION" ]; then
	printf '%s\n' "$POSTGRES_PASSWORD" >/tmp/password
	chown postgres /tmp/password
	as "$bin/initdb" --pgdata "$data" --username "$user" --pwfile /tmp/password --auth scram-sha-256 --encoding UTF8 --locale C.UTF-8 --no-sync
	rm /tmp/password
	echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
	if [ "${POSTGRES_DB:-$user}" != postgres ]; then
		printf 'CREATE DATABASE "%s"\n' "${POSTGRES_DB:-$user}" | as "$bin/postgres" --single -D "$data" postgres
	fi
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups "$bin/postgres" -D "$data" -h '*' "$@"
