#!/usr/bin/env bash
# Installs client programs of PostgreSQL (Debian, as root; Node 20) and lets them use the port of the built binary.
#
#	postgres-clients.sh             all of them; 0.8 GB the first time
#	postgres-clients.sh psql,pgx    these
set -euo pipefail
cd "$(dirname "$0")/../.."
IFS=', ' read -r -a clients <<<"${*:-all}"
set -- "${clients[@]}"
here=$PWD/tools/scripts

# The packages of Debian that a client needs, where a file of them is missing.
packages=()
need() { # need FILE PACKAGE...
	local file=$1
	shift
	[ -e "$file" ] || packages+=("$@")
}
lib=/usr/lib/x86_64-linux-gnu python=/usr/lib/python3/dist-packages
for name in "$@"; do
	every=; [ "$name" != all ] || every=1
	is() { [ -n "$every" ] || [ "$name" = "$1" ]; }
	! is psql || need /usr/bin/psql postgresql-client
	! is pgcli || need /usr/bin/pgcli pgcli
	! is psycopg2 || need $python/psycopg2 python3-psycopg2
	! is psycopg-3 || need $python/psycopg python3-psycopg
	! is asyncpg || need $python/asyncpg python3-asyncpg
	! is pygresql || need $python/pgdb.py python3-pygresql
	! is sqlalchemy || { need $python/sqlalchemy python3-sqlalchemy; need $python/psycopg2 python3-psycopg2; }
	! is psqlodbc || { need $lib/odbc/psqlodbcw.so odbc-postgresql; need /usr/share/doc/python3-pyodbc python3-pyodbc; }
	! is libreoffice-base || { need /usr/lib/libreoffice/program/libpostgresql-sdbc-impllo.so libreoffice-base libreoffice-sdbc-postgresql; need $python/uno.py python3-uno; }
	! is dbd-pg || need /usr/share/doc/libdbd-pg-perl libdbd-pg-perl
	! is ruby-pg || need /usr/share/doc/ruby-pg ruby-pg
	! is php-pgsql || { need /usr/bin/php php-cli; need /usr/share/doc/php8.2-pgsql php-pgsql; }
	! is rpostgresql || need /usr/lib/R/site-library/RPostgreSQL r-cran-rpostgresql
	! is dbplyr || { need /usr/lib/R/site-library/RPostgreSQL r-cran-rpostgresql; need /usr/lib/R/site-library/dbplyr r-cran-dbplyr r-cran-dplyr; }
	! is django || { need $python/django python3-django; need $python/psycopg2 python3-psycopg2; }
	! is dbix-class || { need /usr/share/doc/libdbix-class-schema-loader-perl libdbix-class-schema-loader-perl; need /usr/share/doc/libdbd-pg-perl libdbd-pg-perl; }
	! is postgres-fdw || need /usr/lib/postgresql postgresql
	! is pg-dump || need /usr/lib/postgresql postgresql
	! is libpqxx || { need /usr/include/pqxx libpqxx-dev; need /usr/bin/g++ g++; }
	! is pgjdbc || { need /usr/share/java/postgresql.jar libpostgresql-jdbc-java; need /usr/bin/java default-jdk-headless; }
done
if [ ${#packages[@]} -gt 0 ]; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
		echo "missing: ${packages[*]}" >&2
		exit 1
	fi
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -q
	apt-get install -y -q --no-install-recommends "${packages[@]}"
fi
cd integration/pgclients
case " $* " in
*" all "* | *" node-postgres "* | *" postgres-js "* | *" knex "* | *" sequelize "* | *" typeorm "* | *" drizzle "* | *" directus "* | *" postgraphile "*) "$here/npm-ci.sh" ;;
esac
SEMLAYER_POSTGRES_CLIENTS="$*" ${GO:-go} test -count=1 -v -timeout 30m .
