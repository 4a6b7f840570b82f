#!/usr/bin/env bash
# images.sh ENGINE...: builds server images from Debian packages, for machines that
# reach no registry. ENGINE is postgres, mariadb or mysql; the image is called
# semlayer-local/ENGINE and is left alone when it exists. Needs root, for
# debootstrap, and a running container engine.
set -euo pipefail
cd "$(dirname "$0")"
entrypoints=$PWD
# shellcheck source=tools/scripts/containers/debian.sh
. ./debian.sh

# PostgreSQL and MariaDB of the stable release; MySQL is only in the unstable one.
stable=bookworm
unstable=sid

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build ENGINE SUITE PORT PACKAGE...: an image of the suite with the packages.
build() {
	local engine=$1 suite=$2 port=$3 tag=semlayer-local/$1:latest root=$work/$1
	shift 3
	if docker image inspect "$tag" >/dev/null 2>&1; then
		echo "$tag is there"
		return
	fi
	needs
	bootstrap "$suite"
	cp -a "$work/$suite" "$root"
	echo "$tag: install $*"
	{
		chroot "$root" apt-get update -q
		# PostgreSQL's packages make their own cluster unless configured otherwise.
		mkdir -p "$root/etc/postgresql-common"
		echo 'create_main_cluster = false' >"$root/etc/postgresql-common/createcluster.conf"
		chroot "$root" apt-get -o Dpkg::Options::=--force-confold install -y -q "$@"
		chroot "$root" sh -c 'id mysql || useradd --system --no-create-home mysql'
		chroot "$root" apt-get clean
	} >"$work/log" 2>&1 </dev/null || {
		tail -20 "$work/log" >&2
		return 1
	}
	rm -rf "$root"/var/lib/apt/lists/*
	install -m 755 "$entrypoints/$engine.sh" "$root/entrypoint.sh"
	import "$root" "$tag" --change 'ENTRYPOINT ["/entrypoint.sh"]' --change "EXPOSE $port" --change 'ENV LC_ALL=C.UTF-8'
	rm -rf "$root"
}

for engine in "$@"; do
	case $engine in
	postgres) build postgres "$stable" 5432 postgresql ;;
	mariadb) build mariadb "$stable" 3306 mariadb-server-core mariadb-client-core ;;
	mysql) build mysql "$unstable" 3306 mysql-server-core mysql-client-core ;;
	*)
		echo "no image is known for $engine" >&2
		exit 2
		;;
	esac
done
