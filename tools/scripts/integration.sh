#!/usr/bin/env bash
# integration.sh [GO TEST FLAG...]: the case corpus, the expressions and the drivers'
# conformance on PostgreSQL, MariaDB and MySQL in containers.
#
# One command on a fresh Debian machine with Go, as root: it installs what is missing,
# starts a container engine where none answers, and builds images from Debian packages
# where no registry can be reached. It ends what it has started; images stay for the
# next run. A server that the environment names is used instead of a container.
set -euo pipefail
cd "$(dirname "$0")/../.."
go=${GO:-go}
scripts=tools/scripts/containers
withdatabases=.cache/containers/withdatabases

# No other way to a server, and none may be missing.
export SEMLAYER_SERVERS=dsn,containers SEMLAYER_REQUIRE_SERVERS=1

packages=(./integration ./integration/expressions ./executor/postgres ./executor/mysql)

compilers() {
	local missing=()
	command -v gcc >/dev/null || missing+=(gcc libc6-dev)
	command -v g++ >/dev/null || missing+=(g++)
	[ ${#missing[@]} -gt 0 ] || return 0
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

cleanup() {
	# Containers of a run that was killed. In an engine that others use they may
	# be of a run that goes on beside this one.
	if [ -f .cache/containers/dockerd.pid ]; then
		docker ps -aq --filter label=semlayer.test 2>/dev/null | xargs -r docker rm -fv >/dev/null 2>&1 || true
	fi
	$scripts/engine.sh down
}

step() { # step NAME COMMAND...
	local name=$1 start=$SECONDS
	shift
	"$@"
	echo "==> $name: $((SECONDS - start)) s"
}

images() {
	local missing
	missing=$($withdatabases -missing)
	if [ -n "$missing" ]; then
		# Names of engines, one a line.
		# shellcheck disable=SC2086
		$scripts/images.sh $missing
	fi
}

step compilers compilers
step build "$go" build -o $withdatabases ./integration/withdatabases
if [ -z "${SEMLAYER_POSTGRES_DSN-}" ] || [ -z "${SEMLAYER_MARIADB_DSN-}" ] || [ -z "${SEMLAYER_MYSQL_DSN-}" ]; then
	trap cleanup EXIT
	step engine $scripts/engine.sh up
	step images images
fi
step containers "$go" test -count=1 ./integration/internal/containers
# One package at a time: the drivers' tests count connections and change the server's
# settings.
step test $withdatabases "$go" test -count=1 -p 1 -timeout 15m "$@" "${packages[@]}"
