#!/usr/bin/env bash
# Installs the database servers that the tests start by themselves. Nothing is
# started here, and without root nothing is installed: the tests that need a
# server are then skipped, or fail where SEMLAYER_REQUIRE_SERVERS=1 is set.
set -euo pipefail

missing=()
compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || command -v postgres >/dev/null || missing+=(postgresql)
command -v mariadbd >/dev/null || [ -x /usr/sbin/mariadbd ] || missing+=(mariadb-server)
if [ ${#missing[@]} -eq 0 ]; then
	echo "PostgreSQL and MariaDB are installed"
	exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
	echo "missing: ${missing[*]}; install them to run the tests against real servers" >&2
	exit 0
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends "${missing[@]}"
